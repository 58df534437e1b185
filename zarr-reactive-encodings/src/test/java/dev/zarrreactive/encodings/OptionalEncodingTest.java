package dev.zarrreactive.encodings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.NumpyUnit;
import dev.zarrreactive.datatype.TimeType;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Elements that are missing: null in JSON, empty fields in CSV, a struct in NumPy's files. */
class OptionalEncodingTest {
  private static final Shape THREE = Shape.of(3);
  private static final NdArray VALIDITY = NdArray.ofBooleans(THREE, true, false, true);
  private static final NdArray INTS =
      NdArray.ofOptional(NdArray.ofInts(DataTypes.INT32, THREE, 7, 8, 9), VALIDITY);

  @Test
  void json_has_null() {
    assertThat(Encoded.text(INTS, Encodings.json())).isEqualToIgnoringWhitespace("[7,null,9]");
    NdArray nested = NdArray.ofOptional(INTS, NdArray.ofBooleans(THREE, false, true, true));
    assertThat(Encoded.text(nested, Encodings.json()))
        .isEqualToIgnoringWhitespace("[null,[null],9]");
  }

  @Test
  void times_that_are_none_differ_from_those_that_are_missing() {
    NdArray times =
        NdArray.ofLongs(DataTypes.datetime64(NumpyUnit.SECOND, 1), THREE, 0, 1, TimeType.NAT);
    NdArray optional = NdArray.ofOptional(times, VALIDITY);
    assertThat(Encoded.text(optional, Encodings.csv()))
        .isEqualTo("d0,value\r\n0,1970-01-01T00:00:00\r\n1,\r\n2,NaT\r\n");
    assertThat(Encoded.text(optional, Encodings.json()))
        .isEqualToIgnoringWhitespace("[0,null,\"NaT\"]");
  }

  @Test
  void csv_has_empty_fields_for_each_column() {
    assertThat(Encoded.text(INTS, Encodings.csv())).isEqualTo("d0,value\r\n0,7\r\n1,\r\n2,9\r\n");
    NdArray complex =
        NdArray.ofOptional(NdArray.ofComplex(THREE, 1f, 2f, 3f, 4f, 5f, 6f), VALIDITY);
    assertThat(Encoded.text(complex, Encodings.csv()))
        .isEqualTo("d0,real,imag\r\n0,1.0,2.0\r\n1,,\r\n2,5.0,6.0\r\n");
    NdArray texts =
        NdArray.ofOptional(NdArray.ofStrings(DataTypes.STRING, THREE, "", "", "a"), VALIDITY);
    assertThat(Encoded.text(texts, Encodings.csv()))
        .isEqualTo("d0,value\r\n0,\"\"\r\n1,\r\n2,a\r\n");
  }

  @Test
  void numpy_has_a_struct() {
    byte[] file = Encoded.bytes(Encoded.array(INTS), Encodings.npy());
    assertThat(new String(file, StandardCharsets.ISO_8859_1))
        .contains("'descr': [('value', '<i4'), ('valid', '|b1')]")
        .endsWith("\7\0\0\0\1\0\0\0\0\0\11\0\0\0\1");
  }
}
