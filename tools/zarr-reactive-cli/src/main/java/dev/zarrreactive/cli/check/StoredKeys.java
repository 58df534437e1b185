package dev.zarrreactive.cli.check;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.cli.console.Quantities;
import dev.zarrreactive.cli.stored.ArrayKeys;
import dev.zarrreactive.internal.planning.SaturatingSize;
import dev.zarrreactive.metadata.NodePath;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The keys below arrays, as a listing names them: chunks, chunks outside of the grid, and files
 * that look like chunks of another array. Arrays are added before their keys are seen.
 */
final class StoredKeys {
  private final Map<String, Counted> arrays = new ConcurrentHashMap<>();

  /** The keys of one array; seen by one listing, whose signals come one after the other. */
  private static final class Counted {
    private final ZarrArray array;
    private final ArrayKeys keys;
    private long inside;
    private long outside;
    private @Nullable StoreKey firstOutside;
    private final Map<String, Long> others = new TreeMap<>();
    private final Map<String, StoreKey> firstOthers = new TreeMap<>();

    Counted(ZarrArray array) {
      this.array = array;
      this.keys = ArrayKeys.of(array);
    }

    void see(StoreKey key) {
      switch (keys.kind(key)) {
        case CHUNK -> inside++;
        case OUTSIDE -> {
          outside++;
          firstOutside = firstOutside == null ? key : least(firstOutside, key);
        }
        case OTHER -> {
          String why = keys.otherwise(key);
          others.merge(why, 1L, Long::sum);
          firstOthers.merge(why, key, Counted::least);
        }
        case FOREIGN -> {}
      }
    }

    /** Returns the key that is first in the order of texts, whatever the order of a listing. */
    private static StoreKey least(StoreKey one, StoreKey other) {
      return one.value().compareTo(other.value()) <= 0 ? one : other;
    }

    long missing() {
      return SaturatingSize.count(array.chunkGrid().gridShape()) - inside;
    }
  }

  /** Adds an array whose keys will be seen. */
  void add(ZarrArray array) {
    Counted counted = new Counted(array);
    arrays.put(counted.keys.prefix().value(), counted);
  }

  /** Counts a key of the listing, for the array that it lies below. */
  void see(StoreKey key) {
    String text = key.value();
    if (NodePath.isDocumentKey(text)) {
      return;
    }
    for (int end = text.lastIndexOf('/'); ; end = text.lastIndexOf('/', end - 1)) {
      Counted counted = arrays.get(text.substring(0, end + 1));
      if (counted != null) {
        counted.see(key);
        return;
      } else if (end <= 0) {
        Counted root = arrays.get("");
        if (root != null) {
          root.see(key);
        }
        return;
      }
    }
  }

  private List<Counted> all() {
    List<Counted> all = new ArrayList<>(arrays.values());
    all.sort(Comparator.comparing(counted -> counted.array.path()));
    return all;
  }

  /**
   * Returns a finding for files that look like chunks and are none, and warns of chunks outside of
   * the grid: a resize may have kept them.
   */
  List<Finding> findings(Consumer<String> onWarning) {
    List<Finding> findings = new ArrayList<>();
    for (Counted counted : all()) {
      String path = counted.array.path().value();
      counted.others.forEach(
          (why, count) ->
              findings.add(
                  new Finding(
                      path.isEmpty() ? "/" : path,
                      Quantities.plural(count, "file")
                          + (count == 1 ? " lies at a key" : " lie at keys")
                          + " that no chunk has, such as "
                          + counted.firstOthers.get(why)
                          + ": "
                          + why)));
      if (counted.outside > 0) {
        onWarning.accept(
            path
                + ": "
                + Quantities.plural(counted.outside, "stored chunk")
                + (counted.outside == 1 ? " lies" : " lie")
                + " outside of the shape "
                + counted.array.shape()
                + ", such as "
                + counted.firstOutside
                + ": a resize kept them, or another program stored them; zarr resize with --outside"
                + " ERASE erases them");
      }
    }
    return findings;
  }

  /** Returns a line for each array that lacks chunks, with their number. */
  List<String> missing() {
    List<String> lines = new ArrayList<>();
    for (Counted counted : all()) {
      if (counted.missing() > 0) {
        lines.add(
            counted.array.path().value()
                + ": "
                + Quantities.number(BigInteger.valueOf(counted.missing()))
                + " of "
                + Quantities.plural(
                    SaturatingSize.count(counted.array.chunkGrid().gridShape()), "chunk")
                + " missing, read as fill value");
      }
    }
    return lines;
  }
}
