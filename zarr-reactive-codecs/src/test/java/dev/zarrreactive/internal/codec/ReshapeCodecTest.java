package dev.zarrreactive.internal.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.codec.ArrayToArrayCodec;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.MetadataException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReshapeCodecTest {
  private static final NdArray CHUNK = Codecs.random(DataTypes.INT16, 2, 3, 4);

  private static ArrayToArrayCodec codec(String shape) {
    return Codecs.of(
        ArrayToArrayCodec.class, "{'name': 'reshape', 'configuration': {'shape': " + shape + "}}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "[24]; [24]",
        "[-1]; [24]",
        "[[0, 1, 2]]; [24]",
        "[[0], [1, 2]]; [2, 12]",
        "[[0, 1], 2, -1]; [6, 2, 2]",
        "[2, 3, [2]]; [2, 3, 4]",
        "[1, [0], -1, 3]; [1, 2, 4, 3]",
      })
  void the_elements_keep_their_order(String shape, String expected) {
    ArrayToArrayCodec codec = codec(shape);
    NdArray encoded = codec.encode(CHUNK);
    assertThat(encoded.shape()).hasToString(expected);
    assertThat(encoded.bytes()).isEqualTo(CHUNK.bytes());
    assertThat(codec.encodedRepresentation(Codecs.representationOf(CHUNK)).shape())
        .isEqualTo(encoded.shape());
    assertThat(codec.decode(encoded, Codecs.representationOf(CHUNK))).isEqualTo(CHUNK);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[23]",
        "[5, -1]",
        "[-1, -1]",
        "[0, -1]",
        "[-2]",
        "[[1], [0], 4]",
        "[[0, 2], -1]",
        "[[3], -1]",
        "[3, [0], 4]",
        "[9223372036854775807, 9223372036854775807]",
        "24",
      })
  void a_shape_that_is_no_form_of_the_chunk_is_refused(String shape) {
    assertThatExceptionOfType(MetadataException.class)
        .isThrownBy(() -> codec(shape).encodedRepresentation(Codecs.representationOf(CHUNK)));
  }
}
