package dev.zarrreactive.internal.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.array.Axis;
import java.util.Arrays;
import java.util.Random;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** How many cells the positions of a chunk have. */
class CellAxisTest {
  private static Axis range(int count) {
    return new Axis.Range(0, count, 1, false);
  }

  @Example
  void a_chunk_of_hours_belongs_to_one_month_or_two() {
    int[] months = new int[24 * 365];
    Arrays.setAll(months, hour -> hour / 24 / 31);
    CellAxis axis = CellAxis.grouped("time", range(months.length), 12, months);
    assertThat(axis.mostCells(128)).isEqualTo(2);
    assertThat(axis.mostCells(1)).isEqualTo(1);
    assertThat(axis.mostCells(months.length)).isEqualTo(12);
  }

  @Example
  void positions_that_are_kept_are_cells_and_those_that_are_reduced_are_one() {
    assertThat(CellAxis.kept("x", range(100)).mostCells(7)).isEqualTo(7);
    assertThat(CellAxis.reduced("x", range(100)).mostCells(7)).isEqualTo(1);
    assertThat(CellAxis.grouped("x", range(0), 0).mostCells(7)).isEqualTo(1);
  }

  @Property(tries = 100)
  void no_window_has_more_cells(@ForAll long seed) {
    Random random = new Random(seed);
    int[] groups = new int[1 + random.nextInt(40)];
    int kinds = 1 + random.nextInt(6);
    Arrays.setAll(groups, i -> random.nextInt(kinds + 1) - 1);
    int window = 1 + random.nextInt(groups.length);
    long most = CellAxis.grouped("x", range(groups.length), kinds, groups).mostCells(window);
    assertThat(most).isBetween(1L, (long) Math.min(window, kinds));
    for (int first = 0; first + window <= groups.length; first++) {
      assertThat(
              Arrays.stream(groups, first, first + window).filter(g -> g >= 0).distinct().count())
          .isLessThanOrEqualTo(most);
    }
  }
}
