package dev.zarrreactive.spark;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.catalyst.QueryPlanningTracker;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.And;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.AttributeSet;
import org.apache.spark.sql.catalyst.expressions.BinaryComparison;
import org.apache.spark.sql.catalyst.expressions.EqualTo;
import org.apache.spark.sql.catalyst.expressions.ExprId;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.In;
import org.apache.spark.sql.catalyst.expressions.InSet;
import org.apache.spark.sql.catalyst.expressions.IsNotNull;
import org.apache.spark.sql.catalyst.expressions.IsNull;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.Not;
import org.apache.spark.sql.catalyst.expressions.Or;
import org.apache.spark.sql.catalyst.expressions.PlanExpression;
import org.apache.spark.sql.catalyst.expressions.Unevaluable;
import org.apache.spark.sql.catalyst.plans.logical.Aggregate;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Option;

/**
 * Makes functions of expressions on one coordinate, which Spark then hands on to the scan: of the
 * conditions directly above a table of cells. Simple conditions stay as they are, since Spark hands
 * them on itself. A condition on several coordinates, which leaves out no chunk, is warned of, once
 * a query.
 */
final class CoordinateRule extends Rule<LogicalPlan> {
  private static final Logger LOG = LoggerFactory.getLogger(ZarrDataSource.class);

  @Override
  public LogicalPlan apply(LogicalPlan plan) {
    try {
      return plan.transformUp(new Rewriting<LogicalPlan>(CoordinateRule::node));
    } catch (RuntimeException | LinkageError e) {
      failed(e);
      return plan;
    }
  }

  /** Tells of a rule that cannot work: the query then reads more than it needs. */
  static void failed(Throwable error) {
    LOG.warn("expressions on coordinates are not handed on to the scan of the format zarr", error);
  }

  private static @Nullable LogicalPlan node(@Nullable LogicalPlan plan) {
    return plan instanceof Filter filter
        ? filter(filter)
        : plan instanceof Aggregate aggregate ? aggregate(aggregate) : null;
  }

  /** Makes functions of the groups that are expressions on one coordinate. */
  private static @Nullable LogicalPlan aggregate(Aggregate aggregate) {
    LogicalPlan below = aggregate.child();
    List<Project> projects = new ArrayList<>();
    while (below instanceof Project || below instanceof Filter) {
      if (below instanceof Project project) {
        projects.add(project);
      }
      below = below instanceof Project project ? project.child() : ((Filter) below).child();
    }
    CellTable table = table(below);
    if (table == null) {
      return null;
    }
    List<Expression> groups = new ArrayList<>();
    Set<ExprId> named = new HashSet<>();
    for (Expression group : ScalaLists.of(aggregate, "groupingExpressions", Expression.class)) {
      if (group instanceof AttributeReference attribute) {
        named.add(attribute.exprId());
      } else {
        groups.add(group);
      }
    }
    // Spark may have given a name to a group, below
    for (Project project : projects) {
      for (Expression one : ScalaLists.of(project, "projectList", Expression.class)) {
        if (one instanceof Alias alias && named.contains(alias.exprId())) {
          groups.add(alias.child());
        }
      }
    }
    AttributeSet own = below.outputSet();
    Map<Expression, Expression> functions = new HashMap<>();
    for (Expression group : groups) {
      Map<ExprId, AttributeReference> attributes = attributes(group);
      if (attributes.size() != 1
          || isColumn(group)
          || !isEvaluable(group)
          || group.dataType() instanceof StructType
          || group.dataType() instanceof ArrayType
          || group.dataType() instanceof MapType) {
        continue;
      }
      AttributeReference attribute = attributes.values().iterator().next();
      CellColumn column = table.column(attribute.name());
      if (own.contains(attribute)
          && column != null
          && column.dimensions().length == 1
          && column.type().sameType(attribute.dataType())) {
        Expression function = table.functions().of(group, attribute, false);
        if (function != null) {
          functions.put(group, function);
        }
      }
    }
    if (functions.isEmpty()) {
      return null;
    }
    Rewriting<Expression> rewriting = new Rewriting<>(functions::get);
    return aggregate.transformUp(
        new Rewriting<LogicalPlan>(
            node ->
                node instanceof Project || node instanceof Aggregate
                    ? node.transformExpressions(rewriting)
                    : null));
  }

  private static @Nullable LogicalPlan filter(Filter filter) {
    CellTable table = table(filter.child());
    if (table == null) {
      return null;
    }
    table.watch();
    List<Expression> conjuncts = new ArrayList<>();
    split(filter.condition(), conjuncts);
    boolean isChanged = false;
    Expression all = null;
    for (Expression conjunct : conjuncts) {
      Expression other = conjunct;
      if (!isSimple(conjunct)) {
        other = condition(table, conjunct);
      }
      isChanged |= other != conjunct;
      all = all == null ? other : new And(all, other);
    }
    return isChanged && all != null ? new Filter(all, filter.child()) : null;
  }

  private static @Nullable CellTable table(LogicalPlan plan) {
    return plan instanceof DataSourceV2Relation relation
            && relation.table() instanceof CellTable table
        ? table
        : null;
  }

  private static void split(Expression condition, List<Expression> conjuncts) {
    if (condition instanceof And and) {
      split(and.left(), conjuncts);
      split(and.right(), conjuncts);
    } else {
      conjuncts.add(condition);
    }
  }

  /** Returns true for conditions that Spark hands on as they are, and for those made of them. */
  private static boolean isSimple(Expression condition) {
    if (condition instanceof And and) {
      return isSimple(and.left()) && isSimple(and.right());
    } else if (condition instanceof Or or) {
      return isSimple(or.left()) && isSimple(or.right()) && attributes(or).size() == 1;
    } else if (condition instanceof Not not) {
      return isSimple(not.child()) && attributes(not).size() == 1;
    } else if (condition instanceof BinaryComparison comparison) {
      Expression left = comparison.left();
      Expression right = comparison.right();
      return isColumn(left) ? right instanceof Literal : isColumn(right) && left instanceof Literal;
    } else if (condition instanceof In in) {
      return isColumn(in.value());
    } else if (condition instanceof InSet in) {
      return isColumn(in.child());
    } else if (condition instanceof IsNull isNull) {
      return isColumn(isNull.child());
    }
    return condition instanceof IsNotNull isNotNull && isColumn(isNotNull.child());
  }

  /** Returns true for a column, and for a function of this class. */
  private static boolean isColumn(Expression expression) {
    return expression instanceof AttributeReference
        || LabelFunctions.functionOf(expression) != null;
  }

  private static Map<ExprId, AttributeReference> attributes(Expression expression) {
    Map<ExprId, AttributeReference> found = new LinkedHashMap<>();
    Rewriting.each(
        expression,
        node -> {
          if (node instanceof AttributeReference attribute) {
            found.put(attribute.exprId(), attribute);
          }
        });
    return found;
  }

  private static boolean isEvaluable(Expression expression) {
    boolean[] is = {expression.deterministic()};
    Rewriting.each(
        expression,
        node ->
            is[0] &=
                node instanceof AttributeReference
                    || !(node instanceof Unevaluable || node instanceof PlanExpression));
    return is[0];
  }

  private static Expression part(CellTable table, Expression condition) {
    return isSimple(condition) ? condition : condition(table, condition);
  }

  private static Expression condition(CellTable table, Expression condition) {
    Map<ExprId, AttributeReference> attributes = attributes(condition);
    List<String> coordinates = new ArrayList<>();
    for (AttributeReference attribute : attributes.values()) {
      CellColumn column = table.column(attribute.name());
      if (column == null
          || !Conditions.isCoordinate(column)
          || !column.type().sameType(attribute.dataType())) {
        return condition;
      }
      coordinates.add(attribute.name());
    }
    if (attributes.size() == 1 && isEvaluable(condition)) {
      Expression function =
          table.functions().of(condition, attributes.values().iterator().next(), true);
      return function == null
          ? condition
          : new EqualTo(function, new Literal(1, DataTypes.IntegerType));
    }
    if (condition instanceof And and) {
      Expression left = part(table, and.left());
      Expression right = part(table, and.right());
      return left == and.left() && right == and.right() ? condition : new And(left, right);
    } else if (condition instanceof Or or) {
      Expression left = part(table, or.left());
      Expression right = part(table, or.right());
      return left == or.left() && right == or.right() ? condition : new Or(left, right);
    } else if (condition instanceof Not not) {
      Expression child = part(table, not.child());
      return child == not.child() ? condition : new Not(child);
    }
    if (!coordinates.isEmpty()) {
      warn(table, condition.sql(), coordinates);
    }
    return condition;
  }

  /**
   * Warns of a condition that leaves out no chunk, once a query. Spark applies a rule several times
   * while it plans a query, which it knows by a tracker of its own.
   */
  static void warn(CellTable table, String condition, List<String> coordinates) {
    Option<QueryPlanningTracker> query = QueryPlanningTracker.get();
    if (table.noteWarning(query.isEmpty() ? table : query.get(), condition)) {
      LOG.warn(
          "the condition {} on the coordinates {} leaves out no chunk of {}: each cell is read, and"
              + " Spark decides. Conditions on one coordinate each, with AND or OR between them,"
              + " leave out chunks",
          condition,
          String.join(", ", coordinates),
          table.name());
    }
  }
}
