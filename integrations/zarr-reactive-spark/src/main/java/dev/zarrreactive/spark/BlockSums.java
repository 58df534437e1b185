package dev.zarrreactive.spark;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.internal.rows.RowPlaces;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.jspecify.annotations.Nullable;

/**
 * The sums, counts and extremes of a query, which a task computes of each block: a row for each
 * group that the block has. Spark puts the rows of all blocks together. Groups are labels of
 * dimensions, or functions of labels.
 */
record BlockSums(List<Group> groups, List<Fold> folds) implements Serializable {
  private static final long serialVersionUID = 1;

  /**
   * What cells of a group have in common.
   *
   * @param column a column of one dimension
   * @param function a function of its values; null for the values themselves
   */
  record Group(CellColumn column, @Nullable LabelFunction function) implements Serializable {
    private static final long serialVersionUID = 1;

    /** Returns a group; null for a column that Spark groups by itself. */
    static @Nullable Group of(CellColumn column, @Nullable LabelFunction function) {
      return column.dimensions().length != 1
              || column.type() instanceof StructType
              || column.type().equals(DataTypes.BinaryType)
          ? null
          : new Group(column, function);
    }

    DataType type() {
      return function == null ? column.type() : function.resultType();
    }

    int dimension() {
      return column.dimensions()[0];
    }

    @Override
    public String toString() {
      return function == null ? column.name() : function.toString();
    }
  }

  /** What is computed of the cells of a group. */
  enum Kind {
    CELLS,
    COUNT,
    SUM,
    MIN,
    MAX,
    /** A sum of numbers of any type as {@code DOUBLE}, 0 of no number. */
    TOTAL,
    /** The count as {@code DOUBLE}. */
    NUMBER,
    MEAN,
    /** The sum of the squared distances from the mean. */
    SQUARES
  }

  /**
   * One number of a group.
   *
   * @param column the values; null for the number of cells
   */
  record Fold(Kind kind, @Nullable CellColumn column) implements Serializable {
    private static final long serialVersionUID = 1;

    /** Returns the type of the number; null if a task does not compute it. */
    @Nullable DataType type() {
      if (column == null || kind == Kind.COUNT) {
        return DataTypes.LongType;
      }
      boolean isInteger =
          column.type().equals(DataTypes.ByteType)
              || column.type().equals(DataTypes.ShortType)
              || column.type().equals(DataTypes.IntegerType);
      boolean isFloat =
          column.type().equals(DataTypes.FloatType) || column.type().equals(DataTypes.DoubleType);
      if (kind.compareTo(Kind.TOTAL) >= 0) {
        return isInteger || isFloat || column.type().equals(DataTypes.LongType)
            ? DataTypes.DoubleType
            : null;
      } else if (kind == Kind.SUM) {
        return isInteger ? DataTypes.LongType : isFloat ? DataTypes.DoubleType : null;
      }
      return isInteger
              || isFloat
              || column.type().equals(DataTypes.LongType)
              || column.type().equals(DataTypes.TimestampType)
              || column.type().equals(DataTypes.TimestampNTZType)
          ? column.type()
          : null;
    }

    @Override
    public String toString() {
      return kind + "(" + (column == null ? "*" : column.name()) + ")";
    }
  }

  /** Returns what tasks compute; null where each cell is a group, so that nothing becomes less. */
  static @Nullable BlockSums of(List<Group> groups, List<Fold> folds, int rank) {
    long single =
        groups.stream()
            .filter(group -> group.function == null)
            .map(Group::dimension)
            .distinct()
            .count();
    return single == rank && single > 0 ? null : new BlockSums(groups, folds);
  }

  /** Returns the columns that are read. */
  List<CellColumn> columns() {
    Map<String, CellColumn> columns = new java.util.LinkedHashMap<>();
    groups.forEach(group -> columns.put(group.column.name(), group.column));
    for (Fold fold : folds) {
      if (fold.column != null) {
        columns.put(fold.column.name(), fold.column);
      }
    }
    return List.copyOf(columns.values());
  }

  StructType schema() {
    StructType schema = new StructType();
    for (Group group : groups) {
      schema = schema.add("group" + schema.size(), group.type(), true);
    }
    for (Fold fold : folds) {
      DataType type = fold.type();
      if (type == null) {
        throw new IllegalStateException("no type for " + fold);
      }
      schema = schema.add(fold.kind.name() + schema.size(), type, true);
    }
    return schema;
  }

  /** The groups along one dimension of a block. */
  @SuppressWarnings("ArrayRecordComponent") // of one call
  private record Classes(int dimension, int[] codes, Map<Group, Object[]> values, int count) {}

  /**
   * Computes the rows of a block.
   *
   * @param extents the extents of the block
   * @param values returns the values of a column, in C order of its own dimensions
   * @param strides returns the distances of a column's values in each dimension of the block
   */
  ColumnarBatch of(
      int[] extents, Function<CellColumn, CellVector> values, Function<CellColumn, int[]> strides) {
    Set<Integer> dimensions = new LinkedHashSet<>();
    groups.forEach(group -> dimensions.add(group.dimension()));
    List<Classes> classes = new ArrayList<>();
    int rows = 1;
    for (int dimension : dimensions.stream().sorted().toList()) {
      Classes of = classes(dimension, extents[dimension], values);
      classes.add(of);
      rows = Math.multiplyExact(rows, of.count);
    }
    int[] @Nullable [] codes = new int[extents.length][];
    int[] rowExtents = classes.stream().mapToInt(Classes::count).toArray();
    int stride = rows;
    for (Classes of : classes) {
      stride /= Math.max(1, of.count);
      int[] scaled = of.codes.clone();
      for (int i = 0; i < scaled.length; i++) {
        scaled[i] *= stride;
      }
      codes[of.dimension] = scaled;
    }
    List<ColumnVector> vectors = new ArrayList<>();
    for (Group group : groups) {
      for (int i = 0; i < classes.size(); i++) {
        Object[] own = classes.get(i).values.get(group);
        if (own != null) {
          int[] along = new int[rowExtents.length];
          along[i] = 1;
          vectors.add(
              new CellVector.Boxed(group.type(), own, null).at(RowPlaces.of(rowExtents, along)));
        }
      }
    }
    Map<CellColumn, Moments> moments = new HashMap<>();
    for (Fold fold : folds) {
      CellColumn column = fold.column;
      int[] distances = column == null ? new int[extents.length] : strides.apply(column);
      CellVector of = column == null ? null : values.apply(column);
      if (of != null && column != null && fold.kind.compareTo(Kind.NUMBER) >= 0) {
        Moments found = moments.get(column);
        if (found == null) {
          found = new Moments(of, rows);
          walk(found, extents, distances, codes);
          found.center();
          walk(found, extents, distances, codes);
          moments.put(column, found);
        }
        vectors.add(found.result(fold.kind));
        continue;
      }
      Accumulator accumulator = Accumulator.of(fold, of, rows);
      walk(accumulator, extents, distances, codes);
      vectors.add(accumulator.result());
    }
    return new ColumnarBatch(vectors.toArray(ColumnVector[]::new), rows);
  }

  /** Finds the groups of a dimension: indices with equal values belong to one. */
  private Classes classes(int dimension, int extent, Function<CellColumn, CellVector> values) {
    List<Group> own = groups.stream().filter(group -> group.dimension() == dimension).toList();
    Map<List<@Nullable Object>, Integer> known = new HashMap<>();
    List<List<@Nullable Object>> found = new ArrayList<>();
    int[] codes = new int[extent];
    for (int i = 0; i < extent; i++) {
      List<@Nullable Object> tuple = new ArrayList<>();
      for (Group group : own) {
        CellVector vector = values.apply(group.column);
        Object label = vector.isNullAt(i) ? null : vector.value(i);
        tuple.add(
            normal(
                group.function == null
                    ? label
                    : group.function.produceResult(
                        new GenericInternalRow(new @Nullable Object[] {label}))));
      }
      Integer code = known.get(tuple);
      if (code == null) {
        code = found.size();
        known.put(tuple, code);
        found.add(tuple);
      }
      codes[i] = code;
    }
    Map<Group, Object[]> columns = new HashMap<>();
    for (int g = 0; g < own.size(); g++) {
      int at = g;
      columns.put(own.get(g), found.stream().map(tuple -> tuple.get(at)).toArray());
    }
    return new Classes(dimension, codes, columns, found.size());
  }

  /** Returns a key that equals the keys that Spark takes for equal. */
  private static @Nullable Object normal(@Nullable Object value) {
    if (value instanceof Float number) {
      return number + 0.0f;
    }
    return value instanceof Double number ? (Object) (number + 0.0) : value;
  }

  /** Visits the cells of a block as runs along its last dimensions. */
  private static void walk(
      Accumulator accumulator, int[] extents, int[] strides, int[] @Nullable [] codes) {
    int last = extents.length - 1;
    if (last < 0) {
      accumulator.run(0, 0, 1, 0);
      return;
    }
    // dimensions without groups whose values lie one after the other are one run
    int outer = last;
    int length = 1;
    while (outer >= 0 && codes[outer] == null && strides[outer] == strides[last] * length) {
      length *= extents[outer--];
    }
    int[] along = codes[last];
    if (along != null) {
      outer = last - 1;
      length = extents[last];
    }
    int[] index = new int[outer + 1];
    long runs = 1;
    for (int d = 0; d <= outer; d++) {
      runs *= extents[d];
    }
    for (long run = 0; run < runs && length > 0; run++) {
      int group = 0;
      int place = 0;
      for (int d = 0; d <= outer; d++) {
        int[] of = codes[d];
        group += of == null ? 0 : of[index[d]];
        place += index[d] * strides[d];
      }
      if (along == null) {
        accumulator.run(group, place, length, strides[last]);
      } else {
        for (int i = 0; i < length; i++) {
          accumulator.one(group + along[i], place + i * strides[last]);
        }
      }
      int d = outer;
      while (d >= 0 && ++index[d] == extents[d]) {
        index[d--] = 0;
      }
    }
  }

  /** What is known so far of each group. */
  private abstract static class Accumulator {
    final boolean @Nullable [] nulls;
    final long[] counts;

    Accumulator(@Nullable CellVector values, int groups) {
      this.nulls = values == null ? null : values.nulls();
      this.counts = new long[groups];
    }

    static Accumulator of(Fold fold, @Nullable CellVector values, int groups) {
      if (values == null || fold.kind == Kind.COUNT) {
        return new Counts(values, groups);
      } else if (fold.kind == Kind.TOTAL) {
        return new Totals(values, groups);
      } else if (fold.kind == Kind.SUM) {
        return values instanceof CellVector.Ints ints
            ? new LongSums(ints, groups)
            : new DoubleSums(values, groups);
      }
      boolean isMin = fold.kind == Kind.MIN;
      return values instanceof CellVector.Floats || values instanceof CellVector.Doubles
          ? new DoubleExtremes(values, groups, isMin)
          : new LongExtremes(values, groups, isMin);
    }

    final boolean has(int place) {
      return nulls == null || !nulls[place];
    }

    static double real(CellVector values, int place) {
      return values instanceof CellVector.Floats
          ? values.getFloat(place)
          : values instanceof CellVector.Doubles
              ? values.getDouble(place)
              : values instanceof CellVector.Ints ? values.getInt(place) : values.getLong(place);
    }

    /** Takes values at one distance of each other. */
    abstract void run(int group, int place, int length, int step);

    abstract void one(int group, int place);

    abstract CellVector result();

    /** Returns which groups have no value; null if all have one. */
    final boolean @Nullable [] empty() {
      boolean[] empty = null;
      for (int i = 0; i < counts.length; i++) {
        if (counts[i] == 0) {
          empty = empty == null ? new boolean[counts.length] : empty;
          empty[i] = true;
        }
      }
      return empty;
    }
  }

  private static final class Counts extends Accumulator {
    Counts(@Nullable CellVector values, int groups) {
      super(values, groups);
    }

    @Override
    void run(int group, int place, int length, int step) {
      if (nulls == null) {
        counts[group] += length;
        return;
      }
      for (int i = 0; i < length; i++) {
        one(group, place + i * step);
      }
    }

    @Override
    void one(int group, int place) {
      counts[group] += has(place) ? 1 : 0;
    }

    @Override
    CellVector result() {
      return new CellVector.Longs(DataTypes.LongType, counts, null, null);
    }
  }

  private static final class LongSums extends Accumulator {
    private final CellVector.Ints values;
    private final long[] sums;

    LongSums(CellVector.Ints values, int groups) {
      super(values, groups);
      this.values = values;
      this.sums = new long[groups];
    }

    @Override
    void run(int group, int place, int length, int step) {
      if (nulls != null) {
        for (int i = 0; i < length; i++) {
          one(group, place + i * step);
        }
        return;
      }
      long sum = 0;
      for (int i = 0; i < length; i++) {
        sum += values.getInt(place + i * step);
      }
      sums[group] += sum;
      counts[group] += length;
    }

    @Override
    void one(int group, int place) {
      if (has(place)) {
        sums[group] += values.getInt(place);
        counts[group]++;
      }
    }

    @Override
    CellVector result() {
      return new CellVector.Longs(DataTypes.LongType, sums, empty(), null);
    }
  }

  private static final class Totals extends Accumulator {
    private final CellVector values;
    private final double[] sums;

    Totals(CellVector values, int groups) {
      super(values, groups);
      this.values = values;
      this.sums = new double[groups];
    }

    @Override
    void run(int group, int place, int length, int step) {
      double sum = 0;
      for (int i = 0; i < length; i++) {
        int at = place + i * step;
        sum += has(at) ? real(values, at) : 0;
      }
      sums[group] += sum;
    }

    @Override
    void one(int group, int place) {
      sums[group] += has(place) ? real(values, place) : 0;
    }

    @Override
    CellVector result() {
      return doubles(sums);
    }
  }

  /**
   * Number, mean and squared distances from it, of two passes: the second one knows the mean of the
   * first, so nothing is lost where the values are far from zero.
   */
  private static final class Moments extends Accumulator {
    private final CellVector values;
    private final double[] means;
    private double[] sums;
    private final double[] squares;
    private boolean isCentered;

    Moments(CellVector values, int groups) {
      super(values, groups);
      this.values = values;
      this.means = new double[groups];
      this.sums = new double[groups];
      this.squares = new double[groups];
    }

    @Override
    void run(int group, int place, int length, int step) {
      if (nulls != null) {
        for (int i = 0; i < length; i++) {
          one(group, place + i * step);
        }
        return;
      }
      double mean = means[group];
      double sum = 0;
      double other = 0;
      double square = 0;
      double otherSquare = 0;
      int i = 0;
      for (; i < length - 1; i += 2) {
        double first = real(values, place + i * step) - mean;
        double second = real(values, place + (i + 1) * step) - mean;
        sum += first;
        other += second;
        square += first * first;
        otherSquare += second * second;
      }
      if (i < length) {
        double last = real(values, place + i * step) - mean;
        sum += last;
        square += last * last;
      }
      add(group, length, sum + other, square + otherSquare);
    }

    @Override
    void one(int group, int place) {
      if (has(place)) {
        double distance = real(values, place) - means[group];
        add(group, 1, distance, distance * distance);
      }
    }

    private void add(int group, int count, double sum, double square) {
      sums[group] += sum;
      if (isCentered) {
        squares[group] += square;
      } else {
        counts[group] += count;
      }
    }

    /** Ends the first pass. */
    void center() {
      for (int i = 0; i < means.length; i++) {
        means[i] = counts[i] == 0 ? 0 : sums[i] / counts[i];
      }
      sums = new double[means.length];
      isCentered = true;
    }

    CellVector result(Kind kind) {
      double[] result = new double[means.length];
      for (int i = 0; i < result.length; i++) {
        // what rounding has left between the mean and that of the distances
        double rest = counts[i] == 0 ? 0 : sums[i] / counts[i];
        result[i] =
            switch (kind) {
              case NUMBER -> counts[i];
              case MEAN -> means[i] + rest;
              default -> Math.max(0, squares[i] - rest * sums[i]);
            };
      }
      return doubles(result);
    }

    @Override
    CellVector result() {
      return result(Kind.SQUARES);
    }
  }

  private static CellVector doubles(double[] values) {
    return new CellVector.Doubles(
        DataTypes.DoubleType,
        NdArray.ofDoubles(Shape.of(values.length), values).bytes(),
        null,
        null);
  }

  private static final class DoubleSums extends Accumulator {
    private final CellVector values;
    private final double[] sums;

    DoubleSums(CellVector values, int groups) {
      super(values, groups);
      this.values = values;
      this.sums = new double[groups];
    }

    @Override
    void run(int group, int place, int length, int step) {
      if (nulls != null) {
        for (int i = 0; i < length; i++) {
          one(group, place + i * step);
        }
        return;
      }
      sums[group] +=
          values instanceof CellVector.Floats floats
              ? sum(floats, place, length, step)
              : sum((CellVector.Doubles) values, place, length, step);
      counts[group] += length;
    }

    /** Adds up four sums, since each addition waits for the one before. */
    private static double sum(CellVector.Floats values, int place, int length, int step) {
      double a = 0;
      double b = 0;
      double c = 0;
      double d = 0;
      int i = 0;
      for (; i < length - 3; i += 4) {
        int at = place + i * step;
        a += values.getFloat(at);
        b += values.getFloat(at + step);
        c += values.getFloat(at + 2 * step);
        d += values.getFloat(at + 3 * step);
      }
      for (; i < length; i++) {
        a += values.getFloat(place + i * step);
      }
      return a + b + (c + d);
    }

    private static double sum(CellVector.Doubles values, int place, int length, int step) {
      double a = 0;
      double b = 0;
      double c = 0;
      double d = 0;
      int i = 0;
      for (; i < length - 3; i += 4) {
        int at = place + i * step;
        a += values.getDouble(at);
        b += values.getDouble(at + step);
        c += values.getDouble(at + 2 * step);
        d += values.getDouble(at + 3 * step);
      }
      for (; i < length; i++) {
        a += values.getDouble(place + i * step);
      }
      return a + b + (c + d);
    }

    @Override
    void one(int group, int place) {
      if (has(place)) {
        sums[group] +=
            values instanceof CellVector.Floats floats
                ? floats.getFloat(place)
                : values.getDouble(place);
        counts[group]++;
      }
    }

    @Override
    CellVector result() {
      return new CellVector.Doubles(
          DataTypes.DoubleType,
          NdArray.ofDoubles(Shape.of(sums.length), sums).bytes(),
          empty(),
          null);
    }
  }

  private static final class LongExtremes extends Accumulator {
    private final CellVector values;
    private final boolean isMin;
    private final long[] found;

    LongExtremes(CellVector values, int groups, boolean isMin) {
      super(values, groups);
      this.values = values;
      this.isMin = isMin;
      this.found = new long[groups];
    }

    @Override
    void run(int group, int place, int length, int step) {
      for (int i = 0; i < length; i++) {
        one(group, place + i * step);
      }
    }

    @Override
    void one(int group, int place) {
      if (!has(place)) {
        return;
      }
      long value =
          values instanceof CellVector.Ints ints ? ints.getInt(place) : values.getLong(place);
      if (counts[group]++ == 0 || (isMin ? value < found[group] : value > found[group])) {
        found[group] = value;
      }
    }

    @Override
    CellVector result() {
      if (values instanceof CellVector.Longs) {
        return new CellVector.Longs(values.dataType(), found, empty(), null);
      }
      int[] ints = new int[found.length];
      for (int i = 0; i < ints.length; i++) {
        ints[i] = (int) found[i];
      }
      NdArray all =
          NdArray.ofInts(dev.zarrreactive.datatype.DataTypes.INT32, Shape.of(ints.length), ints);
      return new CellVector.Ints(values.dataType(), all.bytes(), empty(), null);
    }
  }

  private static final class DoubleExtremes extends Accumulator {
    private final CellVector values;
    private final boolean isMin;
    private final double[] found;

    DoubleExtremes(CellVector values, int groups, boolean isMin) {
      super(values, groups);
      this.values = values;
      this.isMin = isMin;
      this.found = new double[groups];
    }

    @Override
    void run(int group, int place, int length, int step) {
      for (int i = 0; i < length; i++) {
        one(group, place + i * step);
      }
    }

    @Override
    void one(int group, int place) {
      if (!has(place)) {
        return;
      }
      double value =
          values instanceof CellVector.Floats floats
              ? floats.getFloat(place)
              : values.getDouble(place);
      int compared = counts[group]++ == 0 ? 0 : Conditions.compare(value, found[group]);
      if (counts[group] == 1 || (isMin ? compared < 0 : compared > 0)) {
        found[group] = value;
      }
    }

    @Override
    CellVector result() {
      Shape shape = Shape.of(found.length);
      if (values instanceof CellVector.Doubles) {
        return new CellVector.Doubles(
            DataTypes.DoubleType, NdArray.ofDoubles(shape, found).bytes(), empty(), null);
      }
      float[] floats = new float[found.length];
      for (int i = 0; i < floats.length; i++) {
        floats[i] = (float) found[i];
      }
      return new CellVector.Floats(
          DataTypes.FloatType,
          NdArray.ofFloats(dev.zarrreactive.datatype.DataTypes.FLOAT32, shape, floats).bytes(),
          empty(),
          null);
    }
  }
}
