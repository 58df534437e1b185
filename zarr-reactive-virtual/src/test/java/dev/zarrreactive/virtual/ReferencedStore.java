package dev.zarrreactive.virtual;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A format in memory: a map of keys to references. */
final class ReferencedStore extends VirtualStore {
  private final Map<StoreKey, Reference> references = new ConcurrentSkipListMap<>();

  ReferencedStore(VirtualContainers containers) {
    super(containers);
  }

  ReferencedStore put(String key, Reference reference) {
    references.put(StoreKey.of(key), reference);
    return this;
  }

  ReferencedStore put(String key, VirtualLocation location) {
    return put(key, new Reference.Virtual(location));
  }

  @Override
  protected Mono<Reference> reference(StoreKey key) {
    return Mono.fromSupplier(() -> references.get(key));
  }

  @Override
  public Flux<StoreKey> listPrefix(StorePrefix prefix) {
    return Flux.defer(() -> Flux.fromIterable(references.keySet())).filter(prefix::contains);
  }

  @Override
  public String toString() {
    return "ReferencedStore[" + references.size() + " references]";
  }
}
