package dev.zarrreactive.internal.codec.numcodecs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.BytesToBytesCodec;
import dev.zarrreactive.codec.DecodeTarget;
import dev.zarrreactive.codec.SizeBound;
import dev.zarrreactive.error.ChecksumMismatchException;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BytesToBytesTest {
  private static final Bytes DIGITS = Bytes.utf8("123456789");
  private static final String DIGITS_HEX = "313233343536373839";

  private static BytesToBytesCodec codec(String id, String configuration) {
    return Use.of(BytesToBytesCodec.class, id, configuration);
  }

  private static Bytes decode(BytesToBytesCodec codec, Bytes encoded, long size) {
    return codec.decode(encoded, DecodeTarget.fresh(SizeBound.exactly(size)));
  }

  @ParameterizedTest
  @CsvSource({
    "crc32, {}, 2639f4cb" + DIGITS_HEX,
    "crc32, {'location': 'end'}, " + DIGITS_HEX + "2639f4cb",
    "adler32, {}, de011e09" + DIGITS_HEX,
    "crc32c, {}, " + DIGITS_HEX + "839206e3",
    "crc32c, {'location': 'start'}, 839206e3" + DIGITS_HEX,
    "fletcher32, {}, " + DIGITS_HEX + "d509df09",
  })
  void a_checksum_stands_where_its_codec_has_it(String id, String configuration, String expected) {
    BytesToBytesCodec codec = codec(id, configuration);
    Bytes encoded = codec.encode(DIGITS);
    assertThat(encoded).isEqualTo(Use.hex(expected));
    assertThat(decode(codec, encoded, 9)).isEqualTo(DIGITS);
    byte[] changed = encoded.toByteArray();
    changed[6] ^= 1;
    assertThatExceptionOfType(ChecksumMismatchException.class)
        .isThrownBy(() -> decode(codec, Bytes.wrap(changed), 9))
        .withMessageContaining("the stored checksum is ");
  }

  /** The values that the author of the hash publishes. */
  @ParameterizedTest
  @CsvSource({
    "'', 0, deadbeef",
    "'', 3735928559, bd5b7dde",
    "Four score and seven years ago, 0, 17770551",
    "Four score and seven years ago, 1, cd628161",
  })
  void lookup3_gives_the_values_that_are_published(String text, long initial, String expected) {
    BytesToBytesCodec codec =
        codec("jenkins_lookup3", "{'initval': " + initial + ", 'prefix': null}");
    Bytes data = Bytes.utf8(text);
    Bytes encoded = codec.encode(data);
    assertThat(encoded.getInt(data.size())).isEqualTo(Integer.parseUnsignedInt(expected, 16));
  }

  @Test
  void lz4_has_the_size_before_its_block() {
    BytesToBytesCodec codec = codec("lz4", "{'acceleration': 1}");
    Bytes data = Bytes.utf8("a".repeat(50));
    assertThat(codec.encode(data)).isEqualTo(Use.hex("32000000 1f6101001950 6161616161"));
  }

  @Test
  void lz4_reads_any_acceleration_and_refuses_to_write_what_its_library_does_not_do() {
    Bytes data = Bytes.utf8("a".repeat(50));
    for (int acceleration : new int[] {-1, 0, 1}) {
      BytesToBytesCodec codec = codec("lz4", "{'acceleration': " + acceleration + "}");
      assertThat(decode(codec, codec.encode(data), 50)).isEqualTo(data);
    }
    BytesToBytesCodec fast = codec("lz4", "{'acceleration': 10}");
    assertThat(decode(fast, Use.hex("32000000 1f6101001950 6161616161"), 50)).isEqualTo(data);
    assertThatExceptionOfType(UnsupportedFeatureException.class)
        .isThrownBy(() -> fast.encode(data))
        .withMessageContaining("an acceleration of 10");
  }

  @Test
  void base64_is_text_in_one_line() {
    BytesToBytesCodec codec = codec("base64", "{}");
    assertThat(codec.encode(DIGITS)).isEqualTo(Bytes.utf8("MTIzNDU2Nzg5"));
    assertThat(codec.encode(Bytes.utf8("1"))).isEqualTo(Bytes.utf8("MQ=="));
    assertThat(decode(codec, Bytes.utf8("MQ=="), 1)).isEqualTo(Bytes.utf8("1"));
    assertThat(codec.encodedSize(SizeBound.exactly(9))).isEqualTo(SizeBound.exactly(12));
    assertThat(codec.encodedSize(SizeBound.atMost(Long.MAX_VALUE)))
        .isEqualTo(SizeBound.atMost(Long.MAX_VALUE));
  }

  @ParameterizedTest
  @CsvSource({
    "MTIzNDU2Nzg, expected groups of 4 characters",
    "MTIzNDU2Nzg=, 'decodes to 8 bytes, expected 9 bytes'",
    "MTIz NDU2Nzg, not Base64 text",
    "MTIz=DU2Nzg5, not Base64 text",
    "MTIzNDU2Nz_5, not Base64 text",
  })
  void what_is_no_base64_text_is_refused(String text, String message) {
    assertThatExceptionOfType(CodecException.class)
        .isThrownBy(() -> decode(codec("base64", "{}"), Bytes.utf8(text), 9))
        .withMessageContaining(message);
  }

  @ParameterizedTest
  @CsvSource({"ffffffff", "00000080", "33000000", "31000000"})
  void an_lz4_header_that_lies_is_refused(String header) {
    BytesToBytesCodec codec = codec("lz4", "{'acceleration': 1}");
    for (SizeBound bound : List.of(SizeBound.exactly(50), SizeBound.atMost(60))) {
      assertThatExceptionOfType(CodecException.class)
          .isThrownBy(
              () ->
                  codec.decode(
                      Use.hex(header + "1f61010019506161616161"), DecodeTarget.fresh(bound)));
    }
  }

  @Test
  void shuffle_gathers_the_bytes_of_one_place() {
    BytesToBytesCodec codec = codec("shuffle", "{'elementsize': 4}");
    Bytes encoded = codec.encode(Use.hex("00000000 01000000 02000000"));
    assertThat(encoded).isEqualTo(Use.hex("000102000000000000000000"));
    assertThatExceptionOfType(CodecException.class)
        .isThrownBy(() -> codec.encode(DIGITS))
        .withMessage("9 bytes are not a whole number of elements of 4 bytes");
  }

  /** Of "numcodecs " three times. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "lzma; {'format': 1}; "
            + "fd377a585a00000ae1fb0ca10200210116000000742fe5a3e0001d00115d0037"
            + "1d49dda8291f5f3c3a5b3e2cd0e20000000000004724bb9201213c0930bcd991"
            + "68b82c1f272e3a9168678aaa05cb2a47127bb0bb0001451e08338757189b4b9a"
            + "01000000000a595a",
        "lzma; {'format': 1}; "
            + "fd377a585a000000ff12d9410200210116000000742fe5a3e0001d00115d0037"
            + "1d49dda8291f5f3c3a5b3e2cd0e20000000000000001251eaf587a3206729e7a"
            + "010000000000595a",
        "lzma; {'format': 1}; "
            + "fd377a585a0000016922de360201040021011c00876edae5e0001d00115d0037"
            + "1d49dda8291f5f3c3a5b3e2cd0e20000000000009003caa90001291ea317cf9e"
            + "9042990d010000000001595a",
        "lzma; {'format': 2}; "
            + "5d00008000ffffffffffffffff00371d49dda8291f5f3c3a5b3e2ce9d843ffff"
            + "f443c000",
        "lzma; {'format': 3, 'filters': [{'id': 3, 'dist': 2}, {'id': 33, 'preset': 9}]}; "
            + "e0001d00135d00371d5bef690f81f90cf945d00e92215d34000000",
        "lzma; {'format': 3, 'filters': [{'id': 4611686018427387905, 'preset': 1, 'lc': 2, 'lp': 1}]}; "
            + "00371d49a6456254463872aed8fcaf83aefffffc691000",
        "bz2; {'level': 1}; "
            + "425a6839314159265359b0e7b3fa00000a118040000e038a00200022bfd5419a"
            + "420c9888a522d8b4d31f177245385090b0e7b3fa",
      })
  void what_liblzma_and_bzip2_wrote_is_read(String id, String configuration, String encoded) {
    BytesToBytesCodec codec = codec(id, configuration);
    Bytes expected = Bytes.utf8("numcodecs ".repeat(3));
    assertThat(decode(codec, Use.hex(encoded), 30)).isEqualTo(expected);
    assertThat(decode(codec, codec.encode(expected), 30)).isEqualTo(expected);
  }

  /** Changes one byte of an xz stream of nine digits, and the checksum of its header with it. */
  private static Bytes xzOfDigits(int at, int value, int header, int headerSize) {
    byte[] stream = codec("lzma", "{'preset': 0}").encode(DIGITS).toByteArray();
    stream[at] = (byte) value;
    CRC32 crc = new CRC32();
    crc.update(stream, header, headerSize);
    ByteBuffer.wrap(stream)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(header + headerSize, (int) crc.getValue());
    return Bytes.wrap(stream);
  }

  @Test
  void an_xz_stream_that_asks_for_much_memory_is_refused_before_it_gets_it() {
    Bytes gigabytes = xzOfDigits(16, 37, 12, 8);
    assertThatExceptionOfType(CodecException.class)
        .isThrownBy(() -> decode(codec("lzma", "{}"), gigabytes, 9))
        .withMessage(
            "needs 1572968 KiB of memory to be decompressed, at most 67584 KiB are allowed:"
                + " write it with a smaller dictionary");
    Bytes largestOfThePresets = xzOfDigits(16, 28, 12, 8);
    assertThat(decode(codec("lzma", "{}"), largestOfThePresets, 9)).isEqualTo(DIGITS);
  }

  @Test
  void an_xz_check_that_the_format_reserves_is_refused() {
    Bytes unknown = xzOfDigits(7, 2, 6, 2);
    assertThatExceptionOfType(UnsupportedFeatureException.class)
        .isThrownBy(() -> decode(codec("lzma", "{}"), unknown, 9))
        .withMessageStartingWith("xz: ");
  }

  @Test
  void several_streams_are_read_as_one() {
    for (String configuration : List.of("bz2 {'level': 1}", "lzma {'format': 1, 'preset': 1}")) {
      String[] parts = configuration.split(" ", 2);
      BytesToBytesCodec codec = codec(parts[0], parts[1]);
      byte[] one = codec.encode(DIGITS).toByteArray();
      byte[] both = new byte[2 * one.length];
      System.arraycopy(one, 0, both, 0, one.length);
      System.arraycopy(one, 0, both, one.length, one.length);
      assertThat(decode(codec, Bytes.wrap(both), 18)).isEqualTo(Bytes.utf8("123456789123456789"));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "zlib; {'level': 10}",
        "gzip; {'level': '5'}",
        "zstd; {'level': 23}",
        "bz2; {'level': 0}",
        "lz4; {'acceleration': 1.5}",
        "lz4; {'level': 1}",
        "blosc; {'shuffle': 3}",
        "blosc; {'shuffle': 'bitshuffle'}",
        "blosc; {'cname': 'lzo'}",
        "shuffle; {'elementsize': 0}",
        "shuffle; {'elementsize': null}",
        "crc32; {'location': 'middle'}",
        "fletcher32; {'initval': 0}",
        "jenkins_lookup3; {'initval': -1}",
        "jenkins_lookup3; {'prefix': 'ab'}",
        "lzma; {'format': 4}",
        "lzma; {'format': 3}",
        "lzma; {'format': 2, 'check': 4}",
        "lzma; {'format': 1, 'check': 2}",
        "lzma; {'preset': 10}",
        "lzma; {'filters': []}",
        "lzma; {'filters': [{'id': 3}]}",
        "lzma; {'filters': [{'id': 33}, {'id': 3}]}",
        "lzma; {'filters': [{'id': 77}]}",
        "lzma; {'filters': [{'id': 3, 'dist': 0}, {'id': 33}]}",
        "lzma; {'format': 1, 'filters': [{'id': 4611686018427387905}]}",
        "lzma; {'format': 2, 'filters': [{'id': 33}]}",
      })
  void a_configuration_that_numcodecs_does_not_have_is_refused(String id, String configuration) {
    assertThatExceptionOfType(MetadataException.class).isThrownBy(() -> codec(id, configuration));
  }
}
