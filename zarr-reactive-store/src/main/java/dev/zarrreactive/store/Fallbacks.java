package dev.zarrreactive.store;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.internal.flow.AsyncSemaphore;
import dev.zarrreactive.internal.flow.Concurrently;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Operations of the store interface composed of other operations. */
final class Fallbacks {
  /** The most prefixes directly below one prefix that {@link #entries} remembers. */
  static final int MOST_PREFIXES = 1 << 20;

  /** The most requests in flight of one operation on several keys. */
  private static final int CONCURRENCY = 64;

  private Fallbacks() {}

  /** Emits parts of values in the order of the ranges; makes requests on demand. */
  static Flux<PartialValue> partialValues(Store store, List<KeyRange> ranges) {
    List<KeyRange> wanted = List.copyOf(ranges);
    return Flux.defer(
        () -> {
          AsyncSemaphore demanded = new AsyncSemaphore(0);
          return Concurrently.mapInOrder(
                  Flux.fromIterable(wanted),
                  CONCURRENCY,
                  range ->
                      demanded
                          .permit(wanted)
                          .acquire()
                          .then(Mono.defer(() -> store.get(range.key(), range.range())))
                          .map(bytes -> new PartialValue(range, bytes))
                          .defaultIfEmpty(new PartialValue(range, null)))
              .doOnRequest(demanded::add);
        });
  }

  /** Erases the values one by one. */
  static Mono<Void> eraseValues(Store store, Publisher<StoreKey> keys) {
    return store.capabilities().contains(StoreCapability.ERASE)
        ? Concurrently.map(keys, CONCURRENCY, (StoreKey key) -> store.erase(key)).then()
        : Mono.error(() -> StoreCapability.ERASE.refusal(store, "erase values", Location.UNKNOWN));
  }

  /** Joins the pieces of a value in memory; fails as soon as they are larger than one array. */
  static Mono<Bytes> join(Store store, StoreKey key, Publisher<Bytes> pieces) {
    return Mono.defer(
        () -> {
          AtomicLong size = new AtomicLong();
          return Flux.from(pieces)
              .<Bytes>handle(
                  (piece, sink) -> {
                    if (size.addAndGet(piece.size()) > Bytes.MAX_SIZE) {
                      sink.error(tooLarge(store, key));
                    } else {
                      sink.next(piece);
                    }
                  })
              .collectList()
              .map(Bytes::join);
        });
  }

  private static StoreException tooLarge(Store store, StoreKey key) {
    return new StoreException(
        store
            + " joins the pieces of a value in memory, and refuses one of more than "
            + Bytes.MAX_SIZE
            + " bytes; stores on files and in S3 take larger ones",
        Location.ofKey(key.value()));
  }

  /**
   * Returns the entries directly below {@code prefix}, derived from all keys that begin with it.
   */
  static Flux<ListEntry> entries(StorePrefix prefix, Flux<StoreKey> keys) {
    return entries(prefix, keys, MOST_PREFIXES);
  }

  static Flux<ListEntry> entries(StorePrefix prefix, Flux<StoreKey> keys, int mostPrefixes) {
    return Flux.defer(
        () -> {
          Set<String> prefixes = new HashSet<>();
          return keys.handle(
              (key, sink) -> {
                int slash = key.value().indexOf('/', prefix.value().length());
                if (slash < 0) {
                  sink.next(new ListEntry.Key(key));
                } else if (prefixes.add(key.value().substring(0, slash + 1))) {
                  if (prefixes.size() > mostPrefixes) {
                    sink.error(tooMany(prefix, mostPrefixes));
                  } else {
                    sink.next(
                        new ListEntry.Prefix(StorePrefix.of(key.value().substring(0, slash + 1))));
                  }
                }
              });
        });
  }

  private static StoreException tooMany(StorePrefix prefix, int mostPrefixes) {
    return new StoreException(
        "more than "
            + mostPrefixes
            + " prefixes below \""
            + prefix
            + "\"; a store of this size needs a listDir of its own",
        Location.ofKey(prefix.value()));
  }
}
