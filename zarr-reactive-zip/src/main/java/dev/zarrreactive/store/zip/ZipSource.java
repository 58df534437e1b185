package dev.zarrreactive.store.zip;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.RangeOutOfBoundsException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.store.Store;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The value that is an archive. Offsets are as the archive counts them; a program may stand before
 * it that it knows nothing of, and how long that is shows only where the value's length is known.
 * Stores tell no lengths: if the last bytes are only a part of the value, the archive is taken for
 * the whole value until a record is missing from its place.
 */
final class ZipSource {
  /** The longest program before an archive that is looked for. */
  static final int LONGEST_PREFIX = 1 << 24;

  private final Store store;
  private final StoreKey key;
  private final DirectoryEnd end;
  private final @Nullable Bytes whole;

  private volatile long prefix;

  /** Written after {@code prefix} and read before it. */
  private volatile boolean isPrefixKnown;

  private ZipSource(Store store, StoreKey key, DirectoryEnd end, @Nullable Bytes whole) {
    this.store = store;
    this.key = key;
    this.end = end;
    this.whole = whole;
    if (whole != null) {
      prefix = end.endInTail() - end.size() - end.offset();
      isPrefixKnown = true;
    }
  }

  /** The archive whose last bytes are {@code tail}; kept, where they are all there is. */
  static ZipSource of(Store store, StoreKey key, Bytes tail) {
    boolean isWhole = tail.size() < DirectoryEnd.TAIL;
    DirectoryEnd end = DirectoryEnd.find(tail, isWhole, Location.ofKey(key.value()));
    return new ZipSource(store, key, end, isWhole ? tail : null);
  }

  DirectoryEnd end() {
    return end;
  }

  /** The place of what is wrong with the archive as a whole. */
  Location place() {
    return Location.ofKey(key.value());
  }

  /** Exactly these bytes, with one request. */
  Mono<Bytes> read(long offset, long length) {
    Bytes all = whole;
    if (all != null) {
      return Mono.fromSupplier(() -> all.slice((int) (prefix + offset), (int) length));
    }
    return Mono.defer(() -> fetch(new ByteRange.Slice(prefix + offset, length)))
        .doOnNext(bytes -> refuseOther(bytes, length));
  }

  /**
   * Looks for a record at its place. If it is not there, the length of the program before the
   * archive is measured, once, and the look-up is repeated.
   *
   * @param attempt empty where something else is at the place
   */
  <T> Mono<T> locate(Supplier<Mono<T>> attempt) {
    return Mono.defer(
        () -> {
          if (isPrefixKnown) {
            return attempt.get();
          }
          return attempt
              .get()
              .doOnNext(found -> isPrefixKnown = true)
              .switchIfEmpty(measure().then(Mono.defer(attempt)));
        });
  }

  /** Two requests, the second for no more than the longest prefix. */
  private Mono<Void> measure() {
    long least = end.offset() + end.size() + end.trailer();
    return fetch(new ByteRange.Slice(least + LONGEST_PREFIX, 1))
        .onErrorResume(RangeOutOfBoundsException.class, error -> Mono.empty())
        .flatMap(beyond -> Mono.<Bytes>error(this::tooFar))
        .switchIfEmpty(Mono.defer(() -> fetch(new ByteRange.From(least))))
        .doOnNext(
            rest -> {
              prefix = rest.size();
              isPrefixKnown = true;
            })
        .then();
  }

  private Mono<Bytes> fetch(ByteRange range) {
    return store
        .get(key, range)
        .switchIfEmpty(
            Mono.error(() -> new StoreException("the zip is not there any more", place())));
  }

  private void refuseOther(Bytes bytes, long length) {
    if (bytes.size() != length) {
      throw new StoreException(
          store + " gave " + bytes.size() + " bytes of the zip for " + length, place());
    }
  }

  private StoreException tooFar() {
    return new StoreException(
        "the zip is damaged, or more than " + LONGEST_PREFIX + " bytes stand before it", place());
  }

  @Override
  public String toString() {
    return key + " in " + store;
  }
}
