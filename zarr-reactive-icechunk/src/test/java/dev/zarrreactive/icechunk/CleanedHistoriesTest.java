package dev.zarrreactive.icechunk;

import dev.zarrreactive.testing.Cases;
import dev.zarrreactive.testing.Sampled;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Random histories of which a random part expires, and whose garbage is collected: what stays is
 * what a naive model says, snapshot by snapshot and object by object.
 */
class CleanedHistoriesTest {
  @Sampled
  @TestFactory
  Stream<DynamicTest> a_cleaned_history_is_what_a_naive_model_says() {
    return IntStream.range(0, Cases.some(8, 200))
        .mapToObj(seed -> DynamicTest.dynamicTest("seed " + seed, () -> clean(seed)));
  }

  private static void clean(long seed) {
    Random random = new Random(seed);
    DatedStore place = new DatedStore();
    WrittenHistory history = new WrittenHistory(place, seed);
    for (int round = 0; round < 3; round++) {
      history.write(8);
      CleanedRepository.clean(
          place, history, random, IcechunkCleanup.nothing().withCollection(DatedStore.BOUND));
    }
  }
}
