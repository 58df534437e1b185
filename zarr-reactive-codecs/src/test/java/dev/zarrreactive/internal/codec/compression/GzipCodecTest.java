package dev.zarrreactive.internal.codec.compression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.BytesToBytesCodec;
import dev.zarrreactive.codec.DecodeTarget;
import dev.zarrreactive.codec.SizeBound;
import dev.zarrreactive.error.ChecksumMismatchException;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.internal.codec.Allocations;
import dev.zarrreactive.internal.codec.Codecs;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GzipCodecTest {
  private static final BytesToBytesCodec CODEC = level(5);
  private static final Bytes HELLO = Bytes.utf8("hello zarr");

  /** Two files, each with its name, by gzip 1.12: {@code cat a.txt.gz b.txt.gz}. */
  private static final String TWO_MEMBERS =
      "1f8b08089636006b0203612e74787400cb48cdc9c9570000f6f981ed06000000"
          + "1f8b08089636006b0403622e74787400ab4a2c2a02009735d1cf04000000";

  /** With an extra field, a name, a comment and the header's checksum, by zlib. */
  private static final String ALL_FIELDS =
      "1f8b081e0000000000ff 0600 4142 0200 7879 6e616d652e74787400 6120636f6d6d656e7400 d1fc"
          + "cb48cdc9c957a84a2c2a0200 7c03ea2a 0a000000";

  private static BytesToBytesCodec level(int level) {
    return Codecs.of(
        BytesToBytesCodec.class, "{'name': 'gzip', 'configuration': {'level': " + level + "}}");
  }

  private static DecodeTarget exactly(long size) {
    return DecodeTarget.fresh(SizeBound.exactly(size));
  }

  private static DecodeTarget atMost(long size) {
    return DecodeTarget.fresh(SizeBound.atMost(size));
  }

  private static void assertRefused(Bytes encoded, DecodeTarget target, String message) {
    assertThatExceptionOfType(CodecException.class)
        .isThrownBy(() -> CODEC.decode(encoded, target))
        .withMessageContaining(message);
  }

  /** Noise of 16 values: it shrinks to half its size. */
  private static Bytes noise(int size) {
    byte[] noise = new byte[size];
    Random random = new Random(size);
    for (int i = 0; i < size; i++) {
      noise[i] = (byte) random.nextInt(16);
    }
    return Bytes.wrap(noise);
  }

  @Test
  void members_of_other_programs_are_decoded() {
    for (String member : new String[] {TWO_MEMBERS, ALL_FIELDS}) {
      assertThat(CODEC.decode(Codecs.hex(member), exactly(10))).isEqualTo(HELLO);
      assertThat(CODEC.decode(Codecs.hex(member), atMost(100))).isEqualTo(HELLO);
      assertThat(CODEC.decode(Codecs.hex(member), atMost(10))).isEqualTo(HELLO);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
  void every_level_is_read_by_another_decoder_and_by_this_one(int level) throws IOException {
    for (int size : new int[] {0, 1, 1000, 600_000}) {
      Bytes data = noise(size);
      Bytes encoded = level(level).encode(data);
      try (GZIPInputStream other =
          new GZIPInputStream(new ByteArrayInputStream(encoded.toByteArray()))) {
        assertThat(Bytes.wrap(other.readAllBytes())).isEqualTo(data);
      }
      assertThat(CODEC.decode(encoded, exactly(size))).isEqualTo(data);
      assertThat(CODEC.decode(encoded, atMost(2L * size))).isEqualTo(data);
    }
  }

  @Test
  void the_level_is_honoured() {
    Bytes data = noise(100_000);
    assertThat(level(0).encode(data).size()).isGreaterThan(100_000);
    assertThat(level(1).encode(data).size()).isLessThan(70_000);
    assertThat(level(9).encode(data).size()).isLessThan(level(1).encode(data).size());
  }

  @Test
  void the_same_data_gives_the_same_bytes_without_name_time_and_system() {
    Bytes data = noise(300_000);
    Bytes first = level(6).encode(data);
    level(1).encode(noise(777)); // leaves the pooled compressor in another state
    level(9).encode(data);
    assertThat(level(6).encode(data)).isEqualTo(first);
    assertThat(first.slice(0, 10)).isEqualTo(Codecs.hex("1f8b08 00 00000000 00 ff"));
    assertThat(level(9).encode(data).get(8)).isEqualTo((byte) 2);
    assertThat(level(1).encode(data).get(8)).isEqualTo((byte) 4);
  }

  @Test
  void data_goes_where_the_target_says() {
    byte[] memory = new byte[14];
    Bytes decoded = CODEC.decode(CODEC.encode(HELLO), DecodeTarget.into(memory, 2, 10));
    assertThat(decoded.unsafeArray()).isSameAs(memory);
    assertThat(memory).isEqualTo(Codecs.hex("0000 68656c6c6f207a617272 0000").toByteArray());
  }

  @Test
  void a_result_of_another_size_is_refused() {
    Bytes encoded = CODEC.encode(HELLO);
    assertRefused(encoded, exactly(9), "decodes to more than the expected 9 bytes");
    assertRefused(encoded, exactly(0), "decodes to more than the expected 0 bytes");
    assertRefused(encoded, exactly(11), "decodes to 10 bytes, expected 11 bytes");
    assertRefused(encoded, atMost(9), "decodes to more than the expected at most 9 bytes");
  }

  @Test
  void what_is_cut_off_is_refused_wherever_it_is_cut() {
    Bytes encoded = Codecs.hex(ALL_FIELDS);
    for (int size = 0; size < encoded.size(); size++) {
      Bytes cut = encoded.slice(0, size);
      String message = size < 2 ? "no gzip member begins here" : "cut off";
      assertRefused(cut, exactly(10), size == 0 ? "0 bytes cannot decode" : message);
      assertRefused(cut, atMost(10), message);
    }
  }

  @Test
  void bytes_behind_the_last_member_are_refused() {
    for (String garbage : new String[] {"00", "0000000000", "1f", "1f8c", "ffff"}) {
      assertRefused(
          Codecs.hex(TWO_MEMBERS + garbage),
          exactly(10),
          "in the member at byte 62: no gzip member begins here");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "0, 1e, no gzip member begins here",
    "2, 07, unknown compression method 7",
    "3, 3e, reserved header flags are set",
    "12, 43, the checksum of the header does not match",
    "39, cf, in the member at byte 0",
    "-8, 7d, 'the stored checksum is 2aea037d, that of the 10 bytes is 2aea037c'",
    "-4, 0b, 'its end declares 11 bytes, it has 10'",
  })
  void damage_is_named(int index, String value, String message) {
    byte[] encoded = Codecs.hex(ALL_FIELDS).toByteArray();
    encoded[index < 0 ? encoded.length + index : index] = Codecs.hex(value).get(0);
    assertRefused(Bytes.wrap(encoded), exactly(10), message);
  }

  @Test
  void a_wrong_checksum_is_an_error_of_its_kind() {
    byte[] encoded = CODEC.encode(HELLO).toByteArray();
    encoded[encoded.length - 8] ^= 1;
    assertThatExceptionOfType(ChecksumMismatchException.class)
        .isThrownBy(() -> CODEC.decode(Bytes.wrap(encoded), exactly(10)));
  }

  @Test
  void any_damaged_bit_is_seen_or_harmless() {
    Bytes data = noise(3000);
    Bytes encoded = CODEC.encode(data);
    Random random = new Random(42);
    int refused = 0;
    for (int i = 0; i < 3000; i++) {
      byte[] damaged = encoded.toByteArray();
      for (int n = random.nextInt(3); n >= 0; n--) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
      }
      try {
        assertThat(CODEC.decode(Bytes.wrap(damaged), exactly(3000))).isEqualTo(data);
      } catch (CodecException e) {
        refused++;
      }
    }
    assertThat(refused).isGreaterThan(2900);
  }

  @Test
  void a_bomb_stops_at_the_bound() {
    Bytes bomb = level(9).encode(Bytes.wrap(new byte[16 << 20]));
    assertThat(bomb.size()).isLessThan(20_000);
    for (SizeBound bound : new SizeBound[] {SizeBound.exactly(48), SizeBound.atMost(48)}) {
      AtomicLong asked = new AtomicLong();
      long allocated =
          Allocations.of(
              () -> {
                asked.set(0);
                assertRefused(
                    bomb, Allocations.counting(bound, asked), "decodes to more than the expected");
                assertThat(asked).hasValueLessThanOrEqualTo(48);
              });
      assertThat(allocated).isLessThan(1 << 20);
    }
  }

  @Test
  void little_input_does_not_make_a_large_expectation_allocate() {
    Bytes encoded = CODEC.encode(HELLO);
    AtomicLong asked = new AtomicLong();
    for (SizeBound bound :
        new SizeBound[] {SizeBound.exactly(1 << 30), SizeBound.exactly(1L << 60)}) {
      assertRefused(
          encoded,
          Allocations.counting(bound, asked),
          "30 bytes cannot decode to the expected " + bound);
    }
    assertThat(CODEC.decode(encoded, Allocations.counting(SizeBound.atMost(1L << 60), asked)))
        .isEqualTo(HELLO);
    assertThat(asked).hasValue(10);
  }
}
