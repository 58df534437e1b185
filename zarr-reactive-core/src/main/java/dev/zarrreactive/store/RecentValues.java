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
 * A segmented LRU cache of values, bounded by their bytes. Entries that were used again are
 * protected in up to four fifths of it, so that one scan of a large array evicts neither indexes
 * nor metadata. Not thread-safe.
 */
final class RecentValues {
  private final long maxBytes;
  private final Map<CacheKey, CacheEntry> usedOnce = new LinkedHashMap<>();
  private final Map<CacheKey, CacheEntry> usedAgain = new LinkedHashMap<>();
  private final NavigableMap<String, Kept> byKey = new TreeMap<>();
  private long bytes;
  private long bytesUsedAgain;
  private long evictions;

  /**
   * The entries of one key and one version: its value, ranges of it, or the fact that it is
   * missing.
   */
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

  /** Returns an entry and marks it as the most recent; null if there is none. */
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

  /** Adds an entry that fits, in place of one with the same key. */
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
   * Records an answer of the store: evicts entries of other versions, and marks entries of this
   * version as fresh.
   *
   * @return false if a later answer differs, so that this one is stale
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

  /** Returns the time at which the store last confirmed an entry. */
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

  /** Evicts entries that were used only once before the others, but keeps the newest one. */
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
