package dev.zarrreactive.encoding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.NumpyUnit;
import dev.zarrreactive.datatype.StructField;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.memory.MemoryStore;
import java.io.ByteArrayOutputStream;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** Raw bytes of elements, in both byte orders. */
class RawEncodingTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static ZarrArray array(NdArray data, long budget, long... chunk) {
    ZarrArray array =
        Zarr.hierarchy(MemoryStore.create(), ZarrOptions.defaults().withMaxInFlightBytes(budget))
            .createArray(
                "a",
                ArrayMetadata.v3(data.shape(), data.dataType())
                    .uncompressed()
                    .chunkShape(chunk)
                    .build())
            .block(PATIENCE);
    array.write(Selection.all(), data).block(PATIENCE);
    return array;
  }

  private static byte[] bytes(ZarrArray array, ByteOrder order, int pieceSize) {
    Encoding raw = Encoding.raw(order);
    ByteArrayOutputStream joined = new ByteArrayOutputStream();
    for (Bytes piece :
        array.encode(Selection.all(), raw, pieceSize).collectList().block(PATIENCE)) {
      assertThat(piece.size()).isBetween(1, pieceSize);
      joined.writeBytes(piece.toByteArray());
    }
    assertThat(raw.length(array.metadata(), Selection.all()))
        .isEqualTo(OptionalLong.of(joined.size()));
    return joined.toByteArray();
  }

  @Property(tries = 100)
  void every_data_type_of_a_fixed_size_is_kept_or_swapped(@ForAll long seed) {
    Random random = new Random(seed);
    List<DataType> types = new ArrayList<>(DataTypes.named());
    types.addAll(
        List.of(
            DataTypes.raw(24),
            DataTypes.fixedLengthUtf32(3),
            DataTypes.datetime64(NumpyUnit.SECOND, 10),
            DataTypes.struct(
                new StructField("a", DataTypes.INT16), new StructField("b", DataTypes.COMPLEX64))));
    DataType type = types.get(random.nextInt(types.size()));
    Shape shape = Shape.of(random.nextInt(20), 1 + random.nextInt(20));
    byte[] images = new byte[shape.byteSize(type.itemSize())];
    if (!type.equals(DataTypes.BOOL)) {
      random.nextBytes(images);
    }
    ZarrArray array =
        array(NdArray.wrap(type, shape, Bytes.wrap(images)), 1L << (8 + random.nextInt(10)), 3, 5);
    int pieceSize = 1 + random.nextInt(100);
    byte[] little = bytes(array, ByteOrder.LITTLE_ENDIAN, pieceSize);
    assertThat(little).isEqualTo(array.read().block(PATIENCE).bytes().toByteArray());
    byte[] expected = little.clone();
    for (int at = 0; at < expected.length; ) {
      for (var components : type.components()) {
        for (int i = 0; i < components.count(); i++) {
          for (int b = 0; b < components.size(); b++) {
            expected[at + b] = little[at + components.size() - 1 - b];
          }
          at += components.size();
        }
      }
    }
    assertThat(bytes(array, ByteOrder.BIG_ENDIAN, pieceSize)).isEqualTo(expected);
  }

  @Test
  void elements_of_any_length_are_refused_with_the_encodings_that_have_them() {
    ZarrArray array = array(NdArray.ofStrings(DataTypes.STRING, Shape.of(1), "a"), 1 << 20, 1);
    Encoding raw = Encoding.raw(ByteOrder.LITTLE_ENDIAN);
    assertThatThrownBy(() -> array.encode(Selection.all(), raw, 10).blockLast(PATIENCE))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessage(
            "elements of string have a variable size, which raw bytes cannot have; the encodings"
                + " jsonLines, json and csv can (node /a)");
  }

  @Test
  void the_length_is_unknown_where_no_long_counts_it() {
    var metadata =
        ArrayMetadata.v3(Shape.of(1L << 40, 1L << 20), DataTypes.INT64)
            .uncompressed()
            .chunkShape(1024, 1024)
            .build();
    Encoding raw = Encoding.raw(ByteOrder.LITTLE_ENDIAN);
    assertThat(raw.length(metadata, Selection.all())).isEmpty();
    assertThat(raw.length(metadata, Selection.parse("0:2"))).isEqualTo(OptionalLong.of(2L << 23));
  }
}
