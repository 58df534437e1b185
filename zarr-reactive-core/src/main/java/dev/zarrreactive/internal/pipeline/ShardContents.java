package dev.zarrreactive.internal.pipeline;

import dev.zarrreactive.internal.planning.ChunkProjection;
import dev.zarrreactive.store.VersionedBytes;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** What is in a shard that has been opened. */
interface ShardContents {
  /**
   * The bytes of an inner chunk.
   *
   * @param number its place in what is wanted of the shard
   */
  ChunkBytes chunk(long number, ChunkProjection inner);

  /** Where an inner chunk is that is a shard itself. */
  Place shard(long number, ChunkProjection inner);

  /**
   * Where the bytes of a shard are.
   *
   * @param bytes the bytes; null where it is known to be missing
   * @param held what they and what is decoded of them are held by already, where they are here
   * @param outer the shard that it is nested in, where that is read by its ranges
   * @param index its index, where that is fetched together with others
   */
  record Place(
      @Nullable ByteSource bytes,
      @Nullable HeldBytes held,
      @Nullable OpenShard outer,
      @Nullable Mono<VersionedBytes> index) {
    /** A shard that is missing. */
    static final Place MISSING = new Place(null, null, null, null);
  }
}
