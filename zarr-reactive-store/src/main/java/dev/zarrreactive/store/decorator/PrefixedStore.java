package dev.zarrreactive.store.decorator;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.ListEntry;
import dev.zarrreactive.store.LocatedValues;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreSnapshot;
import dev.zarrreactive.store.StoredObject;
import dev.zarrreactive.store.ValuePlace;
import dev.zarrreactive.store.Version;
import dev.zarrreactive.store.VersionedBytes;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The part of a store below a prefix. */
final class PrefixedStore extends DelegatingStore {
  private final StorePrefix prefix;

  PrefixedStore(Store delegate, StorePrefix prefix) {
    super(delegate);
    this.prefix = prefix;
  }

  @Override
  public Mono<Bytes> get(StoreKey key) {
    return delegate().get(inside(key));
  }

  @Override
  public Mono<Bytes> get(StoreKey key, ByteRange range) {
    return delegate().get(inside(key), range);
  }

  @Override
  public Mono<VersionedBytes> getVersioned(
      StoreKey key, @Nullable ByteRange range, ReadCondition condition) {
    return delegate().getVersioned(inside(key), range, condition);
  }

  @Override
  public @Nullable LocatedValues located() {
    LocatedValues below = LocatedValues.of(delegate());
    return below == null ? null : new Located(below);
  }

  @Override
  public @Nullable StoreSnapshot snapshot() {
    StoreSnapshot whole = StoreSnapshot.of(delegate());
    return whole == null ? null : new Below(whole, prefix);
  }

  /** A part of a snapshot. */
  private record Below(StoreSnapshot whole, StorePrefix prefix) implements StoreSnapshot {
    @Override
    public String id() {
      return whole.id();
    }

    @Override
    public Mono<Store> newest() {
      return whole.newest().map(store -> new PrefixedStore(store, prefix));
    }
  }

  /** Values are found below the prefix; the keys of objects are those of another store. */
  private final class Located implements LocatedValues {
    private final LocatedValues below;

    Located(LocatedValues below) {
      this.below = below;
    }

    @Override
    public Mono<List<Optional<ValuePlace>>> places(List<StoreKey> keys) {
      return below.places(keys.stream().map(PrefixedStore.this::inside).toList());
    }

    @Override
    public Mono<Bytes> read(StoredObject object, ByteRange.Slice range) {
      return below.read(object, range);
    }
  }

  @Override
  public Mono<Void> set(StoreKey key, Bytes value) {
    return delegate().set(inside(key), value);
  }

  @Override
  public Mono<Void> set(StoreKey key, Bytes value, Precondition precondition) {
    return delegate().set(inside(key), value, precondition);
  }

  @Override
  public Mono<Void> set(StoreKey key, Publisher<Bytes> pieces, Precondition precondition) {
    return delegate().set(inside(key), pieces, precondition);
  }

  @Override
  public Mono<Void> erase(StoreKey key) {
    return delegate().erase(inside(key));
  }

  @Override
  public Mono<Void> erase(StoreKey key, Version version) {
    return delegate().erase(inside(key), version);
  }

  @Override
  public Mono<Void> erasePrefix(StorePrefix below) {
    return delegate().erasePrefix(inside(below));
  }

  @Override
  public Flux<StoreKey> list() {
    return listPrefix(StorePrefix.ROOT);
  }

  @Override
  public Flux<StoreKey> listPrefix(StorePrefix below) {
    return delegate().listPrefix(inside(below)).map(this::outside);
  }

  @Override
  public Flux<ListEntry.Key> listValues(StorePrefix below) {
    return delegate().listValues(inside(below)).map(this::outside);
  }

  @Override
  public Flux<ListEntry> listDir(StorePrefix below) {
    return delegate().listDir(inside(below)).map(this::outside);
  }

  @Override
  public String toString() {
    return "PrefixedStore[" + prefix + ", " + delegate() + "]";
  }

  private StoreKey inside(StoreKey key) {
    return prefix.key(key.value());
  }

  private StorePrefix inside(StorePrefix below) {
    return StorePrefix.of(prefix.value() + below.value());
  }

  private StoreKey outside(StoreKey key) {
    return StoreKey.of(key.value().substring(prefix.value().length()));
  }

  private ListEntry.Key outside(ListEntry.Key entry) {
    return new ListEntry.Key(
        outside(entry.key()), entry.size(), entry.isBehindLink(), entry.modified());
  }

  private ListEntry outside(ListEntry entry) {
    if (entry instanceof ListEntry.Key key) {
      return outside(key);
    }
    String below = ((ListEntry.Prefix) entry).prefix().value();
    return new ListEntry.Prefix(StorePrefix.of(below.substring(prefix.value().length())));
  }
}
