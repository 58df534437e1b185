package dev.zarrreactive.icechunk;

import static dev.zarrreactive.testing.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.testing.Cases;
import dev.zarrreactive.testing.Sampled;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
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
    return IntStream.range(0, Cases.some(25, 200))
        .mapToObj(seed -> DynamicTest.dynamicTest("seed " + seed, () -> clean(seed)));
  }

  private static void clean(long seed) {
    Random random = new Random(seed);
    DatedStore place = new DatedStore();
    WrittenHistory history = new WrittenHistory(place, seed);
    for (int round = 0; round < 3; round++) {
      history.write(8);
      IcechunkRepository repository = await(Icechunk.open(place));
      ExpiredHistories model = new ExpiredHistories(repository);
      List<Instant> times = new ArrayList<>(model.times.values());
      Instant bound = times.get(random.nextInt(times.size()));
      boolean branches = random.nextBoolean();
      boolean tags = random.nextBoolean();
      IcechunkCleanup wanted =
          IcechunkCleanup.nothing()
              .withExpiration(bound)
              .withExpiredBranches(branches)
              .withExpiredTags(tags)
              .withCollection(DatedStore.BOUND);
      model.expire(bound, branches, tags);
      IcechunkCleaned told = await(repository.clean(wanted.withDryRun(true)));
      IcechunkCleaned cleaned = await(repository.clean(wanted));
      assertThat(cleaned).isEqualTo(told);
      assertThat(new ExpiredHistories(await(repository.refresh())).histories())
          .isEqualTo(model.histories());
      NeededObjects.assertNoOther(place);
      history.forget(cleaned);
      history.checkAll();
    }
  }
}
