package dev.zarrreactive.store.decorator;

import dev.zarrreactive.store.ByteRange;
import dev.zarrreactive.store.Bytes;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreKey;
import dev.zarrreactive.store.VersionedBytes;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** A store whose answers to reads are measured. */
final class MeasuredStore extends DelegatingStore {
  private final StoreOrigin.ReadProbe probe;

  MeasuredStore(Store delegate, StoreOrigin.ReadProbe probe) {
    super(delegate);
    this.probe = probe;
  }

  @Override
  public Mono<Bytes> get(StoreKey key) {
    return measured(delegate().get(key), Bytes::size);
  }

  @Override
  public Mono<Bytes> get(StoreKey key, ByteRange range) {
    return measured(delegate().get(key, range), Bytes::size);
  }

  @Override
  public Mono<VersionedBytes> getVersioned(
      StoreKey key, @Nullable ByteRange range, ReadCondition condition) {
    return measured(
        delegate().getVersioned(key, range, condition),
        read -> {
          Bytes bytes = read.bytes();
          return bytes == null ? 0 : bytes.size();
        });
  }

  private <T> Mono<T> measured(Mono<T> request, ToLongFunction<T> size) {
    return Mono.defer(
        () -> {
          long start = probe.nanoTime();
          return request.doOnNext(
              answer -> probe.answered(size.applyAsLong(answer), probe.nanoTime() - start));
        });
  }

  @Override
  public String toString() {
    return delegate().toString();
  }
}
