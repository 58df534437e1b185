package dev.zarrreactive.icechunk;

import static dev.zarrreactive.icechunk.SessionTree.GROUP;
import static dev.zarrreactive.testing.Waiting.await;
import static dev.zarrreactive.testing.Waiting.errorOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.CommitConflictException;
import dev.zarrreactive.error.CommitConflictException.Kind;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.Cases;
import dev.zarrreactive.testing.Sampled;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Forks of a session change random keys, beside a naive model of keys and bytes: what is merged is
 * the session's with what the fork has touched, and a key that both have touched is told.
 */
class RandomForksTest {
  private static final List<String> ARRAYS = List.of("a", "g/b", "g/c", "g/h/d");
  private static final List<String> GROUPS = List.of("g", "g/h");

  @Sampled
  @TestFactory
  Stream<DynamicTest> merged_forks_are_what_a_naive_model_says() {
    return IntStream.range(0, Cases.some(60, 1_000))
        .mapToObj(
            seed ->
                DynamicTest.dynamicTest("seed " + seed, () -> new RandomForks(seed).run(seed % 3)));
  }

  /** A store beside a map of what must be in it. */
  private static final class Side {
    final Store store;
    final TreeMap<String, String> values;
    final Set<String> touched = new TreeSet<>();
    final Set<String> removed = new TreeSet<>();

    Side(Store store, Map<String, String> values) {
      this.store = store;
      this.values = new TreeMap<>(values);
    }

    void set(String key, String value) {
      if (errorOf(store.set(StoreKey.of(key), Bytes.utf8(value))) == null) {
        if (!(key.endsWith("zarr.json") && value.equals(values.get(key)))) {
          touched.add(key);
        }
        values.put(key, value);
      }
    }

    void erase(String key) {
      await(store.erase(StoreKey.of(key)));
      Set<String> gone = new HashSet<>(Set.of(key));
      if (key.endsWith("zarr.json") && values.containsKey(key)) {
        removed.add(key);
        String chunks = key.substring(0, key.length() - "zarr.json".length()) + "c/";
        values.keySet().stream().filter(each -> each.startsWith(chunks)).forEach(gone::add);
      }
      for (String each : gone) {
        if (values.remove(each) != null) {
          touched.add(each);
        }
      }
    }

    Map<String, String> content() {
      TreeMap<String, String> content = new TreeMap<>();
      for (StoreKey key : await(store.list())) {
        content.put(key.value(), SessionTree.get(store, key.value()));
      }
      return content;
    }

    void check() {
      assertThat(content()).isEqualTo(values);
    }
  }

  private static final class RandomForks {
    private final Random random;
    private final Store place = MemoryStore.create();
    private final IcechunkRepository repository;
    private Map<String, String> forked = Map.of();

    RandomForks(long seed) {
      random = new Random(seed);
      repository =
          TestRepositories.create(place, "inline_chunk_threshold_bytes", random.nextInt(2) * 12);
    }

    /**
     * Makes a commit, a session, forks and merges.
     *
     * @param care 0 where each side has arrays of its own, 1 where each has chunks of its own
     */
    void run(int care) {
      IcechunkSession first = await(repository.session("main"));
      Side base = new Side(first, Map.of());
      GROUPS.forEach(group -> base.set(group + "/zarr.json", GROUP));
      ARRAYS.forEach(array -> base.set(array + "/zarr.json", array(random.nextInt(3))));
      change(base, ARRAYS, 12, 0, 1, false);
      await(first.commit("base"));

      IcechunkSession session = await(repository.session("main"));
      Side ours = new Side(session, base.values);
      change(ours, ARRAYS, 6, 0, 1, true);
      ours.check();
      int count = 1 + random.nextInt(3);
      Bytes bytes = await(session.fork());
      forked = Map.copyOf(ours.values);
      ours.touched.clear();
      ours.removed.clear();
      List<IcechunkSession> forks = new ArrayList<>();
      List<Side> sides = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        IcechunkSession fork = await(await(Icechunk.open(place)).openFork(bytes));
        Side side = new Side(fork, ours.values);
        side.check();
        changeBy(side, care, i + 1, count + 1);
        side.check();
        forks.add(fork);
        sides.add(side);
      }
      changeBy(ours, care, 0, count + 1);
      List<Integer> order = new ArrayList<>(IntStream.range(0, count).boxed().toList());
      Collections.shuffle(order, random);
      for (int i : order) {
        merge(session, ours, forks.get(i), sides.get(i), care);
      }
      if (session.hasChanges()) {
        commit(session, ours);
      }
    }

    private void commit(IcechunkSession session, Side ours) {
      boolean isPending =
          ours.values.keySet().stream()
              .filter(key -> !key.endsWith("zarr.json"))
              .anyMatch(key -> !ours.values.containsKey(key.replaceAll("c/[0-9]+$", "zarr.json")));
      Throwable error = errorOf(session.commit("all"));
      if (isPending) {
        assertThat(error).isInstanceOf(StoreException.class);
        return;
      }
      assertThat(error).isNull();
      IcechunkRepository now = await(repository.refresh());
      assertThat(new Side(await(now.store(IcechunkVersion.MAIN)), Map.of()).content())
          .isEqualTo(ours.values);
      assertThat(await(now.checkHistory()).stream().filter(IcechunkFinding::isFault).toList())
          .isEmpty();
    }

    private static final int LENGTH = 100;

    /** The document of an array; its chunks are always in its grid. */
    private static String array(int variant) {
      return SessionTree.array(LENGTH)
          .replace("\"codecs\"", "\"attributes\":{\"variant\":" + variant + "},\"codecs\"");
    }

    private void changeBy(Side side, int care, int number, int all) {
      switch (care) {
        case 0 -> change(side, ARRAYS.subList(number, number + 1), 8, 0, 1, number > 0);
        case 1 -> change(side, ARRAYS, 12, number, all, false);
        default -> change(side, ARRAYS, 4, 0, 1, true);
      }
    }

    /** Writes and erases chunks whose number has a remainder; and documents, where it may. */
    private void change(
        Side side, List<String> arrays, int most, int remainder, int all, boolean documents) {
      int changes = random.nextInt(most + 1);
      for (int i = 0; i < changes; i++) {
        String array = arrays.get(random.nextInt(arrays.size()));
        String chunk = array + "/c/" + (remainder + all * random.nextInt(8));
        switch (random.nextInt(documents ? 8 : 5)) {
          case 0 -> side.erase(chunk);
          case 5 -> side.set(array + "/zarr.json", array(random.nextInt(3)));
          case 6 -> side.erase(array + "/zarr.json");
          default ->
              side.set(chunk, "chunk " + random.nextInt(1 << 20) + "!".repeat(random.nextInt(9)));
        }
      }
    }

    private void merge(
        IcechunkSession session, Side ours, IcechunkSession fork, Side theirs, int care) {
      Bytes changes = await(fork.changes());
      Throwable error = errorOf(session.merge(changes));
      if (care < 2) {
        assertThat(error).isNull();
      }
      Set<String> both = new TreeSet<>(ours.touched);
      both.retainAll(theirs.touched);
      if (error == null) {
        Set<String> changed = new TreeSet<>(theirs.touched);
        changed.removeIf(key -> isAsForked(theirs, key) || isMadeAnew(ours, theirs, key));
        for (String key : both) {
          // only what both have made the same, a document or nothing, or one has taken back
          if (changed.contains(key) && !isAsForked(ours, key)) {
            assertThat(theirs.values.get(key)).as(key).isEqualTo(ours.values.get(key));
          }
        }
        for (String key : changed) {
          put(ours.values, key, theirs.values.get(key));
          ours.touched.add(key);
        }
        ours.removed.addAll(theirs.removed);
      } else {
        assertThat(error).isInstanceOf(CommitConflictException.class);
        for (CommitConflictException.Conflict conflict :
            ((CommitConflictException) error).conflicts()) {
          List<Long> chunk = conflict.chunk();
          if (chunk != null) {
            assertThat(conflict.kind()).isEqualTo(Kind.BOTH_CHANGED_CHUNK);
            assertThat(both).contains(conflict.path().substring(1) + "/c/" + chunk.get(0));
          }
        }
      }
      ours.check();
      theirs.check();
    }

    /** Returns true for a key that is as it was, whatever was written meanwhile. */
    private boolean isAsForked(Side side, String key) {
      return Objects.equals(side.values.get(key), forked.get(key));
    }

    /** Returns true for a key of an array that both have removed, and one has made anew. */
    private static boolean isMadeAnew(Side ours, Side theirs, String key) {
      String document = key.replaceAll("c/[0-9]+$", "zarr.json");
      return ours.removed.contains(document)
          && theirs.removed.contains(document)
          && !theirs.values.containsKey(key);
    }

    private static void put(Map<String, String> values, String key, @Nullable String value) {
      if (value == null) {
        values.remove(key);
      } else {
        values.put(key, value);
      }
    }
  }
}
