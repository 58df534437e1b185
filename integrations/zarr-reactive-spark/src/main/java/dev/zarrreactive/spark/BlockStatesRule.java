package dev.zarrreactive.spark;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.ExprId;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.KnownFloatingPointNormalized;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateFunction;
import org.apache.spark.sql.catalyst.expressions.aggregate.Average;
import org.apache.spark.sql.catalyst.expressions.aggregate.CentralMomentAgg;
import org.apache.spark.sql.catalyst.expressions.aggregate.Count;
import org.apache.spark.sql.catalyst.expressions.aggregate.Max;
import org.apache.spark.sql.catalyst.expressions.aggregate.Min;
import org.apache.spark.sql.catalyst.expressions.aggregate.Partial$;
import org.apache.spark.sql.catalyst.expressions.aggregate.StddevPop;
import org.apache.spark.sql.catalyst.expressions.aggregate.StddevSamp;
import org.apache.spark.sql.catalyst.expressions.aggregate.Sum;
import org.apache.spark.sql.catalyst.expressions.aggregate.VariancePop;
import org.apache.spark.sql.catalyst.expressions.aggregate.VarianceSamp;
import org.apache.spark.sql.catalyst.optimizer.NormalizeNaNAndZero;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.execution.ProjectExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.aggregate.HashAggregateExec;
import org.apache.spark.sql.execution.datasources.v2.BatchScanExec;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.jspecify.annotations.Nullable;

/**
 * Puts a scan of the states of aggregate functions in the place of Spark's partial aggregation
 * above a scan of cells, where a query has {@code stddev} or {@code variance}: Spark hands these on
 * to a data source that finishes them alone. The rows have what Spark's own partial aggregation
 * returns, by block in place of by task: the groups, and the buffers of each function, such as
 * number, mean and sum of squared deviations. Spark's final aggregation puts them together.
 */
final class BlockStatesRule extends Rule<SparkPlan> {
  @Override
  public SparkPlan apply(SparkPlan plan) {
    try {
      return plan.transformUp(new Rewriting<SparkPlan>(BlockStatesRule::partial));
    } catch (RuntimeException | LinkageError e) {
      CoordinateRule.failed(e);
      return plan;
    }
  }

  private static @Nullable SparkPlan partial(@Nullable SparkPlan plan) {
    if (!(plan instanceof HashAggregateExec aggregate)) {
      return null;
    }
    Map<ExprId, Expression> named = new HashMap<>();
    SparkPlan below = aggregate.child();
    while (below instanceof ProjectExec project) {
      for (Expression one : ScalaLists.of(project, "projectList", Expression.class)) {
        if (one instanceof Alias alias) {
          named.put(alias.exprId(), alias.child());
        }
      }
      below = project.child();
    }
    if (!(below instanceof BatchScanExec exec)
        || !(exec.scan() instanceof CellScan scan)
        || !scan.isOfCells()) {
      return null;
    }
    BlockSums states = states(aggregate, scan.table(), named);
    return states == null ? null : reading(aggregate, exec, scan, states);
  }

  private static @Nullable BlockSums states(
      HashAggregateExec aggregate, CellTable table, Map<ExprId, Expression> named) {
    List<BlockSums.Fold> folds = new ArrayList<>();
    boolean hasMoments = false;
    for (AggregateExpression one :
        ScalaLists.of(aggregate, "aggregateExpressions", AggregateExpression.class)) {
      if (one.mode() != Partial$.MODULE$ || one.isDistinct() || one.filter().isDefined()) {
        return null;
      }
      AggregateFunction function = one.aggregateFunction();
      hasMoments |= function instanceof CentralMomentAgg;
      if (!fold(function, table, named, folds)) {
        return null;
      }
    }
    List<BlockSums.Group> groups = new ArrayList<>();
    for (Expression one : ScalaLists.of(aggregate, "groupingExpressions", Expression.class)) {
      BlockSums.Group group = group(one, table, named);
      if (group == null) {
        return null;
      }
      groups.add(group);
    }
    // Spark has asked the scan for all others
    return hasMoments ? BlockSums.of(groups, folds, table.dimensions().size()) : null;
  }

  /** Adds the buffers of a function; returns false for one that stays with Spark. */
  private static boolean fold(
      AggregateFunction function,
      CellTable table,
      Map<ExprId, Expression> named,
      List<BlockSums.Fold> folds) {
    List<BlockSums.Kind> kinds;
    if (function instanceof Count) {
      List<Expression> counted = ScalaLists.of(function, "children", Expression.class);
      if (counted.size() != 1) {
        return false;
      } else if (counted.get(0) instanceof Literal literal) {
        folds.add(new BlockSums.Fold(BlockSums.Kind.CELLS, null));
        return literal.value() != null;
      }
      kinds = List.of(BlockSums.Kind.COUNT);
    } else if (function instanceof Sum) {
      kinds = List.of(BlockSums.Kind.SUM);
    } else if (function instanceof Average) {
      kinds = List.of(BlockSums.Kind.TOTAL, BlockSums.Kind.COUNT);
    } else if (function instanceof Min) {
      kinds = List.of(BlockSums.Kind.MIN);
    } else if (function instanceof Max) {
      kinds = List.of(BlockSums.Kind.MAX);
    } else if (function instanceof StddevPop
        || function instanceof StddevSamp
        || function instanceof VariancePop
        || function instanceof VarianceSamp) {
      kinds = List.of(BlockSums.Kind.NUMBER, BlockSums.Kind.MEAN, BlockSums.Kind.SQUARES);
    } else {
      return false;
    }
    Expression of = ScalaLists.of(function, "children", Expression.class).get(0);
    if (function instanceof CentralMomentAgg
        && of instanceof Cast cast
        && cast.dataType().equals(DataTypes.DoubleType)) {
      of = cast.child();
    }
    of = origin(of, named);
    CellColumn column =
        of instanceof AttributeReference attribute ? table.column(attribute.name()) : null;
    for (BlockSums.Kind kind : kinds) {
      BlockSums.Fold fold = new BlockSums.Fold(kind, column);
      if (column == null || fold.type() == null) {
        return false;
      }
      folds.add(fold);
    }
    return true;
  }

  private static BlockSums.@Nullable Group group(
      Expression expression, CellTable table, Map<ExprId, Expression> named) {
    Expression of = origin(expression, named);
    // a scan takes equal labels for one group, as Spark does by this
    if (of instanceof KnownFloatingPointNormalized known
        && known.child() instanceof NormalizeNaNAndZero normalized) {
      of = origin(normalized.child(), named);
    }
    LabelFunction function = LabelFunctions.functionOf(of);
    if (function != null) {
      of = origin(ScalaLists.of(of, "children", Expression.class).get(0), named);
    }
    CellColumn column =
        of instanceof AttributeReference attribute ? table.column(attribute.name()) : null;
    return column == null ? null : BlockSums.Group.of(column, function);
  }

  /** Returns what a name stands for. */
  private static Expression origin(Expression expression, Map<ExprId, Expression> named) {
    Expression of = expression instanceof Alias alias ? alias.child() : expression;
    while (of instanceof AttributeReference attribute && named.containsKey(attribute.exprId())) {
      of = named.get(attribute.exprId());
    }
    return of;
  }

  /** Returns a scan with the columns of a partial aggregation; null where their types differ. */
  private static @Nullable SparkPlan reading(
      HashAggregateExec aggregate, BatchScanExec exec, CellScan scan, BlockSums states) {
    StructField[] fields = states.schema().fields();
    List<AttributeReference> output = ScalaLists.of(aggregate, "output", AttributeReference.class);
    if (output.size() != fields.length) {
      return null;
    }
    for (int i = 0; i < fields.length; i++) {
      if (!fields[i].dataType().sameType(output.get(i).dataType())) {
        return null;
      }
    }
    Object[] parts = new Object[exec.productArity()];
    for (int i = 0; i < parts.length; i++) {
      parts[i] = exec.productElement(i);
    }
    if (parts[1] != scan) {
      throw new IllegalStateException("this Spark has another node that scans");
    }
    parts[0] = ScalaLists.of(aggregate, "output");
    parts[1] = scan.reduced(states);
    return exec.makeCopy(parts);
  }
}
