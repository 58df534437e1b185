package dev.zarrreactive.dataset;

import dev.zarrreactive.internal.statistics.RollingWindow;
import dev.zarrreactive.json.JsonObject;
import java.util.List;

/**
 * Statistics of the values around each position of a dimension, as xarray's {@code rolling}. Each
 * result is a variable of the same shape, which reads nothing until it is read itself. Immutable.
 *
 * <p>Missing values, which are NaN, are left out; a window that has fewer values than {@link
 * #atLeast} says has no result, and neither have windows beyond the ends, by default. Results are
 * {@code float64}; extremes of floats have their type. A sum is a new one for each window, so no
 * error adds up along the dimension.
 *
 * <p>A stream of all values reads each block once, in the order of the dimension, tile by tile of
 * the others; in memory are the blocks that a window covers, within a third of {@code
 * maxInFlightBytes}, or as few positions of the other dimensions as that takes. A formula has
 * blocks of its own, each of which reads the values around it, too. {@link
 * dev.zarrreactive.error.UnsupportedFeatureException} for values that are no numbers.
 */
public final class Rolling {
  private final Variable variable;
  private final String dimension;
  private final int window;
  private final boolean isCentred;
  private final int least;

  Rolling(Variable variable, String dimension, int window) {
    this(variable, dimension, window, false, window);
    if (window < 1) {
      throw new IllegalArgumentException("a window has at least one position, not " + window);
    }
  }

  private Rolling(Variable variable, String dimension, int window, boolean isCentred, int least) {
    this.variable = variable;
    this.dimension = dimension;
    this.window = window;
    this.isCentred = isCentred;
    this.least = least;
  }

  /**
   * Returns the same statistics of windows around their position; one of even length has one
   * position more before than after.
   */
  public Rolling centred() {
    return new Rolling(variable, dimension, window, true, least);
  }

  /**
   * Returns the same statistics of windows with at least some values: {@code min_periods}.
   *
   * @throws IllegalArgumentException for less than one, and for more than the window has
   */
  public Rolling atLeast(int values) {
    if (values < 1 || values > window) {
      throw new IllegalArgumentException(
          "a window of " + window + " has from 1 to " + window + " values, not " + values);
    }
    return new Rolling(variable, dimension, window, isCentred, values);
  }

  /** Returns the means. */
  public Variable mean() {
    return of(RollingWindow.Kind.MEAN, "mean", attributes());
  }

  /** Returns the sums. */
  public Variable sum() {
    return of(RollingWindow.Kind.SUM, "sum", attributes());
  }

  /** Returns the least values. */
  public Variable min() {
    return of(RollingWindow.Kind.MIN, "minimum", attributes());
  }

  /** Returns the greatest values. */
  public Variable max() {
    return of(RollingWindow.Kind.MAX, "maximum", attributes());
  }

  /** Returns the standard deviations of whole populations, as NumPy has them by default. */
  public Variable std() {
    return of(RollingWindow.Kind.STD, "standard_deviation", attributes());
  }

  /** Returns the numbers of values, which have no attributes. */
  public Variable count() {
    return variable.along(dimension, along(RollingWindow.Kind.COUNT), JsonObject.EMPTY);
  }

  private JsonObject attributes() {
    return variable.plainAttributes();
  }

  private Variable of(RollingWindow.Kind kind, String method, JsonObject attributes) {
    String comment = method + " (comment: of " + window + " positions)";
    return variable.along(
        dimension,
        along(kind),
        FormulaAttributes.withMethod(attributes, List.of(dimension), comment));
  }

  private RollingWindow along(RollingWindow.Kind kind) {
    int others = (int) Math.max(0, Math.min(window, variable.extent(dimension)) - 1);
    int before = isCentred ? Math.min(others, window / 2) : others;
    int after = isCentred ? Math.min(others, window - 1 - window / 2) : 0;
    return new RollingWindow(kind, before, after, least);
  }
}
