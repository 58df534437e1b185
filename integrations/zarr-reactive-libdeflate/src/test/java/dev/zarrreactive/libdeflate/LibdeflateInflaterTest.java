package dev.zarrreactive.libdeflate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.codec.WholeBufferInflater.Inflated;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@NeedsLibdeflate
class LibdeflateInflaterTest {
  /** The bytes before and behind each range, which no call may change. */
  private static final int MARGIN = 64;

  private final LibdeflateInflater inflater = new LibdeflateInflater();

  @AfterEach
  void close() {
    inflater.close();
  }

  /** Inflates from the middle of an array into the middle of another one. */
  private static Optional<Inflated> inflate(
      LibdeflateInflater inflater, byte[] stream, byte[] result) {
    byte[] margin = new byte[MARGIN];
    Arrays.fill(margin, (byte) 0x55);
    byte[] target = Deflated.joined(margin, new byte[result.length], margin);
    Optional<Inflated> inflated =
        inflater.inflate(
            Deflated.joined(margin, stream, margin),
            MARGIN,
            stream.length,
            target,
            MARGIN,
            result.length);
    assertThat(Arrays.copyOf(target, MARGIN)).isEqualTo(margin);
    assertThat(Arrays.copyOfRange(target, MARGIN + result.length, target.length)).isEqualTo(margin);
    System.arraycopy(target, MARGIN, result, 0, result.length);
    return inflated;
  }

  private Optional<Inflated> inflate(byte[] stream, byte[] result) {
    return inflate(inflater, stream, result);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 1000, 65_535, 65_536, 65_537, 1 << 20, 5_000_000})
  void a_stream_of_any_size_is_inflated(int size) {
    byte[] data = Deflated.data(size, size);
    for (int level : new int[] {0, 1, 6, 9}) {
      byte[] stream = Deflated.stream(data, level);
      byte[] result = new byte[size];
      assertThat(inflate(stream, result)).contains(new Inflated(stream.length, size));
      assertThat(result).isEqualTo(data);
    }
  }

  @Test
  void the_bytes_behind_a_stream_are_not_consumed() {
    byte[] data = Deflated.data(1000, 1);
    byte[] stream = Deflated.stream(data, 6);
    byte[] result = new byte[1000];
    for (byte[] behind : new byte[][] {{0}, {-1, -1, -1, -1, -1, -1, -1, -1, -1}, stream}) {
      assertThat(inflate(Deflated.joined(stream, behind), result))
          .contains(new Inflated(stream.length, 1000));
      assertThat(result).isEqualTo(data);
    }
  }

  @Test
  void a_shorter_result_has_its_size_and_a_longer_one_is_declined() {
    byte[] data = Deflated.data(1000, 2);
    byte[] stream = Deflated.stream(data, 6);
    byte[] large = new byte[1100];
    assertThat(inflate(stream, large)).contains(new Inflated(stream.length, 1000));
    assertThat(Arrays.copyOf(large, 1000)).isEqualTo(data);
    for (int room : new int[] {0, 1, 500, 999}) {
      assertThat(inflate(stream, new byte[room])).isEmpty();
    }
  }

  @Test
  void a_cut_stream_is_declined_wherever_it_is_cut() {
    byte[] stream = Deflated.stream(Deflated.data(2000, 3), 6);
    for (int size = 0; size < stream.length; size++) {
      assertThat(inflate(Arrays.copyOf(stream, size), new byte[2000])).isEmpty();
    }
  }

  /**
   * libdeflate takes a few codes that RFC 1951 forbids. All that the JDK accepts has the same bytes
   * here, and is accepted.
   */
  @Test
  void damaged_and_random_streams_stay_in_their_memory_and_agree_with_the_jdk() {
    Random random = new Random(7);
    byte[] data = Deflated.data(3000, 4);
    int accepted = 0;
    for (int i = 0; i < 30_000; i++) {
      byte[] stream;
      if (i % 3 == 0) {
        stream = new byte[random.nextInt(200)];
        random.nextBytes(stream);
      } else {
        stream = Deflated.stream(Arrays.copyOf(data, random.nextInt(3000)), random.nextInt(10));
        for (int n = random.nextInt(3); n >= 0; n--) {
          stream[random.nextInt(stream.length)] ^= (byte) (1 << random.nextInt(8));
        }
      }
      byte[] expected = new byte[3000];
      Optional<Inflated> byJdk = byJdk(stream, expected);
      byte[] result = new byte[3000];
      Optional<Inflated> inflated = inflate(stream, result);
      if (byJdk.isPresent()) {
        accepted++;
        assertThat(inflated).isEqualTo(byJdk);
        int size = byJdk.get().written();
        assertThat(Arrays.copyOf(result, size)).isEqualTo(Arrays.copyOf(expected, size));
      }
    }
    assertThat(accepted).isBetween(1000, 29_000);
  }

  private static Optional<Inflated> byJdk(byte[] stream, byte[] result) {
    Inflater jdk = new Inflater(true);
    try {
      jdk.setInput(stream);
      int written = jdk.inflate(result);
      if (!jdk.finished() && jdk.inflate(new byte[1]) > 0) {
        return Optional.empty();
      }
      return jdk.finished()
          ? Optional.of(new Inflated(stream.length - jdk.getRemaining(), written))
          : Optional.empty();
    } catch (DataFormatException e) {
      return Optional.empty();
    } finally {
      jdk.end();
    }
  }

  @Test
  void large_sizes_are_left_to_the_jdk_and_take_no_memory() {
    byte[] stream = Deflated.stream(Deflated.data(1000, 5), 6);
    long before = inflater.memory();
    int more = LibdeflateInflater.MOST_BYTES + 1;
    assertThat(inflater.inflate(stream, 0, stream.length, new byte[more], 0, more)).isEmpty();
    assertThat(inflater.inflate(new byte[more], 0, more, new byte[1], 0, 1)).isEmpty();
    assertThat(inflater.memory()).isEqualTo(before);
  }

  @Test
  void memory_grows_to_twice_the_bound_at_most_and_is_used_again() {
    byte[] data = Deflated.data(LibdeflateInflater.MOST_BYTES, 6);
    byte[] stream = Arrays.copyOf(Deflated.stream(data, 1), LibdeflateInflater.MOST_BYTES);
    byte[] result = new byte[data.length];
    for (int turn = 0; turn < 3; turn++) {
      assertThat(inflater.inflate(stream, 0, stream.length, result, 0, result.length)).isPresent();
      assertThat(inflater.memory()).isEqualTo(2L * LibdeflateInflater.MOST_BYTES);
    }
    assertThat(result).isEqualTo(data);
  }

  @Test
  void inflaters_of_several_threads_share_nothing() {
    byte[][] data =
        IntStream.range(0, 8).mapToObj(i -> Deflated.data(100_000 + i, i)).toArray(byte[][]::new);
    byte[][] streams =
        Arrays.stream(data).map(each -> Deflated.stream(each, 5)).toArray(byte[][]::new);
    boolean isRight =
        IntStream.range(0, 8)
            .parallel()
            .allMatch(
                i -> {
                  try (LibdeflateInflater own = new LibdeflateInflater()) {
                    for (int turn = 0; turn < 50; turn++) {
                      byte[] result = new byte[data[i].length];
                      inflate(own, streams[i], result);
                      if (!Arrays.equals(result, data[i])) {
                        return false;
                      }
                    }
                    return true;
                  }
                });
    assertThat(isRight).isTrue();
  }
}
