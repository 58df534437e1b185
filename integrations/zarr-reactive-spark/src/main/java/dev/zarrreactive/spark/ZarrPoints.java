package dev.zarrreactive.spark;

import static org.apache.spark.sql.functions.broadcast;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.udf;

import dev.zarrreactive.spark.Conditions.Labels;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.NumericType;
import org.jspecify.annotations.Nullable;

/**
 * Joins a table of cells with points that lie beside its labels, such as stations: each point gets
 * the cells with the nearest labels. Requests are those of the chunks that have such a cell.
 */
public final class ZarrPoints {
  /** Of more places each dimension is bounded by itself. */
  private static final int MOST_PAIRS = 1000;

  /** More points belong into a join that Spark shuffles. */
  private static final int MOST_POINTS = 1 << 20;

  private static final String PLACE = "_zarr_at_";
  private static final String POINT = "point_";

  private ZarrPoints() {}

  /**
   * Joins points of any distance; as {@link #nearest(Dataset, Dataset, Map, double)}.
   *
   * @param on the column of the points for each dimension, such as {@code lat} to {@code latitude}
   */
  public static Dataset<Row> nearest(
      Dataset<Row> cells, Dataset<Row> points, Map<String, String> on) {
    return nearest(cells, points, on, Double.POSITIVE_INFINITY);
  }

  /**
   * Returns the rows of the cells at each point: one for each index of the dimensions that {@code
   * on} leaves out. A row has the columns of the cells, then those of the points; a column of the
   * points whose name the cells have, too, begins with {@code point_}. Of two labels that are
   * equally near the greater one is taken. A point without a label within the tolerance, and one
   * whose column is NULL or NaN, has no rows.
   *
   * <p>The labels are read on the driver, and the points are collected once, at most 1,048,576 of
   * them. Up to 1,000 different cells of the dimensions are conditions of the scan, so that it
   * requests the chunks that have one of them; of more, those of the indices of each dimension.
   *
   * @param cells a table of the format, or a selection of its rows and columns
   * @param points as many as fit into each task
   * @param on the column of the points for each dimension; labels are numbers
   * @param tolerance the greatest difference between a point and its label, in each dimension, in
   *     the unit of the labels
   * @throws IllegalArgumentException for a table of another format, and for a dimension or column
   *     that is missing, or has no numbers
   */
  public static Dataset<Row> nearest(
      Dataset<Row> cells, Dataset<Row> points, Map<String, String> on, double tolerance) {
    CellTable table = table(cells.queryExecution().analyzed());
    if (on.isEmpty() || !(tolerance >= 0)) {
      throw new IllegalArgumentException(
          "points are joined on at least one dimension, with a tolerance of 0 or more; not "
              + on
              + " and "
              + tolerance);
    }
    Dataset<Row> placed = points;
    List<String> dimensions = new ArrayList<>();
    for (Map.Entry<String, String> one : new LinkedHashMap<>(on).entrySet()) {
      String dimension = one.getKey();
      Column value = number(points, one.getValue());
      UDF1<Double, Long> nearest = Nearest.of(labels(table, dimension), tolerance);
      placed = placed.withColumn(PLACE + dimension, udf(nearest, DataTypes.LongType).apply(value));
      dimensions.add(dimension);
    }
    Column isPlaced = lit(true);
    for (String dimension : dimensions) {
      isPlaced = isPlaced.and(column(PLACE + dimension).isNotNull());
    }
    Dataset<Row> found = placed.where(isPlaced);
    Dataset<Row> selected = cells.where(condition(found, dimensions));
    List<String> own = Arrays.asList(cells.columns());
    for (String name : points.columns()) {
      if (own.contains(name)) {
        found = found.withColumnRenamed(name, POINT + name);
      }
    }
    Column same = lit(true);
    for (String dimension : dimensions) {
      String index = CellTable.INDEX + dimension;
      String cell = PLACE + "cell_" + dimension;
      selected = selected.withColumn(cell, column(index));
      same = same.and(column(cell).equalTo(column(PLACE + dimension)));
    }
    Dataset<Row> joined = selected.join(broadcast(found), same);
    for (String dimension : dimensions) {
      joined = joined.drop(PLACE + dimension, PLACE + "cell_" + dimension);
    }
    return joined;
  }

  private static Column column(String name) {
    return col("`" + name.replace("`", "``") + "`");
  }

  private static CellTable table(LogicalPlan plan) {
    List<CellTable> found = new ArrayList<>();
    Rewriting.each(
        plan,
        node -> {
          if (node instanceof DataSourceV2Relation relation
              && relation.table() instanceof CellTable table) {
            found.add(table);
          }
        });
    if (found.size() != 1) {
      throw new IllegalArgumentException(
          "points are joined with one table of cells of the format zarr, not with "
              + found.size()
              + " of them");
    }
    return found.get(0);
  }

  private static Column number(Dataset<Row> points, String name) {
    if (!Arrays.asList(points.columns()).contains(name)) {
      throw new IllegalArgumentException(
          "the points have no column " + name + ", but " + Arrays.asList(points.columns()));
    }
    DataType type = points.schema().apply(name).dataType();
    if (!(type instanceof NumericType)) {
      throw new IllegalArgumentException(
          "the column " + name + " of the points has " + type.sql() + ", not numbers");
    }
    return column(name).cast(DataTypes.DoubleType);
  }

  /** Returns the labels of a dimension, NaN where one is missing. */
  private static double[] labels(CellTable table, String dimension) {
    CellColumn column = table.column(dimension);
    if (column == null || column.dimensions().length != 1) {
      throw new IllegalArgumentException(
          table.name() + " has no dimension " + dimension + ", but " + table.dimensions());
    }
    if (!(column.type() instanceof NumericType)) {
      throw new IllegalArgumentException(
          "the labels of " + dimension + " are " + column.type().sql() + ", not numbers");
    }
    int size = Math.toIntExact(table.size(column));
    if (column.source() == null) {
      return IntStream.range(0, size).asDoubleStream().toArray();
    }
    Labels labels = new Conditions(table).labels(column);
    if (labels == null) {
      throw new IllegalArgumentException("the labels of " + dimension + " are too many");
    }
    double[] numbers = new double[size];
    for (int i = 0; i < size; i++) {
      Object value = labels.values().isNullAt(i) ? null : labels.values().value(i);
      numbers[i] =
          value instanceof org.apache.spark.sql.types.Decimal decimal
              ? decimal.toDouble()
              : value instanceof Number number ? number.doubleValue() : Double.NaN;
    }
    return numbers;
  }

  /** Returns the condition that the scan gets. */
  private static Column condition(Dataset<Row> found, List<String> dimensions) {
    Column[] places = dimensions.stream().map(name -> column(PLACE + name)).toArray(Column[]::new);
    List<Row> pairs = found.select(places).distinct().limit(MOST_POINTS + 1).collectAsList();
    if (pairs.size() > MOST_POINTS) {
      throw new IllegalArgumentException(
          "the points have more than "
              + MOST_POINTS
              + " places; join a table of all cells instead, by the labels");
    }
    if (pairs.isEmpty()) {
      return lit(false);
    } else if (pairs.size() > MOST_PAIRS) {
      Column all = lit(true);
      for (int d = 0; d < dimensions.size(); d++) {
        int at = d;
        Object[] indices = pairs.stream().map(row -> row.getLong(at)).distinct().toArray();
        all = all.and(column(CellTable.INDEX + dimensions.get(d)).isin(indices));
      }
      return all;
    }
    List<Column> any = new ArrayList<>();
    for (Row pair : pairs) {
      Column at = null;
      for (int d = 0; d < dimensions.size(); d++) {
        Column one = column(CellTable.INDEX + dimensions.get(d)).equalTo(pair.getLong(d));
        at = at == null ? one : at.and(one);
      }
      any.add(at == null ? lit(true) : at);
    }
    // a balanced tree, which no recursion finds deep
    while (any.size() > 1) {
      List<Column> half = new ArrayList<>();
      for (int i = 0; i < any.size(); i += 2) {
        half.add(i + 1 < any.size() ? any.get(i).or(any.get(i + 1)) : any.get(i));
      }
      any = half;
    }
    return any.get(0);
  }

  /** Finds the index of the nearest label. */
  private static final class Nearest implements UDF1<Double, Long> {
    private static final long serialVersionUID = 1;

    /** The labels in ascending order, without NaN. */
    private final double[] labels;

    /** The indices of these labels. */
    private final long[] indices;

    private final double tolerance;

    private Nearest(double[] labels, long[] indices, double tolerance) {
      this.labels = labels;
      this.indices = indices;
      this.tolerance = tolerance;
    }

    static Nearest of(double[] labels, double tolerance) {
      int[] order =
          IntStream.range(0, labels.length)
              .filter(i -> !Double.isNaN(labels[i]))
              .boxed()
              .sorted(Comparator.comparingDouble(i -> labels[i]))
              .mapToInt(i -> i)
              .toArray();
      return new Nearest(
          Arrays.stream(order).mapToDouble(i -> labels[i]).toArray(),
          Arrays.stream(order).asLongStream().toArray(),
          tolerance);
    }

    @Override
    public @Nullable Long call(@Nullable Double value) {
      if (value == null || value.isNaN() || labels.length == 0) {
        return null;
      }
      int found = Arrays.binarySearch(labels, value + 0.0);
      int right = found < 0 ? Math.min(-found - 1, labels.length - 1) : found;
      int left = found < 0 ? Math.max(0, -found - 2) : found;
      int nearest = right == left || labels[right] - value <= value - labels[left] ? right : left;
      return Math.abs(labels[nearest] - value) <= tolerance ? indices[nearest] : null;
    }
  }
}
