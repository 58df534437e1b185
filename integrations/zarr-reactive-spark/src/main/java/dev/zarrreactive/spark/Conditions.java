package dev.zarrreactive.spark;

import dev.zarrreactive.partition.CoordinateColumn;
import dev.zarrreactive.partition.IndexBox;
import dev.zarrreactive.partition.IndexRanges;
import dev.zarrreactive.partition.Pull;
import dev.zarrreactive.partition.Truth;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.Literal;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.expressions.UserDefinedScalarFunc;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.NumericType;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/**
 * Decides conditions on coordinates from their values, which are read once, on the driver. Values
 * are ordered as Spark orders them: NaN equals NaN and is the greatest, -0.0 equals 0.0, texts are
 * ordered by their bytes in UTF-8, and what compares with NULL is unknown.
 */
final class Conditions {
  /** The longest coordinate that is read on the driver. */
  static final long MOST_VALUES = 1L << 24;

  /** A condition of more boxes is decided for each cell. */
  private static final int MOST_BOXES = 1 << 14;

  private final CellTable table;
  private final Map<String, Labels> known = new HashMap<>();

  Conditions(CellTable table) {
    this.table = table;
  }

  /**
   * The places for which a condition is true or false: indices of one dimension, or cells of
   * several, counted in C order.
   */
  record Decided(List<Integer> dimensions, Truth truth) {
    /** Returns true if the places are indices of one dimension. */
    boolean isOfOne() {
      return dimensions.size() == 1;
    }
  }

  /** The values of a coordinate with their order. */
  record Labels(CellColumn column, CellVector values, CoordinateColumn order) {}

  /** Returns what is known; null for a condition that only the values of cells decide. */
  @Nullable Decided decide(Expression condition) {
    if (!(condition instanceof Predicate predicate)) {
      return null;
    }
    Expression[] parts = predicate.children();
    switch (predicate.name()) {
      case "AND", "OR" -> {
        Decided left = decide(parts[0]);
        Decided right = decide(parts[1]);
        if (left == null || right == null || !left.dimensions.equals(right.dimensions)) {
          return null;
        }
        return new Decided(
            left.dimensions,
            predicate.name().equals("AND")
                ? left.truth.and(right.truth)
                : left.truth.or(right.truth));
      }
      case "NOT" -> {
        Decided inner = decide(parts[0]);
        return inner == null ? null : new Decided(inner.dimensions, inner.truth.not());
      }
      default -> {
        Decided computed = computed(predicate.name(), parts);
        if (computed != null) {
          return computed;
        }
        CellColumn column = parts.length == 0 ? null : column(parts[0]);
        if (column == null || column.dimensions().length == 0 || !isCoordinate(column)) {
          return null;
        }
        Truth truth = leaf(predicate.name(), column, table.size(column), parts);
        return truth == null
            ? null
            : new Decided(Arrays.stream(column.dimensions()).boxed().toList(), truth);
      }
    }
  }

  /**
   * Returns boxes that have together the cells for which a condition is true: one made of
   * conditions on single dimensions. Null for any other condition, and for very many boxes.
   */
  @Nullable List<IndexBox> boxes(Expression condition) {
    return boxes(condition, true);
  }

  private @Nullable List<IndexBox> boxes(Expression condition, boolean wanted) {
    if (condition instanceof Predicate predicate) {
      Expression[] parts = predicate.children();
      if (predicate.name().equals("NOT")) {
        return boxes(parts[0], !wanted);
      }
      boolean isAnd = predicate.name().equals("AND");
      if (isAnd || predicate.name().equals("OR")) {
        List<IndexBox> left = boxes(parts[0], wanted);
        List<IndexBox> right = left == null ? null : boxes(parts[1], wanted);
        // what is not (a and b) is not a, or not b
        return left == null || right == null
            ? null
            : isAnd == wanted ? common(left, right) : all(left, right);
      }
    }
    Decided decided = decide(condition);
    if (decided == null || !decided.isOfOne()) {
      return null;
    }
    IndexRanges found = wanted ? decided.truth.isTrue() : decided.truth.isFalse();
    return found.isEmpty()
        ? List.of()
        : List.of(table.selected().and(decided.dimensions.get(0), found));
  }

  private static @Nullable List<IndexBox> all(List<IndexBox> left, List<IndexBox> right) {
    List<IndexBox> all = new ArrayList<>(left);
    all.addAll(right);
    return all.size() > MOST_BOXES ? null : all;
  }

  private static @Nullable List<IndexBox> common(List<IndexBox> left, List<IndexBox> right) {
    if ((long) left.size() * right.size() > MOST_BOXES) {
      return null;
    }
    List<IndexBox> common = new ArrayList<>();
    for (IndexBox one : left) {
      for (IndexBox other : right) {
        IndexBox both = one;
        for (int d = 0; d < other.dimensions().size(); d++) {
          both = both.and(d, other.dimensions().get(d));
        }
        if (both.cells() > 0) {
          common.add(both);
        }
      }
    }
    return common;
  }

  /** Decides a condition that a rule has made a function, with the result 1 where it is true. */
  private @Nullable Decided computed(String operator, Expression[] parts) {
    if (!operator.equals("=")
        || !(parts[0] instanceof UserDefinedScalarFunc call)
        || !(parts[1] instanceof Literal<?> literal)
        || !Objects.equals(literal.value(), 1)) {
      return null;
    }
    LabelFunction function = table.functions().find(call.canonicalName());
    CellColumn column = column(call.children()[0]);
    long size = column == null ? 0 : table.size(column);
    if (function == null || column == null || column.dimensions().length == 0) {
      return null;
    }
    if (size > MOST_VALUES || !isCoordinate(column)) {
      return null;
    }
    CellVector values = null;
    if (column.source() != null) {
      Labels labels = labels(column);
      if (labels == null) {
        return null;
      }
      values = labels.values;
    }
    IndexRanges found;
    try {
      found = IndexRanges.where((int) size, new Computed(function, values));
    } catch (Exception e) { // Scala throws what it does not declare
      // an error of some label, such as one of ANSI's casts, is the query's where it reads the cell
      return null;
    }
    return new Decided(
        Arrays.stream(column.dimensions()).boxed().toList(),
        new Truth(found, found.complement(size)));
  }

  /** Computes a function for labels, or for indices. */
  private record Computed(LabelFunction function, @Nullable CellVector labels)
      implements IntPredicate {
    @Override
    public boolean test(int place) {
      Object label =
          labels == null
              ? (Object) (long) place
              : labels.isNullAt(place) ? null : labels.value(place);
      return Objects.equals(
          function.produceResult(new GenericInternalRow(new @Nullable Object[] {label})), 1);
    }
  }

  /** Returns true for columns that are read on the driver: not the variables of the rows. */
  static boolean isCoordinate(CellColumn column) {
    return column.dimensions().length == 1 || column.isLabel();
  }

  private @Nullable CellColumn column(Expression expression) {
    return expression instanceof NamedReference reference && reference.fieldNames().length == 1
        ? table.column(reference.fieldNames()[0])
        : null;
  }

  private @Nullable Truth leaf(String operator, CellColumn column, long size, Expression[] parts) {
    switch (operator) {
      case "IS_NULL", "IS_NOT_NULL" -> {
        Truth isNull = Truth.never(size);
        if (column.source() != null) {
          Labels labels = labels(column);
          if (labels == null) {
            return null;
          }
          isNull = labels.order.isNull();
        }
        return operator.equals("IS_NULL") ? isNull : isNull.not();
      }
      case "IN" -> {
        Truth any = null;
        for (int i = 1; i < parts.length; i++) {
          Truth one = compared("=", column, size, parts[i]);
          if (one == null) {
            return null;
          }
          any = any == null ? one : any.or(one);
        }
        return any;
      }
      case "=", "<>", "<", "<=", ">", ">=" -> {
        return parts.length == 2 ? compared(operator, column, size, parts[1]) : null;
      }
      case "<=>" -> {
        Truth equal = parts.length == 2 ? compared("=", column, size, parts[1]) : null;
        return equal == null ? null : new Truth(equal.isTrue(), equal.isTrue().complement(size));
      }
      default -> {
        return null;
      }
    }
  }

  private @Nullable Truth compared(
      String operator, CellColumn column, long size, Expression constant) {
    if (!(constant instanceof Literal<?> literal)
        || literal.value() == null
        || !(literal.dataType().sameType(column.type())
            || (isNumber(literal.dataType()) && isNumber(column.type())))) {
      return null;
    }
    boolean less = operator.equals("<") || operator.equals("<=") || operator.equals("<>");
    boolean equal = operator.equals("=") || operator.equals("<=") || operator.equals(">=");
    boolean greater = operator.equals(">") || operator.equals(">=") || operator.equals("<>");
    if (column.source() == null) {
      if (!(literal.value() instanceof Number)
          || literal.value() instanceof Float
          || literal.value() instanceof Double) {
        return null;
      }
      long at = Math.max(-1, Math.min(size, ((Number) literal.value()).longValue()));
      IndexRanges here = at < 0 || at == size ? IndexRanges.none() : IndexRanges.of(at, at + 1);
      IndexRanges found =
          (less ? IndexRanges.of(0, Math.max(0, at)) : IndexRanges.none())
              .or(equal ? here : IndexRanges.none())
              .or(greater ? IndexRanges.of(Math.max(0, at + 1), size) : IndexRanges.none());
      return new Truth(found, found.complement(size));
    }
    Labels labels = labels(column);
    IntUnaryOperator compare = labels == null ? null : comparison(labels, literal.value());
    return labels == null || compare == null
        ? null
        : labels.order.decide(compare, less, equal, greater);
  }

  /** Returns true for the types whose values are compared by their number. */
  private static boolean isNumber(DataType type) {
    return type instanceof NumericType && !(type instanceof DecimalType);
  }

  /** Returns the values of a coordinate; null for one that is too long, or has no order. */
  @Nullable Labels labels(CellColumn column) {
    Labels labels = known.get(column.name());
    if (labels == null && column.source() != null && table.size(column) <= MOST_VALUES) {
      CellVector values;
      try {
        values = Pull.one(table.read(column));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      CoordinateColumn.Values order = order(values);
      if (order == null) {
        return null;
      }
      int size = (int) table.size(column);
      labels = new Labels(column, values, CoordinateColumn.of(size, values::isNullAt, order));
      known.put(column.name(), labels);
    }
    return labels;
  }

  private static CoordinateColumn.@Nullable Values order(CellVector values) {
    if (values instanceof CellVector.Booleans) {
      return (i, j) -> Boolean.compare(values.getBoolean(i), values.getBoolean(j));
    } else if (values instanceof CellVector.Ints) {
      return (i, j) -> Integer.compare(values.getInt(i), values.getInt(j));
    } else if (values instanceof CellVector.Longs) {
      return (i, j) -> Long.compare(values.getLong(i), values.getLong(j));
    } else if (values instanceof CellVector.Floats) {
      return (i, j) -> compare(values.getFloat(i), values.getFloat(j));
    } else if (values instanceof CellVector.Doubles) {
      return (i, j) -> compare(values.getDouble(i), values.getDouble(j));
    } else if (values instanceof CellVector.Objects objects) {
      return objects.order();
    }
    return null;
  }

  private static @Nullable IntUnaryOperator comparison(Labels labels, Object constant) {
    CellVector values = labels.values;
    if (values instanceof CellVector.Booleans && constant instanceof Boolean bool) {
      return i -> Boolean.compare(values.getBoolean(i), bool);
    } else if (values instanceof CellVector.Ints && constant instanceof Double number) {
      return i -> compare(values.getInt(i), number);
    } else if (values instanceof CellVector.Ints
        && constant instanceof Number number
        && !(number instanceof Float)) {
      return i -> Long.compare(values.getInt(i), number.longValue());
    } else if (values instanceof CellVector.Longs && constant instanceof Long number) {
      return i -> Long.compare(values.getLong(i), number);
    } else if (values instanceof CellVector.Floats
        && (constant instanceof Float || constant instanceof Double)) {
      double number = ((Number) constant).doubleValue();
      return i -> compare(values.getFloat(i), number);
    } else if (values instanceof CellVector.Doubles && constant instanceof Double number) {
      return i -> compare(values.getDouble(i), number);
    } else if (constant instanceof UTF8String text) {
      return i -> values.getUTF8String(i).compareTo(text);
    } else if (constant instanceof Decimal decimal) {
      BigDecimal number = decimal.toJavaBigDecimal();
      return i -> values.getDecimal(i, 20, 0).toJavaBigDecimal().compareTo(number);
    }
    return null;
  }

  /** Compares as Spark does. */
  static int compare(double one, double other) {
    return one == other ? 0 : Double.compare(one, other);
  }
}
