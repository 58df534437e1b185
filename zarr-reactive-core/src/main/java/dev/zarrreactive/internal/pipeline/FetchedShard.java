package dev.zarrreactive.internal.pipeline;

import dev.zarrreactive.internal.planning.ChunkProjection;
import dev.zarrreactive.store.ByteRange;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * A shard whose bytes are all here or are leased already, or that is known to be missing in such a
 * shard.
 *
 * @param shard the shard; null where it is missing
 * @param held the lease of the bytes and of what they decode to
 */
record FetchedShard(@Nullable OpenShard shard, HeldBytes held) implements ShardContents {
  @Override
  public ChunkBytes chunk(long number, ChunkProjection inner) {
    OpenShard open = shard;
    ByteRange.Slice place = open == null ? null : open.find(inner);
    return new StoredChunk(
        open == null || place == null ? Mono.empty() : open.bytes(inner, place), held);
  }

  @Override
  public Place shard(long number, ChunkProjection inner) {
    return new Place(part(inner), held, null, null);
  }

  private @Nullable ByteSource part(ChunkProjection inner) {
    OpenShard open = shard;
    ByteRange.Slice place = open == null ? null : open.find(inner);
    return open == null || place == null ? null : new ByteSource.Part(open.source(), place);
  }
}
