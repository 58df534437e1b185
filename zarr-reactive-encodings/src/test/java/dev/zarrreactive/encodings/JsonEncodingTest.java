package dev.zarrreactive.encodings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.NumpyUnit;
import dev.zarrreactive.datatype.StructField;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.testing.RandomArray;
import dev.zarrreactive.testing.RandomSelection;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class JsonEncodingTest {
  @Provide
  Arbitrary<RandomArray> arrays() {
    return Arbitraries.randomValue(RandomArray::of);
  }

  @Property(tries = 100)
  void lines_and_lists_have_what_a_read_gives(
      @ForAll("arrays") RandomArray model, @ForAll long seed) {
    Random random = new Random(seed);
    ZarrArray array =
        model.create(ZarrOptions.defaults().withMaxInFlightBytes(1L << random.nextInt(20)));
    model.storeSomeChunks(array.store());
    RandomSelection selection = model.selection();
    NdArray read = array.read(selection.selection()).block();
    int pieceSize = 1 + random.nextInt(100);

    List<String> expected = new ArrayList<>();
    for (int i = 0; i < read.shape().elementCountUpTo(Integer.MAX_VALUE); i++) {
      expected.add(read.toJson(i).toString());
    }
    String lines =
        new String(
            Encoded.bytes(array, selection.selection(), Encodings.jsonLines(), pieceSize),
            StandardCharsets.UTF_8);
    assertThat(lines.lines().toList()).isEqualTo(expected);

    byte[] document = Encoded.bytes(array, selection.selection(), Encodings.json(), pieceSize);
    JsonValue parsed = JsonDocument.parse(ByteBuffer.wrap(document), Location.UNKNOWN).value();
    assertThat(parsed).isEqualTo(nested(read, 0, 0));
  }

  private static JsonValue nested(NdArray array, int dimension, int from) {
    if (dimension == array.shape().rank()) {
      return array.toJson(from);
    } else if (array.shape().isEmpty()) {
      return JsonArray.of();
    }
    int step = 1;
    for (int d = dimension + 1; d < array.shape().rank(); d++) {
      step *= (int) array.shape().extent(d);
    }
    List<JsonValue> list = new ArrayList<>();
    for (int i = 0; i < array.shape().extent(dimension); i++) {
      list.add(nested(array, dimension + 1, from + i * step));
    }
    return new JsonArray(list);
  }

  @Test
  void values_are_in_the_form_of_fill_values() {
    assertThat(
            Encoded.text(
                NdArray.ofLongs(DataTypes.UINT64, Shape.of(2), -1, 0), Encodings.jsonLines()))
        .isEqualTo("18446744073709551615\n0\n");
    assertThat(
            Encoded.text(
                NdArray.ofDoubles(Shape.of(4), Double.NaN, Double.NEGATIVE_INFINITY, -0.0, 0.1),
                Encodings.json()))
        .isEqualTo("[\"NaN\",\"-Infinity\",-0.0,0.1]\n");
    assertThat(
            Encoded.text(
                NdArray.ofLongs(
                    DataTypes.datetime64(NumpyUnit.SECOND, 1), Shape.of(2), 5, Long.MIN_VALUE),
                Encodings.jsonLines()))
        .isEqualTo("5\n\"NaT\"\n");
  }

  @Test
  void texts_of_any_length_are_cut_into_pieces() {
    NdArray texts =
        NdArray.ofStrings(DataTypes.STRING, Shape.of(2, 2), "ä\n", "", "\"", "€".repeat(100));
    assertThat(Encoded.text(texts, Encodings.jsonLines()))
        .isEqualTo("\"ä\\n\"\n\"\"\n\"\\\"\"\n\"" + "€".repeat(100) + "\"\n");
    assertThat(Encoded.text(texts, Encodings.json()))
        .isEqualTo("[[\"ä\\n\",\"\"],[\"\\\"\",\"" + "€".repeat(100) + "\"]]\n");
  }

  @Test
  void a_struct_is_an_object() {
    NdArray items =
        NdArray.wrap(
            DataTypes.struct(
                new StructField("id", DataTypes.INT8),
                new StructField("at", DataTypes.datetime64(NumpyUnit.SECOND, 1))),
            Shape.SCALAR,
            Bytes.wrap(new byte[] {7, 0, 0, 0, 0, 0, 0, 0, -128}));
    assertThat(Encoded.text(items, Encodings.json())).isEqualTo("{\"id\":7,\"at\":\"NaT\"}\n");
  }

  @Test
  void nothing_is_an_empty_list_however_large_the_other_extents_are() {
    ZarrArray empty =
        Encoded.array(
            NdArray.ofInts(DataTypes.INT32, Shape.of(1L << 40, 0)),
            1 << 20,
            settings -> settings.chunkShape(10, 10));
    assertThat(Encoded.text(empty, "...", Encodings.json(), 9)).isEqualTo("[]\n");
    assertThat(Encoded.text(empty, "...", Encodings.jsonLines(), 9)).isEmpty();
  }
}
