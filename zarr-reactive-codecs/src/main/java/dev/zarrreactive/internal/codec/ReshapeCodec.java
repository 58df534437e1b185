package dev.zarrreactive.internal.codec;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.codec.ArrayToArrayCodec;
import dev.zarrreactive.codec.ChunkRepresentation;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.LocatedJson;
import java.math.BigInteger;
import java.util.List;

/**
 * The {@code reshape} codec: the same elements in C order with other extents. An extent is a
 * number, a list of the decoded chunk's dimensions that it joins, or, once, -1 for the remaining
 * extent.
 */
final class ReshapeCodec implements ArrayToArrayCodec {
  static final String NAME = "reshape";

  private static final long REST = -1;

  private static final int MAX_RANK = 1_024;

  private final NamedConfiguration configuration;
  private final LocatedJson shape;

  private ReshapeCodec(NamedConfiguration configuration, LocatedJson shape) {
    this.configuration = configuration;
    this.shape = shape;
  }

  static ReshapeCodec of(NamedConfiguration use) {
    use.configuration().allowOnly("shape");
    LocatedJson shape = use.member("shape");
    if (shape.elements().size() > MAX_RANK) {
      throw shape.error(
          shape.elements().size() + " dimensions; at most " + MAX_RANK + " are supported");
    }
    long before = -1;
    boolean rest = false;
    for (LocatedJson entry : shape.elements()) {
      if (entry.value() instanceof JsonArray) {
        for (LocatedJson dimension : entry.elements()) {
          long number = dimension.integer(0, Integer.MAX_VALUE);
          if (number <= before) {
            throw dimension.error("the dimensions of the chunk must stand in increasing order");
          }
          before = number;
        }
      } else if (entry.integer(REST, Long.MAX_VALUE) < 1) {
        if (rest || entry.integer().signum() == 0) {
          throw entry.expected("a positive integer, dimensions of the chunk, or once -1");
        }
        rest = true;
      }
    }
    return new ReshapeCodec(use, shape);
  }

  @Override
  public NamedConfiguration configuration() {
    return configuration;
  }

  @Override
  public ChunkRepresentation encodedRepresentation(ChunkRepresentation decoded) {
    return new ChunkRepresentation(
        encodedShape(decoded.shape()), decoded.dataType(), decoded.fillValue());
  }

  private Shape encodedShape(Shape decoded) {
    List<LocatedJson> entries = shape.elements();
    long[] extents = new long[entries.size()];
    BigInteger known = BigInteger.ONE;
    int rest = -1;
    for (int i = 0; i < extents.length; i++) {
      LocatedJson entry = entries.get(i);
      BigInteger extent =
          entry.value() instanceof JsonArray ? joined(entry, decoded) : entry.integer();
      if (extent.signum() < 0) {
        rest = i;
      } else {
        extents[i] = extent.longValue();
        known = known.multiply(extent);
      }
    }
    BigInteger count = decoded.elementCount();
    if (rest >= 0 && known.signum() > 0) {
      BigInteger[] quotient = count.divideAndRemainder(known);
      extents[rest] = quotient[0].longValue();
      known = known.multiply(quotient[0]);
    }
    if (!known.equals(count)) {
      throw misfit(shape, decoded);
    }
    checkJoined(entries, extents, decoded);
    return Shape.of(extents);
  }

  private static MetadataException misfit(LocatedJson place, Shape decoded) {
    return place.error("a chunk of shape " + decoded + " has no such form: " + place.value());
  }

  /**
   * Returns the product of some extents, which like that of the whole chunk is at most 2^63 - 1.
   */
  private static BigInteger joined(LocatedJson entry, Shape decoded) {
    BigInteger product = BigInteger.ONE;
    for (long dimension : entry.integers(0, decoded.rank() - 1)) {
      product = product.multiply(BigInteger.valueOf(decoded.extent((int) dimension)));
      if (product.bitLength() > 63) {
        throw misfit(entry, decoded);
      }
    }
    return product;
  }

  /**
   * Checks that joined dimensions are adjacent, and that the extents before them have the same
   * product as in the chunk.
   */
  private static void checkJoined(List<LocatedJson> entries, long[] extents, Shape decoded) {
    BigInteger before = BigInteger.ONE;
    BigInteger expected = BigInteger.ONE; // the product of the chunk's extents before `counted`
    int counted = 0;
    for (int i = 0; i < extents.length; i++) {
      LocatedJson entry = entries.get(i);
      if (entry.value() instanceof JsonArray) {
        long[] dimensions = entry.integers(0, decoded.rank() - 1);
        for (int d = 0; d < dimensions.length; d++) {
          if (dimensions[d] != dimensions[0] + d) {
            throw entry.error("the dimensions that are joined must follow each other");
          }
        }
        for (; dimensions.length > 0 && counted < dimensions[0]; counted++) {
          expected = expected.multiply(BigInteger.valueOf(decoded.extent(counted)));
        }
        if (dimensions.length > 0 && !expected.equals(before)) {
          throw misfit(entry, decoded);
        }
      }
      before = before.multiply(BigInteger.valueOf(extents[i]));
    }
  }

  @Override
  public NdArray encode(NdArray decoded) {
    return decoded.reshape(encodedShape(decoded.shape()));
  }

  @Override
  public NdArray decode(NdArray encoded, ChunkRepresentation decoded) {
    return encoded.reshape(decoded.shape());
  }
}
