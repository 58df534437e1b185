package dev.zarrreactive.internal.pipeline;

import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.ValueTooLargeException;
import dev.zarrreactive.store.ByteRange;
import dev.zarrreactive.store.Bytes;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreCapability;
import dev.zarrreactive.store.StoreKey;
import dev.zarrreactive.store.Version;
import dev.zarrreactive.store.VersionedBytes;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Where the encoded bytes of a chunk come from. Every answer is empty where there is no value. */
interface ByteSource {
  /** Some bytes; an error where they are not all there. */
  Mono<Bytes> range(ByteRange range);

  /** As {@link #range}, with the version of the value where the store knows one. */
  Mono<VersionedBytes> versioned(ByteRange range);

  /**
   * All bytes, with the version of the value where the store knows one; a {@link
   * ValueTooLargeException} where there are more than {@code maxBytes}.
   */
  Mono<VersionedBytes> versionedWhole(long maxBytes);

  /** The same bytes, of that version of the value alone; of any where it is null. */
  ByteSource of(@Nullable Version version);

  /**
   * A value in a store.
   *
   * @param version the version that it must have; null for any
   */
  record Stored(Store store, StoreKey key, @Nullable Version version) implements ByteSource {
    @Override
    public Mono<Bytes> range(ByteRange range) {
      return version == null ? store.get(key, range) : bytes(read(range));
    }

    @Override
    public Mono<VersionedBytes> versioned(ByteRange range) {
      return store.capabilities().contains(StoreCapability.VERSIONS)
          ? read(range)
          : store.get(key, range).map(bytes -> new VersionedBytes(bytes, null));
    }

    @Override
    public Mono<VersionedBytes> versionedWhole(long maxBytes) {
      return versioned(ByteRange.whole(maxBytes));
    }

    private Mono<VersionedBytes> read(ByteRange range) {
      ReadCondition condition =
          version == null ? ReadCondition.ALWAYS : ReadCondition.ifMatch(version);
      return store.getVersioned(key, range, condition);
    }

    private static Mono<Bytes> bytes(Mono<VersionedBytes> read) {
      return read.mapNotNull(VersionedBytes::bytes);
    }

    @Override
    public ByteSource of(@Nullable Version other) {
      return new Stored(store, key, other);
    }
  }

  /** Bytes that are here already. */
  record Fetched(Bytes bytes) implements ByteSource {
    @Override
    public Mono<Bytes> range(ByteRange range) {
      return Mono.defer(
          () -> {
            ByteRange.Slice slice = within(range, bytes.size());
            return Mono.just(bytes.slice((int) slice.offset(), (int) slice.length()));
          });
    }

    @Override
    public Mono<VersionedBytes> versioned(ByteRange range) {
      return range(range).map(part -> new VersionedBytes(part, null));
    }

    @Override
    public Mono<VersionedBytes> versionedWhole(long maxBytes) {
      return Mono.just(new VersionedBytes(bytes, null));
    }

    @Override
    public ByteSource of(@Nullable Version version) {
      return this;
    }
  }

  /** A part of another source, such as an inner chunk of a shard. */
  record Part(ByteSource whole, ByteRange.Slice part) implements ByteSource {
    @Override
    public Mono<Bytes> range(ByteRange range) {
      return Mono.defer(() -> whole.range(place(range)));
    }

    @Override
    public Mono<VersionedBytes> versioned(ByteRange range) {
      return Mono.defer(() -> whole.versioned(place(range)));
    }

    @Override
    public Mono<VersionedBytes> versionedWhole(long maxBytes) {
      return part.length() > maxBytes
          ? Mono.error(() -> new ValueTooLargeException(part.length(), maxBytes, Location.UNKNOWN))
          : whole.versioned(part);
    }

    private ByteRange place(ByteRange range) {
      ByteRange.Slice slice = within(range, part.length());
      return new ByteRange.Slice(part.offset() + slice.offset(), slice.length());
    }

    @Override
    public ByteSource of(@Nullable Version version) {
      return new Part(whole.of(version), part);
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
