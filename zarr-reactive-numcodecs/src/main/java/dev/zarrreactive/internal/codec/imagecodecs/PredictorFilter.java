package dev.zarrreactive.internal.codec.imagecodecs;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.BytesToBytesCodec;
import dev.zarrreactive.codec.DecodeTarget;
import dev.zarrreactive.codec.SizeBound;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.LocatedJson;
import org.jspecify.annotations.Nullable;

/**
 * A predictor of TIFF as a filter of Zarr v2, which works on bytes: its configuration has the shape
 * and the type of a chunk. {@code delta} without them takes the bytes as numbers in a row.
 */
final class PredictorFilter implements BytesToBytesCodec {
  private final NamedConfiguration configuration;
  private final Predictor predictor;
  private final boolean isFloat;
  private final long @Nullable [] shape;
  private final int itemSize;
  private final boolean isBig;

  private PredictorFilter(NamedConfiguration use, boolean isFloat) {
    use.configuration().allowOnly("shape", "dtype", "axis", "dist");
    LocatedJson dtype = use.configuration().nonNull("dtype");
    LocatedJson dimensions = use.configuration().nonNull("shape");
    this.configuration = use;
    this.predictor = Predictor.of(use);
    this.isFloat = isFloat;
    if (isFloat && (dtype == null || dimensions == null)) {
      throw use.configuration().error("the floating-point predictor needs a shape and a dtype");
    }
    String type = dtype == null ? "|u1" : dtype.string();
    this.itemSize = itemSize(type, isFloat, dtype);
    this.isBig = type.startsWith(">");
    this.shape = dimensions == null ? null : dimensions.integers(0, Integer.MAX_VALUE);
    if (shape != null) {
      checkSize(shape, dimensions);
      predictor.axis(shape.length, use);
      if (isFloat) {
        predictor.requireNearTheEnd(shape.length, use);
      }
    }
  }

  /** Creates the horizontal predictor, of integers or of floats as integers. */
  static PredictorFilter delta(NamedConfiguration use) {
    return new PredictorFilter(use, false);
  }

  /** Creates the floating-point predictor. */
  static PredictorFilter floats(NamedConfiguration use) {
    return new PredictorFilter(use, true);
  }

  private static int itemSize(String type, boolean isFloat, @Nullable LocatedJson place) {
    boolean isKnown = type.matches(isFloat ? "[<>=|]?f[248]" : "[<>=|]?[uif][1248]");
    if (!isKnown && place != null) {
      throw place.expected(
          isFloat ? "a type of floats, such as <f4" : "a type of integers or floats, such as <u2");
    }
    return type.charAt(type.length() - 1) - '0';
  }

  private void checkSize(long[] dimensions, @Nullable LocatedJson place) {
    long size = itemSize;
    for (long length : dimensions) {
      size = length == 0 || size <= Bytes.MAX_SIZE / length ? size * length : Long.MAX_VALUE / 4;
      if (size > Bytes.MAX_SIZE && place != null) {
        throw place.error("a chunk of this shape has more than 2 GiB");
      }
    }
  }

  @Override
  public NamedConfiguration configuration() {
    return configuration;
  }

  @Override
  public SizeBound encodedSize(SizeBound decoded) {
    return decoded;
  }

  private Predictor.Rows rows(int size) {
    long[] dimensions = shape == null ? new long[] {size / itemSize} : shape;
    long expected = itemSize;
    for (long length : dimensions) {
      expected *= length;
    }
    if (expected != size) {
      throw new CodecException(
          size + " bytes, and the predictor is configured for chunks of " + expected,
          Location.UNKNOWN);
    }
    return predictor.rows(dimensions, configuration);
  }

  @Override
  public Bytes encode(Bytes decoded) {
    int size = decoded.size();
    Predictor.Rows rows = rows(size);
    byte[] encoded = new byte[size];
    if (isFloat && size > 0) {
      rows.floats(decoded.unsafeArray(), decoded.unsafeOffset(), encoded, 0, size, itemSize, isBig);
    } else if (size > 0) {
      decoded.copyTo(0, encoded, 0, size);
      rows.delta(encoded, 0, size, itemSize, isBig);
    }
    return Bytes.wrap(encoded);
  }

  @Override
  public Bytes decode(Bytes encoded, DecodeTarget target) {
    int size = encoded.size();
    target.check(size);
    Predictor.Rows rows = rows(size);
    DecodeTarget.Region region = target.allocate(size);
    if (isFloat && size > 0) {
      rows.undoFloats(
          encoded.unsafeArray(),
          encoded.unsafeOffset(),
          region.array(),
          region.offset(),
          size,
          itemSize,
          isBig);
    } else if (size > 0) {
      encoded.copyTo(0, region.array(), region.offset(), size);
      rows.undoDelta(region.array(), region.offset(), size, itemSize, isBig);
    }
    return region.toBytes();
  }
}
