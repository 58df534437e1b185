package dev.zarrreactive.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Sets of indices are what sets of numbers are. */
class IndexRangesTest {
  @Property(tries = 300)
  void operations_are_those_of_sets(
      @ForAll long seed, @ForAll @IntRange(max = 40) int size, @ForAll @IntRange(max = 50) int to) {
    Random random = new Random(seed);
    Set<Long> mine = some(random, size);
    Set<Long> theirs = some(random, size);
    IndexRanges one = ranges(size, mine);
    IndexRanges other = ranges(size, theirs);
    assertThat(set(one)).isEqualTo(mine);
    assertThat(one.count()).isEqualTo(mine.size());
    assertThat(set(one.and(other)))
        .isEqualTo(filtered(size, i -> mine.contains(i) && theirs.contains(i)));
    assertThat(set(one.or(other)))
        .isEqualTo(filtered(size, i -> mine.contains(i) || theirs.contains(i)));
    assertThat(set(one.complement(size))).isEqualTo(filtered(size, i -> !mine.contains(i)));
    assertThat(set(one.slice(3, to)))
        .isEqualTo(filtered(size, i -> mine.contains(i) && i >= 3 && i < to));
    assertThat(one.or(other)).isEqualTo(other.or(one)).hasSameHashCodeAs(other.or(one));
    int position = 0;
    for (long index : mine) {
      assertThat(one.index(position++)).isEqualTo(index);
    }
  }

  @Property(tries = 200)
  void places_in_a_part_that_was_read_are_those_of_the_indices(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 40) int size) {
    Random random = new Random(seed);
    IndexRanges whole = ranges(size, some(random, size));
    IndexRanges part = ranges(size, some(random, size)).and(whole);
    long[] read = whole.toArray();
    long[] places = part.within(whole).toArray();
    assertThat(places).hasSize((int) part.count());
    for (int i = 0; i < places.length; i++) {
      assertThat(read[(int) places[i]]).isEqualTo(part.index(i));
    }
  }

  @Test
  void indices_outside_of_what_was_read_are_refused() {
    assertThatThrownBy(() -> IndexRanges.of(2, 5).within(IndexRanges.of(0, 4)))
        .hasMessage("0:4 lacks some of 2:5");
    assertThatThrownBy(() -> IndexRanges.of(2, 5).index(3))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> IndexRanges.of(-1, 5)).hasMessageContaining("not negative, but -1");
  }

  static Set<Long> some(Random random, int size) {
    int share = random.nextInt(11);
    return filtered(size, i -> random.nextInt(10) < share);
  }

  private static Set<Long> filtered(int size, java.util.function.LongPredicate has) {
    Set<Long> all = new TreeSet<>();
    for (long i = 0; i < size; i++) {
      if (has.test(i)) {
        all.add(i);
      }
    }
    return all;
  }

  static IndexRanges ranges(int size, Set<Long> indices) {
    return IndexRanges.where(size, i -> indices.contains((long) i));
  }

  private static Set<Long> set(IndexRanges ranges) {
    Set<Long> all = new TreeSet<>();
    for (long index : ranges.toArray()) {
      all.add(index);
    }
    return all;
  }
}
