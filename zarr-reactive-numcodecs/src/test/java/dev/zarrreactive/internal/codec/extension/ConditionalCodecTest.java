package dev.zarrreactive.internal.codec.extension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.BytesToBytesCodec;
import dev.zarrreactive.codec.DecodeTarget;
import dev.zarrreactive.codec.SizeBound;
import dev.zarrreactive.error.ChecksumMismatchException;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.internal.codec.Codecs;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConditionalCodecTest {
  private static final String GZIP = "{'name': 'gzip', 'configuration': {'level': 9}}";
  private static final Bytes LITTLE = Bytes.utf8("123456789");
  private static final Bytes MUCH = Bytes.utf8("123456789".repeat(100));

  private static BytesToBytesCodec codec(String configuration) {
    return Codecs.of(
        BytesToBytesCodec.class,
        "{'name': 'conditional', 'configuration': {" + configuration + "}}");
  }

  private static Bytes decode(BytesToBytesCodec codec, Bytes encoded, long size) {
    return codec.decode(encoded, DecodeTarget.fresh(SizeBound.exactly(size)));
  }

  @Test
  void a_checksum_is_always_written_and_a_compressor_used_where_it_helps() {
    BytesToBytesCodec codec = codec("'codecs': [" + GZIP + ", 'crc32c']");
    Bytes little = codec.encode(LITTLE);
    assertThat(little).isEqualTo(Codecs.hex("02 313233343536373839 839206e3"));
    Bytes much = codec.encode(MUCH);
    assertThat(much.get(0)).isEqualTo((byte) 3);
    assertThat(much.size()).isLessThan(MUCH.size() / 4);
    assertThat(decode(codec, little, 9)).isEqualTo(LITTLE);
    assertThat(decode(codec, much, MUCH.size())).isEqualTo(MUCH);
  }

  @Test
  void every_choice_is_read() {
    BytesToBytesCodec codec = codec("'codecs': ['crc32c', 'crc32c'], 'header_bits': 16");
    assertThat(decode(codec, Codecs.hex("0000 313233343536373839"), 9)).isEqualTo(LITTLE);
    assertThat(decode(codec, Codecs.hex("0100 313233343536373839 839206e3"), 9)).isEqualTo(LITTLE);
    assertThat(decode(codec, Codecs.hex("0200 313233343536373839 839206e3"), 9)).isEqualTo(LITTLE);
    assertThat(codec.encode(LITTLE).size()).isEqualTo(2 + 9 + 2 * 4);
  }

  @ParameterizedTest
  @CsvSource({
    "'', 'expected at least the 2 bytes of the bits that name the applied codecs, found 0'",
    "01, 'expected at least the 2 bytes of the bits that name the applied codecs, found 1'",
    "0400 313233343536373839, 'bit 2 names an applied codec, but there are only 2'",
    "0080 313233343536373839, 'bit 15 names an applied codec, but there are only 2'",
    "0000 3132333435363738, decodes to 8 bytes",
    "0100 313233343536373839, decodes to 5 bytes",
  })
  void a_header_that_lies_is_refused(String encoded, String message) {
    BytesToBytesCodec codec = codec("'codecs': ['crc32c', 'crc32c'], 'header_bits': 16");
    assertThatExceptionOfType(CodecException.class)
        .isThrownBy(() -> decode(codec, Codecs.hex(encoded), 9))
        .withMessageContaining(message);
  }

  @Test
  void an_error_names_the_codec_that_was_applied() {
    assertThatExceptionOfType(ChecksumMismatchException.class)
        .isThrownBy(
            () ->
                decode(
                    codec("'codecs': ['crc32c']"), Codecs.hex("01 313233343536373839 00000000"), 9))
        .withMessageContaining("codec crc32c");
  }

  @Test
  void many_compressors_in_a_row_do_not_let_a_chunk_decode_to_anything() {
    String many = String.join(",", Collections.nCopies(40, GZIP));
    long most = codec("'codecs': [" + many + "]").encodedSize(SizeBound.exactly(100)).bytes();
    assertThat(most).isLessThan(8 << 20);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'header_bits': 8",
        "'codecs': 'crc32c'",
        "'codecs': ['bytes']",
        "'codecs': [{'name': 'transpose', 'configuration': {'order': [0]}}]",
        "'codecs': ['crc32c'], 'header_bits': 0",
        "'codecs': ['crc32c'], 'header_bits': 12",
        "'codecs': ['crc32c'], 'header_bits': -8",
        "'codecs': ['crc32c'], 'mask': 1",
        "'codecs': [{'name': 'conditional', 'configuration': {'codecs': []}}]",
      })
  void a_wrong_configuration_is_refused(String configuration) {
    assertThatExceptionOfType(MetadataException.class).isThrownBy(() -> codec(configuration));
  }
}
