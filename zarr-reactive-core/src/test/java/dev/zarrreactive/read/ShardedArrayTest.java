package dev.zarrreactive.read;

import static dev.zarrreactive.testing.ShardArrays.compressed;
import static dev.zarrreactive.testing.ShardArrays.extents;
import static dev.zarrreactive.testing.ShardArrays.sharding;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.ChecksumMismatchException;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.observation.StoreOperation;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.TestArrays;
import dev.zarrreactive.testkit.InstrumentedStore;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Sharded arrays: what is read, and with how many requests. */
class ShardedArrayTest {
  private static final Shape SHAPE = Shape.of(10, 9);

  private final MemoryStore memory = MemoryStore.create();
  private final InstrumentedStore store = InstrumentedStore.of(memory);
  private final NdArray data = TestArrays.counting(SHAPE);
  private ZarrArray array;

  private ZarrArray create(ArrayMetadata metadata) {
    return Zarr.hierarchy(store).createArray("a", metadata).block();
  }

  private static ArrayMetadata metadata(NamedConfiguration... codecs) {
    return ArrayMetadata.v3(SHAPE, DataTypes.INT32).chunkShape(4, 6).codecs(codecs).build();
  }

  @BeforeEach
  void write() {
    array = create(metadata(sharding("end", compressed(), 2, 3)));
    array.write(Selection.all(), data).block();
    store.counts().reset();
  }

  private NdArray read(String selection) {
    return array.read(Selection.parse(selection)).block();
  }

  @Test
  void everything_is_read_with_one_request_for_each_shard() {
    assertThat(read("...")).isEqualTo(data);
    assertThat(store.counts().total()).isEqualTo(6);
    assertThat(store.counts().total(StoreOperation.GET)).isEqualTo(6);
  }

  @Test
  void one_inner_chunk_costs_the_index_and_itself() {
    assertThat(read("2:4,3:6").toIntArray()).containsExactly(22, 23, 24, 31, 32, 33);
    assertThat(store.counts().total()).isEqualTo(2);
    assertThat(store.counts().total(StoreOperation.GET_RANGE)).isEqualTo(2);
  }

  @Test
  void any_selection_gives_the_same_as_of_the_whole() {
    for (String selection :
        List.of("1:9:3,::2", "5,...", "...,8", "[9,0,9],[1,7]", "3:3,:", "-1,-1")) {
      NdArray expected = create(selection, data).read(Selection.parse(selection)).block();
      assertThat(read(selection)).as(selection).isEqualTo(expected);
    }
    NdArray points = array.read(Selection.points(new long[] {9, 8}, new long[] {0, 0})).block();
    assertThat(points.toIntArray()).containsExactly(90, 1);
  }

  private ZarrArray create(String name, NdArray content) {
    ZarrArray plain =
        Zarr.hierarchy(MemoryStore.create())
            .createArray("p", ArrayMetadata.v3(SHAPE, DataTypes.INT32).uncompressed().build())
            .block();
    plain.write(Selection.all(), content).block();
    return plain;
  }

  @Test
  void chunks_come_as_inner_chunks_that_know_their_place() {
    List<Chunk> chunks = array.chunksInOrder(Selection.all()).collectList().block();
    assertThat(chunks).hasSize(15); // 5 x 3 inner chunks hold something
    for (Chunk chunk : chunks) {
      assertThat(chunk.data())
          .isEqualTo(array.read(Selection.parse(chunk.selection().toString())).block());
    }
    assertThat(chunks.get(0).index()).containsExactly(0, 0);
    assertThat(chunks.get(14).index()).containsExactly(2, 1);
  }

  @Test
  void a_part_of_a_shard_is_written_without_losing_the_rest() {
    array.write(Selection.parse("3,4"), NdArray.scalar(DataTypes.INT32, -5)).block();
    assertThat(store.counts().total(StoreOperation.GET)).isEqualTo(1);
    assertThat(store.counts().total(StoreOperation.SET)).isEqualTo(1);
    assertThat(read("3,4").getInt()).isEqualTo(-5);
    assertThat(read("3,5").getInt()).isEqualTo(33);
    assertThat(read("2,4").getInt()).isEqualTo(23);
  }

  @Test
  void missing_shards_and_inner_chunks_are_fill_value() {
    ArrayMetadata metadata =
        ArrayMetadata.v3(SHAPE, DataTypes.INT32)
            .chunkShape(4, 6)
            .codecs(sharding("start", compressed(), 2, 3))
            .fillValue(JsonNumber.of(7))
            .build();
    ZarrArray sparse = Zarr.hierarchy(store).createArray("sparse", metadata).block();
    sparse.write(Selection.parse("0,0"), NdArray.scalar(DataTypes.INT32, 1)).block();
    NdArray all = sparse.read(Selection.all()).block();
    assertThat(all.getInt(0, 0)).isEqualTo(1);
    assertThat(Arrays.stream(all.toIntArray()).filter(v -> v == 7).count()).isEqualTo(89);
    assertThat(sparse.read(Selection.parse("2,4")).block().getInt()).isEqualTo(7);
    assertThat(sparse.read(Selection.parse("9,8")).block().getInt()).isEqualTo(7);
  }

  @Test
  void shards_nest() {
    JsonArray inner = JsonArray.of(sharding("start", compressed(), 1, 3).toJson());
    ZarrArray nested =
        Zarr.hierarchy(store).createArray("nested", metadata(sharding("end", inner, 2, 3))).block();
    nested.write(Selection.all(), data).block();
    assertThat(nested.read(Selection.all()).block()).isEqualTo(data);
    ZarrArray reopened =
        Zarr.hierarchy(store, ZarrOptions.defaults()).openArray("nested").block(); // no index known
    store.counts().reset();
    assertThat(reopened.read(Selection.parse("3,4")).block().getInt()).isEqualTo(32);
    assertThat(store.counts().total(StoreOperation.GET_RANGE)).isEqualTo(3); // two indexes
    assertThat(reopened.read(Selection.parse("2,4")).block().getInt()).isEqualTo(23);
    assertThat(store.counts().total(StoreOperation.GET_RANGE)).isEqualTo(4); // both known
  }

  @Test
  void codecs_around_a_shard_make_it_be_read_whole() {
    NamedConfiguration transpose =
        NamedConfiguration.of("transpose", JsonObject.EMPTY.with("order", extents(1, 0)));
    ZarrArray around =
        Zarr.hierarchy(store)
            .createArray(
                "around",
                metadata(
                    transpose,
                    sharding("end", compressed(), 3, 2),
                    NamedConfiguration.of("gzip", JsonObject.EMPTY.with("level", 1))))
            .block();
    around.write(Selection.all(), data).block();
    store.counts().reset();
    assertThat(around.read(Selection.parse("3,4")).block().getInt()).isEqualTo(32);
    assertThat(around.read(Selection.all()).block()).isEqualTo(data);
    assertThat(store.counts().total()).isEqualTo(7);
    assertThat(store.counts().total(StoreOperation.GET)).isEqualTo(7);
  }

  @Test
  void damage_is_located_down_to_the_inner_chunk() {
    StoreKey key = StoreKey.of("a/c/0/1");
    byte[] shard = memory.get(key).block().toByteArray();
    shard[0] ^= 1;
    memory.set(key, Bytes.wrap(shard)).block();
    assertThatThrownBy(() -> read("0:2,6:9"))
        .isInstanceOf(ChecksumMismatchException.class)
        .hasMessageContaining("node /a, chunk [0, 1], inner chunk [0, 0], key a/c/0/1");
  }

  @Test
  void inner_chunks_must_divide_every_edge_of_a_rectilinear_grid() {
    NamedConfiguration grid =
        NamedConfiguration.of(
            "rectilinear",
            JsonObject.EMPTY
                .with("kind", "inline")
                .with("chunk_shapes", JsonArray.of(extents(6, 4), extents(9))));
    ArrayMetadata metadata =
        ArrayMetadata.v3(SHAPE, DataTypes.INT32)
            .chunkGrid(grid)
            .codecs(sharding("end", compressed(), 3, 3))
            .build();
    assertThatThrownBy(() -> Zarr.hierarchy(store).createArray("r", metadata).block())
        .isInstanceOf(MetadataException.class)
        .hasMessageContaining("divides the shard's [4, 9]");
  }
}
