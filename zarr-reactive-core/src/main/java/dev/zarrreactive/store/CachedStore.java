package dev.zarrreactive.store;

import dev.zarrreactive.internal.threads.Environment;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SignalType;

/**
 * A store of which values and ranges that were read are kept in memory, up to a number of bytes.
 *
 * <p><b>What is kept.</b> Bytes as they are stored: whole values and exactly the ranges that were
 * read, and missing keys where {@link CacheOptions#missingKeys()} says so. A range is also taken
 * from its whole value. A {@link ByteRange.Whole} is answered from the whole value, refused where
 * that is too large, and kept as the whole value. What weighs more than the whole cache passes
 * through; errors are never kept. The least recently used make room, those that were used once
 * before those that were used again.
 *
 * <p><b>One request.</b> Reads of the same value or range at the same time share one, with its
 * result or its error. Who cancels leaves the others alone; when all have, the request is
 * cancelled. {@code getPartialValues} reads its ranges one by one, so that each may be known
 * already.
 *
 * <p><b>What changes.</b> What is written or erased through this store is forgotten before and
 * after, and a read that began before a change ended does not bring the old value back. What
 * changes in another way is not seen before it is {@linkplain #forget forgotten}, or has the age
 * that {@link CacheOptions#revalidation()} says. The same holds for a write that was cancelled or
 * failed and takes place nevertheless, later. Listings are not kept.
 *
 * <p><b>Versions</b> are kept with the bytes where the store has them, and what is kept of one key
 * has one version: where a read brings another one, the rest is forgotten. {@link
 * ReadCondition#ifMatch} is answered from memory where that version is there; where the store says
 * that it is gone, the key is forgotten, so that the next read brings the new one. {@link
 * ReadCondition#ifChanged} always asks the store. Where asking again fails, the read fails: an old
 * value is never given for one that could not be had.
 *
 * <p><b>Thvalues.</b> A result that is shared arrives on the thread of the request, for all who
 * wait.
 */
public final class CachedStore extends DelegatingStore {
  private final StoredValueCache kept;
  private final Predicate<StoreKey> keys;
  private final long maxBytes;

  CachedStore(Store delegate, CacheOptions options) {
    this(delegate, options, Environment.current()::nanoTime);
  }

  CachedStore(Store delegate, CacheOptions options, LongSupplier clock) {
    super(delegate);
    this.kept = new StoredValueCache(options, clock);
    this.keys = options.keys();
    this.maxBytes = options.maxBytes();
  }

  /** What this cache did and holds. */
  public CacheCounts counts() {
    return kept.counts();
  }

  /** Forgets what is kept below {@code prefix}, such as after another program has changed it. */
  public void forget(StorePrefix prefix) {
    kept.forgetBelow(prefix);
  }

  @Override
  public Mono<Bytes> get(StoreKey key) {
    return keys.test(key) ? bytes(read(key, null, ReadCondition.ALWAYS)) : delegate().get(key);
  }

  @Override
  public Mono<Bytes> get(StoreKey key, ByteRange range) {
    return keys.test(key)
        ? bytes(read(key, range, ReadCondition.ALWAYS))
        : delegate().get(key, range);
  }

  @Override
  public Mono<VersionedBytes> getVersioned(
      StoreKey key, @Nullable ByteRange range, ReadCondition condition) {
    return keys.test(key)
        ? read(key, range, condition)
        : delegate().getVersioned(key, range, condition);
  }

  @Override
  public Flux<PartialValue> getPartialValues(List<KeyRange> keyRanges) {
    return keyRanges.stream().anyMatch(range -> keys.test(range.key()))
        ? partialValuesOneByOne(keyRanges)
        : delegate().getPartialValues(keyRanges);
  }

  @Override
  public Mono<Void> set(StoreKey key, Bytes value) {
    return changing(delegate().set(key, value), () -> kept.forget(key));
  }

  @Override
  public Mono<Void> set(StoreKey key, Bytes value, Precondition precondition) {
    return changing(delegate().set(key, value, precondition), () -> kept.forget(key));
  }

  @Override
  public Mono<Void> setPartialValues(List<KeyStartValue> values) {
    List<StoreKey> keys = values.stream().map(KeyStartValue::key).distinct().toList();
    return changing(delegate().setPartialValues(values), () -> keys.forEach(kept::forget));
  }

  @Override
  public Mono<Void> erase(StoreKey key) {
    return changing(delegate().erase(key), () -> kept.forget(key));
  }

  @Override
  public Mono<Void> erase(StoreKey key, Version version) {
    return changing(delegate().erase(key, version), () -> kept.forget(key));
  }

  @Override
  public Mono<Void> eraseValues(Publisher<StoreKey> keys) {
    Mono<Void> erasure = delegate().eraseValues(Flux.from(keys).doOnNext(kept::forget));
    return Mono.defer(
        () -> {
          AtomicBoolean over = new AtomicBoolean();
          kept.erasing();
          return ending(
              erasure,
              () -> {
                if (over.compareAndSet(false, true)) {
                  kept.erased();
                }
              });
        });
  }

  @Override
  public Mono<Void> erasePrefix(StorePrefix prefix) {
    return changing(delegate().erasePrefix(prefix), () -> kept.forgetBelow(prefix));
  }

  /** Also forgets everything. */
  @Override
  public Mono<Void> close() {
    return changing(delegate().close(), () -> kept.forgetBelow(StorePrefix.ROOT));
  }

  /** The bytes that it may hold, and the store below. */
  @Override
  public String toString() {
    return "CachedStore[" + maxBytes + " bytes, " + delegate() + "]";
  }

  int requestsUnderWay() {
    return kept.underWay();
  }

  private Mono<VersionedBytes> read(
      StoreKey key, @Nullable ByteRange range, ReadCondition condition) {
    return kept.read(new CacheKey(key, range), condition, asked -> ask(key, range, asked));
  }

  /** Without versions by the plain operations, which are all that such a store may know of. */
  private Mono<VersionedBytes> ask(
      StoreKey key, @Nullable ByteRange range, ReadCondition condition) {
    boolean hasVersions = delegate().capabilities().contains(StoreCapability.VERSIONS);
    if (hasVersions || !condition.equals(ReadCondition.ALWAYS)) {
      return delegate().getVersioned(key, range, condition);
    }
    return (range == null ? delegate().get(key) : delegate().get(key, range))
        .map(bytes -> new VersionedBytes(bytes, null));
  }

  private static Mono<Bytes> bytes(Mono<VersionedBytes> read) {
    return read.map(answer -> Objects.requireNonNull(answer.bytes()));
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
