package dev.zarrreactive.store;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.PreconditionFailedException;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A store in the memory of this JVM, gone with it. Values are kept and handed out as they are,
 * nothing is copied. Signals arrive on the subscriber's thread. Listings are in the order of the
 * keys' code units; what changes during a listing may or may not be in it. Conditional writes and
 * partial writes are atomic per key.
 */
public final class MemoryStore extends AbstractStore {
  private static final Set<StoreCapability> ALL =
      Collections.unmodifiableSet(EnumSet.allOf(StoreCapability.class));

  private final ConcurrentNavigableMap<String, Bytes> values = new ConcurrentSkipListMap<>();

  private MemoryStore() {}

  /** An empty store. */
  public static MemoryStore create() {
    return new MemoryStore();
  }

  @Override
  public Set<StoreCapability> capabilities() {
    return ALL;
  }

  @Override
  public Mono<Bytes> get(StoreKey key) {
    return Mono.fromSupplier(() -> values.get(key.value()));
  }

  @Override
  public Mono<Void> set(StoreKey key, Bytes value, Precondition precondition) {
    return switch (precondition) {
      case NONE -> Mono.fromRunnable(() -> values.put(key.value(), value));
      case ABSENT -> Mono.fromRunnable(() -> create(key, value));
    };
  }

  @Override
  public Mono<Void> setPartialValues(List<KeyStartValue> parts) {
    Map<StoreKey, List<KeyStartValue>> byKey = PartialWrites.byKey(parts);
    return Mono.fromRunnable(
        () ->
            byKey.forEach(
                (key, partsOfKey) ->
                    values.compute(
                        key.value(), (same, old) -> PartialWrites.apply(old, partsOfKey))));
  }

  @Override
  public Mono<Void> erase(StoreKey key) {
    return Mono.fromRunnable(() -> values.remove(key.value()));
  }

  @Override
  public Mono<Void> erasePrefix(StorePrefix prefix) {
    return Mono.fromRunnable(() -> below(prefix).clear());
  }

  @Override
  public Flux<StoreKey> list() {
    return listPrefix(StorePrefix.ROOT);
  }

  @Override
  public Flux<StoreKey> listPrefix(StorePrefix prefix) {
    return Flux.defer(() -> Flux.fromIterable(below(prefix).keySet())).map(StoreKey::of);
  }

  /** Steps from entry to entry; the keys below a prefix are jumped over. */
  @Override
  public Flux<ListEntry> listDir(StorePrefix prefix) {
    return SortedListing.entries(prefix, values::ceilingKey);
  }

  /** The number of values. */
  @Override
  public String toString() {
    return "MemoryStore[" + values.size() + " values]";
  }

  private void create(StoreKey key, Bytes value) {
    if (values.putIfAbsent(key.value(), value) != null) {
      throw new PreconditionFailedException(
          "there is a value at the key already", Location.ofKey(key.value()));
    }
  }

  private ConcurrentNavigableMap<String, Bytes> below(StorePrefix prefix) {
    return prefix.value().isEmpty()
        ? values
        : values.subMap(prefix.value(), true, SortedListing.firstAfter(prefix.value()), false);
  }
}
