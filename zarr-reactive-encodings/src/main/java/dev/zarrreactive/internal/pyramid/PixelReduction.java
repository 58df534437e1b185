package dev.zarrreactive.internal.pyramid;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.DimensionSelection;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.datatype.BoolType;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FloatType;
import dev.zarrreactive.datatype.IntegerType;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.pyramid.Downsampling;
import java.util.Arrays;
import java.util.List;

/** Makes an array smaller: each element comes from a cell of elements. Thread-safe. */
public final class PixelReduction {
  private final Downsampling method;
  private final List<Integer> factors;

  /**
   * Creates a reduction.
   *
   * @param factors the extents of a cell; those at the end of an axis may be smaller
   */
  public PixelReduction(Downsampling method, List<Integer> factors) {
    this.method = method;
    this.factors = List.copyOf(factors);
  }

  /** Refuses elements that the method does not know. */
  public static void check(Downsampling method, DataType type, Location location) {
    boolean isKnown =
        type instanceof IntegerType || type instanceof BoolType || type instanceof FloatType;
    if (!isKnown) {
      throw new UnsupportedFeatureException(
          "levels of the data type "
              + type
              + " by the method "
              + method.attribute()
              + "; integers, floats and bool are supported",
          location);
    }
  }

  /** Returns the shape of the reduced elements. */
  public Shape shape(Shape from) {
    long[] extents = from.toArray();
    for (int d = 0; d < extents.length; d++) {
      extents[d] = (extents[d] + factors.get(d) - 1) / factors.get(d);
    }
    return Shape.of(extents);
  }

  /** Returns the reduced elements. */
  public NdArray of(NdArray elements) {
    if (factors.stream().allMatch(factor -> factor == 1)) {
      return elements;
    }
    Shape shape = shape(elements.shape());
    if (method == Downsampling.NEAREST) {
      DimensionSelection[] first = new DimensionSelection[shape.rank()];
      for (int d = 0; d < first.length; d++) {
        first[d] = DimensionSelection.slice(0, elements.shape().extent(d), factors.get(d));
      }
      return elements.slice(Selection.of(first));
    }
    DataType type = elements.dataType();
    if (type instanceof BoolType) {
      return bools(elements, shape);
    }
    if (type instanceof IntegerType integers) {
      return integers(elements, integers, shape);
    }
    return type.equals(DataTypes.FLOAT32) || type.equals(DataTypes.FLOAT64)
        ? floats(elements, shape).cast(type)
        : floats(elements.cast(DataTypes.FLOAT32), shape).cast(type);
  }

  private NdArray integers(NdArray elements, IntegerType type, Shape shape) {
    Cells cells = new Cells(elements.shape(), shape, factors);
    boolean isMean = method == Downsampling.MEAN;
    int count = Math.toIntExact(elements.shape().elementCountUpTo(Integer.MAX_VALUE + 1L));
    if (type.bits() == 64) {
      long[] values = new long[count];
      elements.asLongBuffer().get(values);
      return NdArray.ofLongs(
          type, shape, isMean ? longMeans(values, cells, type.signed()) : modes(values, cells));
    }
    if (type.bits() == 32) {
      int[] values = new int[count];
      elements.asIntBuffer().get(values);
      long[] wide = new long[values.length];
      for (int i = 0; i < values.length; i++) {
        wide[i] = type.signed() ? values[i] : values[i] & 0xffffffffL;
      }
      long[] reduced = isMean ? means(wide, cells) : modes(wide, cells);
      int[] narrow = new int[reduced.length];
      for (int i = 0; i < narrow.length; i++) {
        narrow[i] = (int) reduced[i];
      }
      return NdArray.ofInts(type, shape, narrow);
    }
    if (isMean && type.bits() >= Byte.SIZE && cells.most() <= SmallMeans.MOST) {
      return SmallMeans.of(elements, type, shape, cells);
    }
    if (type.bits() >= Byte.SIZE) {
      return integers(elements.cast(DataTypes.INT32), (IntegerType) DataTypes.INT32, shape)
          .cast(type);
    }
    DataType bytes = type.signed() ? DataTypes.INT8 : DataTypes.UINT8;
    return of(elements.cast(bytes)).cast(type);
  }

  private NdArray bools(NdArray elements, Shape shape) {
    boolean[] values = elements.toBooleanArray();
    byte[] bits = new byte[values.length];
    for (int i = 0; i < bits.length; i++) {
      bits[i] = (byte) (values[i] ? 1 : 0);
    }
    NdArray reduced = of(NdArray.ofBytes(DataTypes.INT8, elements.shape(), bits));
    byte[] ones = reduced.toByteArray();
    boolean[] result = new boolean[ones.length];
    for (int i = 0; i < result.length; i++) {
      result[i] = ones[i] != 0;
    }
    return NdArray.ofBooleans(shape, result);
  }

  private static long[] means(long[] values, Cells cells) {
    long[] sums = new long[cells.count];
    cells.forEachRow(
        (from, to, length, cell) -> {
          for (int i = 0; i < length; i++) {
            sums[to + i / cell] += values[from + i];
          }
        });
    return cells.means(sums);
  }

  /** Returns means of numbers whose sums may be beyond a long: of their upper and lower halves. */
  private static long[] longMeans(long[] values, Cells cells, boolean isSigned) {
    long[] upper = new long[cells.count];
    long[] lower = new long[cells.count];
    cells.forEachRow(
        (from, to, length, cell) -> {
          for (int i = 0; i < length; i++) {
            long value = values[from + i];
            upper[to + i / cell] += isSigned ? value >> 32 : value >>> 32;
            lower[to + i / cell] += value & 0xffffffffL;
          }
        });
    long[] counts = cells.counts();
    for (int i = 0; i < upper.length; i++) {
      long high = Math.floorDiv(upper[i], counts[i]);
      long rest = (Math.floorMod(upper[i], counts[i]) << 32) + lower[i];
      upper[i] = (high << 32) + rounded(rest, counts[i]);
    }
    return upper;
  }

  private static long rounded(long sum, long count) {
    return Math.floorDiv(2 * sum + count, 2 * count);
  }

  private NdArray floats(NdArray elements, Shape shape) {
    Cells cells = new Cells(elements.shape(), shape, factors);
    boolean isSingle = elements.dataType().equals(DataTypes.FLOAT32);
    if (method == Downsampling.MODE) {
      if (isSingle) {
        float[] values = elements.toFloatArray();
        long[] bits = new long[values.length];
        for (int i = 0; i < bits.length; i++) {
          bits[i] = Float.floatToRawIntBits(values[i] == 0 ? 0f : values[i]);
        }
        long[] found = modes(bits, cells);
        float[] reduced = new float[found.length];
        for (int i = 0; i < reduced.length; i++) {
          reduced[i] = Float.intBitsToFloat((int) found[i]);
        }
        return NdArray.ofFloats(DataTypes.FLOAT32, shape, reduced);
      }
      double[] values = elements.toDoubleArray();
      long[] found =
          modes(
              Arrays.stream(values)
                  .mapToLong(v -> Double.doubleToRawLongBits(v == 0 ? 0d : v))
                  .toArray(),
              cells);
      return NdArray.ofDoubles(
          shape, Arrays.stream(found).mapToDouble(Double::longBitsToDouble).toArray());
    }
    double[] sums = new double[cells.count];
    int[] counts = new int[cells.count];
    if (isSingle) {
      float[] values = elements.toFloatArray();
      cells.forEachRow(
          (from, to, length, cell) -> {
            for (int i = 0, at = to; i < length; at++) {
              int end = Math.min(length, i + cell);
              for (; i < end; i++) {
                float value = values[from + i];
                if (!Float.isNaN(value)) {
                  sums[at] += value;
                  counts[at]++;
                }
              }
            }
          });
    } else {
      double[] values = elements.toDoubleArray();
      cells.forEachRow(
          (from, to, length, cell) -> {
            for (int i = 0; i < length; i++) {
              double value = values[from + i];
              if (!Double.isNaN(value)) {
                sums[to + i / cell] += value;
                counts[to + i / cell]++;
              }
            }
          });
    }
    for (int i = 0; i < sums.length; i++) {
      sums[i] /= counts[i];
    }
    return NdArray.ofDoubles(shape, sums);
  }

  /** Returns the number that each cell has most often; of several the first one. */
  private static long[] modes(long[] values, Cells cells) {
    int most = (int) cells.most();
    long[] members = new long[cells.count * most];
    int[] counts = new int[cells.count];
    cells.forEachRow(
        (from, to, length, cell) -> {
          for (int i = 0; i < length; i++) {
            int at = to + i / cell;
            members[at * most + counts[at]++] = values[from + i];
          }
        });
    long[] modes = new long[cells.count];
    for (int at = 0; at < modes.length; at++) {
      int best = 0;
      for (int i = 0; i < counts[at]; i++) {
        long candidate = members[at * most + i];
        int times = 0;
        for (int j = i; j < counts[at]; j++) {
          times += members[at * most + j] == candidate ? 1 : 0;
        }
        if (times > best) {
          best = times;
          modes[at] = candidate;
        }
      }
    }
    return modes;
  }

  /** The rows of elements, and the cells that their elements are in. */
  static final class Cells {
    final int count;
    private final long[] from;
    private final long[] to;
    private final List<Integer> factors;

    interface Row {
      /** Takes the row that begins at an element and whose first cell is the one of an index. */
      void take(int from, int to, int length, int cell);
    }

    interface CellRow {
      /** Takes the first elements of the rows that a row of cells has, and its first cell. */
      void take(int[] firsts, int cell);
    }

    Cells(Shape from, Shape to, List<Integer> factors) {
      this.from = from.toArray();
      this.to = to.toArray();
      this.factors = factors;
      this.count = Math.toIntExact(to.elementCountUpTo(Integer.MAX_VALUE + 1L));
    }

    long most() {
      return factors.stream().mapToLong(factor -> factor).reduce(1, (a, b) -> a * b);
    }

    void forEachRow(Row row) {
      int last = from.length - 1;
      long rows = 1;
      for (int d = 0; d < last; d++) {
        rows *= from[d];
      }
      if (from[last] == 0) {
        return;
      }
      long[] index = new long[last];
      for (long r = 0; r < rows; r++) {
        long cell = 0;
        for (int d = 0; d < last; d++) {
          cell = cell * to[d] + index[d] / factors.get(d);
        }
        row.take(
            (int) (r * from[last]), (int) (cell * to[last]), (int) from[last], factors.get(last));
        for (int d = last - 1; d >= 0 && ++index[d] == from[d]; d--) {
          index[d] = 0;
        }
      }
    }

    /** Takes each row of cells once, with all rows of elements that are in it. */
    void forEachCellRow(CellRow row) {
      int last = from.length - 1;
      long[] at = new long[last];
      for (int cell = 0; cell < count; cell += (int) to[last]) {
        int rows = 1;
        for (int d = 0; d < last; d++) {
          rows *= extent(d, at[d]);
        }
        int[] firsts = new int[rows];
        for (int r = 0; r < rows; r++) {
          long first = 0;
          for (int d = 0, rest = r, block = rows; d < last; d++) {
            block /= extent(d, at[d]);
            first = first * from[d] + at[d] * factors.get(d) + rest / block;
            rest %= block;
          }
          firsts[r] = (int) (first * from[last]);
        }
        row.take(firsts, cell);
        for (int d = last - 1; d >= 0 && ++at[d] == to[d]; d--) {
          at[d] = 0;
        }
      }
    }

    /** Returns the elements of a cell along a dimension. */
    private int extent(int d, long at) {
      return (int) Math.min(factors.get(d), from[d] - at * factors.get(d));
    }

    /** Returns the number of elements along the last dimension. */
    int length() {
      return (int) from[from.length - 1];
    }

    /** Returns the elements of a whole cell along the last dimension. */
    int factor() {
      return factors.get(factors.size() - 1);
    }

    /** Returns the number of elements of each cell. */
    long[] counts() {
      long[] counts = new long[count];
      for (int i = 0; i < count; i++) {
        long rest = i;
        long elements = 1;
        for (int d = to.length - 1; d >= 0; d--) {
          long at = rest % to[d];
          rest /= to[d];
          elements *= Math.min(factors.get(d), from[d] - at * factors.get(d));
        }
        counts[i] = elements;
      }
      return counts;
    }

    long[] means(long[] sums) {
      long[] counts = counts();
      for (int i = 0; i < sums.length; i++) {
        sums[i] = rounded(sums[i], counts[i]);
      }
      return sums;
    }
  }
}
