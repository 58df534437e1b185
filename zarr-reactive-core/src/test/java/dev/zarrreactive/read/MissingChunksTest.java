package dev.zarrreactive.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.LocatedJson;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.memory.MemoryStore;
import java.util.HexFormat;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A chunk that is not there is fill value, bit for bit. */
class MissingChunksTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          bool       | true                     | 01
          int8       | -1                       | ff
          int16      | -2                       | feff
          uint32     | 4294967295               | ffffffff
          int64      | -9223372036854775808     | 0000000000000080
          uint64     | 18446744073709551615     | ffffffffffffffff
          float16    | "0x7e01"                 | 017e
          float32    | -0.0                     | 00000080
          float32    | "NaN"                    | 0000c07f
          float32    | "0x7f800001"             | 0100807f
          float32    | "0xffc00123"             | 2301c0ff
          float64    | "-Infinity"              | 000000000000f0ff
          float64    | "0x7ff0000000000001"     | 010000000000f07f
          complex64  | [1.5, "0x7fc00001"]      | 0000c03f0100c07f
          complex128 | ["Infinity", -0.0]       | 000000000000f07f0000000000000080
          r24        | [1, 2, 255]              | 0102ff
          """)
  void whatever_the_fill_value_is(String type, String fillValue, String image) {
    DataType dataType = DataTypes.parse(NamedConfiguration.of(type));
    ZarrArray array =
        Zarr.hierarchy(MemoryStore.create())
            .createArray(
                "a",
                ArrayMetadata.v3(Shape.of(5, 3), dataType)
                    .uncompressed()
                    .chunkShape(2, 2)
                    .fillValue(json(fillValue).value())
                    .build())
            .block();
    assertAll(array.read(Selection.all()).block(), 15, image);
    assertAll(array.read(Selection.parse("1::3,[2,0]")).block(), 4, image);
    assertAll(array.read(Selection.points(new long[] {4, 2})).block(), 1, image);
    assertAll(array.readChunk(2, 1).block(), 4, image);
    array
        .chunks(Selection.all())
        .doOnNext(
            chunk -> assertAll(chunk.data(), chunk.data().shape().elementCount().intValue(), image))
        .blockLast();
  }

  private static void assertAll(NdArray array, int count, String image) {
    assertThat(HexFormat.of().formatHex(array.bytes().toByteArray()))
        .isEqualTo(image.repeat(count));
  }

  private static LocatedJson json(String text) {
    return JsonDocument.parse(Bytes.utf8(text).asByteBuffer(), Location.UNKNOWN);
  }
}
