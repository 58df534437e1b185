package dev.zarrreactive.icechunk;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Counts the references of one array in one manifest that have the same problem. */
final class Tally {
  /** The problems that are told apart. */
  private static final int MOST = 100;

  private final String key;
  private final String path;
  private final Map<String, Counted> problems = new LinkedHashMap<>();

  private static final class Counted {
    final boolean isFault;
    final int[] first;
    long count;

    Counted(boolean isFault, int[] first) {
      this.isFault = isFault;
      this.first = first;
    }
  }

  /**
   * Creates a tally without a problem.
   *
   * @param key of the manifest
   * @param path of the array
   */
  Tally(String key, String path) {
    this.key = key;
    this.path = path;
  }

  /** Counts a chunk for which a reader fails, or that it does not find. */
  void fault(String problem, int[] index) {
    count(true, problem, index);
  }

  /** Counts a chunk with a problem that is no fault. */
  void warning(String problem, int[] index) {
    count(false, problem, index);
  }

  private void count(boolean isFault, String problem, int[] index) {
    String kind =
        problems.size() < MOST || problems.containsKey(problem) ? problem : "other problems";
    problems.computeIfAbsent(kind, each -> new Counted(isFault, index)).count++;
  }

  /** Returns a finding for each problem, with its first chunk. */
  List<IcechunkFinding> findings() {
    List<IcechunkFinding> findings = new ArrayList<>();
    problems.forEach(
        (problem, counted) ->
            findings.add(
                new IcechunkFinding(
                    key,
                    counted.isFault,
                    (counted.count == 1 ? "a reference" : counted.count + " references")
                        + " of "
                        + path
                        + (counted.count == 1 ? ", that" : ", such as that")
                        + " of chunk "
                        + text(counted.first)
                        + (counted.count == 1 ? ", has " : ", have ")
                        + problem)));
    return findings;
  }

  /** Returns an index for people, such as {@code (0, 1)}. */
  static String text(int[] index) {
    return Arrays.stream(index)
        .mapToObj(Integer::toUnsignedString)
        .collect(Collectors.joining(", ", "(", ")"));
  }
}
