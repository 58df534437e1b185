package dev.zarrreactive.encodings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.encoding.Encoding;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import dev.zarrreactive.store.memory.MemoryStore;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;

/** Arrays with elements, and the joined pieces of an encoding. */
final class Encoded {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private Encoded() {}

  /** An array in memory with these elements, which is read within a budget. */
  static ZarrArray array(NdArray data, long budget, UnaryOperator<ArrayMetadataBuilder> settings) {
    ZarrArray array =
        Zarr.hierarchy(MemoryStore.create(), ZarrOptions.defaults().withMaxInFlightBytes(budget))
            .createArray(
                "a",
                settings
                    .apply(ArrayMetadata.v3(data.shape(), data.dataType()).uncompressed())
                    .build())
            .block(PATIENCE);
    array.write(Selection.all(), data).block(PATIENCE);
    return array;
  }

  /** An array in memory with these elements. */
  static ZarrArray array(NdArray data) {
    return array(data, 1 << 20, settings -> settings);
  }

  /** The pieces, one after the other; each has one byte and {@code pieceSize} at the most. */
  static byte[] bytes(ZarrArray array, Selection selection, Encoding encoding, int pieceSize) {
    List<Bytes> pieces = array.encode(selection, encoding, pieceSize).collectList().block(PATIENCE);
    ByteArrayOutputStream joined = new ByteArrayOutputStream();
    for (Bytes piece : pieces) {
      assertThat(piece.size()).isBetween(1, pieceSize);
      joined.writeBytes(piece.toByteArray());
    }
    byte[] all = joined.toByteArray();
    encoding
        .length(array.metadata(), selection)
        .ifPresent(length -> assertThat(length).isEqualTo(all.length));
    return all;
  }

  static byte[] bytes(ZarrArray array, Encoding encoding) {
    return bytes(array, Selection.all(), encoding, 1000);
  }

  static String text(ZarrArray array, String selection, Encoding encoding, int pieceSize) {
    byte[] bytes = bytes(array, Selection.parse(selection), encoding, pieceSize);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  static String text(NdArray data, Encoding encoding) {
    return text(array(data), "...", encoding, 7);
  }
}
