package dev.zarrreactive.benchmarks.latency;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.VersionedBytes;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/** A store that is asked again for what it refused. */
final class Retrying extends DelegatingStore {
  private static final Retry AGAIN =
      Retry.backoff(8, Duration.ofMillis(10))
          .maxBackoff(Duration.ofMillis(100))
          .filter(TransientStoreException.class::isInstance);

  Retrying(Store delegate) {
    super(delegate);
  }

  @Override
  public Mono<Bytes> get(StoreKey key) {
    return super.get(key).retryWhen(AGAIN);
  }

  @Override
  public Mono<Bytes> get(StoreKey key, ByteRange range) {
    return super.get(key, range).retryWhen(AGAIN);
  }

  @Override
  public Mono<VersionedBytes> getVersioned(
      StoreKey key, @Nullable ByteRange range, ReadCondition condition) {
    return super.getVersioned(key, range, condition).retryWhen(AGAIN);
  }
}
