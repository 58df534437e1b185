package dev.zarrreactive.internal.cache;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Entries in the order in which they make room: the least recently used first, entries that were
 * used once before entries that were used again. The latter have up to four fifths of the weight
 * for themselves, so that one pass over much data does not evict what is used all the time. Not
 * thread-safe.
 */
final class SegmentedLru<K, V> {
  private final long maxWeight;
  private final Map<K, Entry<V>> usedOnce = new LinkedHashMap<>();
  private final Map<K, Entry<V>> usedAgain = new LinkedHashMap<>();
  private long weight;
  private long weightUsedAgain;

  SegmentedLru(long maxWeight) {
    this.maxWeight = maxWeight;
  }

  private record Entry<V>(V value, long weight) {}

  /** Returns the value of {@code key}, which is used again now; null where there is none. */
  @Nullable V use(K key) {
    Entry<V> entry = usedAgain.remove(key);
    if (entry == null) {
      entry = usedOnce.remove(key);
      if (entry == null) {
        return null;
      }
      weightUsedAgain += entry.weight();
    }
    usedAgain.put(key, entry);
    while (weightUsedAgain > maxWeight / 5 * 4 && usedAgain.size() > 1) {
      demoteEldest();
    }
    return entry.value();
  }

  private void demoteEldest() {
    Map.Entry<K, Entry<V>> eldest = usedAgain.entrySet().iterator().next();
    K key = eldest.getKey();
    Entry<V> entry = eldest.getValue();
    usedAgain.remove(key);
    weightUsedAgain -= entry.weight();
    usedOnce.put(key, entry);
  }

  /** Returns the value of {@code key} without using it; null where there is none. */
  @Nullable V peek(K key) {
    Entry<V> entry = usedOnce.getOrDefault(key, usedAgain.get(key));
    return entry == null ? null : entry.value();
  }

  /** Adds an entry that is used once, in place of one with the same key. */
  void put(K key, V value, long itsWeight) {
    remove(key);
    usedOnce.put(key, new Entry<>(value, itsWeight));
    weight += itsWeight;
  }

  void remove(K key) {
    Entry<V> once = usedOnce.remove(key);
    Entry<V> again = usedAgain.remove(key);
    weight -= once == null ? 0 : once.weight();
    if (again != null) {
      weight -= again.weight();
      weightUsedAgain -= again.weight();
    }
  }

  /** Returns the key that is to make room; null where all entries fit. The newest one stays. */
  @Nullable K excess() {
    if (weight <= maxWeight) {
      return null;
    }
    Map<K, Entry<V>> from = usedOnce.size() > 1 || usedAgain.isEmpty() ? usedOnce : usedAgain;
    return from.keySet().iterator().next();
  }

  int size() {
    return usedOnce.size() + usedAgain.size();
  }

  long weight() {
    return weight;
  }
}
