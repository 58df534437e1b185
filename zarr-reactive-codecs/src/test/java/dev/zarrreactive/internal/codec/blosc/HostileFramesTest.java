package dev.zarrreactive.internal.codec.blosc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.DecodeTarget;
import dev.zarrreactive.codec.SizeBound;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.internal.codec.shuffle.LittleEndianWords;
import dev.zarrreactive.internal.codec.shuffle.Shuffle;
import dev.zarrreactive.testing.Cases;
import dev.zarrreactive.testing.Sampled;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever stands in a frame, decoding ends in a result of the right size or a CodecException. */
class HostileFramesTest {

  private static final int SIZE = 3001;

  static List<Arguments> compressors_and_shuffles() {
    return RoundTripTest.compressors_and_shuffles();
  }

  /** Three blocks, the last one short. */
  private static byte[] frame(Compressor compressor, Shuffle shuffle) {
    BloscConfiguration configuration = new BloscConfiguration(compressor, 5, shuffle, 4, 1024);
    byte[] frame = Samples.encode(Samples.steps(SIZE), configuration).toByteArray();
    assertThat(BloscHeader.parse(Bytes.wrap(frame)).stored()).isFalse();
    return frame;
  }

  /** Decodes inside an array whose other bytes must not change, and by parts. */
  private static void decodeOrRefuse(byte[] frame) {
    byte[] out = new byte[SIZE + 64];
    DecodeTarget target = DecodeTarget.into(out, 32, SIZE);
    try {
      assertThat(FrameDecoder.decode(Bytes.wrap(frame), target).size()).isEqualTo(SIZE);
    } catch (CodecException e) {
      assertThat(e.getMessage()).isNotBlank();
    }
    for (int i = 0; i < 32; i++) {
      if (out[i] != 0 || out[out.length - 1 - i] != 0) {
        throw new AssertionError("wrote outside the target");
      }
    }
    try {
      SizeBound size = SizeBound.exactly(SIZE);
      assertThat(FrameDecoder.decodeRange(Bytes.wrap(frame), size, 1000, 100).size())
          .isEqualTo(100);
    } catch (CodecException e) {
      assertThat(e.getMessage()).isNotBlank();
    }
  }

  @ParameterizedTest
  @MethodSource("compressors_and_shuffles")
  void a_frame_cut_off_anywhere_is_refused(Compressor compressor, Shuffle shuffle) {
    byte[] frame = frame(compressor, shuffle);
    for (int length = 0; length < frame.length; length++) {
      byte[] cut = Arrays.copyOf(frame, length);
      assertThatThrownBy(() -> Samples.decode(Bytes.wrap(cut), SIZE))
          .isInstanceOf(CodecException.class);
      if (length >= BloscHeader.SIZE) {
        LittleEndianWords.putInt(cut, 12, length);
        assertThatThrownBy(() -> Samples.decode(Bytes.wrap(cut), SIZE))
            .as("cut to %d with a header that says so", length)
            .isInstanceOf(CodecException.class);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("compressors_and_shuffles")
  void a_frame_with_something_behind_it_is_refused(Compressor compressor, Shuffle shuffle) {
    byte[] frame = frame(compressor, shuffle);
    byte[] longer = Arrays.copyOf(frame, frame.length + 1);
    assertThatThrownBy(() -> Samples.decode(Bytes.wrap(longer), SIZE))
        .isInstanceOf(CodecException.class);
    LittleEndianWords.putInt(longer, 12, longer.length);
    assertThatThrownBy(() -> Samples.decode(Bytes.wrap(longer), SIZE))
        .isInstanceOf(CodecException.class);
  }

  @ParameterizedTest
  @MethodSource("compressors_and_shuffles")
  void other_values_in_header_table_and_first_length_do_no_harm(
      Compressor compressor, Shuffle shuffle) {
    byte[] frame = frame(compressor, shuffle);
    for (int at = 0; at < 40; at++) {
      byte good = frame[at];
      for (int value : new int[] {0, 1, 2, 3, 4, 8, 16, 127, 128, 254, 255}) {
        frame[at] = (byte) value;
        decodeOrRefuse(frame);
      }
      for (int bit = 0; bit < 8; bit++) {
        frame[at] = (byte) (good ^ (1 << bit));
        decodeOrRefuse(frame);
      }
      frame[at] = good;
    }
  }

  @Sampled
  @ParameterizedTest
  @MethodSource("compressors_and_shuffles")
  void random_damage_does_no_harm(Compressor compressor, Shuffle shuffle) {
    byte[] frame = frame(compressor, shuffle);
    Random random = new Random(2024);
    for (int round = 0; round < Cases.some(250, 1000); round++) {
      byte[] damaged = frame.clone();
      int changes = 1 + random.nextInt(4);
      for (int i = 0; i < changes; i++) {
        int at = BloscHeader.SIZE + random.nextInt(frame.length - BloscHeader.SIZE);
        switch (random.nextInt(3)) {
          case 0 -> damaged[at] = (byte) random.nextInt(256);
          case 1 -> damaged[at] ^= (byte) (1 << random.nextInt(8));
          default ->
              LittleEndianWords.putInt(damaged, Math.min(at, frame.length - 4), random.nextInt());
        }
      }
      decodeOrRefuse(damaged);
    }
  }

  @Sampled
  @ParameterizedTest
  @EnumSource(Compressor.class)
  void noise_in_place_of_the_streams_does_no_harm(Compressor compressor) {
    byte[] frame = frame(compressor, Shuffle.BYTE);
    Random random = new Random(7);
    int data = BloscHeader.SIZE + 4 * 3 + 4;
    for (int round = 0; round < Cases.some(150, 500); round++) {
      byte[] noise = new byte[frame.length - data];
      random.nextBytes(noise);
      byte[] damaged = frame.clone();
      System.arraycopy(noise, 0, damaged, data, noise.length);
      decodeOrRefuse(damaged);
    }
  }

  @ParameterizedTest
  @MethodSource("compressors_and_shuffles")
  void a_frame_of_another_size_is_refused_before_anything_is_allocated(
      Compressor compressor, Shuffle shuffle) {
    Bytes bomb = Samples.encode(new byte[8 << 20], compressor, shuffle, 4);
    assertThat(bomb.size()).isLessThan(1 << 20);
    for (SizeBound size : List.of(SizeBound.exactly(4096), SizeBound.atMost(4096))) {
      DecodeTarget target =
          DecodeTarget.from(
              length -> {
                throw new AssertionError("allocates " + length);
              },
              size);
      assertThatThrownBy(() -> FrameDecoder.decode(bomb, target))
          .isInstanceOf(CodecException.class)
          .hasMessageContaining("8388608");
      assertThatThrownBy(() -> FrameDecoder.decodeRange(bomb, size, 0, 1))
          .isInstanceOf(CodecException.class);
    }
  }

  @Test
  void an_error_says_which_block_and_where_in_the_frame() {
    byte[] frame = frame(Compressor.LZ4, Shuffle.BYTE);
    int second = LittleEndianWords.getInt(frame, BloscHeader.SIZE + 4);
    LittleEndianWords.putInt(frame, second, -1);
    assertThatThrownBy(() -> Samples.decode(Bytes.wrap(frame), SIZE))
        .isInstanceOf(CodecException.class)
        .hasMessage(
            "block 1 of 3 in a frame of %d bytes: a sub-stream of 4294967295 bytes for"
                + " %d decoded bytes, at byte %d",
            frame.length, 256, second);
  }

  @Test
  void blocks_that_share_their_bytes_are_refused_before_they_cost_more_than_the_frame() {
    int blocks = 1000;
    int stream = BloscHeader.SIZE + 4 * blocks;
    byte[] frame = new byte[stream + 4 + 128];
    new BloscHeader(Compressor.LZ4, Shuffle.NONE, false, false, 1, blocks * 128, 128, frame.length)
        .write(frame);
    for (int block = 0; block < blocks; block++) {
      LittleEndianWords.putInt(frame, BloscHeader.SIZE + 4 * block, stream);
    }
    LittleEndianWords.putInt(frame, stream, 128); // stored
    assertThatThrownBy(() -> Samples.decode(Bytes.wrap(frame), blocks * 128))
        .isInstanceOf(CodecException.class)
        .hasMessageContaining("overlap");
    SizeBound size = SizeBound.exactly(blocks * 128);
    assertThat(FrameDecoder.decodeRange(Bytes.wrap(frame), size, 128, 128).size()).isEqualTo(128);
    assertThatThrownBy(() -> FrameDecoder.decodeRange(Bytes.wrap(frame), size, 0, 1000))
        .isInstanceOf(CodecException.class)
        .hasMessageContaining("overlap");
  }

  @Test
  void blocks_that_do_not_split_into_whole_elements_are_refused() {
    byte[] frame = frame(Compressor.LZ4, Shuffle.BYTE);
    LittleEndianWords.putInt(frame, 8, 1023);
    assertThatThrownBy(() -> Samples.decode(Bytes.wrap(frame), SIZE))
        .isInstanceOf(CodecException.class)
        .hasMessageContaining("do not split");
  }
}
