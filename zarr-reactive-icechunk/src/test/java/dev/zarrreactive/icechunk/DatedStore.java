package dev.zarrreactive.icechunk;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.ListEntry;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.memory.MemoryStore;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A store whose listings tell the time that a test has set, and in which steps can be met. */
final class DatedStore extends DelegatingStore {
  static final Instant OLD = Instant.parse("2020-01-01T00:00:00Z");
  static final Instant BOUND = Instant.parse("2020-02-01T00:00:00Z");
  static final Instant YOUNG = Instant.parse("2020-03-01T00:00:00Z");

  private final Map<StoreKey, Instant> written = new ConcurrentHashMap<>();

  /** The time of the clock; null for a store that does not tell when its values were written. */
  volatile @Nullable Instant now = OLD;

  /** Called with a word and a key before each request that changes or lists. */
  volatile Supplier<Mono<Void>> step = Mono::empty;

  DatedStore() {
    this(MemoryStore.create());
  }

  DatedStore(Store delegate) {
    super(delegate);
  }

  private void note(StoreKey key) {
    Instant time = now;
    if (time != null) {
      written.put(key, time);
    }
  }

  private <T> Mono<T> stepped(Mono<T> request) {
    return Mono.defer(() -> step.get()).then(request);
  }

  @Override
  public Mono<Void> set(StoreKey key, Bytes value) {
    return stepped(super.set(key, value)).doOnSuccess(done -> note(key));
  }

  @Override
  public Mono<Void> set(StoreKey key, Bytes value, Precondition precondition) {
    return stepped(super.set(key, value, precondition)).doOnSuccess(done -> note(key));
  }

  @Override
  public Flux<ListEntry.Key> listValues(StorePrefix prefix) {
    return Mono.defer(() -> step.get())
        .thenMany(super.listValues(prefix))
        .map(entry -> entry.modifiedAt(now == null ? null : written.get(entry.key())));
  }

  /** Erases one after the other, so that a step may fail between two of them. */
  @Override
  public Mono<Void> eraseValues(Publisher<StoreKey> keys) {
    return Flux.from(keys).concatMap(key -> stepped(super.erase(key)), 1).then();
  }

  /** The keys of all values, with their sizes. */
  TreeMap<String, Integer> content() {
    TreeMap<String, Integer> content = new TreeMap<>();
    for (ListEntry.Key entry :
        dev.zarrreactive.testing.Waiting.await(super.listValues(StorePrefix.ROOT))) {
      content.put(entry.key().value(), (int) entry.size());
    }
    return content;
  }
}
