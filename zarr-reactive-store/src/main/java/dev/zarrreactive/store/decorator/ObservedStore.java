package dev.zarrreactive.store.decorator;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.internal.flow.Guard;
import dev.zarrreactive.internal.threads.Environment;
import dev.zarrreactive.observation.StoreObserver;
import dev.zarrreactive.observation.StoreOperation;
import dev.zarrreactive.observation.StoreOutcome;
import dev.zarrreactive.observation.StoreOutcome.Kind;
import dev.zarrreactive.observation.StoreRequest;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.ListEntry;
import dev.zarrreactive.store.LocatedValues;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.Version;
import dev.zarrreactive.store.VersionedBytes;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SignalType;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/** A store that tells an observer of its requests. */
final class ObservedStore extends DelegatingStore {
  private static final AtomicLong IDS = new AtomicLong();

  private final StoreObserver observer;

  ObservedStore(Store delegate, StoreObserver observer) {
    super(delegate);
    this.observer = observer;
  }

  @Override
  public Mono<Bytes> get(StoreKey key) {
    return reading(StoreOperation.GET, key, null, delegate().get(key));
  }

  @Override
  public Mono<Bytes> get(StoreKey key, ByteRange range) {
    return reading(StoreOperation.ofRead(range), key, range, delegate().get(key, range));
  }

  @Override
  public Mono<VersionedBytes> getVersioned(
      StoreKey key, @Nullable ByteRange range, ReadCondition condition) {
    Mono<VersionedBytes> source = delegate().getVersioned(key, range, condition);
    StoreOperation operation = StoreOperation.ofRead(range);
    return Mono.deferContextual(
        subscriber -> {
          ObservedRequest seen = start(operation, key.value(), range, subscriber);
          return ending(
              source.doOnNext(
                  answer -> {
                    Bytes bytes = answer.bytes();
                    if (bytes == null) {
                      seen.end(Kind.UNCHANGED, null);
                    } else {
                      seen.add(1, bytes.size());
                    }
                  }),
              seen,
              Kind.MISSING);
        });
  }

  /** The observer is told of the key of the object. */
  @Override
  public @Nullable LocatedValues located() {
    return LocatedReads.over(
        delegate(),
        (below, object, range) ->
            reading(StoreOperation.GET_RANGE, object.key(), range, below.read(object, range)));
  }

  @Override
  public Mono<Void> set(StoreKey key, Bytes value) {
    return writing(StoreOperation.SET, key.value(), 1, value.size(), delegate().set(key, value));
  }

  @Override
  public Mono<Void> set(StoreKey key, Bytes value, Precondition precondition) {
    Mono<Void> source = delegate().set(key, value, precondition);
    return writing(StoreOperation.SET, key.value(), 1, value.size(), source);
  }

  @Override
  public Mono<Void> set(StoreKey key, Publisher<Bytes> pieces, Precondition precondition) {
    return Mono.deferContextual(
        subscriber -> {
          ObservedRequest seen = start(StoreOperation.SET, key.value(), null, subscriber);
          Flux<Bytes> counted = Flux.from(pieces).doOnNext(piece -> seen.add(0, piece.size()));
          Mono<Void> source = delegate().set(key, counted, precondition);
          return ending(source.doOnSuccess(done -> seen.add(1, 0)), seen, Kind.COMPLETED);
        });
  }

  @Override
  public Mono<Void> erase(StoreKey key) {
    return writing(StoreOperation.ERASE, key.value(), 1, 0, delegate().erase(key));
  }

  @Override
  public Mono<Void> erase(StoreKey key, Version version) {
    return writing(StoreOperation.ERASE, key.value(), 1, 0, delegate().erase(key, version));
  }

  @Override
  public Mono<Void> erasePrefix(StorePrefix prefix) {
    Mono<Void> source = delegate().erasePrefix(prefix);
    return writing(StoreOperation.ERASE_PREFIX, prefix.value(), 0, 0, source);
  }

  @Override
  public Flux<StoreKey> list() {
    return listing(StoreOperation.LIST, "", delegate().list());
  }

  @Override
  public Flux<StoreKey> listPrefix(StorePrefix prefix) {
    return listing(StoreOperation.LIST_PREFIX, prefix.value(), delegate().listPrefix(prefix));
  }

  @Override
  public Flux<ListEntry.Key> listValues(StorePrefix prefix) {
    return listing(StoreOperation.LIST_PREFIX, prefix.value(), delegate().listValues(prefix));
  }

  @Override
  public Flux<ListEntry> listDir(StorePrefix prefix) {
    return listing(StoreOperation.LIST_DIR, prefix.value(), delegate().listDir(prefix));
  }

  private ObservedRequest start(
      StoreOperation operation, String target, @Nullable ByteRange range, ContextView subscriber) {
    ByteRange part = operation == StoreOperation.GET_RANGE ? range : null;
    StoreRequest request = new StoreRequest(IDS.getAndIncrement(), operation, target, part);
    return ObservedRequest.start(observer, request, subscriber);
  }

  private Mono<Bytes> reading(
      StoreOperation operation, StoreKey key, @Nullable ByteRange range, Mono<Bytes> source) {
    return Mono.deferContextual(
        subscriber -> {
          ObservedRequest seen = start(operation, key.value(), range, subscriber);
          return ending(source.doOnNext(value -> seen.add(1, value.size())), seen, Kind.MISSING);
        });
  }

  private Mono<Void> writing(
      StoreOperation operation, String target, long count, long bytes, Mono<Void> source) {
    return Mono.deferContextual(
        subscriber -> {
          ObservedRequest seen = start(operation, target, null, subscriber);
          return ending(source.doOnSuccess(done -> seen.add(count, bytes)), seen, Kind.COMPLETED);
        });
  }

  private <T> Flux<T> listing(StoreOperation operation, String target, Flux<T> source) {
    return Flux.deferContextual(
        subscriber -> {
          ObservedRequest seen = start(operation, target, null, subscriber);
          return ending(source.doOnNext(entry -> seen.add(1, 0)), seen);
        });
  }

  private static <T> Mono<T> ending(Mono<T> source, ObservedRequest seen, Kind whenEmpty) {
    return source
        .doOnSuccess(value -> seen.end(value == null ? whenEmpty : Kind.COMPLETED, null))
        .doOnError(error -> seen.end(Kind.FAILED, error))
        .doFinally(signal -> endIfCancelled(signal, seen))
        .contextWrite(seen::context);
  }

  private static <T> Flux<T> ending(Flux<T> source, ObservedRequest seen) {
    return source
        .doOnComplete(() -> seen.end(Kind.COMPLETED, null))
        .doOnError(error -> seen.end(Kind.FAILED, error))
        .doFinally(signal -> endIfCancelled(signal, seen))
        .contextWrite(seen::context);
  }

  private static void endIfCancelled(SignalType signal, ObservedRequest seen) {
    if (signal == SignalType.CANCEL) {
      seen.end(Kind.CANCELLED, null);
    }
  }

  /** A request in flight, and its observer, which is told of its end exactly once. */
  private static final class ObservedRequest {
    private final StoreObserver observer;
    private final StoreRequest request;
    private final long startNanos = Environment.current().nanoTime();
    private final AtomicBoolean ended = new AtomicBoolean();
    private final AtomicLong count = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();
    private final ContextView more;

    private ObservedRequest(StoreObserver observer, StoreRequest request, ContextView more) {
      this.observer = observer;
      this.request = request;
      this.more = more;
    }

    static ObservedRequest start(
        StoreObserver observer, StoreRequest request, ContextView subscriber) {
      ContextView more =
          Guard.get(
              () -> Objects.requireNonNull(observer.onStart(request, subscriber)), Context.empty());
      return new ObservedRequest(observer, request, more);
    }

    /** The context of what is below. */
    Context context(Context subscriber) {
      return subscriber.put(StoreObserver.KEY, observer).putAll(more);
    }

    void add(long moreCount, long moreBytes) {
      count.addAndGet(moreCount);
      bytes.addAndGet(moreBytes);
    }

    void end(Kind kind, @Nullable Throwable error) {
      if (ended.compareAndSet(false, true)) {
        Duration duration = Duration.ofNanos(Environment.current().nanoTime() - startNanos);
        StoreOutcome outcome = new StoreOutcome(kind, bytes.get(), count.get(), duration, error);
        Guard.run(() -> observer.onEnd(request, outcome));
      }
    }
  }
}
