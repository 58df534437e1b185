package dev.zarrreactive.benchmarks.writing;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.memory.MemoryStore;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A store in memory that drops values in pieces, so that their encoding alone takes time. */
final class Dropping extends DelegatingStore {
  Dropping() {
    super(MemoryStore.create());
  }

  @Override
  public Mono<Void> set(StoreKey key, Publisher<Bytes> pieces, Precondition precondition) {
    return Flux.from(pieces).then();
  }
}
