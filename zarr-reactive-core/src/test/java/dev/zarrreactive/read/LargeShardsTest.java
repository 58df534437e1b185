package dev.zarrreactive.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.DimensionSelection;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.memory.MemoryStore;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Shards of 2^31 elements and more along a dimension: only their inner chunks are in memory. */
class LargeShardsTest {
  private static final long FAR = (1L << 32) + 4;

  private final MemoryStore store = MemoryStore.create();

  /** Returns an array of 2^33 elements a shard, with 1 to 6 from {@link #FAR} on. */
  private ZarrArray line() {
    int chunk = 1 << 20;
    byte[] elements = new byte[chunk];
    for (int i = 0; i < 6; i++) {
      elements[(int) (FAR % chunk) + i] = (byte) (i + 1);
    }
    put("a/c/0", elements, 1 << 13, (int) (FAR / chunk));
    return create(
        ArrayMetadata.v3(Shape.of(1L << 34), DataTypes.INT8)
            .chunkShape(chunk)
            .shardShape(1L << 33)
            .uncompressed()
            .build());
  }

  /** Stores the first shard, which has one inner chunk. */
  private void put(String key, byte[] elements, int innerChunks, int number) {
    byte[] index = new byte[innerChunks * 2 * Long.BYTES];
    Arrays.fill(index, (byte) -1);
    ByteBuffer.wrap(index)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(number * 2 * Long.BYTES, 0)
        .putLong((number * 2 + 1) * Long.BYTES, elements.length);
    CRC32C checksum = new CRC32C();
    checksum.update(index);
    byte[] shard =
        ByteBuffer.allocate(elements.length + index.length + Integer.BYTES)
            .order(ByteOrder.LITTLE_ENDIAN)
            .put(elements)
            .put(index)
            .putInt((int) checksum.getValue())
            .array();
    store.set(StoreKey.of(key), Bytes.wrap(shard)).block();
  }

  private ZarrArray create(ArrayMetadata metadata) {
    return Objects.requireNonNull(Zarr.hierarchy(store).createArray("a", metadata).block());
  }

  private static int[] ints(ZarrArray array, Selection selection) {
    return Objects.requireNonNull(array.read(selection).block()).cast(DataTypes.INT32).toIntArray();
  }

  @Test
  void a_box_a_list_and_points_behind_the_largest_int_are_read() {
    ZarrArray array = line();
    assertThat(ints(array, Selection.box(new long[] {FAR - 1}, new long[] {8})))
        .containsExactly(0, 1, 2, 3, 4, 5, 6, 0);
    assertThat(ints(array, Selection.of(DimensionSelection.indices(FAR + 5, 0, FAR, FAR + 5))))
        .containsExactly(6, 0, 1, 6);
    assertThat(ints(array, Selection.points(new long[][] {{FAR + 2}, {7}, {FAR + (1L << 33)}})))
        .containsExactly(3, 0, 0);
    assertThat(ints(array, Selection.parse("4::4294967296"))).containsExactly(0, 1, 0, 0);
  }

  @ParameterizedTest
  @ValueSource(longs = {1L << 31, 1L << 33, (1L << 33) + (1L << 20)})
  void a_stream_may_take_a_part_that_exceeds_an_int(long length) {
    ZarrArray array = line();
    List<Chunk> first =
        array
            .chunksInOrder(Selection.box(new long[] {0}, new long[] {length}))
            .take(3)
            .collectList()
            .block();
    assertThat(first)
        .extracting(chunk -> chunk.selection().toString())
        .containsExactly("0:1048576", "1048576:2097152", "2097152:3145728");
    Chunk far =
        array
            .chunksInOrder(Selection.box(new long[] {FAR - (FAR % (1 << 20))}, new long[] {length}))
            .blockFirst();
    assertThat(Objects.requireNonNull(far).data().getInt(4)).isEqualTo(1);
  }

  @Test
  void a_plane_in_long_shards_is_read_by_lists_and_points() {
    int rows = 1 << 20;
    long row = (1L << 31) + 17;
    byte[] elements = new byte[rows * 2];
    elements[17 * 2] = 2;
    elements[17 * 2 + 1] = 3;
    put("a/c.0.0", elements, (1 << 12) * 3, (1 << 11) * 3 + 1);
    ZarrArray array =
        create(
            ArrayMetadata.v3(Shape.of(1L << 33, 5), DataTypes.INT8)
                .chunkShape(rows, 2)
                .shardShape(1L << 32, 6)
                .chunkKeyEncoding("default", ".")
                .uncompressed()
                .build());
    assertThat(
            ints(
                array,
                Selection.of(
                    DimensionSelection.indices(row, 3), DimensionSelection.indices(3, 0, 2))))
        .containsExactly(3, 0, 2, 0, 0, 0);
    assertThat(ints(array, Selection.points(new long[][] {{row, 2}, {row - 1, 2}})))
        .containsExactly(2, 0);
    assertThat(ints(array, Selection.parse(row + ", ::2"))).containsExactly(0, 2, 0);
  }

  @Test
  void a_whole_shard_that_no_array_can_hold_is_refused_with_its_size() {
    assertThatThrownBy(() -> line().readChunk(0).block())
        .isInstanceOfAny(ZarrException.class, IllegalArgumentException.class)
        .hasMessageNotContaining("overflow");
  }
}
