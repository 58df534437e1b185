package dev.zarrreactive.store;

import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
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
  private final Map<CacheKey, CacheEntry> usedOnce = new LinkedHashMap<>();
  private final Map<CacheKey, CacheEntry> usedAgain = new LinkedHashMap<>();
  private final NavigableMap<String, Kept> byKey = new TreeMap<>();
  private long bytes;
  private long bytesUsedAgain;
  private long evictions;

  /** What is kept of one key: its value or ranges of it, of one version, or that it is missing. */
  private static final class Kept {
    final Set<CacheKey> places = new HashSet<>();
    final @Nullable Version version;
    final boolean isMissing;
    long confirmedAt;

    Kept(CacheEntry first) {
      version = first.version();
      isMissing = first.value() == null;
      confirmedAt = first.askedAt();
    }
  }

  RecentValues(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  /** The entry, which now is the most recent; null where there is none. */
  @Nullable CacheEntry use(CacheKey key) {
    CacheEntry entry = usedAgain.remove(key);
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

  boolean fits(long weight) {
    return weight <= maxBytes;
  }

  /** Keeps an entry that fits, in place of one with the same key. */
  void put(CacheEntry entry) {
    CacheKey key = entry.key();
    remove(key);
    usedOnce.put(key, entry);
    bytes += entry.weight();
    byKey.computeIfAbsent(key.key().value(), any -> new Kept(entry)).places.add(key);
    while (bytes > maxBytes) {
      evict();
    }
  }

  /** Forgets the value and its ranges. */
  void forget(StoreKey key) {
    Kept kept = byKey.remove(key.value());
    if (kept != null) {
      kept.places.forEach(this::forgetEntry);
    }
  }

  /**
   * The store was asked and has the value, in that version: what is kept of other versions is
   * forgotten, and what is kept of this one is as new as the answer.
   *
   * @return false where the store was asked later, too, and said something else: the answer is old
   */
  boolean found(StoreKey key, @Nullable Version version, long askedAt) {
    Kept kept = byKey.get(key.value());
    if (kept == null) {
      return true;
    }
    if (kept.isMissing || !Objects.equals(version, kept.version)) {
      if (kept.confirmedAt > askedAt) {
        return false;
      }
      forget(key);
    } else {
      kept.confirmedAt = Math.max(kept.confirmedAt, askedAt);
    }
    return true;
  }

  /** When the store last said what an entry says. */
  long confirmedAt(CacheEntry entry) {
    Kept kept = byKey.get(entry.key().key().value());
    return kept == null || kept.version == null
        ? entry.askedAt()
        : Math.max(kept.confirmedAt, entry.askedAt());
  }

  /** Forgets every value below the prefix. */
  void forgetBelow(StorePrefix prefix) {
    Iterator<Map.Entry<String, Kept>> entries =
        byKey.tailMap(prefix.value(), true).entrySet().iterator();
    while (entries.hasNext()) {
      Map.Entry<String, Kept> next = entries.next();
      if (!next.getKey().startsWith(prefix.value())) {
        return;
      }
      next.getValue().places.forEach(this::forgetEntry);
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
    CacheEntry entry = usedAgain.remove(key);
    if (entry != null) {
      bytesUsedAgain -= entry.weight();
      usedOnce.put(key, entry);
    }
  }

  /** What was used once goes first; the newest of those is what room is made for. */
  private void evict() {
    Map<CacheKey, CacheEntry> from =
        usedOnce.size() > 1 || usedAgain.isEmpty() ? usedOnce : usedAgain;
    remove(from.keySet().iterator().next());
    evictions++;
  }

  private void remove(CacheKey key) {
    forgetEntry(key);
    Kept kept = byKey.get(key.key().value());
    if (kept != null && kept.places.remove(key) && kept.places.isEmpty()) {
      byKey.remove(key.key().value());
    }
  }

  private void forgetEntry(CacheKey key) {
    CacheEntry once = usedOnce.remove(key);
    CacheEntry again = usedAgain.remove(key);
    bytes -= once == null ? 0 : once.weight();
    if (again != null) {
      bytes -= again.weight();
      bytesUsedAgain -= again.weight();
    }
  }
}
