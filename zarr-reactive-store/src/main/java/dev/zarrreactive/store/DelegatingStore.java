package dev.zarrreactive.store;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.spi.Spi;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The base of a decorator: every operation goes to the same operation of another store. A decorator
 * overrides each operation that it changes, for the operations are independent here: one that
 * changes only {@code get} leaves {@code getVersioned} as it is. Only operations on several keys
 * are composed of the decorator's own single ones.
 */
@Spi
public abstract class DelegatingStore implements Store {
  private final Store delegate;

  /** A decorator of {@code delegate}. */
  protected DelegatingStore(Store delegate) {
    this.delegate = delegate;
  }

  /** The store that this one decorates. */
  public final Store delegate() {
    return delegate;
  }

  /**
   * Returns the located values of the delegate, with what this decorator does to a read; null where
   * the delegate has none. By default there are none, so that every value is read through {@code
   * get}, which a decorator may have changed.
   */
  public @Nullable LocatedValues located() {
    return null;
  }

  /**
   * Returns the snapshot that the delegate shows, whose newest store has this decorator, too; null
   * where there is none. By default there is none.
   */
  public @Nullable StoreSnapshot snapshot() {
    return null;
  }

  @Override
  public Set<StoreCapability> capabilities() {
    return delegate.capabilities();
  }

  @Override
  public Mono<Bytes> get(StoreKey key) {
    return delegate.get(key);
  }

  @Override
  public Mono<Bytes> get(StoreKey key, ByteRange range) {
    return delegate.get(key, range);
  }

  @Override
  public Mono<VersionedBytes> getVersioned(
      StoreKey key, @Nullable ByteRange range, ReadCondition condition) {
    return delegate.getVersioned(key, range, condition);
  }

  @Override
  public Mono<Void> set(StoreKey key, Bytes value) {
    return delegate.set(key, value);
  }

  @Override
  public Mono<Void> set(StoreKey key, Bytes value, Precondition precondition) {
    return delegate.set(key, value, precondition);
  }

  @Override
  public Mono<Void> set(StoreKey key, Publisher<Bytes> pieces, Precondition precondition) {
    return delegate.set(key, pieces, precondition);
  }

  @Override
  public Mono<Void> erase(StoreKey key) {
    return delegate.erase(key);
  }

  @Override
  public Mono<Void> erase(StoreKey key, Version version) {
    return delegate.erase(key, version);
  }

  @Override
  public Mono<Void> erasePrefix(StorePrefix prefix) {
    return delegate.erasePrefix(prefix);
  }

  @Override
  public Flux<StoreKey> list() {
    return delegate.list();
  }

  @Override
  public Flux<StoreKey> listPrefix(StorePrefix prefix) {
    return delegate.listPrefix(prefix);
  }

  @Override
  public Flux<ListEntry.Key> listValues(StorePrefix prefix) {
    return delegate.listValues(prefix);
  }

  @Override
  public Flux<ListEntry> listDir(StorePrefix prefix) {
    return delegate.listDir(prefix);
  }

  @Override
  public Mono<Void> close() {
    return delegate.close();
  }

  /** The decorator's name with the delegate in brackets, such as {@code LimitedStore[...]}. */
  @Override
  public String toString() {
    return getClass().getSimpleName() + "[" + delegate + "]";
  }
}
