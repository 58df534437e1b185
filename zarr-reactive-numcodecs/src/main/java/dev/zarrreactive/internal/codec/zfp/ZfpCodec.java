package dev.zarrreactive.internal.codec.zfp;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.ArrayToBytesCodec;
import dev.zarrreactive.codec.ChunkRepresentation;
import dev.zarrreactive.codec.SizeBound;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.LocatedJson;
import org.jspecify.annotations.Nullable;

/**
 * The codec {@code zfp} of Zarr v3, and {@code zfpy} of numcodecs, whose chunks begin with a header
 * that names type, extents and mode. A reader of such chunks follows the header.
 */
final class ZfpCodec implements ArrayToBytesCodec {
  private static final int MOST_DIMENSIONS = 4;
  private static final double MOST_RATE = 1024;
  private static final int MOST_BITS = 1 << 20;

  // the modes of zfpy
  private static final int RATE = 2;
  private static final int PRECISION = 3;
  private static final int TOLERANCE = 4;
  private static final int REVERSIBLE = 5;

  /** The mode for chunks of a type and rank; only a rate depends on them. */
  private interface Modes {
    ZfpMode of(ZfpScalar scalar, int rank);
  }

  private final NamedConfiguration configuration;
  private final Modes modes;
  private final boolean hasHeader;

  private ZfpCodec(NamedConfiguration configuration, Modes modes, boolean hasHeader) {
    this.configuration = configuration;
    this.modes = modes;
    this.hasHeader = hasHeader;
  }

  /**
   * Creates the codec of Zarr v3. Versions of zarrs before its registration could write headers.
   */
  static ZfpCodec of(NamedConfiguration use) {
    LocatedJson header = use.optional("write_header");
    return new ZfpCodec(use, modes(use), header != null && header.bool());
  }

  private static Modes modes(NamedConfiguration use) {
    LocatedJson mode = use.member("mode");
    return switch (mode.oneOf(
        "reversible", "expert", "fixed_accuracy", "fixed_rate", "fixed_precision")) {
      case "reversible" -> {
        use.configuration().allowOnly("mode", "write_header");
        yield always(ZfpMode.REVERSIBLE);
      }
      case "fixed_accuracy" -> {
        use.configuration().allowOnly("mode", "tolerance", "write_header");
        yield always(ZfpMode.ofTolerance(positive(use.member("tolerance"))));
      }
      case "fixed_rate" -> {
        use.configuration().allowOnly("mode", "rate", "write_header");
        double rate = rate(use.member("rate"));
        yield (scalar, rank) -> ZfpMode.ofRate(rate, scalar, rank);
      }
      case "fixed_precision" -> {
        use.configuration().allowOnly("mode", "precision", "write_header");
        yield always(ZfpMode.ofPrecision(use.member("precision").integer(0, 128)));
      }
      default -> {
        use.configuration()
            .allowOnly("mode", "minbits", "maxbits", "maxprec", "minexp", "write_header");
        yield always(expert(use));
      }
    };
  }

  private static Modes always(ZfpMode mode) {
    return (scalar, rank) -> mode;
  }

  private static ZfpMode expert(NamedConfiguration use) {
    int maxBits = use.member("maxbits").integer(1, MOST_BITS);
    return new ZfpMode(
        use.member("minbits").integer(0, maxBits),
        maxBits,
        use.member("maxprec").integer(1, ZfpMode.ALL_PLANES),
        use.member("minexp").integer(-32768, 32767));
  }

  /**
   * Creates the codec of numcodecs. It has all parameters, of which those that the mode does not
   * use are -1; without any it is reversible.
   */
  static ZfpCodec ofNumcodecs(NamedConfiguration use) {
    use.configuration().allowOnly("mode", "tolerance", "rate", "precision", "compression_kwargs");
    LocatedJson mode = use.configuration().nonNull("mode");
    int number = mode == null ? TOLERANCE : mode.integer(RATE, REVERSIBLE);
    if (number == RATE && isGiven(use.optional("rate"))) {
      double rate = rate(use.member("rate"));
      return new ZfpCodec(use, (scalar, rank) -> ZfpMode.ofRate(rate, scalar, rank), true);
    } else if (number == PRECISION && isGiven(use.optional("precision"))) {
      int precision = use.member("precision").integer(0, 128);
      return new ZfpCodec(use, always(ZfpMode.ofPrecision(precision)), true);
    } else if (number == TOLERANCE && isGiven(use.optional("tolerance"))) {
      double tolerance = positive(use.member("tolerance"));
      return new ZfpCodec(use, always(ZfpMode.ofTolerance(tolerance)), true);
    }
    return new ZfpCodec(use, always(ZfpMode.REVERSIBLE), true);
  }

  private static boolean isGiven(@Nullable LocatedJson json) {
    return json != null && !json.isNull() && number(json) >= 0;
  }

  private static double number(LocatedJson json) {
    if (!(json.value() instanceof JsonNumber number) || !number.isFinite()) {
      throw json.expected("a number");
    }
    return number.toDouble();
  }

  private static double positive(LocatedJson json) {
    double number = number(json);
    if (number < 0) {
      throw json.expected("a number that is not negative");
    }
    return number;
  }

  private static double rate(LocatedJson json) {
    double rate = number(json);
    if (rate <= 0 || rate > MOST_RATE) {
      throw json.expected(
          "a number of bits for each element, above 0 and at most " + (int) MOST_RATE);
    }
    return rate;
  }

  @Override
  public NamedConfiguration configuration() {
    return configuration;
  }

  @Override
  public SizeBound encodedSize(ChunkRepresentation decoded) {
    ZfpElements elements = ZfpElements.of(decoded.dataType());
    if (elements == null || (hasHeader && !elements.isNative())) {
      throw configuration.error(
          "the codec "
              + name()
              + " stores integers of "
              + (hasHeader ? "" : "8, 16, ")
              + "32 and 64 bits"
              + (hasHeader ? " with a sign" : "")
              + ", float32 and float64, but the chunk is "
              + decoded.dataType());
    }
    long[] shape = decoded.shape().toArray();
    if (shape.length > MOST_DIMENSIONS) {
      throw configuration.error(
          "the codec "
              + name()
              + " stores up to 4 dimensions, but the chunk has "
              + shape.length
              + "; the codec reshape before it can join some");
    }
    for (long extent : shape) {
      if (hasHeader && extent > ZfpField.mostExtent(shape.length)) {
        throw configuration.error(
            "a chunk extent of " + extent + " does not fit into the header of zfp");
      }
    }
    ZfpMode mode = modes.of(elements.scalar(), Math.max(1, shape.length));
    return hasHeader
        ? SizeBound.atMost(ZfpField.mostBytes(elements.scalar(), mode, shape)).compressed()
        : SizeBound.atMost(ZfpField.mostBytes(elements.scalar(), mode, shape));
  }

  private static ZfpElements elements(ChunkRepresentation chunk) {
    ZfpElements elements = ZfpElements.of(chunk.dataType());
    if (elements == null) {
      throw new IllegalArgumentException("zfp does not store " + chunk.dataType());
    }
    return elements;
  }

  @Override
  public Bytes encode(NdArray decoded, ChunkRepresentation representation) {
    ZfpElements elements = elements(representation);
    ZfpField field = new ZfpField(elements.scalar(), representation.shape().toArray());
    ZfpMode mode = modes.of(elements.scalar(), field.rank());
    Bytes image = decoded.bytes();
    int invalid = mode.isReversible() ? -1 : elements.firstNonFinite(image, (int) field.count());
    if (invalid >= 0) {
      throw new CodecException(
          "the chunk has "
              + decoded.toJson(invalid)
              + " at its element "
              + invalid
              + " in C order, which the modes of zfp with loss cannot store: it would change the"
              + " elements around it; write another value in its place (the fill value, too, which"
              + " completes chunks at the edges), or take the mode reversible",
          Location.UNKNOWN);
    }
    BitOutput out = new BitOutput(image.size() / 2 + 64);
    if (hasHeader) {
      field.writeHeader(out);
      mode.write(out);
    }
    field.encode(out, mode, elements, image, representation.dataType().itemSize());
    return out.toBytes();
  }

  @Override
  public NdArray decode(Bytes encoded, ChunkRepresentation decoded) {
    ZfpElements elements = elements(decoded);
    int itemSize = decoded.dataType().itemSize();
    byte[] image = new byte[decoded.shape().byteSize(itemSize)];
    BitInput in = new BitInput(encoded);
    ZfpField field = new ZfpField(elements.scalar(), decoded.shape().toArray());
    ZfpMode mode = modes.of(elements.scalar(), field.rank());
    if (hasHeader) {
      field = ZfpField.readHeader(in, field.count());
      if (field.scalar() != elements.scalar()) {
        throw new CodecException(
            "the header names the type " + field.scalar() + ", expected " + elements.scalar(),
            Location.UNKNOWN);
      }
      mode = ZfpMode.read(in);
    }
    field.decode(in, mode, elements, image, itemSize);
    in.requireEnd();
    return NdArray.wrap(decoded.dataType(), decoded.shape(), Bytes.wrap(image));
  }
}
