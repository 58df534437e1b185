package dev.zarrreactive.internal.pipeline;

import dev.zarrreactive.store.StoreKey;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Indexes in memory, by the value that holds the shard; what was not used for longest goes first.
 * Used by one thread at a time.
 */
final class KeptIndexes {
  /** What an index takes besides its entries. */
  private static final long OVERHEAD = 256;

  private final long most;
  private final Map<StoreKey, Map<ShardPlace, KnownIndex>> byKey =
      new LinkedHashMap<>(16, 0.75f, true);
  private long bytes;

  KeptIndexes(long bytes) {
    this.most = bytes;
  }

  long bytes() {
    return bytes;
  }

  @Nullable KnownIndex find(ShardPlace place) {
    Map<ShardPlace, KnownIndex> shards = byKey.get(place.key());
    return shards == null ? null : shards.get(place);
  }

  void add(ShardPlace place, KnownIndex index) {
    if (index.isStale() || size(index) > most) {
      return;
    }
    KnownIndex before =
        byKey.computeIfAbsent(place.key(), key -> new HashMap<>()).put(place, index);
    bytes += size(index) - (before == null ? 0 : size(before));
    Iterator<Map<ShardPlace, KnownIndex>> oldest = byKey.values().iterator();
    while (bytes > most && oldest.hasNext()) {
      bytes -= oldest.next().values().stream().mapToLong(KeptIndexes::size).sum();
      oldest.remove();
    }
  }

  /** Forgets one index, where it is still this one. */
  void remove(ShardPlace place, KnownIndex index) {
    Map<ShardPlace, KnownIndex> shards = byKey.get(place.key());
    if (shards != null && shards.remove(place, index)) {
      bytes -= size(index);
      if (shards.isEmpty()) {
        byKey.remove(place.key());
      }
    }
  }

  /** Forgets the indexes in the value at {@code key}: it has changed. */
  void remove(StoreKey key) {
    Map<ShardPlace, KnownIndex> shards = byKey.remove(key);
    if (shards != null) {
      for (KnownIndex index : shards.values()) {
        index.expire();
        bytes -= size(index);
      }
    }
  }

  /** Forgets the indexes in the values at some keys. */
  void remove(Predicate<StoreKey> keys) {
    byKey.keySet().stream().filter(keys).toList().forEach(this::remove);
  }

  private static long size(KnownIndex index) {
    return index.index().byteSize() + OVERHEAD;
  }
}
