package dev.zarrreactive.icechunk;

import static dev.zarrreactive.testing.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.testing.Cases;
import dev.zarrreactive.testing.Sampled;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import reactor.core.publisher.Flux;

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
      Model model = new Model(repository);
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
      assertThat(new Model(await(repository.refresh())).histories()).isEqualTo(model.histories());
      NeededObjects.assertNoOther(place);
      history.forget(cleaned);
      history.checkAll();
    }
  }

  /** Histories as lists, and the rules of expiration in the plainest words. */
  private static final class Model {
    final Map<String, String> tips = new HashMap<>();
    final Map<String, Instant> times = new HashMap<>();
    final Map<String, @Nullable String> parents = new HashMap<>();

    Model(IcechunkRepository repository) {
      await(repository.branches()).forEach(ref -> tips.put("branch " + ref.name(), ref.snapshot()));
      await(repository.tags()).forEach(ref -> tips.put("tag " + ref.name(), ref.snapshot()));
      for (String tip : tips.values()) {
        for (IcechunkSnapshot each :
            await(Flux.defer(() -> repository.history(IcechunkVersion.snapshot(tip))))) {
          times.put(each.id(), each.time());
          parents.put(each.id(), each.parent());
        }
      }
    }

    private boolean isOld(String snapshot, Instant bound) {
      return parents.get(snapshot) != null && times.get(snapshot).isBefore(bound);
    }

    void expire(Instant bound, boolean branches, boolean tags) {
      TreeSet<String> kept = new TreeSet<>();
      Map<String, String> staying = new HashMap<>();
      tips.forEach(
          (name, tip) -> {
            boolean goes =
                isOld(tip, bound)
                    && !name.equals("branch main")
                    && (name.startsWith("tag ") ? tags : branches);
            if (!goes) {
              staying.put(name, tip);
            }
            boolean isProtected =
                name.startsWith("tag ") ? !tags : !branches || name.equals("branch main");
            if (isProtected) {
              kept.add(tip);
            }
          });
      parents.keySet().stream().filter(each -> !isOld(each, bound)).forEach(kept::add);
      Map<String, @Nullable String> after = new HashMap<>();
      for (String each : kept) {
        String parent = parents.get(each);
        after.put(each, parent == null || kept.contains(parent) ? parent : "1CECHNKREP0F1RSTCMT0");
      }
      tips.clear();
      tips.putAll(staying);
      parents.clear();
      parents.putAll(after);
    }

    Map<String, List<String>> histories() {
      Map<String, List<String>> histories = new HashMap<>();
      tips.forEach(
          (name, tip) -> {
            List<String> history = new ArrayList<>();
            for (String at = tip; at != null; at = parents.get(at)) {
              history.add(at);
            }
            histories.put(name, history);
          });
      return histories;
    }
  }
}
