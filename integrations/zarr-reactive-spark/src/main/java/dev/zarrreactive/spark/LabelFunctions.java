package dev.zarrreactive.spark;

import java.lang.reflect.Constructor;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.sql.catalyst.expressions.ApplyFunctionExpression;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.IsNull;
import org.jspecify.annotations.Nullable;

/** The functions of labels that queries of one table have. Thread-safe. */
final class LabelFunctions {
  /** Queries that are planned hold fewer; a function that is forgotten is computed by Spark. */
  private static final int MOST = 10_000;

  private final Map<LabelFunction, LabelFunction> all = new ConcurrentHashMap<>();
  private final Map<String, LabelFunction> byId = new ConcurrentHashMap<>();
  private final AtomicLong made = new AtomicLong();

  /** Returns the function that an expression of Spark applies; null for any other expression. */
  static @Nullable LabelFunction functionOf(Expression expression) {
    return expression instanceof ApplyFunctionExpression apply
            && apply.function() instanceof LabelFunction function
        ? function
        : null;
  }

  /** Returns the function with an id; null if there is none. */
  @Nullable LabelFunction find(String id) {
    return byId.get(id);
  }

  /**
   * Returns an expression on one coordinate as a function of it.
   *
   * @param isCondition true for a function whose result is 1 where {@code expression} is true
   */
  @Nullable Expression of(
      Expression expression, AttributeReference coordinate, boolean isCondition) {
    Expression bound =
        expression.transform(
            new Rewriting<Expression>(
                node ->
                    node instanceof AttributeReference
                        ? new BoundReference(0, coordinate.dataType(), true)
                        : null));
    LabelFunction made =
        new LabelFunction(
            expression.sql(),
            "zarr-reactive.label-" + this.made.incrementAndGet(),
            bound,
            coordinate.dataType(),
            isCondition);
    if (all.size() >= MOST) {
      all.clear();
      byId.clear();
    }
    LabelFunction function = Objects.requireNonNullElse(all.putIfAbsent(made, made), made);
    byId.put(function.canonicalName(), function);
    return apply(function, coordinate);
  }

  /** Spark's lists are of one type in Scala 2.12 and of another in 2.13, so that none is named. */
  private static @Nullable Expression apply(LabelFunction function, AttributeReference coordinate) {
    try {
      Object arguments = ScalaLists.of(new IsNull(coordinate), "children");
      for (Constructor<?> constructor : ApplyFunctionExpression.class.getConstructors()) {
        if (constructor.getParameterCount() == 2) {
          return (Expression) constructor.newInstance(function, arguments);
        }
      }
      return null;
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this Spark applies functions in another way", e);
    }
  }
}
