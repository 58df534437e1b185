package dev.zarrreactive.benchmarks.writing;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.Store;
import java.util.concurrent.atomic.AtomicLong;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A store that counts the bytes that it is given. */
final class Counting extends DelegatingStore {
  private final AtomicLong written = new AtomicLong();

  Counting(Store delegate) {
    super(delegate);
  }

  long written() {
    return written.get();
  }

  @Override
  public Mono<Void> set(StoreKey key, Bytes value, Precondition precondition) {
    written.addAndGet(value.size());
    return super.set(key, value, precondition);
  }

  @Override
  public Mono<Void> set(StoreKey key, Bytes value) {
    return set(key, value, Precondition.NONE);
  }

  @Override
  public Mono<Void> set(StoreKey key, Publisher<Bytes> pieces, Precondition precondition) {
    return super.set(
        key, Flux.from(pieces).doOnNext(piece -> written.addAndGet(piece.size())), precondition);
  }
}
