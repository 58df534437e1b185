package dev.zarrreactive.spark;

import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.SparkSessionExtensionsProvider;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.execution.ColumnarRule;
import org.apache.spark.sql.execution.SparkPlan;
import scala.runtime.BoxedUnit;

/**
 * The rules that bring expressions on coordinates to a scan of cells, where Spark's interfaces of
 * data sources do not: {@code year(time) = 2015}, groups by {@code date_trunc}, joins on floats,
 * {@code stddev}. Spark finds this class in the jar when a session begins in Java or Scala.
 * PySpark's sessions get the rule of conditions and groups with their first table, and the others
 * where {@code spark.sql.extensions} names this class. The rules change tables of the format {@code
 * zarr} only. The class is public for Spark only.
 */
public final class ZarrExtensions implements SparkSessionExtensionsProvider {
  /** Called by Spark. */
  public ZarrExtensions() {}

  @Override
  public BoxedUnit apply(SparkSessionExtensions extensions) {
    SessionRules.add(extensions);
    extensions.injectColumnar(session -> new JoinKeys());
    extensions.injectColumnar(session -> new BlockStates());
    return BoxedUnit.UNIT;
  }

  /** Runs when the plan of a stage is made, after Spark has planned the filters of joins. */
  private static final class JoinKeys extends ColumnarRule {
    @Override
    public Rule<SparkPlan> preColumnarTransitions() {
      return new JoinKeyRule();
    }
  }

  /** Runs when the plan of a stage is made, before batches of columns become rows. */
  private static final class BlockStates extends ColumnarRule {
    @Override
    public Rule<SparkPlan> preColumnarTransitions() {
      return new BlockStatesRule();
    }
  }
}
