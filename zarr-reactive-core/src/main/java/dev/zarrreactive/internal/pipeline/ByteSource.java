package dev.zarrreactive.internal.pipeline;

import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.store.ByteRange;
import dev.zarrreactive.store.Bytes;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreKey;
import reactor.core.publisher.Mono;

/** Where the encoded bytes of a chunk come from. Every answer is empty where there is no value. */
interface ByteSource {
  /** All bytes. */
  Mono<Bytes> all();

  /** Some bytes; an error where they are not all there. */
  Mono<Bytes> range(ByteRange range);

  /** All bytes after those of {@link #all} were no good; the same failure where nothing changed. */
  default Mono<Bytes> allAnew(ZarrException failure) {
    return Mono.error(failure);
  }

  /** The bytes are not needed any more. */
  default void release() {}

  /** A value in a store. */
  record Stored(Store store, StoreKey key) implements ByteSource {
    @Override
    public Mono<Bytes> all() {
      return store.get(key);
    }

    @Override
    public Mono<Bytes> range(ByteRange range) {
      return store.get(key, range);
    }
  }

  /** Bytes that are here already. */
  record Fetched(Bytes bytes) implements ByteSource {
    @Override
    public Mono<Bytes> all() {
      return Mono.just(bytes);
    }

    @Override
    public Mono<Bytes> range(ByteRange range) {
      return Mono.fromSupplier(
          () -> {
            ByteRange.Slice slice = within(range, bytes.size());
            return bytes.slice((int) slice.offset(), (int) slice.length());
          });
    }
  }

  /** A part of another source, such as an inner chunk of a shard. */
  record Part(ByteSource whole, ByteRange.Slice part) implements ByteSource {
    @Override
    public Mono<Bytes> all() {
      return whole.range(part);
    }

    @Override
    public Mono<Bytes> range(ByteRange range) {
      return Mono.defer(
          () -> {
            ByteRange.Slice slice = within(range, part.length());
            return whole.range(new ByteRange.Slice(part.offset() + slice.offset(), slice.length()));
          });
    }
  }

  /**
   * Bytes that count as held until they are released.
   *
   * @param bytes where they come from
   * @param lease one of whose holders this is
   */
  record Leased(ByteSource bytes, ByteBudget.Lease lease) implements ByteSource {
    @Override
    public Mono<Bytes> all() {
      return bytes.all();
    }

    @Override
    public Mono<Bytes> range(ByteRange range) {
      return bytes.range(range);
    }

    @Override
    public void release() {
      lease.release();
    }
  }

  /**
   * The slice of a value of {@code size} bytes that a range stands for.
   *
   * @throws CodecException where it is not in the value
   */
  static ByteRange.Slice within(ByteRange range, long size) {
    try {
      return range.resolve(size);
    } catch (IndexOutOfBoundsException e) {
      throw new CodecException(
          "the shard's index points outside of it: " + e.getMessage(), Location.UNKNOWN, e);
    }
  }
}
