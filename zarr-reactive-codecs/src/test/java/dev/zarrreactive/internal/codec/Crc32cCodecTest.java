package dev.zarrreactive.internal.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.BytesToBytesCodec;
import dev.zarrreactive.codec.DecodeTarget;
import dev.zarrreactive.codec.SizeBound;
import dev.zarrreactive.error.ChecksumMismatchException;
import dev.zarrreactive.error.CodecException;
import org.junit.jupiter.api.Test;

class Crc32cCodecTest {
  private static final BytesToBytesCodec CODEC = Codecs.of(BytesToBytesCodec.class, "'crc32c'");

  private static DecodeTarget exactly(int size) {
    return DecodeTarget.fresh(SizeBound.exactly(size));
  }

  @Test
  void the_checksum_follows_the_data_in_little_endian_order() {
    Bytes data = Bytes.utf8("123456789");
    assertThat(CODEC.encode(data)).isEqualTo(Codecs.hex("313233343536373839 839206e3"));
    assertThat(CODEC.encode(Bytes.EMPTY)).isEqualTo(Codecs.hex("00000000"));
  }

  @Test
  void it_adds_four_bytes_to_any_bound() {
    assertThat(CODEC.encodedSize(SizeBound.exactly(9))).isEqualTo(SizeBound.exactly(13));
    assertThat(CODEC.encodedSize(SizeBound.atMost(9))).isEqualTo(SizeBound.atMost(13));
  }

  @Test
  void decoded_bytes_are_a_part_of_the_encoded_ones() {
    Bytes encoded = CODEC.encode(Bytes.utf8("123456789"));
    Bytes decoded = CODEC.decode(encoded, exactly(9));
    assertThat(decoded).isEqualTo(Bytes.utf8("123456789"));
    assertThat(decoded.unsafeArray()).isSameAs(encoded.unsafeArray());
  }

  @Test
  void a_mismatch_says_what_is_stored_and_what_was_found() {
    assertThatExceptionOfType(ChecksumMismatchException.class)
        .isThrownBy(() -> CODEC.decode(Codecs.hex("313233343536373839 839206e4"), exactly(9)))
        .withMessage("the stored checksum is e4069283, that of the 9 bytes is e3069283");
  }

  @Test
  void fewer_than_four_bytes_hold_no_checksum() {
    for (int size = 0; size < 4; size++) {
      Bytes encoded = Bytes.wrap(new byte[size]);
      assertThatExceptionOfType(CodecException.class)
          .isThrownBy(() -> CODEC.decode(encoded, exactly(0)))
          .withMessage("expected at least the 4 bytes of the checksum, found " + size);
    }
  }

  @Test
  void a_checksum_that_is_not_there_shows_in_the_size() {
    assertThatExceptionOfType(CodecException.class)
        .isThrownBy(() -> CODEC.decode(Bytes.wrap(new byte[48]), exactly(48)))
        .withMessage("decodes to 44 bytes, expected 48 bytes");
  }
}
