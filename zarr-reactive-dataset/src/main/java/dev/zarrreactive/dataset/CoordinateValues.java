package dev.zarrreactive.dataset;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.datatype.BoolType;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FixedLengthUtf32Type;
import dev.zarrreactive.datatype.FloatType;
import dev.zarrreactive.datatype.IntegerType;
import dev.zarrreactive.datatype.StringType;
import dev.zarrreactive.datatype.TimeType;
import dev.zarrreactive.error.InvalidInputException;
import dev.zarrreactive.internal.cache.CachePolicy;
import dev.zarrreactive.internal.cache.Generations;
import dev.zarrreactive.internal.cache.LoadingCache;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.LongBuffer;
import java.util.Locale;
import java.util.stream.IntStream;
import reactor.core.publisher.Mono;

/**
 * The values of the coordinates of one dataset, read once and shared by all its parts, and their
 * indices. Readers at the same time share one read, which is cancelled with the last of them.
 */
final class CoordinateValues {
  /** The most bytes of all values that are kept; a larger coordinate is read each time. */
  private static final long MOST_BYTES = 64L << 20;

  private static final CachePolicy<String, String, NdArray> POLICY =
      new CachePolicy<>() {
        @Override
        public String groupOf(String key) {
          return key;
        }

        @Override
        public long weight(NdArray values) {
          return values.shape().elementCountUpTo(Integer.MAX_VALUE)
              * Math.max(8L, values.dataType().memorySize());
        }
      };

  private final LoadingCache<String, String, NdArray> cache =
      new LoadingCache<>(MOST_BYTES, POLICY, new Generations());

  /** Returns the values of a coordinate of one dimension, of the part that is given. */
  Mono<NdArray> values(Variable coordinate) {
    if (!(coordinate.values() instanceof StoredValues part) || part.valueDimensions().size() != 1) {
      return coordinate.read();
    }
    return Mono.defer(
        () ->
            cache
                .lookUp(coordinate.name(), () -> part.whole().read(Selection.all()))
                .value()
                .map(all -> part.parts().get(0).of(all).toContiguous()));
  }

  /**
   * Returns the index of decoded values.
   *
   * @throws IllegalArgumentException for values that have no labels
   */
  static CoordinateIndex<?> index(Variable coordinate, NdArray values) {
    String name = coordinate.name();
    DataType type = values.dataType();
    if (coordinate.times().isPresent() || type instanceof TimeType) {
      return TimeIndex.of(coordinate, values.toLongArray());
    } else if (type instanceof FloatType) {
      boolean isFloat64 = type.equals(DataTypes.FLOAT64);
      double[] reals =
          isFloat64 ? values.toDoubleArray() : values.cast(DataTypes.FLOAT64).toDoubleArray();
      return new Reals(name, reals, type.equals(DataTypes.FLOAT32));
    } else if (type instanceof IntegerType integer && integer.max().bitLength() < Long.SIZE) {
      return new Wholes(name, values.cast(DataTypes.INT64).toLongArray());
    } else if (type.equals(DataTypes.UINT64)) {
      return new Unsigned(name, values.toContiguous().asLongBuffer());
    } else if (type instanceof BoolType) {
      return Booleans.of(name, values.toBooleanArray());
    } else if (type instanceof StringType || type instanceof FixedLengthUtf32Type) {
      return new Texts(name, values.toStringArray());
    }
    throw new InvalidInputException(
        "the coordinate " + name + " has values of " + type + ", which have no labels; use isel");
  }

  private static BigDecimal number(Object label, CoordinateIndex<?> index) {
    if (label instanceof BigDecimal exact) {
      return exact;
    } else if (label instanceof BigInteger whole) {
      return new BigDecimal(whole);
    } else if (label instanceof Double || label instanceof Float) {
      double value = ((Number) label).doubleValue();
      if (Double.isFinite(value)) {
        return new BigDecimal(value);
      }
    } else if (label instanceof Number number) {
      return BigDecimal.valueOf(number.longValue());
    } else if (label instanceof String text) {
      try {
        return new BigDecimal(text.strip());
      } catch (NumberFormatException e) {
        throw index.refused(label, "its values are numbers");
      }
    }
    throw index.refused(label, "its values are numbers");
  }

  /** A label between whole numbers: a whole one, and a part of 1 above it. */
  record WholeKey(BigInteger floor, double above) {
    static WholeKey of(BigDecimal number) {
      BigInteger floor = number.setScale(0, RoundingMode.FLOOR).toBigInteger();
      return new WholeKey(floor, number.subtract(new BigDecimal(floor)).doubleValue());
    }

    int compareTo(long value) {
      int compared =
          floor.bitLength() < Long.SIZE ? Long.compare(value, floor.longValue()) : -floor.signum();
      return compared == 0 && above > 0 ? -1 : compared;
    }

    double distance(long value) {
      if (floor.bitLength() < Long.SIZE) {
        long whole = value - floor.longValue();
        if (((value ^ floor.longValue()) & (value ^ whole)) >= 0) { // no overflow
          return Math.abs(whole - above);
        }
      }
      return Math.abs(value - floor.doubleValue());
    }
  }

  /** Whole numbers, and counts of times. */
  static class Wholes extends CoordinateIndex<WholeKey> {
    final long[] values;

    Wholes(String name, long[] values) {
      super(name);
      this.values = values;
    }

    @Override
    int size() {
      return values.length;
    }

    @Override
    int compare(int position, WholeKey key) {
      return key.compareTo(values[position]);
    }

    @Override
    int compareValues(int position, int other) {
      return Long.compare(values[position], values[other]);
    }

    @Override
    boolean isMissing(int position) {
      return false;
    }

    @Override
    double distance(int position, WholeKey key) {
      return key.distance(values[position]);
    }

    @Override
    double between(int position, int other) {
      return new WholeKey(BigInteger.valueOf(values[position]), 0).distance(values[other]);
    }

    @Override
    double tolerance(Object tolerance) {
      return number(tolerance, this).doubleValue();
    }

    @Override
    Interval<WholeKey> interval(Object label) {
      return Interval.of(WholeKey.of(number(label, this)));
    }

    @Override
    String text(int position) {
      return Long.toString(values[position]);
    }
  }

  /** Whole numbers without a sign. They are less 2^63 here, which keeps their order. */
  private static final class Unsigned extends Wholes {
    private static final BigDecimal SHIFT = new BigDecimal(BigInteger.ONE.shiftLeft(63));

    Unsigned(String name, LongBuffer bits) {
      super(
          name,
          IntStream.range(0, bits.remaining())
              .mapToLong(i -> bits.get(bits.position() + i) ^ Long.MIN_VALUE)
              .toArray());
    }

    @Override
    Interval<WholeKey> interval(Object label) {
      return Interval.of(WholeKey.of(number(label, this).subtract(SHIFT)));
    }

    @Override
    String text(int position) {
      return Long.toUnsignedString(values[position] ^ Long.MIN_VALUE);
    }
  }

  /** Truth values: false is before true. */
  private static final class Booleans extends Wholes {
    private Booleans(String name, long... values) {
      super(name, values);
    }

    static Booleans of(String name, boolean... values) {
      return new Booleans(
          name, IntStream.range(0, values.length).mapToLong(i -> values[i] ? 1 : 0).toArray());
    }

    @Override
    boolean hasDistances() {
      return false;
    }

    @Override
    Interval<WholeKey> interval(Object label) {
      String text = label.toString().strip().toLowerCase(Locale.ROOT);
      return switch (text) {
        case "false", "0" -> Interval.of(new WholeKey(BigInteger.ZERO, 0));
        case "true", "1" -> Interval.of(new WholeKey(BigInteger.ONE, 0));
        default -> throw refused(label, "its values are true and false");
      };
    }

    @Override
    String text(int position) {
      return Boolean.toString(values[position] != 0);
    }
  }

  /** Floats. */
  private static final class Reals extends CoordinateIndex<Double> {
    private final double[] values;
    private final boolean areFloats;

    Reals(String name, double[] values, boolean areFloats) {
      super(name);
      this.values = values;
      this.areFloats = areFloats;
    }

    @Override
    int size() {
      return values.length;
    }

    @Override
    int compare(int position, Double key) {
      double value = values[position];
      return value < key ? -1 : value > key ? 1 : 0;
    }

    @Override
    int compareValues(int position, int other) {
      return compare(position, values[other]);
    }

    @Override
    boolean isMissing(int position) {
      return Double.isNaN(values[position]);
    }

    @Override
    double distance(int position, Double key) {
      return Math.abs(values[position] - key);
    }

    @Override
    double between(int position, int other) {
      return Math.abs(values[position] - values[other]);
    }

    @Override
    double tolerance(Object tolerance) {
      return number(tolerance, this).doubleValue();
    }

    /** Returns the label as the values have it: the nearest float of a double among floats. */
    @Override
    Interval<Double> interval(Object label) {
      double key = number(label, this).doubleValue();
      return Interval.of(areFloats ? (double) (float) key : key);
    }

    @Override
    Double exactly(Object label) {
      return number(label, this).doubleValue();
    }

    @Override
    String text(int position) {
      return areFloats
          ? Float.toString((float) values[position])
          : Double.toString(values[position]);
    }
  }

  /** Texts, in the order of their characters. */
  private static final class Texts extends CoordinateIndex<String> {
    private final String[] values;

    Texts(String name, String... values) {
      super(name);
      this.values = values;
    }

    @Override
    int size() {
      return values.length;
    }

    @Override
    int compare(int position, String key) {
      return values[position].compareTo(key);
    }

    @Override
    int compareValues(int position, int other) {
      return compare(position, values[other]);
    }

    @Override
    boolean isMissing(int position) {
      return false;
    }

    @Override
    boolean hasDistances() {
      return false;
    }

    @Override
    double distance(int position, String key) {
      return Double.NaN;
    }

    @Override
    double between(int position, int other) {
      return Double.NaN;
    }

    @Override
    double tolerance(Object tolerance) {
      return Double.NaN;
    }

    @Override
    Interval<String> interval(Object label) {
      if (label instanceof String text) {
        return Interval.of(text);
      }
      throw refused(label, "its values are texts");
    }

    @Override
    String text(int position) {
      return '"' + values[position] + '"';
    }
  }
}
