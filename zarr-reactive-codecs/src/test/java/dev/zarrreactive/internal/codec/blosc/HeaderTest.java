package dev.zarrreactive.internal.codec.blosc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.DecodeTarget;
import dev.zarrreactive.codec.SizeBound;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.internal.codec.shuffle.Shuffle;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HeaderTest {

  private static final byte[] ZEROS = new byte[4000];

  private static String hex(Bytes frame, int from, int to) {
    return HexFormat.of().formatHex(frame.toByteArray(), from, to);
  }

  @ParameterizedTest
  @CsvSource({
    "LZ4, BYTE, 21",
    "LZ4, BIT, 24",
    "LZ4, NONE, 20",
    "LZ4HC, BYTE, 21",
    "ZSTD, BYTE, 91",
    "BLOSCLZ, BYTE, 01",
    "SNAPPY, BYTE, 41",
    "ZLIB, BYTE, 61",
  })
  void a_thousand_zeros_get_the_header_that_others_give_them(
      Compressor compressor, Shuffle shuffle, String flags) {
    Bytes frame = Samples.encode(ZEROS, compressor, shuffle, 4);
    assertThat(hex(frame, 0, 12)).isEqualTo("0201" + flags + "04" + "a00f0000" + "a00f0000");
    assertThat(frame.getInt(12)).isEqualTo(frame.size());
  }

  @Test
  void level_0_stores_the_bytes_and_keeps_the_shuffle_flag() {
    Bytes frame =
        Samples.encode(ZEROS, new BloscConfiguration(Compressor.LZ4, 0, Shuffle.BYTE, 4, 0));
    assertThat(frame.size()).isEqualTo(4016);
    assertThat(hex(frame, 0, 16)).isEqualTo("02012304a00f0000a00f0000b00f0000");
  }

  @Test
  void nothing_is_a_frame_of_16_bytes() {
    Bytes frame = Samples.encode(new byte[0], Compressor.LZ4, Shuffle.BYTE, 1);
    assertThat(hex(frame, 0, 16)).isEqualTo("02013301000000000100000010000000");
    assertThat(Samples.decode(frame, 0)).isEmpty();
  }

  @Test
  void noise_is_stored() {
    byte[] noise = Samples.noise(100_000);
    for (Compressor compressor : Compressor.values()) {
      Bytes frame = Samples.encode(noise, compressor, Shuffle.NONE, 4);
      assertThat(frame.size()).isEqualTo(noise.length + 16);
      assertThat(BloscHeader.parse(frame).stored()).isTrue();
    }
  }

  @Test
  void stored_bytes_are_not_copied_when_they_are_decoded() {
    Bytes frame = Samples.encode(Samples.noise(500), Compressor.LZ4, Shuffle.BYTE, 4);
    Bytes decoded = FrameDecoder.decode(frame, DecodeTarget.fresh(SizeBound.exactly(500)));
    assertThat(decoded.unsafeArray()).isSameAs(frame.unsafeArray());
  }

  @ParameterizedTest
  @CsvSource({
    "LZ4, 4, 524288",
    "BLOSCLZ, 1, 131072",
    "SNAPPY, 8, 1048576",
    "LZ4HC, 4, 1048576",
    "ZLIB, 2, 524288",
    "ZSTD, 4, 262144",
    "ZSTD, 17, 262140",
    "LZ4, 17, 131070",
  })
  void blocks_are_as_large_as_those_of_others(Compressor compressor, int typesize, int blocksize) {
    Bytes frame = Samples.encode(new byte[4 << 20], compressor, Shuffle.BYTE, typesize);
    assertThat(BloscHeader.parse(frame).blocksize()).isEqualTo(blocksize);
  }

  @ParameterizedTest
  @CsvSource({"1, 128", "1000, 1000", "1001, 1000", "5000, 4000"})
  void a_configured_block_size_is_rounded_to_whole_elements_inside_the_bytes(
      int configured, int blocksize) {
    Bytes frame =
        Samples.encode(
            ZEROS, new BloscConfiguration(Compressor.LZ4, 5, Shuffle.BYTE, 4, configured));
    assertThat(BloscHeader.parse(frame).blocksize()).isEqualTo(blocksize);
  }

  @Test
  void a_typesize_that_no_header_holds_cannot_be_written() {
    assertThatThrownBy(() -> Samples.encode(ZEROS, Compressor.LZ4, Shuffle.BYTE, 256))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("typesize 256");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "02012104a00f0000a00f0000b00f00", // shorter than a header
        "01012104a00f0000a00f000010000000", // version
        "02022104a00f0000a00f000010000000", // inner version
        "02012904a00f0000a00f000010000000", // reserved flag
        "02012504a00f0000a00f000010000000", // both shuffles
        "0201a104a00f0000a00f000010000000", // compressor 5
        "02012100a00f0000a00f000010000000", // typesize 0
        "0201210400000080a00f000010000000", // negative nbytes
        "02012104ffffff7fa00f000010000000", // nbytes that no array holds
        "02012104a00f00000000000010000000", // no blocksize
        "02012104a00f0000a10f000010000000", // blocksize above nbytes
        "02012104a00f0000ffffffff10000000", // negative blocksize
        "02012104a00f0000a00f000011000000", // longer than the frame
        "02012104a00f0000a00f00000f000000", // shorter than the frame
        "02012304a00f0000a00f000010000000", // stored bytes are missing
        "02012104a00f0000a00f000010000000", // the table is missing
        "0201210400000000a00f00001100000000", // something after nothing
      })
  void a_header_that_contradicts_itself_or_its_frame_is_refused(String hex) {
    Bytes frame = Bytes.wrap(HexFormat.of().parseHex(hex));
    DecodeTarget target =
        DecodeTarget.from(
            length -> {
              throw new AssertionError("allocates " + length);
            },
            SizeBound.atMost(1L << 40));
    assertThatThrownBy(() -> FrameDecoder.decode(frame, target)).isInstanceOf(CodecException.class);
  }
}
