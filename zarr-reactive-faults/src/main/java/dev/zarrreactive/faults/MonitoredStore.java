package dev.zarrreactive.faults;

import dev.zarrreactive.store.ByteRange;
import dev.zarrreactive.store.Bytes;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreKey;
import dev.zarrreactive.store.VersionedBytes;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** A store whose requests are counted, and whose server, when it is gone, comes back after two. */
final class MonitoredStore extends DelegatingStore {
  private final BooleanSupplier comesBack;
  private final FaultyServer server;
  private final AtomicInteger made = new AtomicInteger();
  private final AtomicInteger failed = new AtomicInteger();

  /**
   * A store.
   *
   * @param comesBack whether the server is gone and comes back
   */
  MonitoredStore(Store delegate, BooleanSupplier comesBack, FaultyServer server) {
    super(delegate);
    this.comesBack = comesBack;
    this.server = server;
  }

  /** How many requests were made. */
  int made() {
    return made.get();
  }

  private <T> Mono<T> watched(Mono<T> request) {
    return Mono.defer(
        () -> {
          made.incrementAndGet();
          return comesBack.getAsBoolean() && failed.getAndIncrement() == 2
              ? Mono.fromRunnable(server::restart)
                  .subscribeOn(Schedulers.boundedElastic())
                  .then(request)
              : request;
        });
  }

  @Override
  public Mono<Bytes> get(StoreKey key) {
    return watched(delegate().get(key));
  }

  @Override
  public Mono<Bytes> get(StoreKey key, ByteRange range) {
    return watched(delegate().get(key, range));
  }

  @Override
  public Mono<VersionedBytes> getVersioned(
      StoreKey key, @Nullable ByteRange range, ReadCondition condition) {
    return watched(delegate().getVersioned(key, range, condition));
  }
}
