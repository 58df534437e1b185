package dev.zarrreactive.encodings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.encoding.Encoding;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.metadata.ArrayMetadata;
import java.awt.image.BufferedImage;
import java.awt.image.Raster;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Random;
import javax.imageio.ImageIO;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Pictures, decoded by the JDK's own reader. */
class PngEncodingTest {
  private static Raster decoded(byte[] picture) throws IOException {
    return ImageIO.read(new ByteArrayInputStream(picture)).getRaster();
  }

  @Provide
  Arbitrary<Random> randoms() {
    return Arbitraries.randomValue(random -> new Random(random.nextLong()));
  }

  private static NdArray noise(DataType type, Shape shape, Random random) {
    byte[] images = new byte[shape.byteSize(type.itemSize())];
    random.nextBytes(images);
    return NdArray.wrap(type, shape, Bytes.wrap(images));
  }

  @Property(tries = 60)
  void exact_values_come_back(@ForAll("randoms") Random random) throws IOException {
    DataType type = random.nextBoolean() ? DataTypes.UINT8 : DataTypes.UINT16;
    int colours = new int[] {1, 3, 4}[random.nextInt(3)];
    int height = 1 + random.nextInt(60);
    int width = 1 + random.nextInt(60);
    Shape shape = colours == 1 ? Shape.of(height, width) : Shape.of(height, width, colours);
    long[] chunks = colours == 1 ? new long[] {7, 11} : new long[] {7, 11, 2};
    ZarrArray array =
        Encoded.array(
            noise(type, shape, random),
            1L << (6 + random.nextInt(12)),
            settings -> settings.chunkShape(chunks));
    int step = 1 + random.nextInt(3);
    Selection selection = Selection.parse("::" + step + ",1:");
    if (width == 1) {
      selection = Selection.parse("::" + step);
    }
    NdArray read = array.read(selection).block();

    byte[] png = Encoded.bytes(array, selection, Encodings.png(), 1 + random.nextInt(1000));

    Raster pixels = decoded(png);
    assertThat(pixels.getHeight()).isEqualTo((int) read.shape().extent(0));
    assertThat(pixels.getWidth()).isEqualTo((int) read.shape().extent(1));
    assertThat(pixels.getNumBands()).isEqualTo(colours);
    int[] samples = pixels.getPixels(0, 0, pixels.getWidth(), pixels.getHeight(), (int[]) null);
    assertThat(samples).isEqualTo(read.toIntArray());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "int2",
        "int8",
        "uint16",
        "int32",
        "int64",
        "uint64",
        "float16",
        "float32",
        "float64",
        "bfloat16"
      })
  void a_scale_makes_greys(String name) throws IOException {
    DataType type =
        DataTypes.named().stream().filter(one -> one.name().equals(name)).findFirst().get();
    double greatest = name.equals("int2") ? 1 : 100;
    NdArray data = NdArray.filled(Shape.of(2, 3), FillValue.of(type, 1));
    Raster pixels =
        decoded(Encoded.bytes(Encoded.array(data), Encodings.png(GreyScale.of(0, greatest))));
    assertThat(pixels.getSample(2, 1, 0)).isEqualTo(name.equals("int2") ? 255 : 3);
    boolean hasAlpha = name.contains("float");
    assertThat(pixels.getNumBands()).isEqualTo(hasAlpha ? 2 : 1);
  }

  @Test
  void values_beyond_the_scale_are_its_ends_and_nan_is_transparent() throws IOException {
    NdArray data =
        NdArray.ofDoubles(Shape.of(1, 7), -9, 0, 5, 10, Double.POSITIVE_INFINITY, Double.NaN, 2.5);
    Raster pixels = decoded(Encoded.bytes(Encoded.array(data), Encodings.png(GreyScale.of(0, 10))));
    int[] samples = pixels.getPixels(0, 0, 7, 1, (int[]) null);
    assertThat(samples)
        .containsExactly(0, 255, 0, 255, 128, 255, 255, 255, 255, 255, 0, 0, 64, 255);
    Raster negative =
        decoded(Encoded.bytes(Encoded.array(data), Encodings.png(GreyScale.of(10, 0))));
    assertThat(negative.getSample(0, 0, 0)).isEqualTo(255);
    assertThat(negative.getSample(4, 0, 0)).isZero();
  }

  @Test
  void fill_values_are_transparent_if_that_is_wanted() throws IOException {
    ZarrArray array =
        Encoded.array(
            NdArray.ofShorts(DataTypes.INT16, Shape.of(1, 2), (short) -1, (short) 5),
            1 << 20,
            settings -> settings.fillValue(FillValue.of(DataTypes.INT16, -1)));
    GreyScale scale = GreyScale.of(-1, 5);
    assertThat(
            decoded(Encoded.bytes(array, Encodings.png(scale))).getPixels(0, 0, 2, 1, (int[]) null))
        .containsExactly(0, 255);
    assertThat(
            decoded(Encoded.bytes(array, Encodings.png(scale.withTransparentFill())))
                .getPixels(0, 0, 2, 1, (int[]) null))
        .containsExactly(0, 0, 255, 255);
  }

  @Test
  void bools_are_black_and_white() throws IOException {
    NdArray data = NdArray.ofBooleans(Shape.of(1, 3), true, false, true);
    Raster pixels = decoded(Encoded.bytes(Encoded.array(data), Encodings.png()));
    assertThat(pixels.getPixels(0, 0, 3, 1, (int[]) null)).containsExactly(255, 0, 255);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "2,5 ; 5x2 of 1",
        "1,1,2,5 ; 5x2 of 1",
        "2,5,1 ; 5x2 of 1",
        "1,2,5 ; 5x2 of 1",
        "1,2,5,1 ; 5x2 of 1",
        "1,5 ; 5x1 of 1",
        "2,5,3 ; 5x2 of 3",
        "1,2,5,4 ; 5x2 of 4",
        "1,5,3 ; 5x1 of 3",
        "1,1,1 ; 1x1 of 1",
      })
  void leading_and_trailing_extents_of_one_do_not_count(String shape, String expected)
      throws IOException {
    Raster pixels =
        decoded(
            Encoded.bytes(
                Encoded.array(noise(DataTypes.UINT8, shape(shape), new Random(1))),
                Encodings.png()));
    assertThat(pixels.getWidth() + "x" + pixels.getHeight() + " of " + pixels.getNumBands())
        .isEqualTo(expected);
  }

  private static Shape shape(String extents) {
    return Shape.of(
        java.util.Arrays.stream(extents.split(",")).mapToLong(Long::parseLong).toArray());
  }

  @ParameterizedTest
  @ValueSource(strings = {"5", "2,2,2", "2,5,3,2", "0,5", "5,0", "2,1,5"})
  void other_shapes_are_refused(String extents) {
    ZarrArray array = Encoded.array(noise(DataTypes.UINT8, shape(extents), new Random(1)));
    assertThatThrownBy(() -> Encoded.bytes(array, Encodings.png()))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("a picture needs a plane of two dimensions")
        .hasMessageContaining(array.shape().toString())
        .hasMessageContaining("select one index of each other dimension")
        .hasMessageContaining("node /a");
  }

  @Test
  void a_picture_that_no_program_would_open_is_refused_before_a_chunk_is_read() {
    var metadata =
        ArrayMetadata.v3(Shape.of(1L << 40, 1L << 40), DataTypes.UINT8)
            .uncompressed()
            .chunkShape(1024, 1024)
            .build();
    assertThatThrownBy(
            () -> Encodings.png().encoder(metadata, Selection.all().resolve(metadata.shape())))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("at most 1073741824 pixels")
        .hasMessageContaining("select with a step");
  }

  @Test
  void types_without_exact_greys_are_refused_with_a_way_out() {
    ZarrArray floats = Encoded.array(NdArray.ofDoubles(Shape.of(1, 1), 1));
    assertThatThrownBy(() -> Encoded.bytes(floats, Encodings.png()))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining(
            "exact values of uint8, uint16 and bool, not of float64; a scale of greys or colours");
    ZarrArray complex = Encoded.array(NdArray.ofComplex(Shape.of(1, 1), 1f, 2f));
    assertThatThrownBy(() -> Encoded.bytes(complex, Encodings.png(GreyScale.of(0, 1))))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("a grey scale is for integers and floats, not for complex64");
  }

  @ParameterizedTest
  @CsvSource({"1,1", "0,NaN", "NaN,0", "0,Infinity", "-1e308,1e308"})
  void a_scale_has_two_ends(double least, double greatest) {
    assertThatThrownBy(() -> GreyScale.of(least, greatest))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("two different finite values");
  }

  @ParameterizedTest
  @CsvSource({
    "GREY, 000000, 808080, ffffff",
    "VIRIDIS, 440154, 21918d, fde725",
    "MAGMA, 000004, b6377a, fcfdbf",
    "INFERNO, 000004, bb3755, fcffa4",
    "PLASMA, 0d0887, cc4779, f0f921",
    "COOLWARM, 3b4cc0, e8e3df, b40426"
  })
  void a_scale_makes_colours(ColourMap map, String first, String middle, String last)
      throws IOException {
    float[] values = {
      -7, 0, 5, 10, 70, Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY
    };
    NdArray plane = NdArray.ofFloats(DataTypes.FLOAT32, Shape.of(2, 4), values);
    ColourScale scale = ColourScale.of(map, 0, 10);
    BufferedImage picture = picture(Encodings.encode(Encodings.png(scale), plane));
    String[] expected = {
      "ff" + first,
      "ff" + first,
      "ff" + middle,
      "ff" + last,
      "ff" + last,
      "0",
      "ff" + last,
      "ff" + first
    };
    for (int i = 0; i < expected.length; i++) {
      assertThat(Integer.toHexString(picture.getRGB(i % 4, i / 4))).isEqualTo(expected[i]);
    }
    assertThat(ColourMap.of(map.toString())).isEqualTo(map);
  }

  private static BufferedImage picture(Bytes png) throws IOException {
    return ImageIO.read(new ByteArrayInputStream(png.toByteArray()));
  }

  @Test
  void integers_have_colours_without_opacity_unless_fill_values_are_hidden() throws IOException {
    NdArray plane = NdArray.ofInts(DataTypes.INT32, Shape.of(1, 3), 0, 5, 10);
    ColourScale falling = ColourScale.of(ColourMap.VIRIDIS, 10, 0);
    BufferedImage solid = picture(Encodings.encode(Encodings.png(falling), plane));
    assertThat(solid.getColorModel().hasAlpha()).isFalse();
    assertThat(solid.getRGB(0, 0)).isEqualTo(0xfffde725);
    BufferedImage hidden =
        picture(Encodings.encode(Encodings.png(falling.withTransparentFill()), plane));
    assertThat(hidden.getRGB(0, 0)).isZero();
    assertThat(hidden.getRGB(2, 0)).isEqualTo(0xff440154);
  }

  @Test
  void colours_are_for_numbers_and_have_two_ends_and_a_name() {
    NdArray bools = NdArray.wrap(DataTypes.BOOL, Shape.of(1, 2), Bytes.wrap(new byte[2]));
    Encoding colours = Encodings.png(ColourScale.of(ColourMap.MAGMA, 0, 1));
    assertThatThrownBy(() -> Encodings.encode(colours, bools))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("a scale of colours is for integers and floats, not for bool");
    assertThatThrownBy(() -> ColourScale.of(ColourMap.MAGMA, 1, 1))
        .hasMessageContaining("two different finite values, found 1.0 and 1.0");
    assertThatThrownBy(() -> ColourMap.of("jet"))
        .hasMessage(
            "the colours are one of [grey, viridis, magma, inferno, plasma, coolwarm], not \"jet\"");
  }

  @Test
  void a_plane_is_padded_with_transparent_pixels() {
    NdArray greys = NdArray.ofBytes(DataTypes.UINT8, Shape.of(1, 2), new byte[] {1, 2});
    assertThat(Encodings.rgba(greys, 2, 3).toIntArray())
        .containsExactly(
            1, 1, 1, 255, 2, 2, 2, 255, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    NdArray rgb = NdArray.ofBytes(DataTypes.UINT8, Shape.of(1, 1, 3), new byte[] {1, 2, 3});
    assertThat(Encodings.rgba(rgb, 1, 2).toIntArray()).containsExactly(1, 2, 3, 255, 0, 0, 0, 0);
    NdArray rgba = NdArray.ofBytes(DataTypes.UINT8, Shape.of(1, 1, 4), new byte[] {1, 2, 3, 4});
    assertThat(Encodings.rgba(rgba, 1, 1).toIntArray()).containsExactly(1, 2, 3, 4);
    NdArray numbers = NdArray.ofDoubles(Shape.of(1, 2), 1, Double.NaN);
    assertThat(ColourScale.of(ColourMap.GREY, 0, 1).rgba(numbers, 1, 3).toIntArray())
        .containsExactly(255, 255, 255, 255, 0, 0, 0, 0, 0, 0, 0, 0);
    for (NdArray wrong :
        new NdArray[] {numbers, rgb.reshape(Shape.of(3, 1)).reshape(Shape.of(3))}) {
      assertThatThrownBy(() -> Encodings.rgba(wrong, 5, 5))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("uint8");
    }
    assertThatThrownBy(() -> Encodings.rgba(greys, 1, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("has no room");
  }
}
