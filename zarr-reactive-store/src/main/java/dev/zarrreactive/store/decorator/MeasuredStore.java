package dev.zarrreactive.store.decorator;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.internal.flow.Relay;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.VersionedBytes;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
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
    return new Measured<>(StoreOrigin.published(request, this), size, probe);
  }

  /** A read whose answer is measured from its subscription on. */
  private static final class Measured<T> extends Mono<T> {
    private final Mono<T> read;
    private final ToLongFunction<T> size;
    private final StoreOrigin.ReadProbe probe;

    Measured(Mono<T> read, ToLongFunction<T> size, StoreOrigin.ReadProbe probe) {
      this.read = read;
      this.size = size;
      this.probe = probe;
    }

    @Override
    public void subscribe(CoreSubscriber<? super T> actual) {
      long start = probe.nanoTime();
      read.subscribe(
          new Relay<T, T>(actual) {
            @Override
            public void onNext(T answer) {
              probe.answered(size.applyAsLong(answer), probe.nanoTime() - start);
              actual.onNext(answer);
            }
          });
    }
  }

  @Override
  public String toString() {
    return delegate().toString();
  }
}
