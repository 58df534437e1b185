package dev.zarrreactive.store;

import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A store whose requests pass another limit at the gate of its origin. */
final class AdmittedStore extends UniformStore {
  private final OriginStore gate;
  private final Store way;

  /**
   * @param gate the gate at the origin of {@code delegate}
   * @param way the store that the gate uses instead of its own
   */
  AdmittedStore(Store delegate, OriginStore gate, Store way) {
    super(delegate);
    this.gate = gate;
    this.way = way;
  }

  @Override
  <T> Mono<T> one(Function<Store, Mono<T>> operation) {
    return operation.apply(delegate()).contextWrite(context -> context.put(gate, way));
  }

  @Override
  <T> Flux<T> many(Function<Store, Flux<T>> operation) {
    return operation.apply(delegate()).contextWrite(context -> context.put(gate, way));
  }

  @Override
  public String toString() {
    return delegate().toString();
  }
}
