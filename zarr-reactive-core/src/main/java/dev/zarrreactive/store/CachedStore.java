package dev.zarrreactive.store;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SignalType;

/**
 * A store of which values and ranges that were read are kept in memory, up to a number of bytes.
 *
 * <p><b>What is kept.</b> Bytes as they are stored: whole values and exactly the ranges that were
 * read, and missing keys where {@link CacheOptions#missingKeys()} says so. A range is also taken
 * from its whole value. What weighs more than the whole cache passes through; errors are never
 * kept. The least recently used make room, those that were used once before those that were used
 * again.
 *
 * <p><b>One request.</b> Reads of the same value or range at the same time share one, with its
 * result or its error. Who cancels leaves the others alone; when all have, the request is
 * cancelled. {@code getPartialValues} reads its ranges one by one, so that each may be known
 * already.
 *
 * <p><b>What changes.</b> What is written or erased through this store is forgotten before and
 * after, and a read that began before a change ended does not bring the old value back. What
 * changes in another way is not seen: {@link #forget} it. The same holds for a write that was
 * cancelled or failed and takes place nevertheless, later. Listings are not kept.
 *
 * <p><b>Threads.</b> A result that is shared arrives on the thread of the request, for all who
 * wait.
 */
public final class CachedStore extends DelegatingStore {
  private final SharedReads reads;
  private final long maxBytes;

  CachedStore(Store delegate, CacheOptions options) {
    super(delegate);
    this.reads = new SharedReads(options);
    this.maxBytes = options.maxBytes();
  }

  /** What this cache did and holds. */
  public CacheCounts counts() {
    return reads.counts();
  }

  /** Forgets what is kept below {@code prefix}, such as after another program has changed it. */
  public void forget(StorePrefix prefix) {
    reads.forgetBelow(prefix);
  }

  @Override
  public Mono<Bytes> get(StoreKey key) {
    return reads.read(new CacheKey(key, null), () -> delegate().get(key));
  }

  @Override
  public Mono<Bytes> get(StoreKey key, ByteRange range) {
    return reads.read(new CacheKey(key, range), () -> delegate().get(key, range));
  }

  @Override
  public Flux<PartialValue> getPartialValues(List<KeyRange> keyRanges) {
    return partialValuesOneByOne(keyRanges);
  }

  @Override
  public Mono<Void> set(StoreKey key, Bytes value) {
    return changing(delegate().set(key, value), () -> reads.forget(key));
  }

  @Override
  public Mono<Void> set(StoreKey key, Bytes value, Precondition precondition) {
    return changing(delegate().set(key, value, precondition), () -> reads.forget(key));
  }

  @Override
  public Mono<Void> setPartialValues(List<KeyStartValue> values) {
    List<StoreKey> keys = values.stream().map(KeyStartValue::key).distinct().toList();
    return changing(delegate().setPartialValues(values), () -> keys.forEach(reads::forget));
  }

  @Override
  public Mono<Void> erase(StoreKey key) {
    return changing(delegate().erase(key), () -> reads.forget(key));
  }

  @Override
  public Mono<Void> eraseValues(Publisher<StoreKey> keys) {
    Mono<Void> erasure = delegate().eraseValues(Flux.from(keys).doOnNext(reads::forget));
    return Mono.defer(
        () -> {
          AtomicBoolean over = new AtomicBoolean();
          reads.erasing();
          return ending(
              erasure,
              () -> {
                if (over.compareAndSet(false, true)) {
                  reads.erased();
                }
              });
        });
  }

  @Override
  public Mono<Void> erasePrefix(StorePrefix prefix) {
    return changing(delegate().erasePrefix(prefix), () -> reads.forgetBelow(prefix));
  }

  /** Also forgets everything. */
  @Override
  public Mono<Void> close() {
    return changing(delegate().close(), () -> reads.forgetBelow(StorePrefix.ROOT));
  }

  /** The bytes that it may hold, and the store below. */
  @Override
  public String toString() {
    return "CachedStore[" + maxBytes + " bytes, " + delegate() + "]";
  }

  int requestsUnderWay() {
    return reads.underWay();
  }

  private static Mono<Void> changing(Mono<Void> change, Runnable forget) {
    return Mono.defer(
        () -> {
          forget.run();
          return ending(change, forget);
        });
  }

  /** Runs {@code end} before a completion or an error is handed on, or after a cancel was. */
  private static Mono<Void> ending(Mono<Void> change, Runnable end) {
    return change
        .doOnTerminate(end)
        .doFinally(
            signal -> {
              if (signal == SignalType.CANCEL) {
                end.run();
              }
            });
  }
}
