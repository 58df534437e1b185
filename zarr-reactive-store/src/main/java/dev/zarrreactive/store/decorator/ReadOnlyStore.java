package dev.zarrreactive.store.decorator;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.LocatedValues;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreCapability;
import dev.zarrreactive.store.Version;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

/** A store that refuses every change. */
final class ReadOnlyStore extends DelegatingStore {
  private static final Set<StoreCapability> READING =
      Set.of(
          StoreCapability.READ,
          StoreCapability.LIST,
          StoreCapability.PARTIAL_READ,
          StoreCapability.VERSIONS);

  ReadOnlyStore(Store delegate) {
    super(delegate);
  }

  @Override
  public Set<StoreCapability> capabilities() {
    Set<StoreCapability> reading = EnumSet.noneOf(StoreCapability.class);
    reading.addAll(delegate().capabilities());
    reading.retainAll(READING);
    return Collections.unmodifiableSet(reading);
  }

  @Override
  public @Nullable LocatedValues located() {
    return LocatedValues.of(delegate());
  }

  @Override
  public Mono<Void> set(StoreKey key, Bytes value) {
    return refuse(StoreCapability.WRITE, "set a value", Location.ofKey(key.value()));
  }

  @Override
  public Mono<Void> set(StoreKey key, Bytes value, Precondition precondition) {
    return refuse(StoreCapability.WRITE, "set a value", Location.ofKey(key.value()));
  }

  @Override
  public Mono<Void> set(StoreKey key, Publisher<Bytes> pieces, Precondition precondition) {
    return refuse(StoreCapability.WRITE, "set a value", Location.ofKey(key.value()));
  }

  @Override
  public Mono<Void> erase(StoreKey key) {
    return refuse(StoreCapability.ERASE, "erase a value", Location.ofKey(key.value()));
  }

  @Override
  public Mono<Void> erase(StoreKey key, Version version) {
    return erase(key);
  }

  @Override
  public Mono<Void> erasePrefix(StorePrefix prefix) {
    return refuse(StoreCapability.ERASE, "erase a prefix", Location.ofKey(prefix.value()));
  }

  private Mono<Void> refuse(StoreCapability lacking, String operation, Location location) {
    return Mono.error(() -> lacking.refusal(this, operation, location));
  }
}
