package dev.zarrreactive.store;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.internal.flow.AsyncSemaphore;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.internal.flow.KeyLocks;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/** Operations of the store interface composed of other operations. */
final class Fallbacks {
  /** The most prefixes directly below one prefix that {@link #entries} remembers. */
  static final int MOST_PREFIXES = 1 << 20;

  /** The most requests in flight of one operation on several keys. */
  private static final int CONCURRENCY = 64;

  /** What a store needs, so that no write of another program is lost. */
  private static final List<StoreCapability> CHANGING =
      List.of(
          StoreCapability.WRITE,
          StoreCapability.READ,
          StoreCapability.VERSIONS,
          StoreCapability.CONDITIONAL_WRITE);

  /** The most attempts to change a value that other programs keep changing. */
  static final int ATTEMPTS = 32;

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

  /** Writes the parts of each key in one conditional write. */
  static Mono<Void> setPartialValues(Store store, List<KeyStartValue> values) {
    Map<StoreKey, List<KeyStartValue>> byKey = KeyStartValue.byKey(values);
    for (StoreCapability needed : CHANGING) {
      if (!store.capabilities().contains(needed)) {
        return Mono.error(() -> needed.refusal(store, "write parts of values", Location.UNKNOWN));
      }
    }
    return Concurrently.map(
            Flux.fromIterable(byKey.entrySet()),
            CONCURRENCY,
            parts -> change(store, parts.getKey(), parts.getValue()))
        .then();
  }

  /** Reads a value, and stores it with its new parts if it is unchanged; if not, begins again. */
  private static Mono<Void> change(Store store, StoreKey key, List<KeyStartValue> parts) {
    return KeyLocks.exclusively(
        store,
        key,
        lock ->
            store
                .getVersioned(key, null, ReadCondition.ALWAYS)
                .map(Optional::of)
                .defaultIfEmpty(Optional.empty())
                .flatMap(
                    old ->
                        lock.store(
                            store.set(
                                key,
                                KeyStartValue.apply(
                                    old.map(VersionedBytes::bytes).orElse(null), parts),
                                old.isEmpty()
                                    ? Precondition.ABSENT
                                    : Precondition.matches(versionOf(old.get(), store, key)))))
                .retryWhen(
                    Retry.max(ATTEMPTS - 1)
                        .filter(e -> e instanceof PreconditionFailedException)
                        .onRetryExhaustedThrow((all, last) -> overtaken(key, last.failure()))));
  }

  private static Version versionOf(VersionedBytes read, Store store, StoreKey key) {
    Version version = read.version();
    if (version == null) {
      throw new StoreException(
          store
              + " does not tell the version of this value, so that parts of it cannot be written:"
              + " another write in between would be lost",
          Location.ofKey(key.value()));
    }
    return version;
  }

  private static PreconditionFailedException overtaken(StoreKey key, Throwable last) {
    return new PreconditionFailedException(
        "parts were not written: another writer changed the value between read and write in each of "
            + ATTEMPTS
            + " attempts",
        Location.ofKey(key.value()),
        last);
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
