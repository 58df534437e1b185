package dev.zarrreactive.spark;

import dev.zarrreactive.partition.IndexBox;
import dev.zarrreactive.partition.IndexRanges;
import dev.zarrreactive.spark.Conditions.Labels;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.read.Statistics;
import org.apache.spark.sql.connector.read.colstats.ColumnStatistics;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.NumericType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.TimestampType;
import org.jspecify.annotations.Nullable;

/**
 * What is known of the rows of a scan before they are read: their number and bytes, and of
 * coordinates the values that are left.
 *
 * @param cells the number of rows, at most
 * @param bytes their size in rows of Spark
 * @param columnStats of coordinates of one dimension; nothing is known of variables
 */
record CellStatistics(long cells, long bytes, Map<NamedReference, ColumnStatistics> columnStats)
    implements Statistics {
  /** The distinct labels of longer coordinates are not counted. */
  private static final long MOST_COUNTED = 1L << 20;

  @Override
  public OptionalLong sizeInBytes() {
    return OptionalLong.of(bytes);
  }

  @Override
  public OptionalLong numRows() {
    return OptionalLong.of(cells);
  }

  /**
   * Finds what the coordinates of a scan have.
   *
   * @param conditions reads labels, which it may know already
   * @param box the cells of the scan
   */
  static Map<NamedReference, ColumnStatistics> of(
      List<CellColumn> columns, Conditions conditions, IndexBox box) {
    Map<NamedReference, ColumnStatistics> all = new LinkedHashMap<>();
    for (CellColumn column : columns) {
      if (column.dimensions().length == 1 && box.cells() > 0 && isEstimated(column.type())) {
        IndexRanges left = box.dimensions().get(column.dimensions()[0]);
        ColumnStatistics found =
            column.source() == null
                ? new OfLabels(
                    left.count(), left.start(0), left.stop(left.runs() - 1) - 1, OptionalLong.of(0))
                : of(conditions.labels(column), left, box.cells() / left.count());
        if (found != null) {
          all.put(CellScan.reference(column), found);
        }
      }
    }
    return all;
  }

  /**
   * Returns true for types of which Spark estimates; it fails for others, such as TIMESTAMP_NTZ.
   */
  private static boolean isEstimated(DataType type) {
    return type instanceof NumericType
        || type instanceof BooleanType
        || type instanceof StringType
        || type instanceof TimestampType;
  }

  private static @Nullable ColumnStatistics of(
      @Nullable Labels labels, IndexRanges left, long cellsOfEach) {
    if (labels == null) {
      return null;
    }
    OptionalInt least = labels.order().least(left);
    OptionalInt greatest = labels.order().greatest(left);
    // Spark has no use for the least and the greatest text
    boolean isOrdered =
        least.isPresent()
            && greatest.isPresent()
            && !(labels.column().type() instanceof StringType);
    long nulls = labels.order().nulls().and(left).count();
    return new OfLabels(
        distinct(labels, left),
        isOrdered ? labels.values().value(least.getAsInt()) : null,
        isOrdered ? labels.values().value(greatest.getAsInt()) : null,
        OptionalLong.of(nulls * cellsOfEach));
  }

  /** Returns the number of distinct labels; -1 where it is not counted. */
  private static long distinct(Labels labels, IndexRanges left) {
    if (left.count() > MOST_COUNTED) {
      return -1;
    }
    Set<@Nullable Object> found = new HashSet<>();
    for (int run = 0; run < left.runs(); run++) {
      for (long i = left.start(run); i < left.stop(run); i++) {
        if (!labels.values().isNullAt((int) i)) {
          found.add(labels.values().value((int) i));
        }
      }
    }
    return found.size();
  }

  /** The values that a coordinate has in the cells of a scan, in the form of Spark's rows. */
  private record OfLabels(
      long distinct, @Nullable Object least, @Nullable Object greatest, OptionalLong nullCount)
      implements ColumnStatistics {
    @Override
    public OptionalLong distinctCount() {
      return distinct < 0 ? OptionalLong.empty() : OptionalLong.of(distinct);
    }

    @Override
    public Optional<Object> min() {
      return Optional.ofNullable(least);
    }

    @Override
    public Optional<Object> max() {
      return Optional.ofNullable(greatest);
    }
  }
}
