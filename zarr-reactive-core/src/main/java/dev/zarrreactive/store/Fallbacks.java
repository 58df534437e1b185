package dev.zarrreactive.store;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.error.StoreCapabilityException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.internal.flow.AsyncSemaphore;
import dev.zarrreactive.internal.flow.Concurrently;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Operations of the store interface composed of other operations. */
final class Fallbacks {
  /** The most requests of one such operation in flight. */
  static final int CONCURRENCY = 64;

  /** The most prefixes directly below one prefix that {@link #entries} remembers. */
  static final int MOST_PREFIXES = 1 << 20;

  private Fallbacks() {}

  /**
   * Reads parts of values in order, each through {@code get}. A demand of n requests the first n
   * ranges, at most {@link #CONCURRENCY} at a time.
   */
  static Flux<PartialValue> partialValues(
      List<KeyRange> keyRanges, BiFunction<StoreKey, ByteRange, Mono<Bytes>> get) {
    List<KeyRange> wanted = List.copyOf(keyRanges);
    return Flux.defer(
        () -> {
          AsyncSemaphore demanded = new AsyncSemaphore(0);
          return Concurrently.mapInOrder(
                  Flux.fromIterable(wanted),
                  CONCURRENCY,
                  range ->
                      demanded
                          .permit(wanted)
                          .granted()
                          .then(Mono.defer(() -> get.apply(range.key(), range.range())))
                          .map(bytes -> new PartialValue(range, bytes))
                          .defaultIfEmpty(new PartialValue(range, null)))
              .doOnRequest(demanded::add);
        });
  }

  /** Erases the keys as they arrive. */
  static Mono<Void> eraseValues(Publisher<StoreKey> keys, Function<StoreKey, Mono<Void>> erase) {
    return Concurrently.map(keys, CONCURRENCY, erase).then();
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

  /** Returns a part of a whole value; fails with a located error if the value is too short. */
  static Bytes slice(StoreKey key, Bytes value, ByteRange range) {
    ByteRange.Slice slice = range.resolve(key, value.size());
    return value.slice((int) slice.offset(), (int) slice.length());
  }

  /**
   * Checks a condition on a value that has a version.
   *
   * @return an answer without bytes if the value is unchanged; null if bytes must be read
   * @throws PreconditionFailedException if the condition requires another version
   */
  static @Nullable VersionedBytes unchanged(StoreKey key, Version actual, ReadCondition condition) {
    Version required = condition.required();
    if (required != null && !required.equals(actual)) {
      throw new PreconditionFailedException(
          "wanted version " + required + " of the value, and it is " + actual,
          Location.ofKey(key.value()));
    }
    return actual.equals(condition.known()) ? VersionedBytes.unchanged(actual) : null;
  }

  /** The error of a {@code set} or {@code erase} for a version that the value does not have. */
  static PreconditionFailedException notThatVersion(
      StoreKey key, Version wanted, @Nullable Version actual) {
    return new PreconditionFailedException(
        "wanted to change version "
            + wanted
            + " of the value, and "
            + (actual == null ? "there is none" : "it is " + actual),
        Location.ofKey(key.value()));
  }

  /** The refusal of an operation that {@code store} has no capability for. */
  static StoreCapabilityException refusal(
      Store store, StoreCapability lacking, String operation, Location location) {
    return new StoreCapabilityException(
        store
            + " cannot "
            + operation
            + ": it lacks "
            + lacking
            + "; it has "
            + store.capabilities(),
        location);
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
