package dev.zarrreactive.hierarchy;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.store.AbstractStore;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreCapability;
import dev.zarrreactive.store.memory.MemoryStore;
import java.util.Set;
import reactor.core.publisher.Mono;

/** A store that gives and takes values, and can do nothing else. */
final class PlainStore extends AbstractStore {
  private final Store values = MemoryStore.create();

  @Override
  public Set<StoreCapability> capabilities() {
    return Set.of(StoreCapability.READ, StoreCapability.WRITE);
  }

  @Override
  public Mono<Bytes> get(StoreKey key) {
    return values.get(key);
  }

  @Override
  public Mono<Void> set(StoreKey key, Bytes value, Precondition precondition) {
    return precondition.equals(Precondition.NONE)
        ? values.set(key, value)
        : Mono.error(() -> refusal(StoreCapability.CONDITIONAL_WRITE, "set where absent", key));
  }
}
