package dev.zarrreactive.dataset;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.internal.expression.Evaluation;
import dev.zarrreactive.internal.expression.Formula;
import dev.zarrreactive.internal.expression.Operator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Arithmetic of arrays in memory, such as {@code ArrayMath.minus(kelvin, 273.15)}; {@link Variable}
 * has that of stored values, which is calculated while they are read. Types and bits are those of
 * NumPy 2: {@code float32} and a Java number make {@code float32}, integers wrap around, a quotient
 * of integers is {@code float64}. The result is a new array, made on the calling thread.
 *
 * <p>Shapes are broadcast as NumPy's: they are aligned at the last dimension, and a dimension that
 * is missing, or has the extent 1, is repeated. {@link IllegalArgumentException} for other shapes,
 * and for elements that are no numbers.
 */
public final class ArrayMath {
  private ArrayMath() {}

  /** Returns the sums of two arrays. */
  public static NdArray plus(NdArray array, NdArray other) {
    return pair(Operator.PLUS, array, other);
  }

  /** Returns each element plus a number. */
  public static NdArray plus(NdArray array, Number number) {
    return with(Operator.PLUS, array, number);
  }

  /** Returns the differences of two arrays. */
  public static NdArray minus(NdArray array, NdArray other) {
    return pair(Operator.MINUS, array, other);
  }

  /** Returns each element minus a number. */
  public static NdArray minus(NdArray array, Number number) {
    return with(Operator.MINUS, array, number);
  }

  /** Returns the products of two arrays. */
  public static NdArray times(NdArray array, NdArray other) {
    return pair(Operator.TIMES, array, other);
  }

  /** Returns each element times a number. */
  public static NdArray times(NdArray array, Number number) {
    return with(Operator.TIMES, array, number);
  }

  /** Returns the quotients of two arrays, which are floats. */
  public static NdArray dividedBy(NdArray array, NdArray other) {
    return pair(Operator.DIVIDED_BY, array, other);
  }

  /** Returns each element divided by a number, as floats. */
  public static NdArray dividedBy(NdArray array, Number number) {
    return with(Operator.DIVIDED_BY, array, number);
  }

  /**
   * Returns a function of each element: of its type where they are floats, else of {@code float64}.
   */
  public static NdArray map(NdArray array, DoubleUnaryOperator function) {
    return of(List.of(array), its -> Formula.mapped(its.get(0), function));
  }

  /** Returns the elements where a condition holds, and NaN elsewhere; integers become floats. */
  public static NdArray where(NdArray condition, NdArray array) {
    return of(List.of(condition, array), its -> Formula.where(its.get(0), its.get(1)));
  }

  /** Returns the elements where a condition holds, and those of another array elsewhere. */
  public static NdArray where(NdArray condition, NdArray array, NdArray otherwise) {
    return of(
        List.of(condition, array, otherwise),
        its -> Formula.where(its.get(0), its.get(1), its.get(2)));
  }

  /** Returns the elements where a condition holds, and a number elsewhere. */
  public static NdArray where(NdArray condition, NdArray array, Number otherwise) {
    return of(
        List.of(condition, array),
        its -> Formula.where(its.get(0), its.get(1), Formula.beside(its.get(1), otherwise)));
  }

  /** Returns whether each element is less than that of another array; NaN never does. */
  public static NdArray lessThan(NdArray array, NdArray other) {
    return pair(Operator.LESS, array, other);
  }

  /** Returns whether each element is less than a number; NaN never does. */
  public static NdArray lessThan(NdArray array, Number number) {
    return compared(Operator.LESS, array, number);
  }

  /** Returns whether each element is at most that of another array; NaN never does. */
  public static NdArray atMost(NdArray array, NdArray other) {
    return pair(Operator.AT_MOST, array, other);
  }

  /** Returns whether each element is at most a number; NaN never does. */
  public static NdArray atMost(NdArray array, Number number) {
    return compared(Operator.AT_MOST, array, number);
  }

  /** Returns whether each element is greater than that of another array; NaN never does. */
  public static NdArray greaterThan(NdArray array, NdArray other) {
    return pair(Operator.LESS, other, array);
  }

  /** Returns whether each element is greater than a number; NaN never does. */
  public static NdArray greaterThan(NdArray array, Number number) {
    return compared(Operator.LESS, number, array);
  }

  /** Returns whether each element is at least that of another array; NaN never does. */
  public static NdArray atLeast(NdArray array, NdArray other) {
    return pair(Operator.AT_MOST, other, array);
  }

  /** Returns whether each element is at least a number; NaN never does. */
  public static NdArray atLeast(NdArray array, Number number) {
    return compared(Operator.AT_MOST, number, array);
  }

  /** Returns whether each element equals that of another array; NaN never does. */
  public static NdArray equalTo(NdArray array, NdArray other) {
    return pair(Operator.EQUAL, array, other);
  }

  /** Returns whether each element equals a number; NaN never does. */
  public static NdArray equalTo(NdArray array, Number number) {
    return compared(Operator.EQUAL, array, number);
  }

  /** Returns whether each element differs from that of another array; NaN does. */
  public static NdArray notEqualTo(NdArray array, NdArray other) {
    return pair(Operator.UNEQUAL, array, other);
  }

  /** Returns whether each element differs from a number; NaN does. */
  public static NdArray notEqualTo(NdArray array, Number number) {
    return compared(Operator.UNEQUAL, array, number);
  }

  /** Returns whether both conditions hold. */
  public static NdArray and(NdArray condition, NdArray other) {
    return pair(Operator.AND, condition, other);
  }

  /** Returns whether one of two conditions holds, or both. */
  public static NdArray or(NdArray condition, NdArray other) {
    return pair(Operator.OR, condition, other);
  }

  /** Returns whether the condition does not hold. */
  public static NdArray not(NdArray condition) {
    return of(List.of(condition), its -> Formula.not(its.get(0)));
  }

  /** Returns whether each element is missing, which is NaN. */
  public static NdArray missing(NdArray array) {
    return of(List.of(array), its -> new Formula.Missing(its.get(0)));
  }

  private static NdArray pair(Operator operator, NdArray left, NdArray right) {
    return of(List.of(left, right), its -> Formula.of(operator, its.get(0), its.get(1)));
  }

  private static NdArray with(Operator operator, NdArray left, Number right) {
    return of(
        List.of(left), its -> Formula.of(operator, its.get(0), Formula.beside(its.get(0), right)));
  }

  private static NdArray compared(Operator operator, NdArray left, Number right) {
    return of(
        List.of(left),
        its -> Formula.of(operator, its.get(0), Formula.comparedWith(its.get(0), right)));
  }

  private static NdArray compared(Operator operator, Number left, NdArray right) {
    return of(
        List.of(right),
        its -> Formula.of(operator, Formula.comparedWith(its.get(0), left), its.get(0)));
  }

  private static NdArray of(List<NdArray> arrays, Function<List<Formula>, Formula> formula) {
    int rank = arrays.stream().mapToInt(array -> array.shape().rank()).max().orElse(0);
    long[] extents = new long[rank];
    Arrays.fill(extents, 1);
    for (NdArray array : arrays) {
      long[] its = array.shape().toArray();
      for (int d = 0; d < its.length; d++) {
        int at = rank - its.length + d;
        if (its[d] != extents[at] && its[d] != 1 && extents[at] != 1) {
          throw new IllegalArgumentException(
              "the shapes "
                  + arrays.stream().map(each -> each.shape().toString()).toList()
                  + " are not broadcast together: the extents "
                  + extents[at]
                  + " and "
                  + its[d]
                  + " differ, and neither is 1");
        }
        extents[at] = extents[at] == 1 ? its[d] : extents[at];
      }
    }
    List<String> names = IntStream.range(0, rank).mapToObj(String::valueOf).toList();
    List<Formula> sources = new ArrayList<>();
    List<Evaluation.Operand> operands = new ArrayList<>();
    for (NdArray array : arrays) {
      sources.add(Formula.source(sources.size(), array.dataType()));
      operands.add(operand(array, names, extents));
    }
    return Evaluation.of(names, Shape.of(extents), operands, List.of(formula.apply(sources)))
        .get(0);
  }

  /** Returns an array without the dimensions that are repeated. */
  private static Evaluation.Operand operand(NdArray array, List<String> names, long... extents) {
    long[] its = array.shape().toArray();
    List<String> known = new ArrayList<>();
    List<Long> kept = new ArrayList<>();
    for (int d = 0; d < its.length; d++) {
      int at = names.size() - its.length + d;
      if (its[d] == extents[at]) {
        known.add(names.get(at));
        kept.add(its[d]);
      }
    }
    Shape shape = Shape.of(kept.stream().mapToLong(extent -> extent).toArray());
    return new Evaluation.Operand(known, array.toContiguous().reshape(shape));
  }
}
