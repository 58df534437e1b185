package dev.zarrreactive.flink;

import dev.zarrreactive.partition.CoordinateColumn;
import dev.zarrreactive.partition.DecodedCells;
import dev.zarrreactive.partition.IndexRanges;
import dev.zarrreactive.partition.Truth;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.LocalDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.expressions.CallExpression;
import org.apache.flink.table.expressions.FieldReferenceExpression;
import org.apache.flink.table.expressions.ResolvedExpression;
import org.apache.flink.table.expressions.ValueLiteralExpression;
import org.apache.flink.table.functions.BuiltInFunctionDefinitions;
import org.apache.flink.table.functions.FunctionDefinition;
import org.jspecify.annotations.Nullable;

/**
 * Decides conditions on coordinates of one dimension from their values, which are read once, where
 * a query is planned. Flink applies the conditions to the rows again, so that a cell for which one
 * is true is never left out here, and another one may stay: where Flink may compare a number as a
 * decimal, a double or a float, the cells of all three stay.
 */
final class CoordinateConditions {
  /** The longest coordinate that is read where a query is planned. */
  private static final int MOST_VALUES = 1 << 22;

  private final ZarrTable table;
  private final Map<String, Labels> known = new HashMap<>();

  CoordinateConditions(ZarrTable table) {
    this.table = table;
  }

  /**
   * The indices of a dimension for which a condition may be true, and those for which it may be
   * false.
   */
  record Decided(int dimension, Truth truth) {}

  /** The values of a coordinate with their order. */
  private record Labels(IntFunction<@Nullable Object> values, CoordinateColumn order) {}

  /** Compares the value at a place with a constant. */
  private record Comparison(boolean less, boolean equal, boolean greater) {
    Truth of(Labels labels, IntUnaryOperator compare) {
      return labels.order.decide(compare, less, equal, greater);
    }

    static @Nullable Comparison of(FunctionDefinition operator, boolean isSwapped) {
      if (operator == BuiltInFunctionDefinitions.EQUALS) {
        return new Comparison(false, true, false);
      } else if (operator == BuiltInFunctionDefinitions.NOT_EQUALS) {
        return new Comparison(true, false, true);
      }
      boolean isLess = operator == BuiltInFunctionDefinitions.LESS_THAN;
      boolean isAtMost = operator == BuiltInFunctionDefinitions.LESS_THAN_OR_EQUAL;
      boolean isMore = operator == BuiltInFunctionDefinitions.GREATER_THAN;
      boolean isAtLeast = operator == BuiltInFunctionDefinitions.GREATER_THAN_OR_EQUAL;
      if (!isLess && !isAtMost && !isMore && !isAtLeast) {
        return null;
      }
      boolean below = (isLess || isAtMost) != isSwapped;
      return new Comparison(below, isAtMost || isAtLeast, !below);
    }
  }

  /** Returns what is known; null for a condition that only the values of cells decide. */
  @Nullable Decided decide(ResolvedExpression condition) {
    if (!(condition instanceof CallExpression call)) {
      return null;
    }
    FunctionDefinition operator = call.getFunctionDefinition();
    List<ResolvedExpression> parts = call.getResolvedChildren();
    if (operator == BuiltInFunctionDefinitions.AND || operator == BuiltInFunctionDefinitions.OR) {
      return joined(operator == BuiltInFunctionDefinitions.AND, parts);
    } else if (operator == BuiltInFunctionDefinitions.NOT) {
      Decided inner = decide(parts.get(0));
      return inner == null ? null : new Decided(inner.dimension, inner.truth.not());
    } else if (operator == BuiltInFunctionDefinitions.IS_NULL
        || operator == BuiltInFunctionDefinitions.IS_NOT_NULL) {
      Decided isNull = isNull(parts.get(0));
      return isNull == null || operator == BuiltInFunctionDefinitions.IS_NULL
          ? isNull
          : new Decided(isNull.dimension, isNull.truth.not());
    } else if (parts.size() != 2) {
      return null;
    }
    boolean isSwapped = parts.get(0) instanceof ValueLiteralExpression;
    Comparison comparison = Comparison.of(operator, isSwapped);
    DeclaredColumn column = column(parts.get(isSwapped ? 1 : 0));
    Object constant = constant(parts.get(isSwapped ? 0 : 1));
    if (comparison == null || column == null || constant == null) {
      return null;
    }
    Truth truth =
        column.source() == null
            ? ofIndex(table.size(column), comparison, constant)
            : ofLabels(column, comparison, constant);
    return truth == null ? null : new Decided(column.dimensions()[0], truth);
  }

  private @Nullable Decided joined(boolean isAnd, List<ResolvedExpression> parts) {
    Decided all = null;
    for (ResolvedExpression part : parts) {
      Decided one = decide(part);
      if (one == null || (all != null && all.dimension != one.dimension)) {
        return null;
      }
      all =
          all == null
              ? one
              : new Decided(
                  one.dimension, isAnd ? all.truth.and(one.truth) : all.truth.or(one.truth));
    }
    return all;
  }

  private @Nullable Decided isNull(ResolvedExpression part) {
    DeclaredColumn column = column(part);
    if (column == null) {
      return null;
    }
    Truth isNull = Truth.never(table.size(column));
    if (column.source() != null) {
      Labels labels = labels(column);
      if (labels == null) {
        return null;
      }
      isNull = labels.order.isNull();
    }
    return new Decided(column.dimensions()[0], isNull);
  }

  /** Returns the column of one dimension that an expression is; null for any other one. */
  private @Nullable DeclaredColumn column(ResolvedExpression expression) {
    DeclaredColumn column =
        expression instanceof FieldReferenceExpression field ? table.column(field.getName()) : null;
    return column != null && column.dimensions().length == 1 ? column : null;
  }

  private static @Nullable Object constant(ResolvedExpression expression) {
    return expression instanceof ValueLiteralExpression literal && !literal.isNull()
        ? literal.getValueAs(Object.class).orElse(null)
        : null;
  }

  private static @Nullable Truth ofIndex(long size, Comparison comparison, Object constant) {
    if (!(constant instanceof Number)) {
      return null;
    }
    BigDecimal number = decimal(constant);
    if (number == null) {
      return null;
    }
    BigDecimal most = BigDecimal.valueOf(size);
    BigDecimal inside = number.max(BigDecimal.ONE.negate()).min(most);
    long above = inside.setScale(0, RoundingMode.CEILING).longValueExact();
    boolean isWhole = inside.compareTo(BigDecimal.valueOf(above)) == 0;
    long equal = Math.max(0, above);
    long after = Math.min(size, isWhole ? above + 1 : equal);
    IndexRanges found =
        (comparison.less ? IndexRanges.of(0, Math.min(size, equal)) : IndexRanges.none())
            .or(
                comparison.equal && isWhole && above >= 0
                    ? IndexRanges.of(above, after)
                    : IndexRanges.none())
            .or(comparison.greater ? IndexRanges.of(Math.max(0, after), size) : IndexRanges.none());
    return new Truth(found, found.complement(size));
  }

  private @Nullable Truth ofLabels(DeclaredColumn column, Comparison comparison, Object constant) {
    Labels labels = labels(column);
    Object some = labels == null ? null : first(labels, (int) table.size(column));
    if (labels == null || some == null) {
      return null;
    }
    IntFunction<@Nullable Object> values = labels.values;
    if (isNumber(some) && constant instanceof Number) {
      BigDecimal exact = decimal(constant);
      if (exact == null) {
        return null;
      }
      double number = exact.doubleValue();
      float single = exact.floatValue();
      Truth one = comparison.of(labels, i -> compareExactly(values.apply(i), exact, number));
      Truth two = comparison.of(labels, i -> compare(toDouble(values.apply(i)), number));
      Truth three = comparison.of(labels, i -> compare((float) toDouble(values.apply(i)), single));
      return new Truth(
          one.isTrue().or(two.isTrue()).or(three.isTrue()),
          one.isFalse().or(two.isFalse()).or(three.isFalse()));
    }
    Object same =
        constant instanceof String text && some instanceof StringData
            ? StringData.fromString(text)
            : constant instanceof LocalDateTime time && some instanceof TimestampData
                ? TimestampData.fromLocalDateTime(time)
                : constant instanceof Boolean && some instanceof Boolean ? constant : null;
    return same == null ? null : comparison.of(labels, i -> compare(values.apply(i), same));
  }

  /**
   * Returns the values of a coordinate; null for one that is too long, or has no order of Flink.
   */
  private @Nullable Labels labels(DeclaredColumn column) {
    Labels labels = known.get(column.name());
    if (labels != null || table.size(column) > MOST_VALUES) {
      return labels;
    }
    DecodedCells cells = table.read(column);
    IntFunction<@Nullable Object> values = ColumnType.values(cells, column.type());
    int size = (int) table.size(column);
    for (int i = 0; i < size; i++) {
      Object value = values.apply(i);
      if (value != null && !isOrdered(value)) {
        return null;
      }
    }
    CoordinateColumn order =
        CoordinateColumn.of(
            size,
            i -> values.apply(i) == null,
            (i, j) -> compare(values.apply(i), values.apply(j)));
    labels = new Labels(values, order);
    known.put(column.name(), labels);
    return labels;
  }

  /** Returns true for what is ordered as Flink orders it: NaN is above and below nothing. */
  private static boolean isOrdered(Object value) {
    return value instanceof Comparable && !(isNumber(value) && Double.isNaN(toDouble(value)));
  }

  /** Returns a value that is not NULL; null where there is none. */
  private static @Nullable Object first(Labels labels, int size) {
    IndexRanges known = labels.order.nulls().complement(size);
    return known.isEmpty() ? null : labels.values.apply((int) known.start(0));
  }

  private static boolean isNumber(Object value) {
    return value instanceof Number || value instanceof DecimalData;
  }

  /** Returns a constant exactly; null for one that is no finite number. */
  private static @Nullable BigDecimal decimal(Object constant) {
    if (constant instanceof BigDecimal decimal) {
      return decimal;
    } else if (constant instanceof Double || constant instanceof Float) {
      double number = ((Number) constant).doubleValue();
      return Double.isFinite(number) ? new BigDecimal(number) : null;
    }
    return BigDecimal.valueOf(((Number) constant).longValue());
  }

  private static double toDouble(@Nullable Object value) {
    return value instanceof DecimalData decimal
        ? decimal.toBigDecimal().doubleValue()
        : ((Number) Objects.requireNonNull(value)).doubleValue();
  }

  private static int compareExactly(@Nullable Object value, BigDecimal exact, double near) {
    if (value instanceof DecimalData decimal) {
      return decimal.toBigDecimal().compareTo(exact);
    } else if (value instanceof Double || value instanceof Float) {
      double number = toDouble(value);
      return Double.isFinite(number)
          ? new BigDecimal(number).compareTo(exact)
          : Double.compare(number, near);
    }
    return BigDecimal.valueOf(((Number) Objects.requireNonNull(value)).longValue())
        .compareTo(exact);
  }

  private static int compare(double one, double other) {
    return one == other ? 0 : Double.compare(one, other);
  }

  @SuppressWarnings("unchecked") // both are of one column
  private static int compare(@Nullable Object one, @Nullable Object other) {
    return one instanceof Double a && other instanceof Double b
        ? compare((double) a, (double) b)
        : one instanceof Float a && other instanceof Float b
            ? compare((double) a, (double) b)
            : ((Comparable<Object>) Objects.requireNonNull(one))
                .compareTo(Objects.requireNonNull(other));
  }
}
