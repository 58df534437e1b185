package dev.zarrreactive.internal.codec.zfp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.codec.ArrayToBytesCodec;
import dev.zarrreactive.codec.ChunkRepresentation;
import dev.zarrreactive.codec.CodecRegistry;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.testing.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the modes of zfp with loss refuse: values that the format would turn into others. */
class ZfpLossTest {
  private static final ChunkRepresentation CHUNK =
      new ChunkRepresentation(Shape.of(2, 3), DataTypes.FLOAT32, FillValue.zero(DataTypes.FLOAT32));

  private static ArrayToBytesCodec codec(String name, String configuration) {
    return (ArrayToBytesCodec) CodecRegistry.standard().create(Json.extension(name, configuration));
  }

  private static NdArray with(float value) {
    return NdArray.ofFloats(DataTypes.FLOAT32, CHUNK.shape(), 1, 2, 3, 4, value, 6);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'mode': 'fixed_rate', 'rate': 8}",
        "{'mode': 'fixed_precision', 'precision': 12}",
        "{'mode': 'fixed_accuracy', 'tolerance': 0.5}",
        "{'mode': 'expert', 'minbits': 1, 'maxbits': 130, 'maxprec': 19, 'minexp': -2}"
      })
  void a_mode_with_loss_refuses_what_is_no_finite_number_and_says_where(String configuration) {
    ArrayToBytesCodec codec = codec("zfp", configuration);
    for (float value : new float[] {Float.NaN, Float.POSITIVE_INFINITY, -1 / 0f}) {
      assertThatThrownBy(() -> codec.encode(with(value), CHUNK))
          .isInstanceOf(CodecException.class)
          .hasMessageContaining("at its element 4 in C order")
          .hasMessageContaining("mode reversible");
    }
    assertThat(codec.decode(codec.encode(with(5), CHUNK), CHUNK).getFloat(0, 1)).isNotNaN();
  }

  @Test
  void the_reversible_mode_keeps_it() {
    ArrayToBytesCodec codec = codec("zfp", "{'mode': 'reversible'}");
    NdArray back = codec.decode(codec.encode(with(Float.NaN), CHUNK), CHUNK);
    assertThat(back.toFloatArray()).containsExactly(1, 2, 3, 4, Float.NaN, 6);
  }

  @Test
  void a_rate_without_a_bit_is_refused() {
    assertThatThrownBy(() -> codec("zfp", "{'mode': 'fixed_rate', 'rate': 0}"))
        .isInstanceOf(MetadataException.class)
        .hasMessageContaining("above 0");
    assertThatThrownBy(() -> codec("numcodecs.zfpy", "{'mode': 2, 'rate': 0}"))
        .isInstanceOf(MetadataException.class)
        .hasMessageContaining("above 0");
  }
}
