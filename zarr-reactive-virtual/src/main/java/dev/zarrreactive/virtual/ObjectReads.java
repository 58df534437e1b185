package dev.zarrreactive.virtual;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.error.RangeOutOfBoundsException;
import dev.zarrreactive.error.StoreCapabilityException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.error.ValueTooLargeException;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoredObject;
import dev.zarrreactive.store.VersionedBytes;
import dev.zarrreactive.store.decorator.StoreOrigin;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Reads of an object for a value that refers to it. They are never empty.
 *
 * @param key of the value, for the location of errors
 * @param at the object for people
 * @param isWhole true if the value is the whole object, of whatever size
 */
record ObjectReads(StoredObject object, StoreKey key, String at, boolean isWhole) {
  /**
   * Reads a range; null for all. A read without a condition may be cheaper than a versioned one.
   */
  Mono<Bytes> read(@Nullable ByteRange range) {
    if (!object.condition().equals(ReadCondition.ALWAYS)) {
      return read(range, object.condition()).map(read -> Objects.requireNonNull(read.bytes()));
    }
    return of(
        store -> range == null ? store.get(object.key()) : store.get(object.key(), range),
        bytes -> bytes,
        range);
  }

  /** Reads a range with the version of the object, on another condition than the object has. */
  Mono<VersionedBytes> read(@Nullable ByteRange range, ReadCondition condition) {
    return of(
        store -> store.getVersioned(object.key(), range, condition), VersionedBytes::bytes, range);
  }

  private <T> Mono<T> of(
      Function<Store, Mono<T>> request,
      Function<T, @Nullable Bytes> content,
      @Nullable ByteRange range) {
    return Mono.deferContextual(
            subscriber -> request.apply(StoreOrigin.measured(object.store(), subscriber)))
        .onErrorMap(StoreException.class, e -> located(e, range))
        .switchIfEmpty(Mono.error(this::missing))
        .doOnNext(read -> checkSize(content.apply(read), range));
  }

  private Location place() {
    return Location.ofKey(key.value());
  }

  private StoreException missing() {
    return new StoreException("the object that the reference leads to is missing: " + at, place());
  }

  private void checkSize(@Nullable Bytes bytes, @Nullable ByteRange range) {
    if (bytes != null && range instanceof ByteRange.Slice slice && bytes.size() != slice.length()) {
      throw new StoreException(
          "wanted " + slice + " of " + at + ", and its store returned " + bytes.size() + " bytes",
          place());
    }
  }

  /**
   * Returns the error of a read of the object as one of the value: with its key, and the object.
   */
  private StoreException located(StoreException e, @Nullable ByteRange range) {
    String what = "the reference leads to " + at + ": " + e.statement();
    if (e instanceof RangeOutOfBoundsException small && isWhole) {
      return new RangeOutOfBoundsException(String.valueOf(range), small.size(), place());
    }
    if (e instanceof RangeOutOfBoundsException) {
      return new StoreException(
          "the object that the reference leads to was cut or replaced: wanted "
              + range
              + " of "
              + at
              + ", and it is too short",
          place(),
          e);
    }
    if (e instanceof ValueTooLargeException large) {
      return new ValueTooLargeException(large.size(), large.maxBytes(), place());
    }
    if (e instanceof PreconditionFailedException) {
      return new PreconditionFailedException(
          "the object is not the one that was referenced; " + what, place(), e);
    }
    if (e instanceof TransientStoreException later) {
      return later.retryAfter() == null
          ? new TransientStoreException(what, place(), e)
          : new TransientStoreException(what, place(), later.retryAfter());
    }
    if (e instanceof AccessDeniedException) {
      return new AccessDeniedException(what, place(), e);
    }
    return e instanceof StoreCapabilityException
        ? new StoreCapabilityException(what, place(), e)
        : new StoreException(what, place(), e);
  }
}
