package dev.zarrreactive.internal.pipeline;

import dev.zarrreactive.codec.ShardIndexCounts;
import dev.zarrreactive.codec.ShardLayout;
import dev.zarrreactive.codec.ShardReading;
import dev.zarrreactive.internal.observation.Telling;
import dev.zarrreactive.internal.pipeline.KnownIndex.Found;
import dev.zarrreactive.internal.sharing.SharedRequest;
import dev.zarrreactive.store.LookUp;
import dev.zarrreactive.store.StoreKey;
import dev.zarrreactive.store.VersionedBytes;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * The indexes of the shards of one opened hierarchy. An index is fetched once however many look it
 * up at a time, is kept while there is room, and is forgotten when its shard is written or erased
 * in this process. What fails or is cancelled is not kept.
 */
public final class ShardIndexes {
  private final ShardReading options;
  private final Scheduler scheduler;
  private final KeptIndexes kept;
  private final ByteBudget.Share share;
  private final Telling telling;
  private final Map<ShardPlace, Lookup> underWay = new HashMap<>();
  private final Set<Lookup> fetching = new HashSet<>();
  private long hits;
  private long misses;
  private long changes;

  /** Indexes, decoded on {@code scheduler}, fetched within a budget. */
  ShardIndexes(ShardReading options, Scheduler scheduler, ByteBudget budget, Telling telling) {
    this.telling = telling;
    this.options = options;
    this.scheduler = scheduler;
    this.kept = new KeptIndexes(options.indexCacheBytes());
    this.share = budget.share();
  }

  /** What the look-ups of all operations hold that have no budget of their own. */
  ByteBudget.Share share() {
    return share;
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
   *
   * @param index the bytes of the index, where they are fetched with others
   * @param lessee what leases the bytes, where they are fetched alone
   */
  Mono<Found> find(
      ShardPlace place,
      ByteSource source,
      ShardLayout layout,
      @Nullable Mono<VersionedBytes> index,
      ByteBudget.Share lessee) {
    Supplier<Lookup> lookup =
        () -> {
          IndexFetch fetch = new IndexFetch(place, layout, options.speculativeTail(), scheduler);
          return new Lookup(
              place,
              index == null ? leased(lessee, fetch.size(), fetch.from(source)) : fetch.of(index));
        };
    return Mono.defer(
        () -> {
          boolean[] begun = new boolean[1];
          Mono<Found> first = lookUp(place, lookup, begun);
          telling.lookUp(Telling.SHARD_INDEXES, begun[0] ? LookUp.MISS : LookUp.HIT);
          return begun[0]
              ? first
              : first.onErrorResume(
                  e -> {
                    Mono<Found> again = lookUp(place, lookup, begun);
                    telling.lookUp(Telling.SHARD_INDEXES, begun[0] ? LookUp.MISS : LookUp.HIT);
                    return again;
                  });
        });
  }

  /** As {@link #find}, where {@code old} has turned out to be wrong. */
  Mono<Found> findAnew(KnownIndex old, ShardPlace place, ByteSource source, ShardLayout layout) {
    return Mono.defer(
        () -> {
          forget(old, place);
          return find(place, source, layout, null, share);
        });
  }

  /** Bytes of indexes, fetched when there is room for them and for what is decoded of them. */
  static <T> Mono<T> leased(ByteBudget.Share lessee, long bytes, Mono<T> fetch) {
    return Mono.defer(
        () -> {
          ByteBudget.Lease lease = lessee.lease(2 * bytes);
          return lease.granted().then(fetch).doFinally(end -> lease.end());
        });
  }

  private synchronized void forget(KnownIndex old, ShardPlace place) {
    old.expire();
    kept.remove(place, old);
  }

  private Mono<Found> lookUp(ShardPlace place, Supplier<Lookup> lookup, boolean[] begun) {
    synchronized (this) {
      KnownIndex known = kept.find(place);
      if (known != null) {
        hits++;
        return Mono.just(new Found(known, null));
      }
      Lookup other = underWay.get(place);
      Mono<Found> joined = other == null ? null : other.shared.tryJoin();
      if (joined != null) {
        hits++;
        return joined;
      }
      misses++;
      begun[0] = true;
      Lookup mine = lookup.get();
      underWay.put(place, mine);
      fetching.add(mine);
      return Objects.requireNonNull(mine.shared.tryJoin());
    }
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
    return changes;
  }

  /** One fetch of an index, and who waits for it. */
  private final class Lookup implements SharedRequest.Owner<Found> {
    private final ShardPlace place;
    private final SharedRequest<Found> shared;
    private boolean overtaken; // by a change of the shard; guarded by the cache

    Lookup(ShardPlace place, Mono<Found> fetch) {
      this.place = place;
      this.shared = new SharedRequest<>(fetch, this);
    }

    @Override
    public void answered(SharedRequest<Found> request, @Nullable Found answer) {
      synchronized (ShardIndexes.this) {
        if (answer != null && overtaken) {
          answer.known().expire();
        } else if (answer != null) {
          kept.add(place, answer.known());
        }
        end();
      }
    }

    @Override
    public void failed(SharedRequest<Found> request) {
      synchronized (ShardIndexes.this) {
        end();
      }
    }

    @Override
    public void abandoned(SharedRequest<Found> request) {
      failed(request);
    }

    private void end() {
      fetching.remove(this);
      underWay.remove(place, this);
    }
  }

  /** Forgets the indexes in the values at some keys: they change. */
  synchronized void forget(Predicate<StoreKey> keys) {
    changes++;
    kept.remove(keys);
    for (Lookup lookup : fetching) {
      if (keys.test(lookup.place.key())) {
        lookup.overtaken = true;
        underWay.remove(lookup.place, lookup);
      }
    }
  }
}
