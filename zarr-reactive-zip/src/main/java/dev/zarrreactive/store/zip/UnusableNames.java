package dev.zarrreactive.store.zip;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The names of entries that cannot be keys, such as {@code ../a}, and the keys that their writers
 * may have meant. To read or to list one of these is an error, for it may be what the entry holds;
 * a missing key would read as fill values, and a listing without it as an empty group. All other
 * keys are read as if the entries were not there.
 */
final class UnusableNames {
  /** An archive with more such names is refused: each takes memory. */
  static final int MOST = 1000;

  /** By the name as it is shown. */
  private final Set<String> names = new LinkedHashSet<>();

  /** By the key that may have been meant. */
  private final Map<String, String> meant = new LinkedHashMap<>();

  private int count;

  /** Takes a name; false where there are too many. */
  boolean add(String name) {
    String shown = ZipNames.show(name);
    names.add(shown);
    String slashes = name.replace('\\', '/');
    int nul = slashes.indexOf('\0');
    mean(slashes.replace("\0", ""), shown);
    if (nul >= 0) {
      mean(slashes.substring(0, nul), shown);
    }
    return ++count <= MOST;
  }

  /** The name of an entry that may hold the value of the key; null where none does. */
  @Nullable String of(StoreKey key) {
    return meant.get(key.value());
  }

  /** The keys below the prefix that entries may hold, each with its entry's name as it is shown. */
  List<Map.Entry<String, String>> below(StorePrefix prefix) {
    return meant.entrySet().stream()
        .filter(entry -> !entry.getKey().isEmpty() && entry.getKey().startsWith(prefix.value()))
        .toList();
  }

  /** Every name, as it is shown. */
  List<String> all() {
    return List.copyOf(names);
  }

  private void mean(String path, String shown) {
    Deque<String> up = new ArrayDeque<>(); // ".." leads up
    Deque<String> plain = new ArrayDeque<>(); // ".." is left out
    for (String segment : path.split("/", -1)) {
      if (segment.equals("..")) {
        up.pollLast();
      } else if (!segment.isEmpty() && !segment.equals(".")) {
        up.addLast(segment);
        plain.addLast(segment);
      }
    }
    mean(up, shown);
    mean(plain, shown);
    if (plain.size() > 1 && plain.getFirst().matches("[A-Za-z]:")) {
      plain.removeFirst(); // a drive of Windows
      mean(plain, shown);
    }
  }

  private void mean(Deque<String> segments, String shown) {
    meant.putIfAbsent(String.join("/", segments), shown);
  }
}
