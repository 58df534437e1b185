package dev.zarrreactive.internal.codec.shuffle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.internal.codec.blosc.Samples;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The fast shuffles against the definition, one bit at a time. */
class ShuffleTest {

  private static final int[] ELEMENTS = {1, 7, 8, 9, 63, 64, 72, 511, 512, 1024, 1032, 8192, 9000};

  static IntStream typesizes() {
    return IntStream.concat(IntStream.rangeClosed(1, 18), IntStream.of(31, 32, 64, 100, 255));
  }

  private static byte[] byteShuffled(byte[] in, int typesize) {
    int n = in.length / typesize;
    byte[] out = in.clone();
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < typesize; j++) {
        out[j * n + i] = in[i * typesize + j];
      }
    }
    return out;
  }

  private static byte[] bitShuffled(byte[] in, int typesize) {
    int n = in.length / typesize;
    byte[] out = in.clone();
    Arrays.fill(out, 0, n * typesize, (byte) 0);
    for (int i = 0; i < n; i++) {
      for (int bit = 0; bit < 8 * typesize; bit++) {
        int value = in[i * typesize + bit / 8] >> bit % 8 & 1;
        out[bit * (n / 8) + i / 8] |= (byte) (value << i % 8);
      }
    }
    return out;
  }

  @ParameterizedTest
  @MethodSource("typesizes")
  void byte_shuffle_gathers_the_bytes_of_one_place(int typesize) {
    for (int n : ELEMENTS) {
      byte[] plain = Samples.noise(n * typesize + typesize - 1);
      check(Shuffle.BYTE, typesize, plain, byteShuffled(plain, typesize));
    }
  }

  @ParameterizedTest
  @MethodSource("typesizes")
  void bit_shuffle_gathers_the_bits_of_one_place(int typesize) {
    for (int n : ELEMENTS) {
      if (n % 8 == 0) {
        byte[] plain = Samples.noise(n * typesize + typesize - 1);
        check(Shuffle.BIT, typesize, plain, bitShuffled(plain, typesize));
      }
    }
  }

  private static void check(Shuffle shuffle, int typesize, byte[] plain, byte[] shuffled) {
    int length = plain.length;
    byte[] padded = new byte[length + 10];
    byte[] out = new byte[length + 10];
    System.arraycopy(plain, 0, padded, 3, length);
    shuffle.shuffle(typesize, padded, 3, out, 7, length);
    assertThat(out).startsWith(new byte[7]).endsWith(new byte[3]);
    assertThat(Arrays.copyOfRange(out, 7, 7 + length)).isEqualTo(shuffled);

    byte[] back = new byte[length + 10];
    shuffle.unshuffle(typesize, out, 7, back, 3, length);
    assertThat(back).isEqualTo(padded);
  }

  @Test
  void three_integers_shuffle_as_the_specification_of_the_v2_codec_shows() {
    byte[] out = new byte[12];
    ByteShuffle.shuffle(4, Samples.ramp(12), 0, out, 0, 12);
    assertThat(out).containsExactly(0, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  }

  @Test
  void a_block_of_a_number_of_elements_that_8_does_not_divide_is_not_bit_shuffled() {
    assertThat(Shuffle.BIT.changes(36, 4)).isFalse();
    assertThat(Shuffle.BIT.changes(35, 4)).isTrue();
    assertThat(Shuffle.BIT.changes(3, 4)).isFalse();
    assertThat(Shuffle.BYTE.changes(36, 4)).isTrue();
    assertThat(Shuffle.BYTE.changes(36, 1)).isFalse();
    assertThat(Shuffle.NONE.changes(36, 4)).isFalse();
  }
}
