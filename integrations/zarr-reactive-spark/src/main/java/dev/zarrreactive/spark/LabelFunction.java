package dev.zarrreactive.spark;

import java.util.Objects;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.connector.catalog.functions.ScalarFunction;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.jspecify.annotations.Nullable;

/**
 * An expression of Spark on one coordinate, such as {@code year(time)}, as a function: Spark hands
 * functions on to a scan, and the scan computes them for the labels. Where Spark computes it for
 * the cells itself, it is computed once for neighbours with an equal label. Thread-safe.
 */
final class LabelFunction implements ScalarFunction<@Nullable Object> {
  private static final long serialVersionUID = 1;

  private final String text;
  private final String id;
  private final Expression expression;
  private final DataType input;
  private final boolean isCondition;
  private transient volatile @Nullable Memo memo;

  /** What was computed last. */
  private record Memo(Object label, @Nullable Object result) {}

  /**
   * Creates a function.
   *
   * @param text the expression as SQL
   * @param id the name that no other function of the table has
   * @param expression the expression, over the first column of a row
   * @param input the type of the coordinate
   * @param isCondition true for a condition, whose result is then 1 where it is true, and 0 where
   *     it is false or unknown
   */
  LabelFunction(
      String text, String id, Expression expression, DataType input, boolean isCondition) {
    this.text = text;
    this.id = id;
    this.expression = expression;
    this.input = input;
    this.isCondition = isCondition;
  }

  @Override
  public String name() {
    return text;
  }

  @Override
  public String canonicalName() {
    return id;
  }

  @Override
  public DataType[] inputTypes() {
    return new DataType[] {input};
  }

  @Override
  public DataType resultType() {
    return isCondition ? DataTypes.IntegerType : expression.dataType();
  }

  @Override
  public boolean isResultNullable() {
    return !isCondition;
  }

  @Override
  public @Nullable Object produceResult(InternalRow row) {
    Object label = row.isNullAt(0) ? null : row.get(0, input);
    Memo before = memo;
    if (before != null && before.label.equals(label)) {
      return before.result;
    }
    Object result = expression.eval(row);
    if (isCondition) {
      result = Boolean.TRUE.equals(result) ? 1 : 0;
    }
    // texts lie in memory that Spark uses again
    if ((label instanceof Number || label instanceof Boolean)
        && (result == null || result instanceof Number || result instanceof Boolean)) {
      memo = new Memo(label, result);
    }
    return result;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof LabelFunction that
        && isCondition == that.isCondition
        && input.equals(that.input)
        && expression.equals(that.expression);
  }

  @Override
  public int hashCode() {
    return Objects.hash(text, isCondition);
  }

  @Override
  public String toString() {
    return text;
  }
}
