package dev.zarrreactive.store.decorator;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.store.LocatedValues;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoredObject;
import dev.zarrreactive.store.ValuePlace;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** The located values of a decorator that changes how parts of objects are read. */
final class LocatedReads implements LocatedValues {
  private final LocatedValues below;
  private final Read read;

  private LocatedReads(LocatedValues below, Read read) {
    this.below = below;
    this.read = read;
  }

  /** Reads a part of an object, by what is below the decorator. */
  interface Read {
    Mono<Bytes> of(LocatedValues below, StoredObject object, ByteRange.Slice range);
  }

  /** Returns the located values of a decorator of {@code delegate}; null where that has none. */
  static @Nullable LocatedValues over(Store delegate, Read read) {
    LocatedValues below = LocatedValues.of(delegate);
    return below == null ? null : new LocatedReads(below, read);
  }

  /** Returns those of a store of which it is known that it has some. */
  static LocatedValues in(Store store) {
    return Objects.requireNonNull(LocatedValues.of(store));
  }

  @Override
  public Mono<List<Optional<ValuePlace>>> places(List<StoreKey> keys) {
    return below.places(keys);
  }

  @Override
  public Mono<Bytes> read(StoredObject object, ByteRange.Slice range) {
    return read.of(below, object, range);
  }
}
