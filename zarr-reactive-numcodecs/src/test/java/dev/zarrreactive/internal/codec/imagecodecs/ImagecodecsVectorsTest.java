package dev.zarrreactive.internal.codec.imagecodecs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.ArrayToArrayCodec;
import dev.zarrreactive.codec.ArrayToBytesCodec;
import dev.zarrreactive.codec.BytesToBytesCodec;
import dev.zarrreactive.codec.ChunkRepresentation;
import dev.zarrreactive.codec.Codec;
import dev.zarrreactive.codec.CodecRegistry;
import dev.zarrreactive.codec.DecodeTarget;
import dev.zarrreactive.codec.SizeBound;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.testing.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The codecs of imagecodecs decode what imagecodecs has encoded: vectors.tsv, made by its script.
 */
class ImagecodecsVectorsTest {
  /** The codecs whose encoded bytes are the same as those of imagecodecs. */
  private static final Set<String> SAME_BYTES = Set.of("bitorder", "delta", "floatpred");

  private static final Map<String, DataType> TYPES =
      Map.of(
          "|u1", DataTypes.UINT8,
          "<u2", DataTypes.UINT16,
          "<i4", DataTypes.INT32,
          "<u8", DataTypes.UINT64,
          "<f2", DataTypes.FLOAT16,
          "<f4", DataTypes.FLOAT32,
          "<f8", DataTypes.FLOAT64);

  record Vector(String id, String configuration, Bytes decoded, Bytes encoded) {
    BytesToBytesCodec codec(String prefix) {
      return (BytesToBytesCodec)
          CodecRegistry.standard().create(Json.extension(prefix + id, configuration));
    }
  }

  static Stream<Vector> vectors() {
    try (InputStream in = ImagecodecsVectorsTest.class.getResourceAsStream("vectors.tsv")) {
      return new String(Objects.requireNonNull(in).readAllBytes(), UTF_8)
          .lines()
          .map(line -> line.split("\t", -1))
          .map(part -> new Vector(part[0], part[1], base64(part[2]), base64(part[3])));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Bytes base64(String text) {
    return Bytes.wrap(Base64.getDecoder().decode(text));
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void what_imagecodecs_encodes_is_decoded(Vector vector) {
    BytesToBytesCodec codec = vector.codec("numcodecs.imagecodecs_");
    int size = vector.decoded().size();
    assertThat(codec.decode(vector.encoded(), DecodeTarget.fresh(SizeBound.exactly(size))))
        .isEqualTo(vector.decoded());
    assertThat(codec.decode(vector.encoded(), DecodeTarget.fresh(SizeBound.atMost(100_000))))
        .isEqualTo(vector.decoded());
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void what_is_encoded_here_is_decoded_again(Vector vector) {
    BytesToBytesCodec codec = vector.codec("numcodecs.imagecodecs_");
    Bytes encoded = codec.encode(vector.decoded());
    if (SAME_BYTES.contains(vector.id())) {
      assertThat(encoded).isEqualTo(vector.encoded());
    }
    assertThat(
            codec.decode(encoded, DecodeTarget.fresh(SizeBound.exactly(vector.decoded().size()))))
        .isEqualTo(vector.decoded());
  }

  @Test
  void the_predictors_of_v3_take_shape_and_type_from_the_chunk() {
    for (Vector vector : vectors().toList()) {
      JsonObject members = Json.extension("x", vector.configuration()).configuration().object();
      DataType type =
          TYPES.get(members.get("dtype") == null ? "" : members.string("dtype").orElse(""));
      if (type == null) {
        continue;
      }
      String name = "imagecodecs_" + vector.id();
      NamedConfiguration use =
          NamedConfiguration.of(name, members.without("shape").without("dtype"));
      Codec codec = CodecRegistry.standard().create(use);
      Shape shape = Shape.of(4, 6, 3);
      ChunkRepresentation chunk = new ChunkRepresentation(shape, type, FillValue.zero(type));
      NdArray decoded =
          codec instanceof ArrayToArrayCodec delta
              ? delta.decode(NdArray.wrap(type, shape, vector.encoded()), chunk)
              : ((ArrayToBytesCodec) codec).decode(vector.encoded(), chunk);
      assertThat(decoded.bytes()).as("%s", vector).isEqualTo(vector.decoded());
    }
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void damaged_bytes_are_an_error_or_other_bytes_of_the_same_size(Vector vector) {
    BytesToBytesCodec codec = vector.codec("numcodecs.imagecodecs_");
    Random random = new Random(vector.encoded().size());
    int size = vector.decoded().size();
    for (int i = 0; i < 200; i++) {
      byte[] changed = vector.encoded().toByteArray();
      for (int j = 0; j <= i % 4 && changed.length > 0; j++) {
        changed[random.nextInt(changed.length)] = (byte) random.nextInt();
      }
      int length = i % 3 == 0 ? random.nextInt(changed.length + 1) : changed.length;
      try {
        Bytes decoded =
            codec.decode(
                Bytes.wrap(changed, 0, length), DecodeTarget.fresh(SizeBound.exactly(size)));
        assertThat(decoded.size()).isEqualTo(size);
      } catch (CodecException | UnsupportedFeatureException e) {
        assertThat(e.statement()).isNotBlank();
      }
    }
  }

  @Test
  void lzf_without_the_header_that_its_name_says_is_read() {
    for (Vector vector : vectors().filter(each -> each.id().equals("lzf")).toList()) {
      BytesToBytesCodec named =
          (BytesToBytesCodec)
              CodecRegistry.standard()
                  .create(Json.extension("numcodecs.imagecodecs_lzf", "{'header': true}"));
      DecodeTarget target = DecodeTarget.fresh(SizeBound.exactly(vector.decoded().size()));
      assertThat(named.decode(vector.encoded(), target)).isEqualTo(vector.decoded());
    }
  }

  @Test
  void lzw_of_old_writers_is_refused_by_name() {
    Vector lzw = vectors().filter(each -> each.id().equals("lzw")).findFirst().orElseThrow();
    assertThatExceptionOfType(CodecException.class)
        .isThrownBy(
            () ->
                lzw.codec("imagecodecs_")
                    .decode(
                        Bytes.wrap(new byte[] {0, 1, 5}), DecodeTarget.fresh(SizeBound.exactly(9))))
        .withMessageContaining("LZW of old writers of TIFF");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "imagecodecs_lerc", "numcodecs.imagecodecs_webp", "imagecodecs_szip", "imagecodecs_jpeg2k",
        "numcodecs.imagecodecs_lerc", "numcodecs.grib", "imagecodecs_aec", "imagecodecs_png"
      })
  void codecs_of_pictures_and_messages_are_refused_by_name(String name) {
    assertThatExceptionOfType(UnsupportedFeatureException.class)
        .isThrownBy(() -> CodecRegistry.standard().create(Json.extension(name, "{}")))
        .withMessageContaining("the codec \"" + name + "\" is not supported");
  }

  @ParameterizedTest
  @ValueSource(strings = {"imagecodecs_jpeg", "numcodecs.imagecodecs_jpeg"})
  void jpeg_without_its_module_names_the_artifact_to_add(String name) {
    assertThatExceptionOfType(UnsupportedFeatureException.class)
        .isThrownBy(() -> CodecRegistry.standard().create(Json.extension(name, "{}")))
        .withMessageContaining(
            "the codec \"" + name + "\" needs the artifact dev.zarrreactive:zarr-reactive-images");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'shape': [2, 3]}",
        "{'dtype': '<f4'}",
        "{'shape': [2, 3], 'dtype': '<u2'}",
        "{'shape': [2, 3], 'dtype': '<f4', 'axis': 2}",
        "{'shape': [2, 3], 'dtype': '<f4', 'dist': 0}",
        "{'shape': [2000000000, 2000000000], 'dtype': '<f4'}",
        "{'shape': [2, 3], 'dtype': '<f4', 'more': 1}"
      })
  void a_wrong_configuration_of_a_predictor_is_refused_when_it_is_made(String configuration) {
    assertThatExceptionOfType(MetadataException.class)
        .isThrownBy(
            () ->
                CodecRegistry.standard()
                    .create(Json.extension("numcodecs.imagecodecs_floatpred", configuration)));
  }
}
