package dev.zarrreactive.cli.stored;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.store.ListEntry;
import dev.zarrreactive.store.Store;
import java.time.Duration;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * The number and the size of an array's stored chunks, shards where it has them.
 *
 * @param chunks how many were found
 * @param bytes their size, as far as it is known
 * @param areSizesKnown whether the listing told the size of each
 * @param isComplete false if the listing was ended early: there are more
 */
public record StoredSize(long chunks, long bytes, boolean areSizesKnown, boolean isComplete) {

  /**
   * Where a count ends that has not come to the end of the listing.
   *
   * @param keys the most keys that are listed
   * @param time the longest time
   * @param clock the scheduler of the time
   */
  public record Limit(long keys, Duration time, Scheduler clock) {}

  /**
   * Counts the stored chunks by a listing. Fails with {@link
   * dev.zarrreactive.error.StoreCapabilityException} where the store cannot list.
   *
   * @param store the store of the array
   */
  public static Mono<StoredSize> of(ZarrArray array, Store store, Limit limit) {
    ArrayKeys keys = ArrayKeys.of(array);
    return Mono.defer(
        () -> {
          Count count = new Count();
          return store
              .listValues(keys.prefix())
              .doOnComplete(() -> count.isComplete = true)
              .take(limit.keys())
              .takeUntilOther(Mono.delay(limit.time(), limit.clock()))
              .filter(value -> keys.index(value.key()) != null)
              .doOnNext(count::add)
              .then(Mono.fromSupplier(count::size));
        });
  }

  /**
   * Signals of one subscription come one after the other; the last is the one that is waited for.
   */
  private static final class Count {
    private long chunks;
    private long bytes;
    private boolean areSizesKnown = true;
    private volatile boolean isComplete;

    void add(ListEntry.Key value) {
      chunks++;
      if (value.isSizeKnown()) {
        bytes += value.size();
      } else {
        areSizesKnown = false;
      }
    }

    StoredSize size() {
      return new StoredSize(chunks, bytes, areSizesKnown, isComplete);
    }
  }
}
