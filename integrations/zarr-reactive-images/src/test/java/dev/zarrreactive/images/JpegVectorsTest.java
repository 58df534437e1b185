package dev.zarrreactive.images;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.ArrayToBytesCodec;
import dev.zarrreactive.codec.BytesToBytesCodec;
import dev.zarrreactive.codec.ChunkRepresentation;
import dev.zarrreactive.codec.CodecRegistry;
import dev.zarrreactive.codec.DecodeTarget;
import dev.zarrreactive.codec.SizeBound;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.LocatedJson;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Streams of imagecodecs and Pillow decode to the elements that imagecodecs sees. */
class JpegVectorsTest {
  /** The deviation that the standard allows decoders: their cosine transforms round differently. */
  private static final int MOST_OFF = 1;

  record Vector(String name, Shape shape, JsonObject configuration, Bytes stream, byte[] decoded) {
    ChunkRepresentation chunk() {
      return new ChunkRepresentation(shape, DataTypes.UINT8, FillValue.zero(DataTypes.UINT8));
    }

    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Vector> vectors() throws IOException {
    try (InputStream in =
        Objects.requireNonNull(JpegVectorsTest.class.getResourceAsStream("vectors.tsv"))) {
      return new String(in.readAllBytes(), StandardCharsets.US_ASCII)
          .lines()
          .map(JpegVectorsTest::vector);
    }
  }

  private static Vector vector(String line) {
    String[] parts = line.split("\t", -1);
    Base64.Decoder base64 = Base64.getDecoder();
    return new Vector(
        parts[0],
        Shape.of(json(parts[1]).integers(1, Integer.MAX_VALUE)),
        json(parts[2]).object(),
        Bytes.wrap(base64.decode(parts[3])),
        base64.decode(parts[4]));
  }

  private static LocatedJson json(String text) {
    return JsonDocument.parse(Bytes.utf8(text).asByteBuffer(), Location.UNKNOWN);
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void a_chunk_of_zarr_v3_has_the_elements_of_imagecodecs(Vector vector) {
    ArrayToBytesCodec codec =
        (ArrayToBytesCodec)
            CodecRegistry.standard()
                .create(NamedConfiguration.of("imagecodecs_jpeg", vector.configuration()));
    NdArray decoded = codec.decode(vector.stream(), vector.chunk());
    assertThat(decoded.shape()).isEqualTo(vector.shape());
    assertClose(decoded.bytes().toByteArray(), vector);
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void a_chunk_of_zarr_v2_has_the_elements_of_imagecodecs(Vector vector) {
    BytesToBytesCodec codec =
        (BytesToBytesCodec)
            CodecRegistry.standard()
                .create(
                    NamedConfiguration.of("numcodecs.imagecodecs_jpeg", vector.configuration()));
    DecodeTarget target = DecodeTarget.fresh(SizeBound.exactly(vector.decoded().length));
    assertClose(codec.decode(vector.stream(), target).toByteArray(), vector);
  }

  private static void assertClose(byte[] decoded, Vector vector) {
    assertThat(decoded).hasSameSizeAs(vector.decoded());
    for (int i = 0; i < decoded.length; i++) {
      assertThat((decoded[i] & 0xff) - (vector.decoded()[i] & 0xff))
          .as("byte %d", i)
          .isBetween(-MOST_OFF, MOST_OFF);
    }
  }
}
