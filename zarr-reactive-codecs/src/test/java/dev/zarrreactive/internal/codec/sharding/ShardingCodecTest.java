package dev.zarrreactive.internal.codec.sharding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.ChunkCodec;
import dev.zarrreactive.codec.ChunkRepresentation;
import dev.zarrreactive.codec.CodecChain;
import dev.zarrreactive.codec.CodecRegistry;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.error.ChecksumMismatchException;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.LocatedJson;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whole shards: their bytes, and what is refused. */
class ShardingCodecTest {
  private static final String LITTLE =
      "[{'name':'bytes','configuration':{'endian':'little'}},{'name':'crc32c'}]";
  private static final String PLAIN = "[{'name':'bytes','configuration':{'endian':'little'}}]";

  private static final String AT_END =
      "01000200 0000000000000000 0400000000000000 ffffffffffffffff ffffffffffffffff 8a0729c5";
  private static final String AT_START =
      "2400000000000000 0400000000000000 ffffffffffffffff ffffffffffffffff 111ded9e 01000200";

  private static final NdArray HALF_EMPTY =
      NdArray.ofShorts(DataTypes.UINT16, Shape.of(4), new short[] {1, 2, 0, 0});

  private static LocatedJson json(String text) {
    return JsonDocument.parse(
        ByteBuffer.wrap(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8)),
        Location.UNKNOWN);
  }

  private static ChunkCodec codec(String configuration, Shape shard) {
    LocatedJson codecs =
        json("[{'name':'sharding_indexed','configuration':{" + configuration + "}}]");
    return CodecChain.of(
            codecs.elements().stream().map(NamedConfiguration::parse).toList(),
            codecs,
            CodecRegistry.standard())
        .bind(new ChunkRepresentation(shard, DataTypes.UINT16, FillValue.zero(DataTypes.UINT16)));
  }

  private static ChunkCodec twoByTwo(String location) {
    return codec(
        "'chunk_shape':[2],'codecs':"
            + PLAIN
            + ",'index_codecs':"
            + LITTLE
            + (location.isEmpty() ? "" : ",'index_location':'" + location + "'"),
        Shape.of(4));
  }

  private static Bytes hex(String digits) {
    return Bytes.wrap(HexFormat.of().parseHex(digits.replace(" ", "")));
  }

  @Test
  void the_index_stands_at_the_end_unless_the_metadata_says_start() {
    assertThat(twoByTwo("").encode(HALF_EMPTY)).isEqualTo(hex(AT_END));
    assertThat(twoByTwo("end").encode(HALF_EMPTY)).isEqualTo(hex(AT_END));
    assertThat(twoByTwo("start").encode(HALF_EMPTY)).isEqualTo(hex(AT_START));
  }

  @Test
  void a_missing_inner_chunk_is_fill_value() {
    assertThat(twoByTwo("end").decode(hex(AT_END))).isEqualTo(HALF_EMPTY);
    assertThat(twoByTwo("start").decode(hex(AT_START))).isEqualTo(HALF_EMPTY);
  }

  @Test
  void inner_chunks_may_lie_anywhere_with_gaps_between() {
    String shuffled =
        "ffff 0300 0400 aaaaaa 0100 0200"
            + " 0900000000000000 0400000000000000 0200000000000000 0400000000000000";
    ChunkCodec codec =
        codec("'chunk_shape':[2],'codecs':" + PLAIN + ",'index_codecs':" + PLAIN, Shape.of(4));
    assertThat(codec.decode(hex(shuffled)).toIntArray()).containsExactly(1, 2, 3, 4);
  }

  @Test
  void the_error_tells_a_damaged_index_from_a_damaged_inner_chunk() {
    byte[] shard = hex(AT_END).toByteArray();
    shard[8] ^= 1;
    assertThatThrownBy(() -> twoByTwo("end").decode(Bytes.wrap(shard)))
        .isInstanceOf(ChecksumMismatchException.class)
        .hasMessageContaining("crc32c");
    String beyond = "01000200 0100000000000000 0400000000000000 ffffffffffffffff ffffffffffffffff";
    ChunkCodec plain =
        codec("'chunk_shape':[2],'codecs':" + PLAIN + ",'index_codecs':" + PLAIN, Shape.of(4));
    assertThat(plain.decode(hex(beyond)).shape()).isEqualTo(Shape.of(4)); // reaches into the index
    String outside = "01000200 2100000000000000 0400000000000000 ffffffffffffffff ffffffffffffffff";
    assertThatThrownBy(() -> plain.decode(hex(outside)))
        .isInstanceOf(CodecException.class)
        .hasMessageContaining("points outside")
        .hasMessageContaining("inner chunk [0]");
  }

  @Test
  void half_of_the_missing_marker_is_damage_and_not_a_missing_chunk() {
    String half = "01000200 0000000000000000 0400000000000000 ffffffffffffffff 0400000000000000";
    ChunkCodec plain =
        codec("'chunk_shape':[2],'codecs':" + PLAIN + ",'index_codecs':" + PLAIN, Shape.of(4));
    assertThatThrownBy(() -> plain.decode(hex(half)))
        .isInstanceOf(CodecException.class)
        .hasMessageContaining("inner chunk [1]");
  }

  @Test
  void a_shard_shorter_than_its_index_is_damage() {
    assertThatThrownBy(() -> twoByTwo("end").decode(hex("0102")))
        .isInstanceOf(CodecException.class)
        .hasMessageContaining("shorter than its index");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'chunk_shape':[3]                        | /chunk_shape  | divides the shard's [4]",
        "'chunk_shape':[2,2]                      | /chunk_shape  | each of the 1 dimensions",
        "'chunk_shape':[0]                        | /chunk_shape/0| an integer from 1",
        "'chunk_shape':[2],'index_location':'top' | /index_location| one of \"start\", \"end\"",
        "'chunk_shape':[2],'chunks':[2]           | /chunks       | unknown member",
        "'index_location':'end'                   | ''            | \"chunk_shape\" is missing",
      })
  void a_configuration_that_gives_no_layout_is_refused(
      String configuration, String pointer, String message) {
    assertThatThrownBy(
            () ->
                codec(
                    configuration + ",'codecs':" + PLAIN + ",'index_codecs':" + PLAIN, Shape.of(4)))
        .isInstanceOfSatisfying(
            MetadataException.class,
            e -> assertThat(e.location().jsonPointer()).isEqualTo("/0/configuration" + pointer))
        .hasMessageContaining(message);
  }

  @Test
  void an_index_of_varying_size_is_refused() {
    String gzip = PLAIN.replace("]", ",{'name':'gzip','configuration':{'level':1}}]");
    assertThatThrownBy(
            () ->
                codec(
                    "'chunk_shape':[2],'codecs':" + PLAIN + ",'index_codecs':" + gzip, Shape.of(4)))
        .isInstanceOfSatisfying(
            MetadataException.class,
            e -> assertThat(e.location().jsonPointer()).isEqualTo("/0/configuration/index_codecs"))
        .hasMessageContaining("fixed size");
  }

  @Test
  void inner_codecs_are_checked_like_any_chain() {
    assertThatThrownBy(
            () ->
                codec(
                    "'chunk_shape':[2],'codecs':[{'name':'crc32c'}],'index_codecs':" + PLAIN,
                    Shape.of(4)))
        .isInstanceOfSatisfying(
            MetadataException.class,
            e -> assertThat(e.location().jsonPointer()).isEqualTo("/0/configuration/codecs/0"));
  }

  @Test
  void an_index_that_is_damaged_is_said_to_be_the_index() {
    byte[] shard = hex(AT_END).toByteArray();
    shard[10] ^= 1;
    assertThatThrownBy(() -> twoByTwo("end").decode(Bytes.wrap(shard)))
        .isInstanceOf(ChecksumMismatchException.class)
        .hasMessageStartingWith("the shard's index is damaged: the stored checksum is ");
  }

  @Test
  @Timeout(20)
  void shards_inside_of_shards_cost_no_more_than_their_number() {
    String inside = PLAIN;
    for (int depth = 0; depth < 50; depth++) {
      inside =
          "[{'name':'sharding_indexed','configuration':{'chunk_shape':[2],'codecs':"
              + inside
              + ",'index_codecs':"
              + PLAIN
              + "}}]";
    }
    ChunkCodec codec =
        codec("'chunk_shape':[2],'codecs':" + inside + ",'index_codecs':" + PLAIN, Shape.of(4));
    assertThat(codec.decode(codec.encode(HALF_EMPTY))).isEqualTo(HALF_EMPTY);
  }

  @Test
  void a_shard_that_is_compressed_does_not_decode_to_anything() {
    String gzip = "{'name':'gzip','configuration':{'level':5}}";
    String inside = "[{'name':'bytes','configuration':{'endian':'little'}}," + gzip + "]";
    for (int depth = 0; depth < 20; depth++) {
      inside =
          "[{'name':'sharding_indexed','configuration':{'chunk_shape':[1],'codecs':"
              + inside
              + ",'index_codecs':"
              + PLAIN
              + "}}]";
    }
    ChunkCodec codec =
        codec("'chunk_shape':[1],'codecs':" + inside + ",'index_codecs':" + PLAIN, Shape.of(1000));
    assertThat(codec.encodedSize().bytes()).isBetween(1000L * 16, 8L << 20);
  }
}
