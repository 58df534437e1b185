package dev.zarrreactive.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Conditions are true, false and unknown where SQL says so. */
class CoordinateColumnTest {
  private static CoordinateColumn column(@Nullable Integer... values) {
    return CoordinateColumn.of(
        values.length, i -> values[i] == null, (i, j) -> Integer.compare(values[i], values[j]));
  }

  @Property(tries = 500)
  void decisions_are_those_of_each_value(
      @ForAll long seed, @ForAll @IntRange(max = 20) int size, @ForAll @IntRange(max = 3) int how) {
    Random random = new Random(seed);
    Integer[] values = new Integer[size];
    Arrays.setAll(values, i -> random.nextInt(9));
    if (how < 2) {
      Arrays.sort(values, how == 0 ? (a, b) -> a - b : (a, b) -> b - a);
    } else if (how == 3) {
      Arrays.setAll(values, i -> random.nextInt(4) == 0 ? null : values[i]);
    }
    CoordinateColumn column = column(values);
    int constant = random.nextInt(11) - 1;
    boolean less = random.nextBoolean();
    boolean equal = random.nextBoolean();
    boolean greater = random.nextBoolean();
    Truth truth = column.decide(i -> Integer.compare(values[i], constant), less, equal, greater);
    Truth not = truth.not();
    for (int i = 0; i < size; i++) {
      Integer value = values[i];
      Boolean expected =
          value == null ? null : value < constant ? less : value > constant ? greater : equal;
      IndexRanges here = IndexRanges.of(i, i + 1);
      assertThat(truth.isTrue().and(here).isEmpty()).isEqualTo(!Boolean.TRUE.equals(expected));
      assertThat(truth.isFalse().and(here).isEmpty()).isEqualTo(!Boolean.FALSE.equals(expected));
      assertThat(not.isTrue().and(here).isEmpty()).isEqualTo(!Boolean.FALSE.equals(expected));
    }
    assertThat(truth.and(not).isTrue().isEmpty()).isTrue();
    assertThat(truth.or(not).isTrue()).isEqualTo(column.nulls().complement(size));
  }

  @Test
  void extremes_are_of_the_values_that_are_left() {
    CoordinateColumn column = column(5, null, 1, 9, 3);
    IndexRanges all = IndexRanges.of(0, 5);
    assertThat(column.least(all)).hasValue(2);
    assertThat(column.greatest(all)).hasValue(3);
    assertThat(column.greatest(IndexRanges.of(0, 3))).hasValue(0);
    assertThat(column.least(IndexRanges.of(1, 2))).isEmpty();
    assertThat(column.isSorted()).isFalse();
    assertThat(column(3, 2, 2).isSorted()).isTrue();
  }
}
