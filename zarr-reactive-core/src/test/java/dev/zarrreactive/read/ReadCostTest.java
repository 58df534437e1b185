package dev.zarrreactive.read;

import static dev.zarrreactive.testing.ShardArrays.block;
import static dev.zarrreactive.testing.ShardArrays.checked;
import static dev.zarrreactive.testing.ShardArrays.count;
import static dev.zarrreactive.testing.ShardArrays.data;
import static dev.zarrreactive.testing.ShardArrays.indexes;
import static dev.zarrreactive.testing.ShardArrays.reopened;
import static dev.zarrreactive.testing.ShardArrays.sharding;
import static dev.zarrreactive.testing.ShardArrays.squares;
import static dev.zarrreactive.testing.ShardArrays.written;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.ShardReading;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import dev.zarrreactive.observation.StoreOperation;
import dev.zarrreactive.observation.StoreRequest;
import dev.zarrreactive.store.decorator.CacheOptions;
import dev.zarrreactive.store.decorator.Stores;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.NothingIsDropped;
import dev.zarrreactive.testing.RoundTrips;
import dev.zarrreactive.testing.ShardArrays;
import dev.zarrreactive.testing.TestArrays;
import dev.zarrreactive.testkit.InstrumentedStore;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * What a read may cost, in round trips and the requests of each. What opening and listing cost is
 * in {@code NodeCostTest}.
 */
@ExtendWith(NothingIsDropped.class)
class ReadCostTest {
  private static final ZarrOptions OPTIONS = ZarrOptions.defaults();

  /** The index of 16 × 16 inner chunks, with its checksum. */
  private static final int INDEX_BYTES = 256 * 16 + 4;

  private final InstrumentedStore store = InstrumentedStore.of(MemoryStore.create());

  /** The requests of each round trip of a read whose result is a block of the array. */
  private List<Integer> trips(ZarrArray array, String selection, int... expected) {
    Mono<NdArray> read = array.read(Selection.parse(selection));
    return RoundTrips.of(
        store, read.doOnNext(block -> assertThat(block.toIntArray()).isEqualTo(expected)));
  }

  @Test
  void full_read_of_n_chunks() {
    ZarrArray array = TestArrays.row(50, store, OPTIONS);
    assertThat(trips(array, "...", block(200, 0, 0, 1, 200))).containsExactly(50);
    assertThat(store.counts().total(StoreOperation.GET)).isEqualTo(50);
    store.counts().reset();
    array.read(Selection.parse("6:9")).block();
    assertThat(store.counts().requests())
        .extracting(StoreRequest::target)
        .containsExactlyInAnyOrder("a/c/1", "a/c/2");
  }

  /**
   * One request for the index, by the end of the shard that it stands at, without a look before.
   */
  @ParameterizedTest
  @ValueSource(strings = {"start", "end"})
  void one_inner_chunk_of_a_shard_cold_and_a_second_one(String location) {
    ArrayMetadataBuilder metadata = squares(1, 1).codecs(sharding(location, checked(), 4, 4));
    ZarrArray array = written(metadata, store, OPTIONS);
    assertThat(trips(array, "5,6", 5 * 64 + 7)).containsExactly(1, 1);
    assertThat(store.counts().requests())
        .extracting(StoreRequest::operation)
        .containsExactly(StoreOperation.GET_RANGE, StoreOperation.GET_RANGE);
    assertThat(store.counts().requests().get(0).range())
        .isEqualTo(
            location.equals("end")
                ? new ByteRange.Suffix(INDEX_BYTES)
                : new ByteRange.Slice(0, INDEX_BYTES));
    assertThat(store.counts().bytesRead()).isEqualTo(INDEX_BYTES + ShardArrays.INNER_BYTES);
    assertThat(trips(array, "50,7", 50 * 64 + 8)).containsExactly(1);
    assertThat(trips(array, "5,6", 5 * 64 + 7)).as("data are not kept").containsExactly(1);
  }

  @Test
  void a_block_of_4_by_4_inner_chunks_of_one_shard() {
    ZarrArray array = written(squares(1, 1), store, OPTIONS);
    assertThat(trips(array, "16:32,20:36", block(64, 16, 20, 16, 16))).containsExactly(1, 1);
    assertThat(count(store, indexes())).isEqualTo(1);
    assertThat(count(store, data())).isEqualTo(1);
  }

  @Test
  void a_whole_shard() {
    ZarrArray array = written(squares(1, 1), store, OPTIONS);
    assertThat(trips(array, "...", block(64, 0, 0, 64, 64))).containsExactly(1);
    assertThat(store.counts().total(StoreOperation.GET)).isEqualTo(1);
    assertThat(trips(array, "5,5", 5 * 64 + 6)).as("its index came with it").containsExactly(1);
  }

  /** However many inner chunks each of them has. */
  @Test
  void whole_shards_are_fetched_together() {
    ZarrArray array = written(squares(4, 4), store, OPTIONS);
    assertThat(trips(array, "...", block(256, 0, 0, 256, 256))).containsExactly(16);
  }

  @Test
  void inner_chunks_240_of_256_of_a_shard() {
    ZarrArray array = written(squares(1, 1), store, OPTIONS);
    assertThat(trips(array, "0:60,:", block(64, 0, 0, 60, 64))).containsExactly(1);
  }

  @Test
  void four_concurrent_reads_of_one_chunk_where_a_cache_is_on() {
    TestArrays.row(3, store, OPTIONS);
    ZarrArray array = TestArrays.open(Stores.cached(store, CacheOptions.ofBytes(10_000)), OPTIONS);
    store.counts().reset();
    Mono<?> four =
        Flux.range(0, 4).flatMap(i -> array.read(Selection.parse(4 + i + ":8"))).collectList();
    assertThat(RoundTrips.of(store, four)).containsExactly(1);
    assertThat(RoundTrips.of(store, four)).isEmpty();
  }

  @Test
  void a_small_shard_with_a_speculative_tail() {
    ZarrOptions tail =
        OPTIONS.withShardReading(ShardReading.defaults().withSpeculativeTail(30_000));
    ZarrArray array = written(squares(1, 1), store, tail);
    assertThat(trips(array, "16:32,20:36", block(64, 16, 20, 16, 16))).containsExactly(1);
    ZarrOptions shorter =
        OPTIONS.withShardReading(ShardReading.defaults().withSpeculativeTail(5_000));
    ZarrArray large = reopened(store, shorter);
    assertThat(trips(large, "5,5", 5 * 64 + 6)).containsExactly(1, 1);
  }

  @Test
  void many_concurrent_small_slices_of_one_sharded_array_fetch_each_index_and_inner_chunk_once() {
    ZarrArray array = written(squares(2, 2), store, OPTIONS);
    Mono<List<Integer>> slices =
        Flux.range(0, 64)
            .flatMap(i -> array.read(Selection.parse(2 * i + "," + (127 - 2 * i))), 64)
            .map(NdArray::getInt)
            .sort()
            .collectList()
            .doOnNext(
                values ->
                    assertThat(values)
                        .isEqualTo(IntStream.range(0, 64).mapToObj(i -> i * 254 + 128).toList()));
    assertThat(RoundTrips.of(store, slices)).containsExactly(2, 32);
    assertThat(count(store, indexes())).isEqualTo(2);
    assertThat(count(store, data())).as("two slices are in one inner chunk").isEqualTo(32);
  }

  /**
   * Slices of 10 × 100 × 100 elements over chunks of 64 × 64 × 64, each at another place. There is
   * room in flight for all of them.
   */
  @Test
  void sixty_four_concurrent_slices_fetch_each_chunk_once() {
    ArrayMetadataBuilder cubes =
        ArrayMetadata.v3(Shape.of(128, 256, 256), DataTypes.INT32)
            .uncompressed()
            .chunkShape(64, 64, 64);
    ZarrArray array = TestArrays.counting(cubes, store, OPTIONS.withMaxInFlightBytes(2L << 30));
    Mono<List<NdArray>> slices =
        Flux.range(0, 64)
            .flatMapSequential(
                i -> {
                  String place = SLICE.formatted(i, i + 10, 2 * i, 2 * i + 100, i, i + 100);
                  return array.read(Selection.parse(place));
                },
                64)
            .collectList()
            .doOnNext(
                read -> {
                  for (int i = 0; i < 64; i++) {
                    assertThat(read.get(i).getInt(0, 0, 0)).isEqualTo(number(i, 2 * i, i));
                    assertThat(read.get(i).getInt(9, 99, 99))
                        .isEqualTo(number(i + 9, 2 * i + 99, i + 99));
                  }
                });
    assertThat(RoundTrips.of(store, slices)).hasSize(1);
    assertThat(store.counts().requests())
        .extracting(StoreRequest::target)
        .doesNotHaveDuplicates()
        .hasSize(21); // of 2 × 4 × 3 chunks, without those beside the diagonal
  }

  private static final String SLICE = "%d:%d,%d:%d,%d:%d";

  /** The element at a place of an array of 256 rows and columns. */
  private static int number(int plane, int row, int column) {
    return (plane * 256 + row) * 256 + column + 1;
  }

  @Test
  void a_plane_through_64_shards() {
    ZarrArray array = written(squares(64, 1), store, OPTIONS);
    int[] expected = new int[64];
    for (int shard = 0; shard < 64; shard++) {
      expected[shard] = shard * 64 * 64 + 4;
    }
    assertThat(trips(array, "::64,3", expected)).containsExactly(64, 64);
    assertThat(count(store, indexes())).isEqualTo(64);
    assertThat(count(store, data())).isEqualTo(64);
  }

  /** Shards of 4 × 4 nested shards of 4 × 4 inner chunks of 2 × 2 elements. */
  private static ArrayMetadataBuilder nested() {
    JsonArray inner = JsonArray.of(sharding("end", checked(), 2, 2).toJson());
    return ArrayMetadata.v3(Shape.of(32, 32), DataTypes.INT32)
        .chunkShape(32, 32)
        .codecs(sharding("end", inner, 8, 8));
  }

  @Test
  void one_inner_chunk_of_a_nested_shard() {
    ZarrArray array = written(nested(), store, OPTIONS);
    assertThat(trips(array, "9,9", 9 * 32 + 10)).containsExactly(1, 1, 1);
    assertThat(trips(array, "15,15", 15 * 32 + 16)).as("the same nested shard").containsExactly(1);
    assertThat(trips(array, "1,1", 34)).as("another nested shard").containsExactly(1, 1);
  }

  /** The indexes of a row of nested shards come together, and so do their inner chunks. */
  @Test
  void a_row_through_nested_shards() {
    ZarrArray array = written(nested(), store, OPTIONS);
    assertThat(trips(array, "9,:", block(32, 9, 0, 1, 32))).containsExactly(1, 1, 1);
    assertThat(trips(array, "9,:", block(32, 9, 0, 1, 32))).containsExactly(1);
  }
}
