package dev.zarrreactive.internal.pipeline;

import dev.zarrreactive.codec.ShardLayout;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.internal.planning.ChunkProjection;
import dev.zarrreactive.store.ByteRange;
import dev.zarrreactive.store.Bytes;
import dev.zarrreactive.store.VersionedBytes;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * A shard whose index is here.
 *
 * @param chunk the shard
 * @param outer the shard that it is nested in, where that is read by its ranges
 * @param source where its bytes are, of the index's version
 * @param layout how it is laid out
 * @param known its index
 */
record OpenShard(
    WantedChunk chunk,
    @Nullable OpenShard outer,
    ByteSource source,
    ShardLayout layout,
    KnownIndex known) {

  /** A shard whose index was looked up. */
  static OpenShard found(
      WantedChunk chunk,
      @Nullable OpenShard outer,
      ByteSource source,
      ShardLayout layout,
      KnownIndex known) {
    return new OpenShard(chunk, outer, source.of(known.version()), layout, known);
  }

  /** A shard whose bytes are here, as is its index. */
  static OpenShard of(
      WantedChunk chunk, ByteSource source, ShardLayout layout, VersionedBytes index) {
    Bytes encoded = Objects.requireNonNull(index.bytes());
    KnownIndex known =
        IndexFetch.inMemory(
            layout, () -> new KnownIndex(layout.decodeIndex(encoded), index.version()));
    return new OpenShard(chunk, null, source, layout, known);
  }

  /** A shard whose bytes are all here. */
  static OpenShard fetched(WantedChunk chunk, ShardLayout layout, VersionedBytes read) {
    Bytes bytes = Objects.requireNonNull(read.bytes());
    ByteRange.Slice place = ByteSource.within(layout.indexRange(), bytes.size());
    Bytes index = IndexFetch.inMemory(layout, () -> IndexFetch.alone(bytes, place));
    return of(
        chunk, new ByteSource.Fetched(bytes), layout, new VersionedBytes(index, read.version()));
  }

  /** The same shard, its bytes here. */
  OpenShard from(Bytes bytes) {
    return new OpenShard(chunk, null, new ByteSource.Fetched(bytes), layout, known);
  }

  /** Returns the place of an inner chunk in the shard; null where it is missing. */
  ByteRange.@Nullable Slice find(ChunkProjection inner) {
    return known.index().find(inner.chunkIndex());
  }

  /** Returns true where the index gives an inner chunk more bytes than its codecs can need. */
  boolean isTooLarge(ByteRange.Slice place) {
    return place.length() > layout.innerCodec().maxStoredBytes();
  }

  /**
   * Returns the bytes of an inner chunk, for a request of its own; a {@link CodecException} where
   * its place {@linkplain #isTooLarge is too large}.
   */
  Mono<Bytes> bytes(ChunkProjection inner, ByteRange.Slice place) {
    return isTooLarge(place)
        ? Mono.error(
            () ->
                new CodecException(
                    "the shard's index gives the inner chunk "
                        + place.length()
                        + " bytes, expected "
                        + layout.innerCodec().encodedSize(),
                    Location.UNKNOWN.innerChunk(inner.chunkIndex())))
        : source.range(place);
  }
}
