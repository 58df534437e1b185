package dev.zarrreactive.testkit;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.observation.StoreOperation;
import dev.zarrreactive.observation.StoreRequest;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.ListEntry;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.Version;
import dev.zarrreactive.store.VersionedBytes;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A store for tests: counts what it is asked for, and delays, fails or holds back responses on
 * command. Thread-safe; commands take effect for requests that start after them.
 *
 * <p>One request is a subscription to an operation. It is in flight from its subscription until it
 * completes, fails or is cancelled; its end is counted before its result is handed on.
 */
public final class InstrumentedStore extends DelegatingStore {
  private final RequestCounts counts = new RequestCounts();
  private final ResponseScript script = new ResponseScript();
  private final AtomicLong ids = new AtomicLong();

  private InstrumentedStore(Store delegate) {
    super(delegate);
  }

  /** {@code store}, counted; nothing is delayed, failed or held yet. */
  public static InstrumentedStore of(Store store) {
    return new InstrumentedStore(store);
  }

  /** Returns the counts since this store was made, or since {@link RequestCounts#reset()}. */
  public RequestCounts counts() {
    return counts;
  }

  /** Every response comes {@code delay} later than it would; zero is at once. */
  public InstrumentedStore delay(Duration delay) {
    script.delay(delay);
    return this;
  }

  /** Requests that match end in an error and do not reach the store. */
  public InstrumentedStore fail(
      Predicate<StoreRequest> which, Supplier<? extends Throwable> error) {
    script.fail(which, error);
    return this;
  }

  /** The next {@code count} requests that match end in an error and do not reach the store. */
  public InstrumentedStore failNext(
      int count, Predicate<StoreRequest> which, Supplier<? extends Throwable> error) {
    AtomicLong left = new AtomicLong(count);
    return fail(request -> which.test(request) && left.getAndDecrement() > 0, error);
  }

  /** Requests that match wait until the result is released. */
  public HeldRequests hold(Predicate<StoreRequest> which) {
    return script.hold(which);
  }

  /** Takes all delays, failures and holds back; requests that are held are let go. */
  public void behave() {
    script.clear();
  }

  @Override
  public Mono<Bytes> get(StoreKey key) {
    return reading(StoreOperation.GET, key, null, () -> delegate().get(key));
  }

  @Override
  public Mono<Bytes> get(StoreKey key, ByteRange range) {
    return reading(StoreOperation.ofRead(range), key, range, () -> delegate().get(key, range));
  }

  @Override
  public Mono<VersionedBytes> getVersioned(
      StoreKey key, @Nullable ByteRange range, ReadCondition condition) {
    return asking(
        StoreOperation.ofRead(range),
        key,
        range,
        () -> delegate().getVersioned(key, range, condition),
        answer -> answer.bytes() == null ? 0 : answer.bytes().size());
  }

  @Override
  public Mono<Void> set(StoreKey key, Bytes value) {
    return writing(StoreOperation.SET, key.value(), value.size(), () -> delegate().set(key, value));
  }

  @Override
  public Mono<Void> set(StoreKey key, Bytes value, Precondition precondition) {
    return writing(
        StoreOperation.SET,
        key.value(),
        value.size(),
        () -> delegate().set(key, value, precondition));
  }

  @Override
  public Mono<Void> set(StoreKey key, Publisher<Bytes> pieces, Precondition precondition) {
    return Mono.defer(
        () -> {
          AtomicLong bytes = new AtomicLong();
          Flux<Bytes> counted = Flux.from(pieces).doOnNext(piece -> bytes.addAndGet(piece.size()));
          return writing(
                  StoreOperation.SET,
                  key.value(),
                  0,
                  () -> delegate().set(key, counted, precondition))
              .doOnSuccess(done -> counts.written(bytes.get()));
        });
  }

  @Override
  public Mono<Void> erase(StoreKey key) {
    return writing(StoreOperation.ERASE, key.value(), 0, () -> delegate().erase(key));
  }

  @Override
  public Mono<Void> erase(StoreKey key, Version version) {
    return writing(StoreOperation.ERASE, key.value(), 0, () -> delegate().erase(key, version));
  }

  @Override
  public Mono<Void> erasePrefix(StorePrefix prefix) {
    return writing(
        StoreOperation.ERASE_PREFIX, prefix.value(), 0, () -> delegate().erasePrefix(prefix));
  }

  @Override
  public Flux<StoreKey> list() {
    return listing(StoreOperation.LIST, "", () -> delegate().list());
  }

  @Override
  public Flux<StoreKey> listPrefix(StorePrefix prefix) {
    return listing(StoreOperation.LIST_PREFIX, prefix.value(), () -> delegate().listPrefix(prefix));
  }

  @Override
  public Flux<ListEntry.Key> listValues(StorePrefix prefix) {
    return listing(StoreOperation.LIST_PREFIX, prefix.value(), () -> delegate().listValues(prefix));
  }

  @Override
  public Flux<ListEntry> listDir(StorePrefix prefix) {
    return listing(StoreOperation.LIST_DIR, prefix.value(), () -> delegate().listDir(prefix));
  }

  private Mono<Bytes> reading(
      StoreOperation operation,
      StoreKey key,
      @Nullable ByteRange range,
      Supplier<Mono<Bytes>> call) {
    return asking(operation, key, range, call, Bytes::size);
  }

  private <T> Mono<T> asking(
      StoreOperation operation,
      StoreKey key,
      @Nullable ByteRange range,
      Supplier<Mono<T>> call,
      ToIntFunction<T> size) {
    return Mono.defer(
        () -> {
          StoreRequest request = start(operation, key.value(), range);
          return script
              .before(request)
              .then(Mono.defer(call))
              .doOnNext(value -> counts.read(size.applyAsInt(value)))
              .transform(this::ending);
        });
  }

  private Mono<Void> writing(
      StoreOperation operation, String target, long bytes, Supplier<Mono<Void>> call) {
    return Mono.defer(
        () -> {
          StoreRequest request = start(operation, target, null);
          return script
              .before(request)
              .then(Mono.defer(call))
              .doOnSuccess(done -> counts.written(bytes))
              .transform(this::ending);
        });
  }

  private <T> Flux<T> listing(StoreOperation operation, String target, Supplier<Flux<T>> call) {
    return Flux.defer(
        () -> {
          StoreRequest request = start(operation, target, null);
          RequestCounts.End end = counts.end();
          return script
              .before(request)
              .then(Mono.fromSupplier(call))
              .flatMapMany(listed -> listed)
              .doOnComplete(end::completed)
              .doOnError(error -> end.failed())
              .doOnCancel(end::cancelled);
        });
  }

  private <T> Mono<T> ending(Mono<T> source) {
    RequestCounts.End end = counts.end();
    return source
        .doOnSuccess(value -> end.completed())
        .doOnError(error -> end.failed())
        .doOnCancel(end::cancelled);
  }

  private StoreRequest start(StoreOperation operation, String target, @Nullable ByteRange range) {
    ByteRange part = operation == StoreOperation.GET_RANGE ? range : null;
    StoreRequest request = new StoreRequest(ids.getAndIncrement(), operation, target, part);
    counts.started(request);
    return request;
  }
}
