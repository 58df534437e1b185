package dev.zarrreactive.images;

import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.SizeBound;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.LocatedJson;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of imagecodecs' JPEG, in Zarr v2 and v3.
 *
 * @param tables a stream with tables for streams without, as TIFF has it
 * @param header the first bytes of each stream, which chunks leave out together with the last two
 * @param stored the color space of streams, if it is not that of their headers
 * @param wanted the color space of the elements; null for RGB, or grey
 * @param level the quality of what is encoded, 0 to 100
 * @param subsampling how many pixels share a color, across and down
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares them
record JpegOptions(
    byte @Nullable [] tables,
    byte @Nullable [] header,
    @Nullable JpegColors stored,
    @Nullable JpegColors wanted,
    int level,
    int[] subsampling) {
  /** What imagecodecs has without a level. */
  private static final int USUAL_LEVEL = 95;

  static JpegOptions parse(NamedConfiguration use) {
    LocatedJson json = use.configuration();
    json.allowOnly(
        "level",
        "bitspersample",
        "tables",
        "header",
        "colorspace_data",
        "colorspace_jpeg",
        "subsampling",
        "optimize",
        "smoothing",
        "lossless",
        "predictor",
        "fancyupsampling",
        "squeeze");
    LocatedJson lossless = json.nonNull("lossless");
    if (lossless != null && lossless.bool()) {
      throw lossless.error("lossless JPEG is not supported");
    }
    LocatedJson upsampling = json.nonNull("fancyupsampling");
    if (upsampling != null && !upsampling.bool()) {
      throw upsampling.error("colors that are repeated, not interpolated, are not supported");
    }
    LocatedJson bits = json.nonNull("bitspersample");
    if (bits != null && bits.integer(1, 16) != Byte.SIZE) {
      throw bits.error("JPEG of " + bits.value() + " bits a sample is not supported; 8 are");
    }
    LocatedJson level = json.nonNull("level");
    return new JpegOptions(
        base64(json, "tables"),
        base64(json, "header"),
        JpegColors.parse(use, "colorspace_jpeg"),
        JpegColors.parse(use, "colorspace_data"),
        level == null ? USUAL_LEVEL : level.integer(0, 100),
        subsampling(json.nonNull("subsampling")));
  }

  private static byte @Nullable [] base64(LocatedJson json, String member) {
    LocatedJson text = json.nonNull(member);
    if (text == null) {
      return null;
    }
    try {
      return Base64.getDecoder().decode(text.string());
    } catch (IllegalArgumentException e) {
      throw text.expected("base64");
    }
  }

  private static int[] subsampling(@Nullable LocatedJson json) {
    if (json == null) {
      return new int[] {2, 2};
    } else if (json.value() instanceof JsonArray) {
      long[] factors = json.integers(1, 2);
      if (factors.length == 2) {
        return new int[] {(int) factors[0], (int) factors[1]};
      }
      throw json.expected("two numbers");
    }
    return switch (json.oneOf("444", "422", "420", "440")) {
      case "444" -> new int[] {1, 1};
      case "422" -> new int[] {2, 1};
      case "440" -> new int[] {1, 2};
      default -> new int[] {2, 2};
    };
  }

  /**
   * Decodes a chunk.
   *
   * @param size the number of its elements, or a bound
   * @param shape the chunk's shape; null if it is unknown
   * @return the components of each pixel, row by row
   */
  byte[] decode(Bytes encoded, SizeBound size, @Nullable Shape shape) {
    JpegStream stream = JpegStream.of(whole(encoded), tables);
    long found = (long) stream.width() * stream.height() * stream.components();
    if (!size.allows(found) || (shape != null && !stream.hasShape(shape))) {
      throw JpegStream.error(
          "the JPEG stream has "
              + stream.height()
              + " rows of "
              + stream.width()
              + " pixels of "
              + stream.components()
              + (stream.components() == 1 ? " component" : " components")
              + ", expected "
              + (shape == null ? size : "a chunk of shape " + shape));
    }
    JpegColors from = stored == null ? stream.colors() : stored;
    JpegColors to =
        wanted != null ? wanted : stream.components() == 1 ? JpegColors.GRAYSCALE : JpegColors.RGB;
    if (stream.components() == 1) {
      from = JpegColors.GRAYSCALE;
    }
    if (from != to && (from != JpegColors.YCBCR || to != JpegColors.RGB)) {
      throw JpegStream.error("the colors " + from + " of the stream cannot become " + to);
    }
    byte[] pixels = JpegLibrary.decode(stream);
    if (from != to) {
      JpegColors.toRgb(pixels);
    }
    return pixels;
  }

  /** Encodes an image: grey, or red, green and blue. */
  byte[] encode(byte[] pixels, int width, int height, boolean isRgb) {
    JpegColors plain = isRgb ? JpegColors.RGB : JpegColors.GRAYSCALE;
    JpegColors usual = isRgb ? JpegColors.YCBCR : JpegColors.GRAYSCALE;
    if (tables != null
        || header != null
        || (wanted != null && wanted != plain)
        || (stored != null && stored != usual)) {
      throw new UnsupportedFeatureException(
          "JPEG with tables, headers or colors of its own can only be read", Location.UNKNOWN);
    }
    return JpegLibrary.encode(pixels, width, height, isRgb, level / 100f, subsampling);
  }

  /** Returns the stream with the header that chunks leave out. */
  private byte[] whole(Bytes encoded) {
    if (header == null) {
      return encoded.toByteArray();
    }
    byte[] whole = new byte[Math.addExact(header.length + 2, encoded.size())];
    System.arraycopy(header, 0, whole, 0, header.length);
    encoded.copyTo(0, whole, header.length, encoded.size());
    whole[whole.length - 2] = (byte) 0xff;
    whole[whole.length - 1] = (byte) 0xd9;
    return whole;
  }
}
