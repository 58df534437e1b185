package dev.zarrreactive.store;

import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A bounded number of bytes of values, the least recently used of which make room. Those that were
 * used again have up to four fifths for themselves, so that reading through a large array once
 * pushes out neither indices nor metadata. Not thread-safe.
 */
final class RecentValues {
  private final long maxBytes;
  private final Map<CacheKey, Entry> usedOnce = new LinkedHashMap<>();
  private final Map<CacheKey, Entry> usedAgain = new LinkedHashMap<>();
  private final NavigableMap<String, Set<CacheKey>> byKey = new TreeMap<>();
  private long bytes;
  private long bytesUsedAgain;
  private long evictions;

  RecentValues(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  /** What is kept: bytes, or null for a missing key. */
  record Entry(@Nullable Bytes value, long weight) {
    static Entry of(CacheKey key, @Nullable Bytes value) {
      return new Entry(value, key.overhead() + (value == null ? 0L : value.size()));
    }
  }

  /** The entry, which now is the most recent; null where there is none. */
  @Nullable Entry use(CacheKey key) {
    Entry entry = usedAgain.remove(key);
    if (entry == null) {
      entry = usedOnce.remove(key);
      if (entry == null) {
        return null;
      }
      bytesUsedAgain += entry.weight();
    }
    usedAgain.put(key, entry);
    while (bytesUsedAgain > maxBytes / 5 * 4 && usedAgain.size() > 1) {
      demoteEldest();
    }
    return entry;
  }

  boolean fits(Entry entry) {
    return entry.weight() <= maxBytes;
  }

  /** Keeps an entry that fits, in place of one with the same key. */
  void put(CacheKey key, Entry entry) {
    remove(key);
    usedOnce.put(key, entry);
    bytes += entry.weight();
    byKey.computeIfAbsent(key.key().value(), any -> new HashSet<>()).add(key);
    while (bytes > maxBytes) {
      evict();
    }
  }

  /** Forgets the value and its ranges. */
  void forget(StoreKey key) {
    Set<CacheKey> entries = byKey.remove(key.value());
    if (entries != null) {
      entries.forEach(this::forgetEntry);
    }
  }

  /** Forgets every value below the prefix. */
  void forgetBelow(StorePrefix prefix) {
    Iterator<Map.Entry<String, Set<CacheKey>>> entries =
        byKey.tailMap(prefix.value(), true).entrySet().iterator();
    while (entries.hasNext()) {
      Map.Entry<String, Set<CacheKey>> next = entries.next();
      if (!next.getKey().startsWith(prefix.value())) {
        return;
      }
      next.getValue().forEach(this::forgetEntry);
      entries.remove();
    }
  }

  int entries() {
    return usedOnce.size() + usedAgain.size();
  }

  long bytes() {
    return bytes;
  }

  long evictions() {
    return evictions;
  }

  private void demoteEldest() {
    CacheKey key = usedAgain.keySet().iterator().next();
    Entry entry = usedAgain.remove(key);
    if (entry != null) {
      bytesUsedAgain -= entry.weight();
      usedOnce.put(key, entry);
    }
  }

  /** What was used once goes first; the newest of those is what room is made for. */
  private void evict() {
    Map<CacheKey, Entry> from = usedOnce.size() > 1 || usedAgain.isEmpty() ? usedOnce : usedAgain;
    remove(from.keySet().iterator().next());
    evictions++;
  }

  private void remove(CacheKey key) {
    forgetEntry(key);
    Set<CacheKey> entries = byKey.get(key.key().value());
    if (entries != null && entries.remove(key) && entries.isEmpty()) {
      byKey.remove(key.key().value());
    }
  }

  private void forgetEntry(CacheKey key) {
    Entry once = usedOnce.remove(key);
    Entry again = usedAgain.remove(key);
    bytes -= once == null ? 0 : once.weight();
    if (again != null) {
      bytes -= again.weight();
      bytesUsedAgain -= again.weight();
    }
  }
}
