package dev.zarrreactive.faults;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.LocatedValues;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoredObject;
import dev.zarrreactive.store.ValuePlace;
import dev.zarrreactive.store.VersionedBytes;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Counts the requests to a store, and restarts a stopped server after two of them. */
final class MonitoredStore extends DelegatingStore {
  private final BooleanSupplier comesBack;
  private final FaultyServer server;
  private final AtomicInteger made = new AtomicInteger();
  private final AtomicInteger failed = new AtomicInteger();

  /**
   * A view of a store.
   *
   * @param comesBack true while a stopped server is to be restarted
   */
  MonitoredStore(Store delegate, BooleanSupplier comesBack, FaultyServer server) {
    super(delegate);
    this.comesBack = comesBack;
    this.server = server;
  }

  /** Returns the number of requests. */
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

  @Override
  public @Nullable LocatedValues located() {
    LocatedValues below = LocatedValues.of(delegate());
    return below == null
        ? null
        : new LocatedValues() {
          @Override
          public Mono<List<Optional<ValuePlace>>> places(List<StoreKey> keys) {
            return below.places(keys);
          }

          @Override
          public Mono<Bytes> read(StoredObject object, ByteRange.Slice range) {
            return watched(below.read(object, range));
          }
        };
  }
}
