package dev.zarrreactive.store.decorator;

import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.decorator.RequestLimit.LimitedStore;
import dev.zarrreactive.store.decorator.StoreOrigin.UniformStore;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The gate next to an origin, below all decorators. A request passes it with the limit that the
 * gate was made with, and with the limit and the measurement that a store of {@link
 * StoreOrigin#admitting} above has put into the subscriber's context, with the gate as the key.
 */
final class OriginStore extends UniformStore {
  private final @Nullable RequestLimit limit;
  private final Store byDefault;

  /** Creates a gate next to {@code origin}, with a limit of its own unless that is null. */
  OriginStore(Store origin, @Nullable RequestLimit limit) {
    super(origin);
    this.limit = limit;
    this.byDefault = limit == null ? origin : new LimitedStore(origin, limit);
  }

  /** Returns {@code store} with a gate; the same store if it has one. */
  static Store gated(Store store) {
    for (Store each = store; each instanceof DelegatingStore next; each = next.delegate()) {
      if (each instanceof OriginStore) {
        return store;
      }
    }
    return new OriginStore(store, null);
  }

  boolean isLimited() {
    return limit != null;
  }

  /** Returns the limit that the gate was made with; null for none. */
  @Nullable RequestLimit limit() {
    return limit;
  }

  /** Returns the origin, measured, behind this gate's limit, behind {@code other}. */
  Store admitted(@Nullable RequestLimit other, StoreOrigin.ReadProbe probe) {
    Store measured = new StoreOrigin.FailingStore(new StoreOrigin.MeasuredStore(delegate(), probe));
    Store limited = limit == null ? measured : new LimitedStore(measured, limit);
    return other == null || other == limit ? limited : new LimitedStore(limited, other);
  }

  @Override
  <T> Mono<T> one(Function<Store, Mono<T>> operation) {
    Mono<T> request = operation.apply(byDefault); // wrong arguments throw at once
    return Mono.deferContextual(
        subscriber -> subscriber.hasKey(this) ? operation.apply(subscriber.get(this)) : request);
  }

  @Override
  <T> Flux<T> many(Function<Store, Flux<T>> operation) {
    Flux<T> request = operation.apply(byDefault); // wrong arguments throw at once
    return Flux.deferContextual(
        subscriber -> subscriber.hasKey(this) ? operation.apply(subscriber.get(this)) : request);
  }

  @Override
  public String toString() {
    return byDefault.toString();
  }
}
