package dev.zarrreactive.store.decorator;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.internal.threads.Environment;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.LocatedValues;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreCapability;
import dev.zarrreactive.store.Version;
import dev.zarrreactive.store.VersionedBytes;
import java.util.Objects;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SignalType;

/**
 * A store that caches the values and ranges that it reads, up to a number of bytes.
 *
 * <p><b>Entries.</b> The cache holds stored bytes: whole values and exactly the ranges that were
 * read, and missing keys if {@link CacheOptions#missingKeys()} is set. A range is also served from
 * its whole value. A {@link ByteRange.Whole} is served from the whole value, refused if that is too
 * large, and cached as the whole value. A value heavier than the cache bypasses it; errors are
 * never cached. The least recently used entries are evicted first, and among them entries that were
 * used only once.
 *
 * <p><b>Single-flight.</b> Concurrent reads of the same value or range share one request, with its
 * result or its error. The request is cancelled when the last of its readers cancels.
 *
 * <p><b>Changes.</b> A write or an erasure through this store invalidates the value before and
 * after, and a read that began before the end of a change is not cached. A change by another
 * program is noticed after the entry is {@linkplain #forget forgotten} or has reached the age of
 * {@link CacheOptions#revalidation()}. The same holds for a write that takes effect after it was
 * cancelled or has failed. Listings are not cached.
 *
 * <p><b>Versions</b> are cached with the bytes if the store has them. All entries of one key have
 * the same version: a read of another version evicts the others. {@link ReadCondition#ifMatch} is
 * served from memory if that version is cached and needs no revalidation; when the store has
 * another version, the read fails and the key is evicted, so that the next read fetches the new
 * one. {@link ReadCondition#ifChanged} and {@link ReadCondition#ifUnmodifiedSince} always ask the
 * store. If a revalidation fails, the read fails: a stale value is never served in its place.
 *
 * <p><b>Thread.</b> A result that is shared arrives on the thread of the request, for all
 * subscribers.
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

  /** Returns a snapshot of the counts. */
  public CacheCounts counts() {
    return kept.counts();
  }

  /** Evicts the entries below {@code prefix}, such as after a change by another program. */
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
    return keys.test(key) && condition.unmodifiedSince() == null
        ? read(key, range, condition)
        : delegate().getVersioned(key, range, condition);
  }

  /** Parts of objects are cached like ranges, where the key of the object is to be cached. */
  @Override
  public @Nullable LocatedValues located() {
    return LocatedReads.over(
        delegate(),
        (below, object, range) -> {
          Mono<Bytes> read = below.read(object, range);
          return keys.test(object.key())
              ? bytes(
                  kept.read(
                      new StoredValueCache.CacheKey(object.key(), range, object),
                      ReadCondition.ALWAYS,
                      asked -> read.map(part -> new VersionedBytes(part, null))))
              : read;
        });
  }

  @Override
  public Mono<Void> set(StoreKey key, Bytes value) {
    return change(delegate().set(key, value), () -> kept.forget(key));
  }

  @Override
  public Mono<Void> set(StoreKey key, Bytes value, Precondition precondition) {
    return change(delegate().set(key, value, precondition), () -> kept.forget(key));
  }

  @Override
  public Mono<Void> set(StoreKey key, Publisher<Bytes> pieces, Precondition precondition) {
    return change(delegate().set(key, pieces, precondition), () -> kept.forget(key));
  }

  @Override
  public Mono<Void> erase(StoreKey key) {
    return change(delegate().erase(key), () -> kept.forget(key));
  }

  @Override
  public Mono<Void> erase(StoreKey key, Version version) {
    return change(delegate().erase(key, version), () -> kept.forget(key));
  }

  @Override
  public Mono<Void> erasePrefix(StorePrefix prefix) {
    return change(delegate().erasePrefix(prefix), () -> kept.forgetBelow(prefix));
  }

  /** Closes the store and evicts every entry. */
  @Override
  public Mono<Void> close() {
    return change(delegate().close(), () -> kept.forgetBelow(StorePrefix.ROOT));
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
    return kept.read(
        new StoredValueCache.CacheKey(key, range), condition, asked -> ask(key, range, asked));
  }

  /** Asks the store. A store without versions is asked by the plain operations. */
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

  private static Mono<Void> change(Mono<Void> change, Runnable forget) {
    return Mono.defer(
        () -> {
          forget.run();
          return endWith(change, forget);
        });
  }

  /**
   * Runs {@code end} before a completion or an error is signalled, or after a cancel was passed on.
   */
  private static Mono<Void> endWith(Mono<Void> change, Runnable end) {
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
