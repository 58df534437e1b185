package dev.zarrreactive.images;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.ArrayToBytesCodec;
import dev.zarrreactive.codec.BytesToBytesCodec;
import dev.zarrreactive.codec.ChunkRepresentation;
import dev.zarrreactive.codec.CodecRegistry;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.testing.Json;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What JPEG is written, what is refused, and what damage costs. */
class JpegCodecTest {
  private static final Shape SHAPE = Shape.of(40, 56, 3);
  private static final int MUTANTS = 2_000;

  private static ArrayToBytesCodec codec(String configuration) {
    return (ArrayToBytesCodec)
        CodecRegistry.standard().create(Json.extension("imagecodecs_jpeg", configuration));
  }

  private static ChunkRepresentation chunk(DataType type, Shape shape) {
    return new ChunkRepresentation(shape, type, FillValue.zero(type));
  }

  private static final ChunkRepresentation CHUNK = chunk(DataTypes.UINT8, SHAPE);

  /** A picture without edges, which JPEG keeps well. */
  private static NdArray picture(Shape shape) {
    byte[] pixels = new byte[shape.byteSize(1)];
    int components = (int) shape.extent(2);
    for (int i = 0; i < pixels.length; i++) {
      int pixel = i / components;
      pixels[i] = (byte) (128 + 80 * Math.sin(pixel / 500.0 + i % components));
    }
    return NdArray.wrap(DataTypes.UINT8, shape, Bytes.wrap(pixels));
  }

  private static int farthest(NdArray one, NdArray other) {
    int most = 0;
    for (int i = 0; i < one.bytes().size(); i++) {
      most = Math.max(most, Math.abs((one.bytes().get(i) & 0xff) - (other.bytes().get(i) & 0xff)));
    }
    return most;
  }

  @ParameterizedTest
  @ValueSource(strings = {"'444'", "'422'", "'420'", "'440'", "[2, 1]", "null"})
  void a_picture_survives_with_any_subsampling(String subsampling) {
    ArrayToBytesCodec codec = codec("{'level': 98, 'subsampling': " + subsampling + "}");
    NdArray picture = picture(SHAPE);
    Bytes encoded = codec.encode(picture, CHUNK);
    assertThat(farthest(codec.decode(encoded, CHUNK), picture)).isLessThanOrEqualTo(6);
  }

  @Test
  void a_lower_level_takes_fewer_bytes() {
    byte[] noise = new byte[SHAPE.byteSize(1)];
    new Random(1).nextBytes(noise);
    NdArray picture = NdArray.wrap(DataTypes.UINT8, SHAPE, Bytes.wrap(noise));
    int low = codec("{'level': 10}").encode(picture, CHUNK).size();
    assertThat(low).isLessThan(codec("{'level': 90}").encode(picture, CHUNK).size() / 2);
    assertThat(codec("{}").encode(picture, CHUNK))
        .isEqualTo(codec("{'level': 95}").encode(picture, CHUNK));
  }

  @Test
  void a_grey_picture_is_kept_grey() {
    Shape shape = Shape.of(20, 30, 1);
    ChunkRepresentation chunk = chunk(DataTypes.UINT8, shape);
    ArrayToBytesCodec codec = codec("{'level': 98}");
    NdArray picture = picture(shape);
    assertThat(farthest(codec.decode(codec.encode(picture, chunk), chunk), picture))
        .isLessThanOrEqualTo(3);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'level': 101}",
        "{'level': -1}",
        "{'quality': 3}",
        "{'lossless': true}",
        "{'bitspersample': 12}",
        "{'colorspace_jpeg': 'CMYK'}",
        "{'colorspace_data': 4}",
        "{'tables': '?'}",
        "{'subsampling': '411'}",
        "{'subsampling': [1, 2, 2]}",
        "{'fancyupsampling': false}"
      })
  void a_wrong_configuration_is_refused(String configuration) {
    assertThatThrownBy(() -> codec(configuration)).isInstanceOf(MetadataException.class);
  }

  @Test
  void a_chunk_that_is_no_picture_is_refused() {
    for (Shape shape : new Shape[] {Shape.of(4, 5, 4), Shape.of(2, 3, 3, 3), Shape.of(65_501, 2)}) {
      assertThatThrownBy(() -> codec("{}").encodedSize(chunk(DataTypes.UINT8, shape)))
          .isInstanceOf(MetadataException.class)
          .hasMessageContaining("is no image");
    }
  }

  @Test
  void another_data_type_is_refused() {
    assertThatThrownBy(() -> codec("{}").encodedSize(chunk(DataTypes.UINT16, SHAPE)))
        .isInstanceOf(MetadataException.class)
        .hasMessageContaining("uint16");
  }

  @Test
  void a_picture_of_another_size_is_refused_before_it_is_decoded() {
    Bytes encoded = codec("{}").encode(picture(SHAPE), CHUNK);
    assertThatThrownBy(
            () -> codec("{}").decode(encoded, chunk(DataTypes.UINT8, Shape.of(56, 40, 3))))
        .isInstanceOf(CodecException.class)
        .hasMessageContaining("40 rows of 56 pixels of 3 components");
    byte[] bomb = encoded.toByteArray();
    int frame = frame(bomb);
    for (int i = 5; i < 9; i++) {
      bomb[frame + i] = (byte) 0xff;
    }
    assertThatThrownBy(() -> codec("{}").decode(Bytes.wrap(bomb), CHUNK))
        .isInstanceOf(CodecException.class)
        .hasMessageContaining("65535 rows of 65535 pixels");
  }

  /** The index of the frame's marker. */
  private static int frame(byte[] stream) {
    int at = 2;
    while ((stream[at + 1] & 0xff) != 0xc0) {
      at += 2 + ((stream[at + 2] & 0xff) << 8 | (stream[at + 3] & 0xff));
    }
    return at;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "1; c3; lossless",
        "1; c9; FF C9",
        "4; 0c; 12 bits a sample",
        "9; 04; the frame of the JPEG stream has 15 bytes",
      })
  void another_kind_of_jpeg_is_refused_by_name(int index, String value, String message) {
    byte[] stream = codec("{}").encode(picture(SHAPE), CHUNK).toByteArray();
    stream[frame(stream) + index] = (byte) Integer.parseInt(value, 16);
    assertThatThrownBy(() -> codec("{}").decode(Bytes.wrap(stream), CHUNK))
        .isInstanceOf(CodecException.class)
        .hasMessageContaining(message);
  }

  @Test
  void a_stream_that_ends_early_is_an_error_and_no_grey_area() {
    Bytes encoded = codec("{}").encode(picture(SHAPE), CHUNK);
    for (int size = 0; size < encoded.size() - 2; size += 7) {
      Bytes cut = encoded.slice(0, size);
      assertThatThrownBy(() -> codec("{}").decode(cut, CHUNK)).isInstanceOf(CodecException.class);
    }
  }

  @Test
  void very_many_scans_are_refused() {
    byte[] encoded = codec("{}").encode(picture(SHAPE), CHUNK).toByteArray();
    byte[] more = Arrays.copyOf(encoded, encoded.length + 2_000);
    for (int i = encoded.length; i < more.length; i += 2) {
      more[i] = (byte) 0xff;
      more[i + 1] = (byte) 0xda;
    }
    assertThatThrownBy(() -> codec("{}").decode(Bytes.wrap(more), CHUNK))
        .isInstanceOf(CodecException.class)
        .hasMessageContaining("scans");
  }

  @Test
  void mutants_decode_or_cost_an_error_of_the_codec() {
    byte[] encoded = codec("{'level': 60}").encode(picture(SHAPE), CHUNK).toByteArray();
    Random random = new Random(7);
    int errors = 0;
    for (int i = 0; i < MUTANTS; i++) {
      byte[] mutant = encoded.clone();
      for (int n = random.nextInt(3); n >= 0; n--) {
        mutant[random.nextInt(mutant.length)] = (byte) random.nextInt(256);
      }
      try {
        assertThat(codec("{}").decode(Bytes.wrap(mutant), CHUNK).shape()).isEqualTo(SHAPE);
      } catch (ZarrException e) {
        errors++;
      }
    }
    assertThat(errors).isPositive();
  }

  @Test
  void chunks_of_zarr_v2_are_read_only() {
    BytesToBytesCodec codec =
        (BytesToBytesCodec)
            CodecRegistry.standard().create(Json.extension("numcodecs.imagecodecs_jpeg", "{}"));
    assertThatThrownBy(() -> codec.encode(Bytes.wrap(new byte[12])))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("imagecodecs_jpeg");
  }
}
