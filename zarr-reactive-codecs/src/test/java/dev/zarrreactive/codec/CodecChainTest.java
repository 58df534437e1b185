package dev.zarrreactive.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.error.ChecksumMismatchException;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MemoryExhaustedException;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.LocatedJson;
import dev.zarrreactive.testing.Json;
import dev.zarrreactive.testing.TestCodecs;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Chains of codecs; which orders are refused is in {@code ArrayDocumentTest}. */
class CodecChainTest {
  private static final ChunkRepresentation CHUNK = chunk(3);

  private final NdArray elements =
      NdArray.wrap(DataTypes.UINT8, Shape.of(3), Bytes.wrap(new byte[] {1, 2, 3}));

  @Test
  void encoding_goes_through_the_list_forwards_and_decoding_backwards() {
    ChunkCodec codec =
        chain(
                "[{'name': 'test.add', 'configuration': {'n': 10}}, 'test.reverse',"
                    + " 'test.length', 'test.length']")
            .bind(CHUNK);
    Bytes encoded = codec.encode(elements);
    assertThat(encoded.toByteArray()).containsExactly(4, 3, 13, 12, 11);
    assertThat(codec.encodedSize()).isEqualTo(SizeBound.exactly(5));
    assertThat(codec.decode(encoded)).isEqualTo(elements);
  }

  /** A chain of thirty could otherwise make 2^30 MiB of a chunk of three bytes. */
  @Test
  void many_compressors_in_a_row_do_not_let_a_chunk_decode_to_anything() {
    String gzip = ", {'name': 'gzip', 'configuration': {'level': 5}}";
    ChunkCodec codec =
        CodecChain.of(
                Json.value("['bytes'" + gzip.repeat(30) + "]").elements().stream()
                    .map(NamedConfiguration::parse)
                    .toList(),
                Json.value("[]"),
                CodecRegistry.standard())
            .bind(CHUNK);
    assertThat(codec.encodedSize().bytes()).isLessThan(8 << 20);
    assertThat(codec.decode(codec.encode(elements))).isEqualTo(elements);
  }

  @Test
  void an_unknown_codec_that_need_not_be_understood_is_left_out_for_reading() {
    CodecChain chain = chain("['bytes', {'name': 'tomorrow', 'must_understand': false}]");
    assertThat(chain.isWritable()).isFalse();
    assertThat(chain.bind(CHUNK).decode(elements.bytes())).isEqualTo(elements);
  }

  @Test
  void a_known_codec_is_used_also_where_it_need_not_be_understood() {
    CodecChain chain = chain("['bytes', {'name': 'test.length', 'must_understand': false}]");
    assertThat(chain.isWritable()).isTrue();
    assertThat(chain.bind(CHUNK).encode(elements).size()).isEqualTo(4);
  }

  @Test
  void a_chain_whose_only_array_to_bytes_codec_is_left_out_cannot_be_read() {
    assertThatThrownBy(() -> chain("[{'name': 'tomorrow', 'must_understand': false}]"))
        .isInstanceOf(MetadataException.class)
        .hasMessageContaining("no array→bytes codec");
  }

  @Test
  void an_exception_of_a_library_becomes_an_error_that_names_the_codec() {
    for (Throwable thrown :
        List.of(
            new IndexOutOfBoundsException("at 7"),
            new UnsatisfiedLinkError("no library"),
            new StackOverflowError("too deep"))) {
      ChunkCodec codec = throwing(thrown);
      assertThatThrownBy(() -> codec.decode(elements.bytes()))
          .isInstanceOfSatisfying(
              CodecException.class,
              e -> {
                assertThat(e.location().codec()).isEqualTo("test.throws");
                assertThat(e.statement()).contains(thrown.getMessage());
                assertThat(e).hasCause(thrown);
              });
    }
  }

  @Test
  void a_codec_without_memory_ends_in_an_error_that_names_the_codec_and_the_size() {
    OutOfMemoryError thrown = new OutOfMemoryError("no room");
    ChunkCodec codec = throwing(thrown);
    assertThatThrownBy(() -> codec.decode(elements.bytes()))
        .isInstanceOfSatisfying(
            MemoryExhaustedException.class,
            e -> {
              assertThat(e.location().codec()).isEqualTo("test.throws");
              assertThat(e.wantedBytes()).isEqualTo(3);
              assertThat(e.statement()).contains("3 bytes", "-Xmx");
              assertThat(e).hasCause(thrown);
            });
  }

  @Test
  void an_error_of_the_library_keeps_its_kind_and_learns_the_codec() {
    for (RuntimeException thrown :
        List.of(
            new ChecksumMismatchException("not the sum", Location.UNKNOWN),
            new UnsupportedFeatureException("not yet", Location.UNKNOWN))) {
      assertThatThrownBy(() -> throwing(thrown).decode(elements.bytes()))
          .isSameAs(thrown)
          .hasMessageContaining("codec test.throws");
    }
  }

  @Test
  void bytes_of_another_size_than_the_chunk_has_are_refused() {
    for (int size : new int[] {0, 2, 4}) {
      Bytes wrong = Bytes.wrap(new byte[size]);
      ChunkCodec codec = decodingBy(encoded -> wrong);
      ElementMemory memory = ElementMemory.allocate(elements.dataType(), Shape.of(9));
      assertThatThrownBy(() -> codec.decode(elements.bytes()))
          .isInstanceOfSatisfying(
              CodecException.class,
              e -> {
                assertThat(e.location().codec()).isEqualTo("test.throws");
                assertThat(e.statement()).contains(size + " bytes", "3 bytes");
              });
      assertThatThrownBy(() -> codec.decodeInto(elements.bytes(), memory, 3))
          .isInstanceOf(CodecException.class);
      assertThatThrownBy(() -> codec.decodeToMemory(elements.bytes(), byte[]::new))
          .isInstanceOf(CodecException.class);
    }
  }

  @Test
  void plain_bytes_of_another_size_than_the_chunk_has_are_refused() {
    assertThatThrownBy(
            () -> chain("['bytes']").bind(CHUNK).decodeToMemory(Bytes.EMPTY, byte[]::new))
        .isInstanceOfSatisfying(
            CodecException.class, e -> assertThat(e.location().codec()).isEqualTo("bytes"));
  }

  @Test
  void an_array_of_another_shape_than_the_chunk_has_is_refused() {
    ChunkCodec codec = chain("['test.other_shape', 'bytes']").bind(CHUNK);
    assertThatThrownBy(() -> codec.decode(elements.bytes()))
        .isInstanceOfSatisfying(
            CodecException.class,
            e -> {
              assertThat(e.location().codec()).isEqualTo("test.other_shape");
              assertThat(e.statement()).contains("[1]", "[3]");
            });
  }

  @Test
  void a_chunk_that_no_java_array_holds_is_refused_before_it_is_decoded() {
    ChunkCodec codec = chain("['bytes']").bind(chunk(1L << 31));
    assertThatThrownBy(() -> codec.decode(elements.bytes()))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("2 GiB");
  }

  private static ChunkCodec throwing(Throwable thrown) {
    return decodingBy(
        encoded -> {
          if (thrown instanceof Error error) {
            throw error;
          }
          throw (RuntimeException) thrown;
        });
  }

  private static ChunkCodec decodingBy(Function<Bytes, Bytes> decode) {
    return CodecChain.of(
            codecs("['bytes', 'test.throws']"),
            Json.value("[]"),
            TestCodecs.registry("test.throws", decode))
        .bind(CHUNK);
  }

  private static CodecChain chain(String codecs) {
    return CodecChain.of(codecs(codecs), Json.value("[]"), TestCodecs.registry());
  }

  private static List<NamedConfiguration> codecs(String json) {
    List<LocatedJson> elements = Json.value(json).elements();
    return elements.stream().map(NamedConfiguration::parse).toList();
  }

  private static ChunkRepresentation chunk(long extent) {
    return new ChunkRepresentation(
        Shape.of(extent), DataTypes.UINT8, FillValue.zero(DataTypes.UINT8));
  }
}
