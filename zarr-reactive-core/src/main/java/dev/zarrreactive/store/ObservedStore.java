package dev.zarrreactive.store;

import dev.zarrreactive.store.StoreOutcome.Kind;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SignalType;

/** A store that tells an observer of its requests. */
final class ObservedStore extends DelegatingStore {
  private final StoreObserver observer;
  private final AtomicLong ids = new AtomicLong();

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
    return reading(StoreOperation.GET_RANGE, key, range, delegate().get(key, range));
  }

  @Override
  public Flux<PartialValue> getPartialValues(List<KeyRange> keyRanges) {
    Flux<PartialValue> source = delegate().getPartialValues(keyRanges);
    String target = keyRanges.size() + " key ranges";
    return Flux.defer(
        () -> {
          ObservedRequest seen = start(StoreOperation.GET_PARTIAL_VALUES, target, null);
          return ending(
              source.doOnNext(
                  part -> {
                    Bytes bytes = part.bytes();
                    seen.add(bytes == null ? 0 : 1, bytes == null ? 0 : bytes.size());
                  }),
              seen);
        });
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
  public Mono<Void> setPartialValues(List<KeyStartValue> values) {
    long bytes = values.stream().mapToLong(part -> part.bytes().size()).sum();
    return writing(
        StoreOperation.SET_PARTIAL_VALUES,
        values.size() + " parts",
        values.size(),
        bytes,
        delegate().setPartialValues(values));
  }

  @Override
  public Mono<Void> erase(StoreKey key) {
    return writing(StoreOperation.ERASE, key.value(), 1, 0, delegate().erase(key));
  }

  @Override
  public Mono<Void> eraseValues(Publisher<StoreKey> keys) {
    return Mono.defer(
        () -> {
          ObservedRequest seen = start(StoreOperation.ERASE_VALUES, "", null);
          Flux<StoreKey> counted = Flux.from(keys).doOnNext(key -> seen.add(1, 0));
          return ending(delegate().eraseValues(counted), seen, Kind.COMPLETED);
        });
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
  public Flux<ListEntry> listDir(StorePrefix prefix) {
    return listing(StoreOperation.LIST_DIR, prefix.value(), delegate().listDir(prefix));
  }

  private ObservedRequest start(
      StoreOperation operation, String target, @Nullable ByteRange range) {
    StoreRequest request = new StoreRequest(ids.getAndIncrement(), operation, target, range);
    return ObservedRequest.start(observer, request);
  }

  private Mono<Bytes> reading(
      StoreOperation operation, StoreKey key, @Nullable ByteRange range, Mono<Bytes> source) {
    return Mono.defer(
        () -> {
          ObservedRequest seen = start(operation, key.value(), range);
          return ending(source.doOnNext(value -> seen.add(1, value.size())), seen, Kind.MISSING);
        });
  }

  private Mono<Void> writing(
      StoreOperation operation, String target, long count, long bytes, Mono<Void> source) {
    return Mono.defer(
        () -> {
          ObservedRequest seen = start(operation, target, null);
          return ending(source.doOnSuccess(done -> seen.add(count, bytes)), seen, Kind.COMPLETED);
        });
  }

  private <T> Flux<T> listing(StoreOperation operation, String target, Flux<T> source) {
    return Flux.defer(
        () -> {
          ObservedRequest seen = start(operation, target, null);
          return ending(source.doOnNext(entry -> seen.add(1, 0)), seen);
        });
  }

  private static <T> Mono<T> ending(Mono<T> source, ObservedRequest seen, Kind whenEmpty) {
    return source
        .doOnSuccess(value -> seen.end(value == null ? whenEmpty : Kind.COMPLETED, null))
        .doOnError(error -> seen.end(Kind.FAILED, error))
        .doFinally(signal -> endIfCancelled(signal, seen));
  }

  private static <T> Flux<T> ending(Flux<T> source, ObservedRequest seen) {
    return source
        .doOnComplete(() -> seen.end(Kind.COMPLETED, null))
        .doOnError(error -> seen.end(Kind.FAILED, error))
        .doFinally(signal -> endIfCancelled(signal, seen));
  }

  private static void endIfCancelled(SignalType signal, ObservedRequest seen) {
    if (signal == SignalType.CANCEL) {
      seen.end(Kind.CANCELLED, null);
    }
  }
}
