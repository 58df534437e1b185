package dev.zarrreactive.internal.context;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.internal.cache.Generations;
import dev.zarrreactive.internal.context.SharedFetch.Joined;
import dev.zarrreactive.internal.context.SharedFetch.Place;
import dev.zarrreactive.internal.context.SharedFetch.Told;
import dev.zarrreactive.store.Version;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Single-flight for the chunk requests of all operations of a hierarchy. An operation that needs a
 * chunk in flight waits for that fetch instead of making a request. A fetch can be joined after its
 * lease is granted and until its bytes arrive: in between it waits for the store alone. A fetch
 * whose chunks are to be cached can be joined until they are in the cache. Thread-safe.
 */
public final class SharedFetches {
  private final Generations generations;
  private final Map<Place, List<SharedFetch>> underWay = new HashMap<>();

  SharedFetches(Generations generations) {
    this.generations = generations;
  }

  /**
   * Begins a fetch of the chunks that are not in flight yet.
   *
   * @param form the metadata of the array
   * @param version the version of the value that is requested; null for any
   * @param range the range of the value that is requested
   * @param inner the numbers of the chunks in their shard, ascending; null for all of them
   */
  public SharedFetch begin(
      StoreKey key,
      ArrayForm form,
      @Nullable Version version,
      ByteRange range,
      long @Nullable [] inner) {
    long generation = generations.of(key);
    Place place = new Place(key, form);
    synchronized (underWay) {
      List<SharedFetch> others = underWay.getOrDefault(place, List.of());
      Joined joined =
          others.isEmpty()
              ? Joined.NONE
              : inner == null
                  ? joinWhole(others, generation, range)
                  : join(others, generation, version, range, inner);
      long[] own = inner == null || joined.count() == 0 ? inner : rest(inner, joined.each());
      SharedFetch mine = new SharedFetch(this, place, generation, version, range, own, joined);
      if (mine.bringsChunks()) {
        underWay.computeIfAbsent(place, any -> new ArrayList<>(1)).add(mine);
      }
      return mine;
    }
  }

  private static Joined joinWhole(List<SharedFetch> others, long generation, ByteRange range) {
    for (SharedFetch other : others) {
      if (other.bringsAll() && other.isOf(generation, null)) {
        return new Joined(new SharedFetch[] {other}, 1, List.of(other.outcome(range)));
      }
    }
    return Joined.NONE;
  }

  private static Joined join(
      List<SharedFetch> others,
      long generation,
      @Nullable Version version,
      ByteRange range,
      long[] inner) {
    @Nullable SharedFetch[] each = new SharedFetch[inner.length];
    Map<SharedFetch, Mono<SharedFetch>> outcomes = new LinkedHashMap<>(2);
    int count = 0;
    for (int i = 0; i < inner.length; i++) {
      for (SharedFetch other : others) {
        if (other.isOf(generation, version) && other.tryAwait(inner[i])) {
          each[i] = other;
          count++;
          outcomes.computeIfAbsent(other, joined -> joined.outcome(range));
          break;
        }
      }
    }
    return count == 0 ? Joined.NONE : new Joined(each, count, List.copyOf(outcomes.values()));
  }

  /** Returns the chunks that no other fetch brings. */
  private static long[] rest(long[] inner, @Nullable SharedFetch[] joined) {
    long[] rest = new long[inner.length];
    int count = 0;
    for (int i = 0; i < inner.length; i++) {
      if (joined[i] == null) {
        rest[count++] = inner[i];
      }
    }
    return Arrays.copyOf(rest, count);
  }

  long[] noteArrival(SharedFetch fetch, @Nullable LongFunction<Told> source) {
    synchronized (underWay) {
      boolean isOpen = isOpen(fetch);
      if (source == null) {
        remove(fetch);
      }
      return fetch.noteArrival(isOpen ? source : null);
    }
  }

  private boolean isOpen(SharedFetch fetch) {
    return underWay.getOrDefault(fetch.place(), List.of()).contains(fetch);
  }

  void remove(SharedFetch fetch) {
    synchronized (underWay) {
      List<SharedFetch> all = underWay.get(fetch.place());
      if (all != null && all.remove(fetch) && all.isEmpty()) {
        underWay.remove(fetch.place());
      }
    }
  }

  /** Returns the number of fetches that can be joined. */
  public int count() {
    synchronized (underWay) {
      return underWay.values().stream().mapToInt(List::size).sum();
    }
  }
}
