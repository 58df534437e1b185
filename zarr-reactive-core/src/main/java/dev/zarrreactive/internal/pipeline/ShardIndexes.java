package dev.zarrreactive.internal.pipeline;

import dev.zarrreactive.codec.ShardIndexCounts;
import dev.zarrreactive.codec.ShardLayout;
import dev.zarrreactive.codec.ShardReading;
import dev.zarrreactive.internal.pipeline.KnownIndex.Found;
import dev.zarrreactive.store.ByteRange;
import dev.zarrreactive.store.Bytes;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreKey;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * The indexes of the shards of one opened hierarchy. An index is fetched once however many look it
 * up at a time, is kept while there is room, and is forgotten when its shard is written or erased
 * in this process. What fails or is cancelled is not kept.
 */
public final class ShardIndexes {
  private final Store store;
  private final ShardReading options;
  private final Scheduler scheduler;
  private final KeptIndexes kept;
  private final Map<ShardPlace, Lookup> underWay = new HashMap<>();
  private final Set<Lookup> fetching = new HashSet<>();
  private long hits;
  private long misses;
  private long changes;

  /** Indexes of shards in {@code store}, decoded on {@code scheduler}. */
  public ShardIndexes(Store store, ShardReading options, Scheduler scheduler) {
    this.store = store;
    this.options = options;
    this.scheduler = scheduler;
    this.kept = new KeptIndexes(options.indexCacheBytes());
  }

  /** What became of look-ups so far. */
  public synchronized ShardIndexCounts counts() {
    return new ShardIndexCounts(hits, misses, kept.bytes());
  }

  /** The index of a shard where it is known; asks for nothing. */
  synchronized @Nullable KnownIndex known(ShardPlace place) {
    return kept.find(place);
  }

  /**
   * Looks an index up; empty where there is no shard. Where the fetch of another fails that this
   * one has joined, it asks once itself.
   */
  Mono<Found> find(ShardPlace place, ByteSource source, ShardLayout layout) {
    return Mono.defer(
        () -> {
          Lookup[] begun = new Lookup[1];
          return lookUp(place, source, layout, begun)
              .onErrorResume(
                  e ->
                      begun[0] == null
                          ? lookUp(place, source, layout, begun)
                          : Mono.<Found>error(e));
        });
  }

  /** As {@link #find}, where {@code old} has turned out to be wrong. */
  Mono<Found> findAnew(KnownIndex old, ShardPlace place, ByteSource source, ShardLayout layout) {
    return Mono.defer(
        () -> {
          forget(old, place);
          return find(place, source, layout);
        });
  }

  private synchronized void forget(KnownIndex old, ShardPlace place) {
    old.expire();
    kept.remove(place, old);
  }

  private synchronized Mono<Found> lookUp(
      ShardPlace place, ByteSource source, ShardLayout layout, Lookup[] begun) {
    KnownIndex known = kept.find(place);
    if (known != null) {
      hits++;
      return Mono.just(new Found(known, null));
    }
    Lookup lookup = underWay.get(place);
    if (lookup == null) {
      misses++;
      lookup = new Lookup(place, source, layout);
      begun[0] = lookup;
      underWay.put(place, lookup);
      Caches.add(this);
    } else {
      hits++;
    }
    return lookup.shared.get().flatMap(Mono::justOrEmpty);
  }

  /**
   * Keeps the index of a shard that was fetched whole, like any other.
   *
   * @param changesBefore the {@link #changes} before it was fetched
   */
  synchronized void keep(ShardPlace place, KnownIndex known, long changesBefore) {
    if (changes == changesBefore) {
      kept.add(place, known);
    }
  }

  /** How often something was forgotten since it changed. */
  synchronized long changes() {
    Caches.add(this);
    return changes;
  }

  /** One fetch of an index, and who waits for it. */
  private final class Lookup {
    private final ShardPlace place;
    private final SharedFetch<Optional<Found>> shared;
    private boolean overtaken; // by a change of the shard; guarded by the cache

    Lookup(ShardPlace place, ByteSource source, ShardLayout layout) {
      this.place = place;
      this.shared =
          new SharedFetch<>(
              Mono.defer(
                  () -> {
                    begin();
                    return fetch(source, layout)
                        .doOnNext(found -> end(found.known()))
                        .map(Optional::of)
                        .defaultIfEmpty(Optional.empty())
                        .doOnTerminate(() -> end(null))
                        .doOnCancel(() -> end(null));
                  }));
    }

    private Mono<Found> fetch(ByteSource source, ShardLayout layout) {
      return source
          .range(wanted(layout))
          .publishOn(scheduler)
          .map(bytes -> new Found(new KnownIndex(layout.decodeIndex(index(bytes))), whole(bytes)));
    }

    private ByteRange wanted(ShardLayout layout) {
      ByteRange index = layout.indexRange();
      return speculates() ? new ByteRange.Suffix(options.speculativeTail()) : index;
    }

    private boolean speculates() {
      return place.isWholeValue()
          && place.index() instanceof ByteRange.Suffix suffix
          && suffix.length() < options.speculativeTail();
    }

    private Bytes index(Bytes fetched) {
      ByteRange.Slice slice =
          place.index() instanceof ByteRange.Suffix suffix
              ? suffix.resolve(fetched.size())
              : new ByteRange.Slice(0, fetched.size());
      return alone(fetched, slice);
    }

    /** A tail that is shorter than what was asked for is everything. */
    private @Nullable Bytes whole(Bytes fetched) {
      return speculates() && fetched.size() < options.speculativeTail() ? fetched : null;
    }

    private void begin() {
      synchronized (ShardIndexes.this) {
        overtaken = false;
        fetching.add(this);
      }
    }

    private void end(@Nullable KnownIndex known) {
      synchronized (ShardIndexes.this) {
        if (known != null) {
          if (overtaken) {
            known.expire();
          } else {
            kept.add(place, known);
          }
        }
        fetching.remove(this);
        underWay.remove(place, this);
      }
    }
  }

  /** A part of some bytes that does not keep the rest of them in memory. */
  static Bytes alone(Bytes bytes, ByteRange.Slice part) {
    Bytes slice = bytes.slice((int) part.offset(), (int) part.length());
    return slice.size() == bytes.unsafeArray().length ? slice : Bytes.wrap(slice.toByteArray());
  }

  /**
   * A request that changes the value at {@code key}: indexes of it are forgotten when it begins and
   * when it ends, in whatever way.
   */
  static <T> Mono<T> changing(Store store, StoreKey key, Mono<T> request) {
    return forgetting(
        () ->
            Caches.of(store).forEach(cache -> cache.forget(key::equals, kept -> kept.remove(key))),
        request);
  }

  /** As {@link #changing}, the values at all keys that match. */
  public static <T> Mono<T> changingAll(Store store, Predicate<StoreKey> keys, Mono<T> request) {
    return forgetting(
        () -> Caches.of(store).forEach(cache -> cache.forget(keys, kept -> kept.remove(keys))),
        request);
  }

  private static <T> Mono<T> forgetting(Runnable forget, Mono<T> request) {
    return Mono.defer(
        () -> {
          forget.run();
          return request.doOnTerminate(forget).doOnCancel(forget);
        });
  }

  private synchronized void forget(Predicate<StoreKey> keys, Consumer<KeptIndexes> remove) {
    changes++;
    remove.accept(kept);
    for (Lookup lookup : fetching) {
      if (keys.test(lookup.place.key())) {
        lookup.overtaken = true;
        underWay.remove(lookup.place, lookup);
      }
    }
  }

  /** The caches of this process: a write through one of them is a write to all. */
  private static final class Caches {
    private static final Set<ShardIndexes> ALL = Collections.newSetFromMap(new WeakHashMap<>());

    static void add(ShardIndexes cache) {
      synchronized (ALL) {
        ALL.add(cache);
      }
    }

    /** A store is compared by identity: two stores may be equal and hold different values. */
    static List<ShardIndexes> of(Store store) {
      synchronized (ALL) {
        return ALL.stream().filter(cache -> cache.store == store).toList();
      }
    }
  }
}
