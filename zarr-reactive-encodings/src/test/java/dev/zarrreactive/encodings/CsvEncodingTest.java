package dev.zarrreactive.encodings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.ComplexType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.NumpyUnit;
import dev.zarrreactive.datatype.StructField;
import dev.zarrreactive.testing.RandomArray;
import dev.zarrreactive.testing.RandomSelection;
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

class CsvEncodingTest {
  @Provide
  Arbitrary<RandomArray> arrays() {
    return Arbitraries.randomValue(RandomArray::of);
  }

  @Property(tries = 50)
  void each_line_has_the_index_in_the_array_and_the_value(
      @ForAll("arrays") RandomArray model, @ForAll long seed) {
    Random random = new Random(seed);
    ZarrArray array =
        model.create(ZarrOptions.defaults().withMaxInFlightBytes(1L << random.nextInt(20)));
    model.storeSomeChunks(array.store());
    RandomSelection selection = model.selection();
    NdArray read = array.read(selection.selection()).block();
    String[] lines =
        new String(
                Encoded.bytes(
                    array, selection.selection(), Encodings.csv(), 1 + random.nextInt(100)),
                StandardCharsets.UTF_8)
            .split("\r\n", -1);
    int rank = array.shape().rank();
    List<String> found = new ArrayList<>();
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < selection.elements().size(); i++) {
      String[] fields = lines[1 + i].split(",", rank + 1);
      StringBuilder index = new StringBuilder();
      for (long position : selection.elements().get(i)) {
        index.append(position).append(',');
      }
      found.add(lines[1 + i].substring(0, lines[1 + i].length() - fields[rank].length()));
      expected.add(index.toString());
      if (!(array.dataType() instanceof ComplexType) && !array.dataType().name().startsWith("r")) {
        assertThat(fields[rank]).isEqualTo(read.toJson(i).toString().replace("\"", ""));
      }
    }
    assertThat(found).isEqualTo(expected);
    assertThat(lines).hasSize(selection.elements().size() + 2);
    assertThat(lines[lines.length - 1]).isEmpty();
  }

  @Test
  void columns_have_the_names_of_the_dimensions() {
    ZarrArray array =
        Encoded.array(
            NdArray.ofInts(DataTypes.INT32, Shape.of(1, 2, 1), 5, 6),
            1 << 20,
            settings -> settings.dimensionNames("lat", null, "a,\"b\""));
    assertThat(Encoded.text(array, "...", Encodings.csv(), 3))
        .isEqualTo("lat,d1,\"a,\"\"b\"\"\",value\r\n0,0,0,5\r\n0,1,0,6\r\n");
    assertThat(Encoded.text(array, "0:0", Encodings.csv(), 3))
        .isEqualTo("lat,d1,\"a,\"\"b\"\"\",value\r\n");
  }

  @Test
  void dropped_dimensions_and_points_have_their_index_too() {
    ZarrArray array = Encoded.array(NdArray.ofInts(DataTypes.INT32, Shape.of(2, 2), 1, 2, 3, 4));
    assertThat(Encoded.text(array, "1,[1,0]", Encodings.csv(), 100))
        .isEqualTo("d0,d1,value\r\n1,1,4\r\n1,0,3\r\n");
    byte[] points =
        Encoded.bytes(
            array, Selection.points(new long[] {1, 0}, new long[] {0, 1}), Encodings.csv(), 100);
    assertThat(new String(points, StandardCharsets.UTF_8))
        .isEqualTo("d0,d1,value\r\n1,0,3\r\n0,1,2\r\n");
  }

  @Test
  void texts_are_quoted_where_they_must_be() {
    NdArray texts =
        NdArray.ofStrings(DataTypes.STRING, Shape.of(5), "a b", "", "x,y", "\"q\"", "1\r\n2");
    assertThat(Encoded.text(texts, Encodings.csv()))
        .isEqualTo(
            "d0,value\r\n0,a b\r\n1,\"\"\r\n2,\"x,y\"\r\n3,\"\"\"q\"\"\"\r\n4,\"1\r\n2\"\r\n");
  }

  @Test
  void parts_and_fields_are_columns_and_times_are_for_people() {
    assertThat(
            Encoded.text(
                NdArray.ofComplex(Shape.of(1), 1.5f, Float.NEGATIVE_INFINITY), Encodings.csv()))
        .isEqualTo("d0,real,imag\r\n0,1.5,-Infinity\r\n");
    NdArray items =
        NdArray.wrap(
            DataTypes.struct(
                new StructField("p", DataTypes.struct(new StructField("c", DataTypes.COMPLEX64))),
                new StructField("at", DataTypes.datetime64(NumpyUnit.DAY, 1))),
            Shape.SCALAR,
            Bytes.wrap(new byte[16]));
    assertThat(Encoded.text(items, Encodings.csv()))
        .isEqualTo("p.c.real,p.c.imag,at\r\n0.0,0.0,1970-01-01\r\n");
  }

  @Test
  void a_fill_value_of_nan_is_bare() {
    assertThat(Encoded.text(NdArray.ofDoubles(Shape.SCALAR, Double.NaN), Encodings.csv()))
        .isEqualTo("value\r\nNaN\r\n");
  }
}
