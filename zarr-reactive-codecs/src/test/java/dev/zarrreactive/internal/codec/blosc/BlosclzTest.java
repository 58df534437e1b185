package dev.zarrreactive.internal.codec.blosc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BlosclzTest {

  private static byte[] decode(String hex, int expected) throws DamagedStreamException {
    return decode(HexFormat.of().parseHex(hex), expected);
  }

  private static byte[] decode(byte[] stream, int expected) throws DamagedStreamException {
    byte[] out = new byte[expected];
    BlosclzStreams.INSTANCE.decompress(stream, 0, stream.length, out, 0, expected);
    return out;
  }

  private static byte[] encode(byte[] bytes, int level) {
    byte[] out = new byte[BlosclzStreams.INSTANCE.maxCompressedLength(bytes.length)];
    int length = BlosclzStreams.INSTANCE.compress(bytes, 0, bytes.length, out, 0, level);
    return Arrays.copyOf(out, length);
  }

  @ParameterizedTest
  @CsvSource({
    "20 61, a",
    "22 616263, abc",
    "02 616263, abc", // without the mark of the first run
    "22 616263 20 02, abcabc", // three bytes from three bytes back
    "22 616263 40 02 00 64, abcabcad", // four bytes, then one literal
    "20 61 C0 00, aaaaaaaaa", // eight bytes, each the one before
    "20 61 E0 00 00, aaaaaaaaaa", // nine bytes and none more
    "20 61 E0 02 00, aaaaaaaaaaaa", // nine and two more
    "21 6162 60 01, abababa",
  })
  void the_instructions_mean_what_the_format_says(String hex, String text) throws Exception {
    byte[] expected = text.getBytes(StandardCharsets.US_ASCII);
    assertThat(decode(hex.replace(" ", ""), expected.length)).isEqualTo(expected);
  }

  @Test
  void a_length_goes_on_after_every_byte_of_255() throws Exception {
    assertThat(decode("20" + "07" + "E0" + "FFFF03" + "00", 1 + 9 + 255 + 255 + 3)).containsOnly(7);
  }

  @Test
  void a_distance_of_8192_and_more_takes_two_bytes_more() throws Exception {
    byte[] start = Samples.noise(9000);
    ByteArrayOutputStream stream = new ByteArrayOutputStream();
    stream.writeBytes(literals(start));
    stream.writeBytes(HexFormat.of().parseHex("3FFF0064")); // 3 bytes, 8192 + 100 back
    byte[] decoded = decode(stream.toByteArray(), 9003);
    assertThat(decoded).startsWith(start);
    assertThat(Arrays.copyOfRange(decoded, 9000, 9003))
        .isEqualTo(Arrays.copyOfRange(start, 9000 - 8292, 9000 - 8289));
  }

  private static byte[] literals(byte[] bytes) {
    ByteArrayOutputStream stream = new ByteArrayOutputStream();
    for (int at = 0; at < bytes.length; at += 32) {
      int run = Math.min(32, bytes.length - at);
      stream.write(at == 0 ? 0x20 | run - 1 : run - 1);
      stream.write(bytes, at, run);
    }
    return stream.toByteArray();
  }

  @ParameterizedTest
  @CsvSource({
    "'', 1", // nothing
    "20, 1", // no literal
    "2261, 3", // too few literals
    "2061, 2", // too few bytes
    "216162, 1", // too many bytes
    "20612000, 3", // a match for too many bytes
    "2061E0, 20", // no length
    "2061E0FF, 300", // no further length
    "2061E000, 10", // no distance
    "20613F, 4", // no distance
    "20613FFF, 4", // no far distance
    "20613FFF00, 4", // half a far distance
    "20612001, 4", // a match before the start
    "20613FFFFFFF, 4", // a match far before the start
    "2061E0FFFFFFFFFFFFFFFFFF0000, 20", // a match of more bytes than expected
  })
  void a_damaged_stream_is_refused(String hex, int expected) {
    byte[] out = new byte[expected + 16];
    byte[] stream = HexFormat.of().parseHex(hex);
    assertThatThrownBy(
            () -> BlosclzStreams.INSTANCE.decompress(stream, 0, stream.length, out, 8, expected))
        .isInstanceOf(DamagedStreamException.class);
    assertThat(out).startsWith(new byte[8]).endsWith(new byte[8]);
  }

  @Test
  void repeats_are_found_near_and_far() throws Exception {
    for (int period : new int[] {1, 2, 7, 8, 300, 8191, 8192, 8193, 40_000, 73_727}) {
      byte[] bytes = Samples.noise(3 * period + 2000);
      for (int i = period; i < bytes.length; i++) {
        bytes[i] = bytes[i - period];
      }
      byte[] stream = encode(bytes, 9);
      assertThat(stream.length).as("period %d", period).isLessThan(period + period / 16 + 1000);
      assertThat(decode(stream, bytes.length)).isEqualTo(bytes);
    }
  }

  @Test
  void any_mixture_of_repeats_and_noise_decodes_to_itself_at_every_level() throws Exception {
    Random random = new Random(99);
    for (int round = 0; round < 400; round++) {
      byte[] bytes = new byte[1 + random.nextInt(round < 380 ? 3000 : 200_000)];
      int at = 0;
      while (at < bytes.length) {
        int run = Math.min(1 + random.nextInt(random.nextBoolean() ? 12 : 900), bytes.length - at);
        int back = at == 0 ? 0 : random.nextInt(at);
        boolean repeat = at > 0 && random.nextInt(3) > 0;
        for (int i = 0; i < run; i++) {
          bytes[at + i] = repeat ? bytes[back + i] : (byte) random.nextInt(4);
        }
        at += run;
      }
      byte[] stream = encode(bytes, 1 + round % 9);
      assertThat(decode(stream, bytes.length)).isEqualTo(bytes);
    }
  }

  @Test
  void noise_stays_within_the_bound() {
    for (int length : new int[] {1, 2, 11, 12, 13, 31, 32, 33, 1000, 100_000}) {
      assertThat(encode(Samples.noise(length), 5).length)
          .isLessThanOrEqualTo(BlosclzStreams.INSTANCE.maxCompressedLength(length));
    }
  }
}
