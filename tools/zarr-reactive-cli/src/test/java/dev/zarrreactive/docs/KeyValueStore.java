package dev.zarrreactive.docs;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.store.AbstractStore;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.StoreCapability;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;

// docs: own-store
final class KeyValueStore extends AbstractStore {
  private final KeyValueClient client;

  KeyValueStore(KeyValueClient client) {
    this.client = client;
  }

  @Override
  public Set<StoreCapability> capabilities() {
    return Set.of(StoreCapability.READ, StoreCapability.WRITE, StoreCapability.ERASE);
  }

  @Override
  public Mono<Bytes> get(StoreKey key) {
    return request(key, () -> client.get(key.value())).map(Bytes::wrap); // no value: empty
  }

  @Override
  public Mono<Void> set(StoreKey key, Bytes value, Precondition precondition) {
    if (!precondition.equals(Precondition.NONE)) {
      return Mono.error(
          () -> refusal(StoreCapability.CONDITIONAL_WRITE, "set with a condition", key));
    }
    return request(key, () -> client.put(key.value(), value.toByteArray()));
  }

  @Override
  public Mono<Void> erase(StoreKey key) {
    return request(key, () -> client.delete(key.value()));
  }

  /** Asks the client at each subscription, not before. */
  private static <T> Mono<T> request(StoreKey key, Supplier<CompletableFuture<T>> call) {
    return Mono.fromFuture(call)
        .onErrorMap(e -> new StoreException("the service failed", Location.ofKey(key.value()), e));
  }

  @Override
  public String toString() {
    return "KeyValueStore"; // no secrets here
  }
}
// docs: end
