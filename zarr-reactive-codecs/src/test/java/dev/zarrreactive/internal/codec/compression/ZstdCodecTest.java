package dev.zarrreactive.internal.codec.compression;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.BytesToBytesCodec;
import dev.zarrreactive.codec.DecodeTarget;
import dev.zarrreactive.codec.SizeBound;
import dev.zarrreactive.error.ChecksumMismatchException;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.internal.codec.Allocations;
import dev.zarrreactive.internal.codec.Codecs;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ZstdCodecTest {
  private static final BytesToBytesCodec CODEC = zstd(3, false);
  private static final Bytes HELLO = Bytes.utf8("hello zarr");

  // By the zstd command, version 1.5.4.
  private static final String WITH_SIZE_AND_CHECKSUM =
      "28b52ffd 240a 510000 68656c6c6f207a617272 0fd794c9";
  private static final String WITH_CHECKSUM = "28b52ffd 0458 510000 68656c6c6f207a617272 0fd794c9";
  private static final String WITHOUT_SIZE = "28b52ffd 0058 510000 68656c6c6f207a617272";

  private static final String SKIPPABLE = "5a2a4d18 03000000 aabbcc";

  private static BytesToBytesCodec zstd(int level, boolean checksum) {
    return Codecs.of(
        BytesToBytesCodec.class,
        "{'name': 'zstd', 'configuration': {'level': "
            + level
            + ", 'checksum': "
            + checksum
            + "}}");
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

  private static Bytes noise(int size) {
    byte[] noise = new byte[size];
    Random random = new Random(size);
    for (int i = 0; i < size; i++) {
      noise[i] = (byte) random.nextInt(16);
    }
    return Bytes.wrap(noise);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        WITH_SIZE_AND_CHECKSUM,
        WITH_CHECKSUM,
        WITHOUT_SIZE,
        SKIPPABLE + WITHOUT_SIZE,
        WITH_SIZE_AND_CHECKSUM + SKIPPABLE + SKIPPABLE,
      })
  void frames_of_other_programs_are_decoded(String frame) {
    assertThat(CODEC.decode(Codecs.hex(frame), exactly(10))).isEqualTo(HELLO);
    assertThat(CODEC.decode(Codecs.hex(frame), atMost(10))).isEqualTo(HELLO);
    assertThat(CODEC.decode(Codecs.hex(frame), atMost(1L << 50))).isEqualTo(HELLO);
  }

  @Test
  void frames_one_after_the_other_are_one_result() {
    Bytes frames = Codecs.hex(WITHOUT_SIZE + SKIPPABLE + WITH_SIZE_AND_CHECKSUM + WITHOUT_SIZE);
    Bytes thrice = Bytes.utf8("hello zarrhello zarrhello zarr");
    assertThat(CODEC.decode(frames, exactly(30))).isEqualTo(thrice);
    assertThat(CODEC.decode(frames, atMost(1000))).isEqualTo(thrice);
  }

  @ParameterizedTest
  @ValueSource(ints = {-131072, -7, -1, 0, 1, 3, 9, 10, 19, 22})
  void every_level_is_read_by_another_decoder_and_by_this_one(int level) {
    for (int size : new int[] {0, 1, 1000, level < 10 ? 600_000 : 40_000}) {
      Bytes data = noise(size);
      for (boolean checksum : new boolean[] {false, true}) {
        Bytes encoded = zstd(level, checksum).encode(data);
        assertThat(Bytes.wrap(Zstd.decompress(encoded.toByteArray(), size))).isEqualTo(data);
        assertThat(Zstd.getFrameContentSize(encoded.toByteArray())).isEqualTo(size);
        assertThat(CODEC.decode(encoded, exactly(size))).isEqualTo(data);
        assertThat(CODEC.decode(encoded, atMost(2L * size))).isEqualTo(data);
      }
    }
  }

  @Test
  void level_and_checksum_are_honoured_and_the_same_data_gives_the_same_bytes() {
    Bytes data = noise(300_000);
    Bytes plain = zstd(1, false).encode(data);
    Bytes checked = zstd(1, true).encode(data); // in the same pooled context
    assertThat(checked.size()).isEqualTo(plain.size() + 4);
    assertThat(zstd(1, false).encode(data)).isEqualTo(plain);
    assertThat(zstd(0, false).encode(data)).isEqualTo(zstd(3, false).encode(data));
    Bytes text = Bytes.utf8(IntStream.range(0, 9999).mapToObj(i -> i + "\n").collect(joining()));
    assertThat(zstd(19, false).encode(text).size()).isLessThan(zstd(1, false).encode(text).size());
  }

  @Test
  void large_results_are_decoded_piece_by_piece() {
    int size = (9 << 20) + 12345;
    Bytes data = noise(size);
    Bytes frames =
        concat(
            CODEC.encode(data.slice(0, 1 << 20)),
            Codecs.hex(SKIPPABLE),
            zstd(1, true).encode(data.slice(1 << 20, size - (1 << 20))));
    byte[] memory = new byte[size + 2];
    assertThat(CODEC.decode(frames, DecodeTarget.into(memory, 1, size))).isEqualTo(data);
    assertThat(memory[0]).isZero();
    assertThat(memory[size + 1]).isZero();

    byte[] damaged = frames.toByteArray();
    damaged[damaged.length - 1] ^= 1;
    assertThatExceptionOfType(ChecksumMismatchException.class)
        .isThrownBy(() -> CODEC.decode(Bytes.wrap(damaged), exactly(size)));
    damaged[damaged.length - 1] ^= 1;
    damaged[damaged.length / 2] ^= 1;
    assertRefused(Bytes.wrap(damaged), exactly(size), "");
    assertThat(CODEC.decode(frames, exactly(size))).as("after the errors").isEqualTo(data);
  }

  @Test
  void large_results_without_a_size_may_have_no_other_size() {
    int size = 5 << 20;
    Bytes frame = streamed(noise(size));
    assertThat(CODEC.decode(frame, exactly(size))).isEqualTo(noise(size));
    assertThat(CODEC.decode(frame, atMost(2L * size))).isEqualTo(noise(size));
    assertRefused(frame, exactly(size - 1), "decodes to more than the expected 5242879 bytes");
    assertRefused(frame, atMost(size - 1), "decodes to more than the expected 5242879 bytes");
    assertRefused(frame, exactly(size + 1), "5242880 bytes, expected 5242881 bytes");
  }

  @Test
  void windows_larger_than_piecewise_decoding_keeps_need_no_memory() {
    byte[] twice = new byte[20 << 20];
    new Random(1).nextBytes(twice);
    System.arraycopy(twice, 0, twice, 10 << 20, 10 << 20);
    Bytes encoded;
    try (ZstdCompressCtx context = new ZstdCompressCtx()) {
      encoded = Bytes.wrap(context.setLevel(1).setLong(25).compress(twice));
    }
    assertThat(encoded.size()).as("found again, 10 MiB back").isLessThan(11 << 20);
    assertThat(CODEC.decode(encoded, exactly(twice.length))).isEqualTo(Bytes.wrap(twice));
  }

  @Test
  void a_result_of_another_size_is_refused() {
    for (String frame : new String[] {WITH_SIZE_AND_CHECKSUM, WITH_CHECKSUM, WITHOUT_SIZE}) {
      assertRefused(Codecs.hex(frame), exactly(9), "decodes to");
      assertRefused(Codecs.hex(frame), exactly(0), "decodes to");
      assertRefused(Codecs.hex(frame), exactly(11), "expected 11 bytes");
      assertRefused(Codecs.hex(frame), atMost(9), "decodes to");
    }
    assertRefused(
        Codecs.hex(WITH_SIZE_AND_CHECKSUM), exactly(11), "decodes to 10 bytes, expected 11 bytes");
  }

  @ParameterizedTest
  @ValueSource(strings = {WITH_SIZE_AND_CHECKSUM, WITH_CHECKSUM, WITHOUT_SIZE, SKIPPABLE})
  void what_is_cut_off_is_refused_wherever_it_is_cut(String frame) {
    Bytes encoded = Codecs.hex(frame);
    for (int size = 0; size < encoded.size(); size++) {
      String message = size < 4 ? "no zstd frame begins here" : "it is cut off";
      assertRefused(encoded.slice(0, size), exactly(10), "in the frame at byte 0: " + message);
      assertRefused(encoded.slice(0, size), atMost(10), "in the frame at byte 0: " + message);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"00", "28b52f", "00000000", "27b52ffd00", "37a435ec"})
  void bytes_that_are_no_frame_are_refused(String garbage) {
    assertRefused(
        Codecs.hex(WITHOUT_SIZE + garbage),
        exactly(10),
        "in the frame at byte 19: no zstd frame begins here");
  }

  @ParameterizedTest
  @CsvSource({
    "28b52ffd 2c0a 510000 68656c6c6f207a617272 0fd794c9, a reserved bit of its header is set",
    "28b52ffd 2107 0a 510000 68656c6c6f207a617272, it needs a dictionary",
    "28b52ffd 0058 570000 68656c6c6f207a617272, a block is of the reserved type",
    "28b52ffd 200b 510000 68656c6c6f207a617272, 'it declares 11 bytes, its blocks hold at most 10'",
    "28b52ffd e0ffffffffffffffff 510000 68656c6c6f207a617272, it declares 18446744073709551615 bytes",
    "28b52ffd e00000000000000010 510000 68656c6c6f207a617272, it declares 1152921504606846976 bytes",
  })
  void damage_of_a_header_is_named(String frame, String message) {
    assertRefused(Codecs.hex(frame), exactly(10), "in the frame at byte 0: " + message);
    assertRefused(Codecs.hex(frame), atMost(1L << 60), "in the frame at byte 0: " + message);
  }

  @Test
  void a_wrong_checksum_is_an_error_of_its_kind() {
    for (String frame : new String[] {WITH_SIZE_AND_CHECKSUM, WITH_CHECKSUM}) {
      byte[] damaged = Codecs.hex(frame).toByteArray();
      damaged[damaged.length - 6] ^= 1;
      assertThatExceptionOfType(ChecksumMismatchException.class)
          .isThrownBy(() -> CODEC.decode(Bytes.wrap(damaged), exactly(10)))
          .withMessage("the checksum of a frame does not match its content");
    }
  }

  @Test
  void any_damaged_byte_is_seen_or_harmless_where_there_is_a_checksum() {
    Bytes data = noise(3000);
    Bytes encoded = zstd(3, true).encode(data);
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

  @ParameterizedTest
  @ValueSource(ints = {1000, 700_000, 6_000_000})
  void a_part_is_decoded_without_the_rest(int size) {
    Bytes data = noise(size);
    Bytes streamed = streamed(data);
    Bytes two = concat(CODEC.encode(data.slice(0, size / 3)), Codecs.hex(SKIPPABLE));
    Bytes three = concat(two, zstd(9, false).encode(data.slice(size / 3, size - size / 3)));
    for (Bytes encoded : new Bytes[] {CODEC.encode(data), streamed, three}) {
      for (int to : new int[] {0, 1, size / 3 - 1, size / 3 + 1, size / 2, size - 1, size + 1}) {
        Bytes decoded = CODEC.decode(encoded, exactly(size).part(0, to));
        assertThat(decoded.size()).isEqualTo(size);
        int read = Math.min(to, size);
        assertThat(decoded.slice(0, read)).as("%d", to).isEqualTo(data.slice(0, read));
        assertThat(CODEC.decode(encoded, exactly(size))).as("after a part").isEqualTo(data);
      }
    }
  }

  @Test
  void damage_behind_a_part_is_an_error_where_a_checksum_covers_it() {
    Bytes data = noise(700_000);
    for (boolean checksum : new boolean[] {false, true}) {
      byte[] damaged = zstd(3, checksum).encode(data).toByteArray();
      damaged[damaged.length - 50_000] ^= 1;
      Bytes encoded = Bytes.wrap(damaged);
      DecodeTarget target = exactly(data.size()).part(0, 100_000);
      if (checksum) {
        assertThatExceptionOfType(CodecException.class)
            .isThrownBy(() -> CODEC.decode(encoded, target));
      } else {
        assertThat(CODEC.decode(encoded, target).slice(0, 100_000))
            .isEqualTo(data.slice(0, 100_000));
      }
    }
  }

  @Test
  void damage_before_the_end_of_a_part_and_a_cut_are_refused() {
    Bytes data = noise(700_000);
    Bytes encoded = CODEC.encode(data);
    Bytes cut = encoded.slice(0, encoded.size() - 1);
    assertRefused(cut, exactly(data.size()).part(0, 10), "it is cut off");
    assertRefused(encoded, exactly(data.size() + 1).part(0, 10), "decodes to 700000 bytes");
    assertRefused(streamed(noise(10)), exactly(1000).part(0, 100), "");
    byte[] damaged = encoded.toByteArray();
    damaged[9 + 3] = (byte) 0xff; // of the literals of the first block
    damaged[9 + 4] = (byte) 0xff;
    assertRefused(Bytes.wrap(damaged), exactly(data.size()).part(0, 10), "");
    assertThat(CODEC.decode(encoded, exactly(data.size()))).as("afterwards").isEqualTo(data);
  }

  @BeforeAll
  static void loadTheLibrary() {
    assertThat(CODEC.decode(CODEC.encode(HELLO), exactly(10))).isEqualTo(HELLO);
  }

  @Test
  void a_declared_size_costs_nothing() {
    // 2^60 bytes, in 32,768 blocks that could hold 2^32
    Bytes bomb = bomb("28b52ffd c0 88 0000000000000010", 32_768);
    AtomicLong asked = new AtomicLong();
    for (SizeBound bound : new SizeBound[] {SizeBound.exactly(48), SizeBound.atMost(1L << 60)}) {
      long allocated =
          Allocations.of(
              () -> assertRefused(bomb, Allocations.counting(bound, asked), "1152921504606846976"));
      assertThat(allocated).isLessThan(1 << 20);
    }
    assertThat(asked).hasValue(0);
  }

  @Test
  void a_bomb_stops_at_the_bound() {
    Bytes bomb = bomb("28b52ffd 00 88", 8_192); // 1 GiB of zeros, size not declared
    for (SizeBound bound : new SizeBound[] {SizeBound.exactly(48), SizeBound.atMost(48)}) {
      AtomicLong asked = new AtomicLong();
      long allocated =
          Allocations.of(
              () -> {
                asked.set(0);
                assertRefused(
                    bomb,
                    Allocations.counting(bound, asked),
                    "decodes to more than the expected 48 bytes");
                assertThat(asked).hasValueLessThanOrEqualTo(48);
              });
      assertThat(allocated).isLessThan(1 << 20);
    }
  }

  /** A header, and blocks of 128 KiB of zeros, 4 bytes each. */
  private static Bytes bomb(String header, int blocks) {
    Bytes block = Codecs.hex("020010 00");
    Bytes[] parts = new Bytes[blocks + 2];
    parts[0] = Codecs.hex(header);
    for (int i = 1; i <= blocks; i++) {
      parts[i] = block;
    }
    parts[blocks + 1] = Codecs.hex("010000");
    return concat(parts);
  }

  /** One frame that does not say its size. */
  private static Bytes streamed(Bytes data) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (ZstdOutputStreamNoFinalizer zstd = new ZstdOutputStreamNoFinalizer(out)) {
      zstd.write(data.toByteArray());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Bytes frame = Bytes.wrap(out.toByteArray());
    assertThat(Zstd.getFrameContentSize(frame.toByteArray())).as("unknown").isEqualTo(-1);
    return frame;
  }

  private static Bytes concat(Bytes... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (Bytes part : parts) {
      all.write(part.unsafeArray(), part.unsafeOffset(), part.size());
    }
    return Bytes.wrap(all.toByteArray());
  }
}
