package dev.zarrreactive.internal.expression;

import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A formula that is ready to be calculated, with memory for its results. A part that a formula has
 * several times is calculated once. Used by one thread.
 */
abstract class Step {
  final Lanes results;

  private Step(DataType type) {
    this.results = new Lanes(type);
  }

  /** Calculates the first results, of steps that have been calculated before. */
  abstract void run(int count);

  /** The elements of a source, which are there already. */
  private static final class Given extends Step {
    Given(DataType type) {
      super(type);
    }

    @Override
    void run(int count) {}
  }

  /** The steps of a formula in the order in which they are calculated; the last one has results. */
  static final class Sequence {
    private final List<Step> steps = new ArrayList<>();
    private final Map<Formula, Step> known = new HashMap<>();
    private final Map<Integer, Lanes> sources;

    /** Creates the steps of formulas of sources, by number. */
    Sequence(Map<Integer, Lanes> sources) {
      this.sources = sources;
    }

    /** Adds the steps of a formula, and returns the place of its results. */
    Lanes add(Formula formula) {
      return step(formula).results;
    }

    void run(int count) {
      for (Step step : steps) {
        step.run(count);
      }
    }

    private Step step(Formula formula) {
      Step there = known.get(formula);
      if (there == null) {
        there = made(formula);
        known.put(formula, there);
        steps.add(there);
      }
      return there;
    }

    private Step made(Formula formula) {
      if (formula instanceof Formula.Source source) {
        Given given = new Given(source.type());
        sources.put(source.number(), given.results);
        return given;
      } else if (formula instanceof Formula.Constant constant) {
        return filled(constant);
      } else if (formula instanceof Formula.Mapped mapped) {
        return mapped(mapped, as(mapped.type(), mapped.of()));
      } else if (formula instanceof Formula.Missing missing) {
        return missing(step(missing.of()).results);
      } else if (formula instanceof Formula.Choice choice) {
        return choice(
            step(choice.condition()).results,
            as(choice.type(), choice.chosen()),
            as(choice.type(), choice.otherwise()),
            choice.type());
      }
      return pair((Formula.Pair) formula);
    }

    /** Returns the results of a formula in another type. */
    private Lanes as(DataType type, Formula formula) {
      Lanes from = step(formula).results;
      if (from.type.equals(type)) {
        return from;
      }
      Step converted =
          new Step(type) {
            @Override
            void run(int count) {
              results.convert(from, count);
            }
          };
      steps.add(converted);
      return converted.results;
    }

    private Step pair(Formula.Pair pair) {
      Operator operator = pair.operator();
      boolean isOfWholes =
          !NumberTypes.isFloat(pair.left().type()) && !NumberTypes.isFloat(pair.right().type());
      if (operator.isComparison() && isOfWholes) {
        // also of int64 and uint64, which have no common type
        return compared(operator, step(pair.left()).results, step(pair.right()).results);
      }
      Lanes left = as(pair.common(), pair.left());
      Lanes right = as(pair.common(), pair.right());
      boolean isFloat = NumberTypes.isFloat(pair.common());
      if (operator.isComparison()) {
        return comparedReals(operator, left, right);
      }
      return isFloat
          ? reals(operator, left, right, pair.type())
          : NumberTypes.isBool(pair.common())
              ? booleans(operator, left, right)
              : wholes(operator, left, right);
    }
  }

  private static Step filled(Formula.Constant constant) {
    Given given = new Given(constant.type());
    java.util.Arrays.fill(given.results.reals, constant.real());
    java.util.Arrays.fill(given.results.wholes, constant.whole());
    return given;
  }

  private static Step mapped(Formula.Mapped mapped, Lanes of) {
    return new Step(mapped.type()) {
      @Override
      void run(int count) {
        for (int i = 0; i < count; i++) {
          results.reals[i] = mapped.function().applyAsDouble(of.reals[i]);
        }
        results.round(count);
      }
    };
  }

  private static Step missing(Lanes of) {
    boolean isFloat = NumberTypes.isFloat(of.type);
    return new Step(DataTypes.BOOL) {
      @Override
      void run(int count) {
        for (int i = 0; i < count; i++) {
          results.wholes[i] = isFloat && Double.isNaN(of.reals[i]) ? 1 : 0;
        }
      }
    };
  }

  private static Step choice(Lanes condition, Lanes chosen, Lanes otherwise, DataType type) {
    boolean isFloat = NumberTypes.isFloat(type);
    return new Step(type) {
      @Override
      void run(int count) {
        for (int i = 0; i < count; i++) {
          Lanes from = condition.wholes[i] == 0 ? otherwise : chosen;
          if (isFloat) {
            results.reals[i] = from.reals[i];
          } else {
            results.wholes[i] = from.wholes[i];
          }
        }
      }
    };
  }

  private static Step reals(Operator operator, Lanes left, Lanes right, DataType type) {
    double[] some = left.reals;
    double[] others = right.reals;
    return new Step(type) {
      @Override
      void run(int count) {
        double[] to = results.reals;
        switch (operator) {
          case PLUS -> {
            for (int i = 0; i < count; i++) {
              to[i] = some[i] + others[i];
            }
          }
          case MINUS -> {
            for (int i = 0; i < count; i++) {
              to[i] = some[i] - others[i];
            }
          }
          case TIMES -> {
            for (int i = 0; i < count; i++) {
              to[i] = some[i] * others[i];
            }
          }
          default -> {
            for (int i = 0; i < count; i++) {
              to[i] = some[i] / others[i];
            }
          }
        }
        results.round(count);
      }
    };
  }

  private static Step wholes(Operator operator, Lanes left, Lanes right) {
    long[] some = left.wholes;
    long[] others = right.wholes;
    return new Step(left.type) {
      @Override
      void run(int count) {
        long[] to = results.wholes;
        switch (operator) {
          case PLUS -> {
            for (int i = 0; i < count; i++) {
              to[i] = some[i] + others[i];
            }
          }
          case MINUS -> {
            for (int i = 0; i < count; i++) {
              to[i] = some[i] - others[i];
            }
          }
          default -> {
            for (int i = 0; i < count; i++) {
              to[i] = some[i] * others[i];
            }
          }
        }
        results.wrap(count);
      }
    };
  }

  private static Step booleans(Operator operator, Lanes left, Lanes right) {
    boolean needsBoth = operator == Operator.AND || operator == Operator.TIMES;
    return new Step(DataTypes.BOOL) {
      @Override
      void run(int count) {
        for (int i = 0; i < count; i++) {
          results.wholes[i] =
              needsBoth ? left.wholes[i] & right.wholes[i] : left.wholes[i] | right.wholes[i];
        }
      }
    };
  }

  private static Step comparedReals(Operator operator, Lanes left, Lanes right) {
    double[] some = left.reals;
    double[] others = right.reals;
    return new Step(DataTypes.BOOL) {
      @Override
      void run(int count) {
        long[] to = results.wholes;
        switch (operator) {
          case LESS -> {
            for (int i = 0; i < count; i++) {
              to[i] = some[i] < others[i] ? 1 : 0;
            }
          }
          case AT_MOST -> {
            for (int i = 0; i < count; i++) {
              to[i] = some[i] <= others[i] ? 1 : 0;
            }
          }
          case EQUAL -> {
            for (int i = 0; i < count; i++) {
              to[i] = some[i] == others[i] ? 1 : 0;
            }
          }
          default -> {
            for (int i = 0; i < count; i++) {
              to[i] = some[i] != others[i] ? 1 : 0;
            }
          }
        }
      }
    };
  }

  private static Step compared(Operator operator, Lanes left, Lanes right) {
    boolean isLeftLong = left.type.equals(DataTypes.UINT64);
    boolean isRightLong = right.type.equals(DataTypes.UINT64);
    return new Step(DataTypes.BOOL) {
      @Override
      void run(int count) {
        for (int i = 0; i < count; i++) {
          int order = order(left.wholes[i], isLeftLong, right.wholes[i], isRightLong);
          boolean holds =
              switch (operator) {
                case LESS -> order < 0;
                case AT_MOST -> order <= 0;
                case EQUAL -> order == 0;
                default -> order != 0;
              };
          results.wholes[i] = holds ? 1 : 0;
        }
      }
    };
  }

  /** Compares two longs, each of which may be without a sign. */
  private static int order(long left, boolean isLeftLong, long right, boolean isRightLong) {
    boolean isLeftBeyond = isLeftLong && left < 0;
    boolean isRightBeyond = isRightLong && right < 0;
    return isLeftBeyond == isRightBeyond
        ? Long.compare(left, right)
        : Boolean.compare(isLeftBeyond, isRightBeyond);
  }
}
