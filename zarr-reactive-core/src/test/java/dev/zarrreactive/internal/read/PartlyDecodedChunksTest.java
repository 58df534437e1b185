package dev.zarrreactive.internal.read;

import static dev.zarrreactive.testing.Waiting.await;
import static dev.zarrreactive.testing.Waiting.errorOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.codec.Blosc;
import dev.zarrreactive.codec.Codecs;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.memory.MemoryStore;
import java.util.Arrays;
import java.util.Objects;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** A read of the beginning of a chunk does not decode its end. */
class PartlyDecodedChunksTest {
  private static final Shape SHAPE = Shape.of(64, 64, 64);
  private static final NdArray CONTENT = content();

  private final MemoryStore store = MemoryStore.create();

  private static NdArray content() {
    Random random = new Random(5);
    short[] values = new short[64 * 64 * 64];
    for (int i = 0; i < values.length; i++) {
      values[i] = (short) random.nextInt(500);
    }
    return NdArray.ofShorts(DataTypes.INT16, SHAPE, values);
  }

  /** Returns an array of one chunk, whose stored bytes are damaged. */
  private ZarrArray damaged(Consumer<byte[]> damage, NamedConfiguration... codecs) {
    ArrayMetadata metadata =
        ArrayMetadata.v3(SHAPE, DataTypes.INT16).chunkShape(64, 64, 64).compressors(codecs).build();
    ZarrArray array =
        Objects.requireNonNull(await(Zarr.hierarchy(store).createArray("a", metadata)));
    await(array.write(Selection.all(), CONTENT));
    StoreKey key = StoreKey.of("a/c/0/0/0");
    byte[] stored = Objects.requireNonNull(await(store.get(key))).toByteArray();
    damage.accept(stored);
    await(store.set(key, Bytes.wrap(stored)));
    return array;
  }

  private static void nearTheEnd(byte... stored) {
    for (int i = stored.length / 10 * 9; i < stored.length; i++) {
      stored[i] ^= (byte) 0xa5;
    }
  }

  /** Damages the last block of a frame of zstd, and leaves the headers of all blocks. */
  private static void lastBlock(byte... frame) {
    int at = 9; // behind the header with a size of four bytes
    int header = number(frame, at);
    while ((header & 1) == 0) {
      at += 3 + (header >>> 3);
      header = number(frame, at);
    }
    assertThat(header >>> 1 & 3).as("compressed").isEqualTo(2);
    Arrays.fill(frame, at + 3, at + 8, (byte) 0xff); // sizes and the table of the literals
  }

  private static int number(byte[] bytes, int at) {
    return bytes[at] & 0xff | (bytes[at + 1] & 0xff) << 8 | (bytes[at + 2] & 0xff) << 16;
  }

  private static void assertThePlaneIsRead(ZarrArray array) {
    Selection plane = Selection.parse("3,:,:");
    assertThat(await(array.read(plane))).isEqualTo(CONTENT.slice(plane));
    assertThat(await(array.chunks(plane)).stream().map(Chunk::data))
        .containsExactly(CONTENT.slice(plane));
  }

  private static void assertRefused(ZarrArray array, String selection) {
    assertThat(errorOf(array.read(Selection.parse(selection))))
        .isInstanceOf(CodecException.class)
        .hasMessageContaining("a/c/0/0/0");
  }

  @Test
  void a_plane_of_zstd_is_read_where_the_end_of_the_chunk_is_damaged() {
    ZarrArray array = damaged(PartlyDecodedChunksTest::lastBlock, Codecs.zstd(3));
    assertThePlaneIsRead(array);
    assertRefused(array, ":,0,0");
  }

  @Test
  void a_plane_of_blosc_is_read_where_another_block_is_damaged() {
    ZarrArray array =
        damaged(
            PartlyDecodedChunksTest::nearTheEnd,
            Codecs.blosc(Blosc.Compressor.LZ4).shuffle().blocksize(1 << 16));
    assertThePlaneIsRead(array);
    assertRefused(array, ":,0,0");
  }

  @Test
  void damage_anywhere_in_a_chunk_with_a_checksum_is_an_error() {
    ZarrArray array = damaged(PartlyDecodedChunksTest::nearTheEnd, Codecs.zstd(3), Codecs.crc32c());
    assertRefused(array, "3,:,:");
    assertRefused(array, ":,0,0");
  }

  @Test
  void damage_anywhere_in_a_chunk_of_gzip_is_an_error() {
    ZarrArray array = damaged(PartlyDecodedChunksTest::nearTheEnd, Codecs.gzip(1));
    assertRefused(array, "3,:,:");
  }
}
