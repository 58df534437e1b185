package dev.zarrreactive.internal.expression;

import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.IntegerType;
import java.math.BigInteger;
import java.util.function.DoubleUnaryOperator;
import java.util.function.IntFunction;

/**
 * A formula of numbers, each element by itself. Types and rounding are those of NumPy 2: integers
 * wrap around, and floats are rounded to their type after each operation. Immutable.
 */
public sealed interface Formula {
  /** The type of the results: {@code bool}, an integer or a float. */
  DataType type();

  /** Returns this formula with other sources. */
  Formula with(IntFunction<Formula> sources);

  /**
   * The elements of an array.
   *
   * @param number of the array among the sources
   * @param type the type in which its elements are taken
   */
  record Source(int number, DataType type) implements Formula {
    @Override
    public Formula with(IntFunction<Formula> sources) {
      return sources.apply(number);
    }
  }

  /**
   * One number for all elements.
   *
   * @param real the number, where the type is a float
   * @param whole the number, where the type is an integer or {@code bool}
   */
  record Constant(DataType type, double real, long whole) implements Formula {
    @Override
    public Formula with(IntFunction<Formula> sources) {
      return this;
    }
  }

  /**
   * An operation on the results of two formulas.
   *
   * @param common the type in which it is calculated
   * @param type the type of the results
   */
  record Pair(Operator operator, Formula left, Formula right, DataType common, DataType type)
      implements Formula {
    @Override
    public Formula with(IntFunction<Formula> sources) {
      return new Pair(operator, left.with(sources), right.with(sources), common, type);
    }
  }

  /** A function of the results of a formula. */
  record Mapped(DoubleUnaryOperator function, Formula of, DataType type) implements Formula {
    @Override
    public Formula with(IntFunction<Formula> sources) {
      return new Mapped(function, of.with(sources), type);
    }
  }

  /** Whether the results of a formula are NaN. */
  record Missing(Formula of) implements Formula {
    @Override
    public DataType type() {
      return DataTypes.BOOL;
    }

    @Override
    public Formula with(IntFunction<Formula> sources) {
      return new Missing(of.with(sources));
    }
  }

  /** The results of one formula where a condition holds, and of another one elsewhere. */
  record Choice(Formula condition, Formula chosen, Formula otherwise, DataType type)
      implements Formula {
    @Override
    public Formula with(IntFunction<Formula> sources) {
      return new Choice(
          condition.with(sources), chosen.with(sources), otherwise.with(sources), type);
    }
  }

  /**
   * Returns the elements of an array.
   *
   * @throws IllegalArgumentException if they are no numbers
   */
  static Formula source(int number, DataType type) {
    return new Source(number, NumberTypes.usual(type));
  }

  /**
   * Returns an operation.
   *
   * @throws IllegalArgumentException if the types of the operands have no such operation
   */
  static Formula of(Operator operator, Formula left, Formula right) {
    DataType common = NumberTypes.common(left.type(), right.type());
    boolean areBooleans = NumberTypes.isBool(common);
    if (operator.isLogical() && !areBooleans) {
      throw new IllegalArgumentException(
          operator + " is of booleans, not of " + left.type() + " and " + right.type());
    } else if (operator == Operator.MINUS && areBooleans) {
      throw new IllegalArgumentException("booleans have no difference; compare them");
    } else if (operator == Operator.DIVIDED_BY) {
      DataType quotients = NumberTypes.ofQuotients(common);
      return new Pair(operator, left, right, quotients, quotients);
    }
    return new Pair(
        operator, left, right, common, operator.isComparison() ? DataTypes.BOOL : common);
  }

  /**
   * Returns an operation whose results are {@code float32} where the left operands are: they are
   * rounded once, from the type in which they are calculated.
   */
  static Formula keeping(Operator operator, Formula left, Formula right) {
    Pair pair = (Pair) of(operator, left, right);
    return left.type().equals(DataTypes.FLOAT32)
        ? new Pair(operator, left, right, pair.common(), left.type())
        : pair;
  }

  /**
   * Returns a number beside the results of a formula, which keep their type if it has the number:
   * an integer becomes a float, where they are floats, and a float makes integers {@code float64}.
   *
   * @throws IllegalArgumentException for an integer beyond their type
   */
  static Formula beside(Formula formula, Number number) {
    DataType type = formula.type();
    boolean isReal =
        number instanceof Double || number instanceof Float || NumberTypes.isFloat(type);
    if (isReal) {
      DataType real = NumberTypes.isFloat(type) ? type : DataTypes.FLOAT64;
      return new Constant(real, Lanes.rounded(number.doubleValue(), real), 0);
    }
    DataType whole = NumberTypes.isBool(type) ? DataTypes.INT64 : type;
    BigInteger value = BigInteger.valueOf(number.longValue());
    IntegerType range = (IntegerType) whole;
    if (value.compareTo(range.min()) < 0 || value.compareTo(range.max()) > 0) {
      throw new IllegalArgumentException(
          number + " is beyond " + whole + "; a float, as " + number + ".0, makes float64");
    }
    return new Constant(whole, 0, number.longValue());
  }

  /**
   * Returns a number that is compared with the results of a formula: as {@link #beside}, but also
   * an integer beyond their type.
   */
  static Formula comparedWith(Formula formula, Number number) {
    try {
      return beside(formula, number);
    } catch (IllegalArgumentException beyond) {
      return new Constant(DataTypes.INT64, 0, number.longValue());
    }
  }

  /** Returns a function of floats, of their type; of others a function of {@code float64}. */
  static Formula mapped(Formula of, DoubleUnaryOperator function) {
    return new Mapped(function, of, NumberTypes.ofFunction(of.type()));
  }

  /** Returns the results of a formula as {@code float64}. */
  static Formula wide(Formula of) {
    return wide(of, value -> value);
  }

  /** Returns a function of the results of a formula, as {@code float64}. */
  static Formula wide(Formula of, DoubleUnaryOperator function) {
    return new Mapped(function, of, DataTypes.FLOAT64);
  }

  /** Returns whether a condition is false. */
  static Formula not(Formula condition) {
    return of(Operator.EQUAL, booleans(condition), new Constant(DataTypes.BOOL, 0, 0));
  }

  /**
   * Returns the results of a formula where a condition holds, and NaN elsewhere.
   *
   * @throws IllegalArgumentException for a condition that is no boolean
   */
  static Formula where(Formula condition, Formula chosen) {
    DataType type = NumberTypes.withMissing(chosen.type());
    Formula missing = new Constant(type, Double.NaN, 0);
    return new Choice(booleans(condition), chosen, missing, type);
  }

  /** Returns the results of one formula where a condition holds, and of another one elsewhere. */
  static Formula where(Formula condition, Formula chosen, Formula otherwise) {
    DataType type = NumberTypes.common(chosen.type(), otherwise.type());
    return new Choice(booleans(condition), chosen, otherwise, type);
  }

  private static Formula booleans(Formula condition) {
    if (!NumberTypes.isBool(condition.type())) {
      throw new IllegalArgumentException(
          "a condition is of booleans, not of " + condition.type() + "; compare the numbers");
    }
    return condition;
  }
}
