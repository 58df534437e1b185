package dev.zarrreactive.dataset;

import dev.zarrreactive.internal.statistics.Accumulation;
import dev.zarrreactive.json.JsonObject;
import java.util.List;

/**
 * What is accumulated along a dimension, from its first position up to each one. Each result is a
 * variable of the same shape, which reads nothing until it is read itself. Immutable.
 *
 * <p>Missing values, which are NaN, are left out: a sum or a product goes on as it was, from 0 and
 * 1. Results are {@code float64}; extremes of floats have their type.
 *
 * <p>A stream of all values reads each block once, in the order of the dimension, tile by tile of
 * the others, and carries the last results from block to block. A read of some positions reads
 * those before them, too. A formula has blocks with all positions of the dimension: {@link
 * dev.zarrreactive.error.UnsupportedFeatureException} where those of one cell take more than {@code
 * maxInFlightBytes}, and for values that are no numbers.
 */
public final class Cumulative {
  private final Variable variable;
  private final String dimension;

  Cumulative(Variable variable, String dimension) {
    this.variable = variable;
    this.dimension = dimension;
  }

  /** Returns the sums, as NumPy's {@code nancumsum}. */
  public Variable sum() {
    return of(Accumulation.SUM, "sum", variable.plainAttributes());
  }

  /** Returns the products, as NumPy's {@code nancumprod}; they have no units. */
  public Variable product() {
    return variable.along(
        dimension,
        Accumulation.PRODUCT,
        FormulaAttributes.withoutUnits(variable.plainAttributes()));
  }

  /** Returns the least values so far; NaN before the first one. */
  public Variable min() {
    return of(Accumulation.MIN, "minimum", variable.plainAttributes());
  }

  /** Returns the greatest values so far; NaN before the first one. */
  public Variable max() {
    return of(Accumulation.MAX, "maximum", variable.plainAttributes());
  }

  private Variable of(Accumulation how, String method, JsonObject attributes) {
    String comment = method + " (comment: up to each position)";
    return variable.along(
        dimension, how, FormulaAttributes.withMethod(attributes, List.of(dimension), comment));
  }
}
