package dev.zarrreactive.store.memory;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.internal.store.SortedListing;
import dev.zarrreactive.store.AbstractStore;
import dev.zarrreactive.store.ListEntry;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.StoreCapability;
import dev.zarrreactive.store.Version;
import dev.zarrreactive.store.VersionedBytes;
import java.time.Instant;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A store in the memory of this JVM. Values are stored and returned without a copy. Signals arrive
 * on the subscriber's thread. Listings are in the order of the keys' code units; a concurrent
 * change may or may not be in it. Conditional writes are atomic per key. Every {@code set} makes a
 * new version.
 */
public final class MemoryStore extends AbstractStore {
  private static final Set<StoreCapability> ALL =
      Collections.unmodifiableSet(EnumSet.allOf(StoreCapability.class));

  private static final Map<String, MemoryStore> NAMED = new ConcurrentHashMap<>();

  private final ConcurrentNavigableMap<String, Held> values = new ConcurrentSkipListMap<>();
  private final AtomicLong sets = new AtomicLong();

  private MemoryStore() {}

  /** An empty store. */
  public static MemoryStore create() {
    return new MemoryStore();
  }

  /**
   * Returns the store of this name in this process, which is created at the first call. All callers
   * share its values, and closing it has no effect.
   */
  public static MemoryStore named(String name) {
    return NAMED.computeIfAbsent(name, made -> new MemoryStore());
  }

  @Override
  public Set<StoreCapability> capabilities() {
    return ALL;
  }

  @Override
  public Mono<Bytes> get(StoreKey key) {
    return Mono.fromSupplier(() -> bytes(values.get(key.value())));
  }

  @Override
  public Mono<VersionedBytes> getVersioned(
      StoreKey key, @Nullable ByteRange range, ReadCondition condition) {
    return Mono.defer(() -> Mono.justOrEmpty(read(key, range, condition)));
  }

  private @Nullable VersionedBytes read(
      StoreKey key, @Nullable ByteRange range, ReadCondition condition) {
    Held held = values.get(key.value());
    if (held == null) {
      return null;
    }
    VersionedBytes unchanged = condition.check(key, held.version);
    if (unchanged != null) {
      return unchanged;
    }
    Bytes bytes = range == null ? held.bytes : range.of(key, held.bytes);
    return new VersionedBytes(bytes, held.version);
  }

  @Override
  public Mono<Void> set(StoreKey key, Bytes value, Precondition precondition) {
    Version version = precondition.version();
    if (version != null) {
      return refusable(() -> replace(key, value, version));
    }
    return precondition.equals(Precondition.ABSENT)
        ? refusable(() -> create(key, value))
        : Mono.fromRunnable(() -> values.put(key.value(), hold(value)));
  }

  @Override
  public Mono<Void> erase(StoreKey key) {
    return Mono.fromRunnable(() -> values.remove(key.value()));
  }

  @Override
  public Mono<Void> erase(StoreKey key, Version version) {
    return refusable(() -> remove(key, version));
  }

  @Override
  public Mono<Void> erasePrefix(StorePrefix prefix) {
    return Mono.fromRunnable(() -> below(prefix).clear());
  }

  @Override
  public Flux<StoreKey> listPrefix(StorePrefix prefix) {
    return Flux.defer(() -> Flux.fromIterable(below(prefix).keySet())).map(StoreKey::of);
  }

  @Override
  public Flux<ListEntry.Key> listValues(StorePrefix prefix) {
    return Flux.defer(() -> Flux.fromIterable(below(prefix).entrySet()))
        .map(
            entry ->
                new ListEntry.Key(StoreKey.of(entry.getKey()), entry.getValue().bytes.size())
                    .modifiedAt(entry.getValue().written));
  }

  /** Lists the entries from one to the next; skips the keys below a found prefix. */
  @Override
  public Flux<ListEntry> listDir(StorePrefix prefix) {
    return SortedListing.entries(prefix, values::ceilingKey, this::size);
  }

  /** The number of values. */
  @Override
  public String toString() {
    return "MemoryStore[" + values.size() + " values]";
  }

  /** Makes a change that may fail. After a cancel {@code fromRunnable} would log the error. */
  private static Mono<Void> refusable(Runnable change) {
    return Mono.defer(
        () -> {
          change.run();
          return Mono.empty();
        });
  }

  private void create(StoreKey key, Bytes value) {
    if (values.putIfAbsent(key.value(), hold(value)) != null) {
      throw new PreconditionFailedException(
          "there is a value at the key already", Location.ofKey(key.value()));
    }
  }

  private void replace(StoreKey key, Bytes value, Version version) {
    Held held = values.get(key.value());
    if (held == null
        || !held.version.equals(version)
        || !values.replace(key.value(), held, hold(value))) {
      Held now = values.get(key.value());
      throw version.mismatch(key, now == null ? null : now.version);
    }
  }

  private void remove(StoreKey key, Version version) {
    Held held = values.get(key.value());
    if (held == null) {
      return;
    }
    if (!held.version.equals(version) || !values.remove(key.value(), held)) {
      Held now = values.get(key.value());
      if (now != null) {
        throw version.mismatch(key, now.version);
      }
    }
  }

  private Held hold(Bytes value) {
    return new Held(value, new Version(Long.toString(sets.incrementAndGet())));
  }

  private static @Nullable Bytes bytes(@Nullable Held held) {
    return held == null ? null : held.bytes;
  }

  private long size(String key) {
    Held held = values.get(key);
    return held == null ? ListEntry.Key.UNKNOWN_SIZE : held.bytes.size();
  }

  private ConcurrentNavigableMap<String, Held> below(StorePrefix prefix) {
    return prefix.value().isEmpty()
        ? values
        : values.subMap(prefix.value(), true, SortedListing.firstAfter(prefix.value()), false);
  }

  /** A value with its version. Compared by identity, for an atomic replacement. */
  private static final class Held {
    final Bytes bytes;
    final Version version;
    final Instant written = Instant.now();

    Held(Bytes bytes, Version version) {
      this.bytes = bytes;
      this.version = version;
    }
  }
}
