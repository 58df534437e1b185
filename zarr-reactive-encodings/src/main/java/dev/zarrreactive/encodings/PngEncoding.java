package dev.zarrreactive.encodings;

import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.BoolType;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FloatType;
import dev.zarrreactive.datatype.IntegerType;
import dev.zarrreactive.encoding.Encoder;
import dev.zarrreactive.encoding.Encoding;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.metadata.ArrayMetadata;
import org.jspecify.annotations.Nullable;

/**
 * Pictures in the Portable Network Graphics format.
 *
 * @param greys the greys of values; null without
 * @param colours the colours of values; null without, and exact values without both
 */
record PngEncoding(@Nullable GreyScale greys, @Nullable ColourScale colours) implements Encoding {
  /** The most pixels. Programs hold a picture whole, with at most as many in one array. */
  private static final long MOST_PIXELS = 1 << 30;

  /** The extents of a picture. */
  record Plane(long height, long width, int colours) {}

  @Override
  public String mediaType() {
    return "image/png";
  }

  @Override
  public String fileSuffix() {
    return ".png";
  }

  @Override
  public Encoder encoder(ArrayMetadata array, ResolvedSelection selection) {
    PngSamples samples = samples(array);
    boolean hasColours =
        greys == null && colours == null && !(array.dataType() instanceof BoolType);
    return new PngEncoder(plane(selection.shape(), hasColours), samples);
  }

  private PngSamples samples(ArrayMetadata array) {
    DataType type = array.dataType();
    boolean isNumber = type instanceof IntegerType || type instanceof FloatType;
    if (greys != null && isNumber) {
      return PngSamples.grey(greys, type, array.fillValue());
    } else if (colours != null && isNumber) {
      return PngSamples.coloured(colours, type, array.fillValue());
    } else if (greys != null) {
      throw refused("a grey scale is for integers and floats, not for " + type);
    } else if (colours != null) {
      throw refused("a scale of colours is for integers and floats, not for " + type);
    } else if (type.equals(DataTypes.UINT8)) {
      return PngSamples.UINT8;
    } else if (type.equals(DataTypes.UINT16)) {
      return PngSamples.UINT16;
    } else if (type instanceof BoolType) {
      return PngSamples.BLACK_AND_WHITE;
    }
    throw refused(
        "a picture has exact values of uint8, uint16 and bool, not of "
            + type
            + "; a scale of greys or colours makes a picture of integers and floats, and the encoding csv has any type");
  }

  /** Returns the picture of a shape without its leading and trailing extents of 1. */
  private static Plane plane(Shape shape, boolean mayHaveColours) {
    int first = 0;
    int end = shape.rank();
    boolean hasColours = false;
    while (end - first > 2 && !hasColours) {
      long last = shape.extent(end - 1);
      hasColours = end - first == 3 && mayHaveColours && (last == 3 || last == 4);
      if (!hasColours && shape.extent(first) == 1) {
        first++;
      } else if (!hasColours && last == 1) {
        end--;
      } else if (!hasColours) {
        throw noPlane(shape);
      }
    }
    if (end - first < 2 || shape.isEmpty()) {
      throw noPlane(shape);
    }
    long height = shape.extent(first);
    long width = shape.extent(first + 1);
    if (width > MOST_PIXELS / height) {
      throw refused(
          "a picture has at most "
              + MOST_PIXELS
              + " pixels, the selection of shape "
              + shape
              + " has more; select with a step, such as ::8,::8");
    }
    return new Plane(height, width, hasColours ? (int) shape.extent(end - 1) : 1);
  }

  private static UnsupportedFeatureException noPlane(Shape shape) {
    return refused(
        "a picture needs a plane of two dimensions with an element at least, or uint8 and uint16"
            + " with 3 or 4 colours in a third one; the selection has the shape "
            + shape
            + "; select one index of each other dimension, such as 0,:,:");
  }

  private static UnsupportedFeatureException refused(String message) {
    return new UnsupportedFeatureException(message, Location.UNKNOWN);
  }
}
