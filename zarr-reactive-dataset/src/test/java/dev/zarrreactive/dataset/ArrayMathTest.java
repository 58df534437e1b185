package dev.zarrreactive.dataset;

import static dev.zarrreactive.testing.Waiting.await;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BinaryOperator;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Arithmetic of arrays against formulas of variables, which equal xarray's; and NumPy's shapes. */
class ArrayMathTest {
  private static final List<DataType> TYPES =
      List.of(
          DataTypes.FLOAT64, DataTypes.FLOAT32, DataTypes.INT32, DataTypes.UINT8, DataTypes.INT64);

  private static final Map<BinaryOperator<NdArray>, BinaryOperator<Variable>> PAIRS =
      Map.ofEntries(
          Map.entry(ArrayMath::plus, Variable::plus),
          Map.entry(ArrayMath::minus, Variable::minus),
          Map.entry(ArrayMath::times, Variable::times),
          Map.entry(ArrayMath::dividedBy, Variable::dividedBy),
          Map.entry(ArrayMath::lessThan, Variable::lessThan),
          Map.entry(ArrayMath::atMost, Variable::atMost),
          Map.entry(ArrayMath::greaterThan, Variable::greaterThan),
          Map.entry(ArrayMath::atLeast, Variable::atLeast),
          Map.entry(ArrayMath::equalTo, Variable::equalTo),
          Map.entry(ArrayMath::notEqualTo, Variable::notEqualTo),
          Map.entry(
              (a, b) -> ArrayMath.where(ArrayMath.lessThan(a, b), a, b),
              (a, b) -> a.where(a.lessThan(b), b)),
          Map.entry(
              (a, b) -> ArrayMath.and(ArrayMath.atLeast(a, 1), ArrayMath.not(ArrayMath.missing(b))),
              (a, b) -> a.atLeast(1).and(b.missing().not())),
          Map.entry(
              (a, b) ->
                  ArrayMath.where(
                      ArrayMath.or(ArrayMath.atMost(a, 2), ArrayMath.greaterThan(b, 3)),
                      ArrayMath.map(a, Math::sqrt)),
              (a, b) -> a.map(Math::sqrt).where(a.atMost(2).or(b.greaterThan(3)))));

  private static NdArray array(Random random, Shape shape) {
    double[] values = new double[(int) shape.elementCountUpTo(1000)];
    Arrays.setAll(values, i -> random.nextInt(6));
    return NdArray.ofDoubles(shape, values).cast(TYPES.get(random.nextInt(TYPES.size())));
  }

  private static NdArray read(Variable variable) {
    return requireNonNull(await(variable.read()));
  }

  @Property(tries = 40)
  void operations_equal_those_of_variables(@ForAll long seed) {
    Random random = new Random(seed);
    int rows = 1 + random.nextInt(4);
    int columns = 1 + random.nextInt(5);
    NdArray some = array(random, Shape.of(rows, columns));
    NdArray other =
        array(random, random.nextBoolean() ? Shape.of(rows, columns) : Shape.of(columns));
    Variable first = Variable.of("a", List.of("y", "x"), some);
    Variable second =
        Variable.of("b", other.shape().rank() == 1 ? List.of("x") : List.of("y", "x"), other);
    PAIRS.forEach(
        (ours, formula) ->
            assertThat(ours.apply(some, other)).isEqualTo(read(formula.apply(first, second))));
    assertThat(ArrayMath.minus(ArrayMath.plus(ArrayMath.times(some, 2), 1), 3))
        .isEqualTo(read(first.times(2).plus(1).minus(3)));
    assertThat(ArrayMath.dividedBy(some, 4.0)).isEqualTo(read(first.dividedBy(4.0)));
    assertThat(ArrayMath.where(ArrayMath.lessThan(some, 3), some, 9))
        .isEqualTo(read(first.where(first.lessThan(3), 9)));
    assertThat(ArrayMath.equalTo(some, 2)).isEqualTo(read(first.equalTo(2)));
    assertThat(ArrayMath.notEqualTo(some, 2)).isEqualTo(read(first.notEqualTo(2)));
  }

  @Example
  void dimensions_of_one_are_repeated_as_by_numpy() {
    NdArray column = NdArray.ofDoubles(Shape.of(2, 1), 10, 20);
    NdArray row = NdArray.ofDoubles(Shape.of(1, 3), 1, 2, 3);
    assertThat(ArrayMath.plus(column, row))
        .isEqualTo(NdArray.ofDoubles(Shape.of(2, 3), 11, 12, 13, 21, 22, 23));
    NdArray scalar = NdArray.ofDoubles(Shape.SCALAR, 5);
    assertThat(ArrayMath.times(row, scalar))
        .isEqualTo(NdArray.ofDoubles(Shape.of(1, 3), 5, 10, 15));
    assertThat(ArrayMath.plus(scalar, scalar).getDouble()).isEqualTo(10);
    assertThat(ArrayMath.minus(column.transpose(1, 0), column))
        .isEqualTo(NdArray.ofDoubles(Shape.of(2, 2), 0, 10, -10, 0));
  }

  @Example
  void shapes_and_elements_that_do_not_fit_are_refused() {
    NdArray three = NdArray.ofDoubles(Shape.of(3), 1, 2, 3);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ArrayMath.plus(three, NdArray.ofDoubles(Shape.of(2), 1, 2)))
        .withMessageContaining("the extents 3 and 2 differ, and neither is 1");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> ArrayMath.plus(three, NdArray.ofStrings(DataTypes.STRING, Shape.of(1), "a")))
        .withMessageContaining("formulas are of numbers, not of string");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ArrayMath.not(three))
        .withMessageContaining("a condition is of booleans");
  }
}
