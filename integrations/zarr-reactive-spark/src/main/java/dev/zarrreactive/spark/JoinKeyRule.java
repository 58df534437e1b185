package dev.zarrreactive.spark;

import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.KnownFloatingPointNormalized;
import org.apache.spark.sql.catalyst.optimizer.NormalizeNaNAndZero;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.datasources.v2.BatchScanExec;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.jspecify.annotations.Nullable;

/**
 * Makes the filters that joins give to a scan while the query runs conditions on the coordinate
 * itself. Spark writes them on a key that it has normalized or cast, and then hands them to no data
 * source. {@link Conditions} compares as Spark does, whatever the type of the number, so that the
 * filter selects the same labels.
 */
final class JoinKeyRule extends Rule<SparkPlan> {
  @Override
  public SparkPlan apply(SparkPlan plan) {
    try {
      return (SparkPlan) plan.transformUp(new Rewriting<SparkPlan>(JoinKeyRule::scan));
    } catch (RuntimeException | LinkageError e) {
      CoordinateRule.failed(e);
      return plan;
    }
  }

  private static @Nullable SparkPlan scan(@Nullable SparkPlan plan) {
    return plan instanceof BatchScanExec exec && exec.scan() instanceof CellScan
        ? (SparkPlan) exec.transformExpressions(new Rewriting<Expression>(JoinKeyRule::key))
        : null;
  }

  private static @Nullable Expression key(@Nullable Expression expression) {
    Expression inner = expression;
    if (inner instanceof KnownFloatingPointNormalized known) {
      inner = known.child();
    }
    if (inner instanceof NormalizeNaNAndZero normalized) {
      inner = normalized.child();
    }
    DataType type = inner == null ? DataTypes.NullType : inner.dataType();
    if (inner instanceof Cast cast && isExact(cast.child().dataType(), type)) {
      inner = cast.child();
    }
    // the values that Spark looks up have the type of the key
    return inner instanceof Attribute column && inner != expression
        ? (Expression) column.withDataType(type)
        : null;
  }

  /** Returns true for casts to numbers that keep each value and the order. */
  private static boolean isExact(DataType from, DataType to) {
    int bits = bits(from);
    if (from.equals(DataTypes.FloatType)) {
      return to.equals(DataTypes.DoubleType);
    }
    return bits > 0 && (bits < bits(to) || (bits <= 32 && to.equals(DataTypes.DoubleType)));
  }

  private static int bits(DataType type) {
    return type.equals(DataTypes.ByteType)
        ? 8
        : type.equals(DataTypes.ShortType)
            ? 16
            : type.equals(DataTypes.IntegerType) ? 32 : type.equals(DataTypes.LongType) ? 64 : 0;
  }
}
