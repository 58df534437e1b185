package dev.zarrreactive.store.decorator;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.ListEntry;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.Version;
import dev.zarrreactive.store.VersionedBytes;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The base of a decorator that changes every operation in the same way. Operations on several keys
 * may be made of others instead.
 */
abstract class UniformStore extends DelegatingStore {
  UniformStore(Store delegate) {
    super(delegate);
  }

  /** Makes an operation that has one result or none. */
  abstract <T> Mono<T> one(Function<Store, Mono<T>> operation);

  /** Makes an operation that has several results. */
  abstract <T> Flux<T> many(Function<Store, Flux<T>> operation);

  @Override
  public final Mono<Bytes> get(StoreKey key) {
    return one(store -> store.get(key));
  }

  @Override
  public final Mono<Bytes> get(StoreKey key, ByteRange range) {
    return one(store -> store.get(key, range));
  }

  @Override
  public final Mono<VersionedBytes> getVersioned(
      StoreKey key, @Nullable ByteRange range, ReadCondition condition) {
    return one(store -> store.getVersioned(key, range, condition));
  }

  @Override
  public final Mono<Void> set(StoreKey key, Bytes value) {
    return one(store -> store.set(key, value));
  }

  @Override
  public final Mono<Void> set(StoreKey key, Bytes value, Precondition precondition) {
    return one(store -> store.set(key, value, precondition));
  }

  @Override
  public Mono<Void> set(StoreKey key, Publisher<Bytes> pieces, Precondition precondition) {
    return one(store -> store.set(key, pieces, precondition));
  }

  @Override
  public final Mono<Void> erase(StoreKey key) {
    return one(store -> store.erase(key));
  }

  @Override
  public final Mono<Void> erase(StoreKey key, Version version) {
    return one(store -> store.erase(key, version));
  }

  @Override
  public final Mono<Void> erasePrefix(StorePrefix prefix) {
    return one(store -> store.erasePrefix(prefix));
  }

  @Override
  public final Flux<StoreKey> list() {
    return many(Store::list);
  }

  @Override
  public final Flux<StoreKey> listPrefix(StorePrefix prefix) {
    return many(store -> store.listPrefix(prefix));
  }

  @Override
  public final Flux<ListEntry.Key> listValues(StorePrefix prefix) {
    return many(store -> store.listValues(prefix));
  }

  @Override
  public final Flux<ListEntry> listDir(StorePrefix prefix) {
    return many(store -> store.listDir(prefix));
  }
}
