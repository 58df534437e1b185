package dev.zarrreactive.internal.flow;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

class TurnsTest {
  private final List<Long> admitted = new ArrayList<>();

  private void await(Turns turns, long number) {
    Mono<Void> turn = turns.await(number);
    if (turn == null) {
      admitted.add(number);
    } else {
      turn.subscribe(null, null, () -> admitted.add(number));
    }
  }

  @Test
  void aNumberBelowTheBoundDoesNotWait() {
    Turns turns = new Turns(2);
    await(turns, 1);
    await(turns, 2);
    assertThat(admitted).containsExactly(1L);
  }

  @Test
  void numbersHaveTheirTurnInOrderAsTheBoundGrows() {
    Turns turns = new Turns(0);
    for (long number : new long[] {3, 1, 2, 0}) {
      await(turns, number);
    }
    turns.grow(2);
    assertThat(admitted).containsExactly(0L, 1L);
    turns.grow(4);
    assertThat(admitted).containsExactly(0L, 1L, 2L, 3L);
  }

  @Test
  void theBoundNeverShrinks() {
    Turns turns = new Turns(3);
    turns.grow(1);
    assertThat(turns.bound()).isEqualTo(3);
    await(turns, 2);
    assertThat(admitted).containsExactly(2L);
  }

  @Test
  void valuesComeInTheOrderOfTheirNumbers() {
    int ahead = 8;
    for (int seed = 0; seed < 50; seed++) {
      Random random = new Random(seed);
      Sorting<Long> sorting = new Sorting<>(ahead, Long::longValue);
      List<Long> sorted = new ArrayList<>();
      List<Long> underWay = new ArrayList<>();
      long next = 0;
      while (sorted.size() < 100) {
        while (next < 100 && next < sorted.size() + ahead) {
          underWay.add(next++);
        }
        Collections.shuffle(underWay, random);
        sorted.addAll(sorting.apply(underWay.remove(0)));
      }
      assertThat(sorted)
          .containsExactlyElementsOf(IntStream.range(0, 100).mapToObj(i -> (long) i).toList());
    }
  }
}
