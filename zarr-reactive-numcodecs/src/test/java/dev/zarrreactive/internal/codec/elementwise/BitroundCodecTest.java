package dev.zarrreactive.internal.codec.elementwise;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.codec.ArrayToArrayCodec;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.internal.codec.Codecs;
import org.junit.jupiter.api.Test;

class BitroundCodecTest {
  private static final ArrayToArrayCodec CODEC =
      Codecs.of(ArrayToArrayCodec.class, "{'name': 'bitround', 'configuration': {'keepbits': 3}}");

  @Test
  void integers_keep_their_highest_bits_and_do_not_overflow() {
    NdArray bytes =
        NdArray.ofBytes(
            DataTypes.UINT8, Shape.of(5), (byte) 5, (byte) 11, (byte) 123, (byte) 208, (byte) 255);
    assertThat(CODEC.encode(bytes).toIntArray()).containsExactly(5, 12, 128, 192, 224);
    NdArray signed = NdArray.ofBytes(DataTypes.INT8, Shape.of(2), (byte) 127, (byte) 0);
    assertThat(CODEC.encode(signed).toIntArray()).containsExactly(112, 0);
    NdArray longs = NdArray.ofLongs(DataTypes.UINT64, Shape.of(2), -1, Long.MIN_VALUE);
    assertThat(CODEC.encode(longs).asLongBuffer().get(0)).isEqualTo(0xe000000000000000L);
    assertThat(CODEC.encode(longs).asLongBuffer().get(1)).isEqualTo(Long.MIN_VALUE);
  }

  @Test
  void floats_are_rounded_in_the_mantissa() {
    NdArray floats = NdArray.ofFloats(DataTypes.FLOAT32, Shape.of(3), 0.1f, 1.2f, 123.4f);
    assertThat(CODEC.encode(floats).toFloatArray()).containsExactly(0.1015625f, 1.25f, 120f);
    NdArray parts = NdArray.ofComplex(Shape.of(1), 1.2, -123.4);
    assertThat(CODEC.encode(parts).toComplexDoubleArray()).containsExactly(1.25, -120);
  }
}
