package dev.zarrreactive.internal.context;

import dev.zarrreactive.internal.cache.Generations;
import dev.zarrreactive.store.StoreKey;
import dev.zarrreactive.store.Version;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Single-flight for the chunk requests of all operations of a hierarchy. An operation that needs a
 * chunk in flight waits for that fetch instead of making a request. A fetch can be joined after its
 * lease is granted and until its bytes arrive: in between it waits for the store alone.
 * Thread-safe.
 */
public final class SharedFetches {
  private final Generations generations;
  private final Map<Value, List<SharedFetch>> underWay = new HashMap<>();

  SharedFetches(Generations generations) {
    this.generations = generations;
  }

  private record Value(StoreKey key, ArrayForm form) {}

  /**
   * Begins a fetch of the chunks that are not in flight yet.
   *
   * @param form the metadata of the array
   * @param version the version of the value that is requested; null for any
   * @param inner the numbers of the chunks in their shard, ascending; null for all of them
   */
  public SharedFetch begin(
      StoreKey key, ArrayForm form, @Nullable Version version, long @Nullable [] inner) {
    long generation = generations.of(key);
    Value value = new Value(key, form);
    synchronized (underWay) {
      SharedFetch mine =
          inner == null
              ? new SharedFetch(generation, version, null, null)
              : joining(underWay.getOrDefault(value, List.of()), generation, version, inner);
      if (mine.bringsChunks()) {
        List<SharedFetch> all = underWay.get(value);
        if (all == null) {
          all = new ArrayList<>(1);
          underWay.put(value, all);
        }
        all.add(mine);
      }
      return mine;
    }
  }

  /** Returns the fetch of the same whole shard that is in flight; null if there is none. */
  public @Nullable SharedFetch whole(StoreKey key, ArrayForm form) {
    long generation = generations.of(key);
    synchronized (underWay) {
      for (SharedFetch other : underWay.getOrDefault(new Value(key, form), List.of())) {
        if (other.bringsAll() && other.generation() == generation) {
          return other;
        }
      }
      return null;
    }
  }

  private static SharedFetch joining(
      List<SharedFetch> others, long generation, @Nullable Version version, long[] inner) {
    SharedFetch[] joined = null;
    long[] own = inner;
    int count = 0;
    for (int i = 0; i < inner.length && !others.isEmpty(); i++) {
      SharedFetch other = bringing(others, generation, version, inner[i]);
      if (other != null) {
        if (joined == null) {
          joined = new SharedFetch[inner.length];
          own = inner.clone();
          count = i;
        }
        joined[i] = other;
      } else if (joined != null) {
        own[count++] = inner[i];
      }
    }
    return new SharedFetch(
        generation, version, joined == null ? inner : Arrays.copyOf(own, count), joined);
  }

  private static @Nullable SharedFetch bringing(
      List<SharedFetch> others, long generation, @Nullable Version version, long chunk) {
    for (SharedFetch other : others) {
      if (other.isOf(generation, version) && other.join(chunk)) {
        return other;
      }
    }
    return null;
  }

  /**
   * Closes a fetch to further operations.
   *
   * @return the numbers of the chunks that other operations wait for
   */
  public long[] close(StoreKey key, ArrayForm form, SharedFetch fetch) {
    Value value = new Value(key, form);
    synchronized (underWay) {
      List<SharedFetch> all = underWay.get(value);
      if (all != null && all.remove(fetch) && all.isEmpty()) {
        underWay.remove(value);
      }
      return fetch.joiners();
    }
  }
}
