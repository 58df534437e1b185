package dev.zarrreactive.store.batch;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.internal.flow.AsyncSemaphore;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreCapability;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A store with batches that are composed of its single operations. */
final class ComposedBatches extends DelegatingStore implements BatchStore {
  /** The most requests of one such operation in flight. */
  private static final int CONCURRENCY = 64;

  ComposedBatches(Store store) {
    super(store);
  }

  static Flux<PartialValue> partialValues(Store store, List<KeyRange> keyRanges) {
    List<KeyRange> wanted = List.copyOf(keyRanges);
    return Flux.defer(
        () -> {
          AsyncSemaphore demanded = new AsyncSemaphore(0);
          return Concurrently.mapInOrder(
                  Flux.fromIterable(wanted),
                  CONCURRENCY,
                  range ->
                      demanded
                          .permit(wanted)
                          .granted()
                          .then(Mono.defer(() -> store.get(range.key(), range.range())))
                          .map(bytes -> new PartialValue(range, bytes))
                          .defaultIfEmpty(new PartialValue(range, null)))
              .doOnRequest(demanded::add);
        });
  }

  static Mono<Void> setPartialValues(Store store, List<KeyStartValue> values) {
    Map<StoreKey, List<KeyStartValue>> byKey = KeyStartValue.byKey(values);
    for (StoreCapability needed : List.of(StoreCapability.WRITE, StoreCapability.READ)) {
      if (!store.capabilities().contains(needed)) {
        return Mono.error(() -> needed.refusal(store, "set partial values", Location.UNKNOWN));
      }
    }
    return Concurrently.map(
            Flux.fromIterable(byKey.entrySet()),
            CONCURRENCY,
            parts -> rewrite(store, parts.getKey(), parts.getValue()))
        .then();
  }

  private static Mono<Void> rewrite(Store store, StoreKey key, List<KeyStartValue> parts) {
    return store
        .get(key)
        .map(Optional::of)
        .defaultIfEmpty(Optional.empty())
        .flatMap(old -> store.set(key, KeyStartValue.apply(old.orElse(null), parts)));
  }

  static Mono<Void> eraseValues(Store store, Publisher<StoreKey> keys) {
    return store.capabilities().contains(StoreCapability.ERASE)
        ? Concurrently.map(keys, CONCURRENCY, (StoreKey key) -> store.erase(key)).then()
        : Mono.error(() -> StoreCapability.ERASE.refusal(store, "erase values", Location.UNKNOWN));
  }

  @Override
  public String toString() {
    return delegate().toString();
  }
}
