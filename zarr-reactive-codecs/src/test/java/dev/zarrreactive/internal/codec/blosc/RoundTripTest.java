package dev.zarrreactive.internal.codec.blosc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.DecodeTarget;
import dev.zarrreactive.codec.SizeBound;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.internal.codec.shuffle.Shuffle;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class RoundTripTest {

  static List<Arguments> compressors_and_shuffles() {
    return Arrays.stream(Compressor.values())
        .flatMap(c -> Arrays.stream(Shuffle.values()).map(s -> Arguments.of(c, s)))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("compressors_and_shuffles")
  void what_is_encoded_decodes_to_itself_at_every_typesize_and_size(
      Compressor compressor, Shuffle shuffle) {
    for (int typesize : Samples.TYPESIZES) {
      for (int size : Samples.SIZES) {
        for (byte[] bytes : List.of(Samples.steps(size), Samples.noise(size), new byte[size])) {
          Bytes frame = Samples.encode(bytes, compressor, shuffle, typesize);
          assertThat(frame.size()).isLessThanOrEqualTo(size + BloscHeader.SIZE);
          assertThat(Samples.decode(frame, size))
              .as("typesize %d, %d bytes", typesize, size)
              .isEqualTo(bytes);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Compressor.class)
  void every_level_and_block_size_decodes_to_the_same_bytes(Compressor compressor) {
    byte[] bytes = Samples.ramp(40_001);
    for (int level = 0; level <= 9; level++) {
      for (int blocksize : new int[] {0, 1, 128, 130, 1000, 4096, 40_000, Integer.MAX_VALUE}) {
        BloscConfiguration configuration =
            new BloscConfiguration(compressor, level, Shuffle.BYTE, 4, blocksize);
        assertThat(Samples.decode(Samples.encode(bytes, configuration), bytes.length))
            .as("level %d, blocksize %d", level, blocksize)
            .isEqualTo(bytes);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("compressors_and_shuffles")
  void compressible_bytes_become_fewer(Compressor compressor, Shuffle shuffle) {
    byte[] bytes = Samples.steps(300_007);
    assertThat(Samples.encode(bytes, compressor, shuffle, 4).size()).isLessThan(bytes.length / 8);
  }

  @Property(tries = 300)
  void any_bytes_decode_to_themselves(
      @ForAll @Size(max = 3000) byte[] bytes,
      @ForAll Compressor compressor,
      @ForAll Shuffle shuffle,
      @ForAll @IntRange(min = 0, max = 9) int level,
      @ForAll @IntRange(min = 1, max = 40) int typesize,
      @ForAll @IntRange(max = 2000) int blocksize) {
    BloscConfiguration configuration =
        new BloscConfiguration(compressor, level, shuffle, typesize, blocksize);
    assertThat(Samples.decode(Samples.encode(bytes, configuration), bytes.length)).isEqualTo(bytes);
  }

  @ParameterizedTest
  @MethodSource("compressors_and_shuffles")
  void a_frame_inside_an_array_decodes_into_the_middle_of_an_array(
      Compressor compressor, Shuffle shuffle) {
    byte[] bytes = Samples.ramp(5000);
    byte[] around = new byte[5020];
    System.arraycopy(bytes, 0, around, 13, bytes.length);
    BloscConfiguration configuration = new BloscConfiguration(compressor, 5, shuffle, 4, 0);
    Bytes frame = FrameEncoder.encode(Bytes.wrap(around, 13, 5000), configuration);

    byte[] encoded = new byte[frame.size() + 9];
    frame.copyTo(0, encoded, 5, frame.size());
    byte[] out = new byte[5020];
    Arrays.fill(out, (byte) 0x55);
    Bytes decoded =
        FrameDecoder.decode(
            Bytes.wrap(encoded, 5, frame.size()), DecodeTarget.into(out, 11, bytes.length));

    assertThat(decoded.toByteArray()).isEqualTo(bytes);
    assertThat(Arrays.copyOf(out, 11)).containsOnly(0x55);
    assertThat(Arrays.copyOfRange(out, 5011, 5020)).containsOnly(0x55);
    if (!BloscHeader.parse(frame).stored()) {
      assertThat(decoded.unsafeArray()).isSameAs(out);
    }
  }

  @ParameterizedTest
  @MethodSource("compressors_and_shuffles")
  void a_part_is_decoded_without_the_blocks_around(Compressor compressor, Shuffle shuffle) {
    byte[] bytes = Samples.steps(10_007);
    BloscConfiguration configuration = new BloscConfiguration(compressor, 5, shuffle, 4, 1024);
    byte[] frame = FrameEncoder.encode(Bytes.wrap(bytes), configuration).toByteArray();
    assertThat(BloscHeader.parse(Bytes.wrap(frame)).stored()).isFalse();
    for (int block : new int[] {0, 1, 4, 9}) { // blocks that begin outside the frame
      Arrays.fill(frame, BloscHeader.SIZE + 4 * block, BloscHeader.SIZE + 4 * block + 4, (byte) -1);
    }
    DecodeTarget target = DecodeTarget.fresh(SizeBound.exactly(bytes.length));
    byte[] decoded = FrameDecoder.decode(Bytes.wrap(frame), target.part(2048, 4096)).toByteArray();
    assertThat(decoded).hasSameSizeAs(bytes);
    assertThat(Arrays.copyOfRange(decoded, 2048, 4096))
        .isEqualTo(Arrays.copyOfRange(bytes, 2048, 4096));
    for (int[] part : new int[][] {{2047, 4096}, {2048, 4097}, {10_006, 20_000}, {0, 1}}) {
      assertThatExceptionOfType(CodecException.class)
          .isThrownBy(() -> FrameDecoder.decode(Bytes.wrap(frame), target.part(part[0], part[1])));
    }
  }

  @Test
  void many_threads_get_the_same_frames_and_the_same_bytes() throws Exception {
    byte[] bytes = Samples.steps(100_001);
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      for (Compressor compressor : Compressor.values()) {
        Bytes frame = Samples.encode(bytes, compressor, Shuffle.BIT, 4);
        Callable<Bytes> again =
            () -> {
              Bytes other = Samples.encode(bytes, compressor, Shuffle.BIT, 4);
              assertThat(Samples.decode(other, bytes.length)).isEqualTo(bytes);
              return other;
            };
        for (Future<Bytes> other :
            threads.invokeAll(IntStream.range(0, 16).mapToObj(i -> again).toList())) {
          assertThat(other.get()).isEqualTo(frame);
        }
      }
    } finally {
      threads.shutdownNow();
    }
  }
}
