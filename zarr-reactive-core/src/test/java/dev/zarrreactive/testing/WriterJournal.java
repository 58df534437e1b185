package dev.zarrreactive.testing;

import static dev.zarrreactive.testing.Waiting.await;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.store.Store;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What a {@link JournaledWriter} has told before it was killed: each change that it knew to be
 * stored is, and a change that was under way is stored whole or not at all.
 */
public final class WriterJournal {
  /** For each target, such as a row, the values that it may have. */
  private final Map<String, Set<Integer>> allowed = new HashMap<>();

  /** The appended elements that must be there. */
  private final Map<Integer, Integer> appended = new TreeMap<>();

  /** The appends that may be there, in whole or in part. */
  private final Set<Integer> begun = new HashSet<>(Set.of(0));

  private int changes;

  /** Notes a line. Returns true for a change that has ended. */
  public boolean add(String line) {
    assertThat(line).doesNotStartWith("fail");
    String[] words = line.split(" ");
    if (words.length != 5 || !words[4].equals(".")) {
      return false; // cut off by the kill
    }
    boolean isEnd = words[0].equals("end");
    int number = Integer.parseInt(words[3]);
    if (words[1].equals("log")) {
      if (isEnd) {
        begun.remove(number);
        int place = Integer.parseInt(words[2]);
        for (int i = place; i < place + JournaledWriter.BLOCK; i++) {
          assertThat(appended.put(i, number)).as("two appends at " + i).isNull();
        }
      } else {
        begun.add(number);
      }
    } else {
      String target = words[1] + " " + words[2];
      Set<Integer> values = allowed.computeIfAbsent(target, any -> new HashSet<>(Set.of(0)));
      if (isEnd) {
        values.clear();
      }
      values.add(number);
    }
    changes += isEnd ? 1 : 0;
    return isEnd;
  }

  /** The number of changes that the store has told to be stored. */
  public int changes() {
    return changes;
  }

  /** Compares what is stored; reads each value, with its checksum. */
  public void check(Store store) {
    ZarrHierarchy hierarchy = Zarr.hierarchy(store);
    for (String name : JournaledWriter.ROWS) {
      ZarrArray array = requireNonNull(await(JournaledWriter.open(hierarchy, name)));
      for (int row = 0; row < JournaledWriter.ROW_COUNT; row++) {
        NdArray data = requireNonNull(await(array.read("" + row)));
        int value = data.getInt(0);
        assertThat(Arrays.stream(data.toIntArray()).allMatch(other -> other == value))
            .as("row " + row + " of " + name + " has one value")
            .isTrue();
        assertThat(allowed.getOrDefault(name + " " + row, Set.of(0)))
            .as("values of row " + row + " of " + name)
            .contains(value);
      }
    }
    for (String name : List.of("v3", "shards")) {
      ZarrArray array = requireNonNull(await(hierarchy.openArray(name)));
      assertThat(allowed.getOrDefault("attributes " + name, Set.of(0)))
          .as("attributes of " + name)
          .contains((int) array.metadata().attributes().integer("n").orElse(0));
    }
    ZarrArray sized = requireNonNull(await(hierarchy.openArray("sized")));
    assertThat(allowed.getOrDefault("sized 0", Set.of(0))).contains((int) sized.shape().extent(0));
    assertThat(Arrays.stream(requireNonNull(await(sized.read())).toIntArray()))
        .allMatch(i -> i == 0);
    checkLog(requireNonNull(await(hierarchy.openArray("log"))));
    checkKeys(await(store.list()));
  }

  private void checkLog(ZarrArray log) {
    int[] values = requireNonNull(await(log.read())).toIntArray();
    assertThat(values.length % JournaledWriter.BLOCK).isZero();
    for (int i = 0; i < values.length; i++) {
      Integer number = appended.get(i);
      if (number == null) {
        assertThat(begun).as("element " + i + " of an unfinished append").contains(values[i]);
      } else {
        assertThat(values[i]).as("element " + i + " of the log").isEqualTo(number);
      }
    }
    assertThat(appended.keySet()).allMatch(i -> i < values.length);
  }

  private static void checkKeys(List<StoreKey> keys) {
    assertThat(keys)
        .map(StoreKey::value)
        .allMatch(
            key ->
                key.matches(
                    "(\\w+/)?zarr\\.json|\\w+/c/[\\d/]+|old/\\.z(group|attrs)"
                        + "|old/v2/(\\.z(array|attrs)|\\d\\.\\d)"));
  }
}
