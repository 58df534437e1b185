package dev.zarrreactive.cli.demo;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.VersionedBytes;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * A store with simulated latency, which differs from key to key: half to one and a half times the
 * usual one.
 */
final class DelayedStore extends DelegatingStore {
  private final long latencyMillis;
  private final Scheduler clock;

  DelayedStore(Store delegate, Duration latency, Scheduler clock) {
    super(delegate);
    this.latencyMillis = latency.toMillis();
    this.clock = clock;
  }

  @Override
  public Mono<Bytes> get(StoreKey key) {
    return delegate().get(key).delaySubscription(journey(key), clock);
  }

  @Override
  public Mono<Bytes> get(StoreKey key, ByteRange range) {
    return delegate().get(key, range).delaySubscription(journey(key), clock);
  }

  @Override
  public Mono<VersionedBytes> getVersioned(
      StoreKey key, @Nullable ByteRange range, ReadCondition condition) {
    return delegate().getVersioned(key, range, condition).delaySubscription(journey(key), clock);
  }

  /** Returns the latency, the same for a key each time, so that two runs look alike. */
  private Duration journey(StoreKey key) {
    int scattered = (key.value().hashCode() * 0x9e3779b9) >>> 16; // 0 to 65535
    return Duration.ofMillis(latencyMillis / 2 + latencyMillis * scattered / 65536);
  }
}
