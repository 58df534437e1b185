package dev.zarrreactive.internal.pipeline;

import dev.zarrreactive.codec.ShardIndex;
import dev.zarrreactive.codec.ShardLayout;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.planning.ChunkProjection;
import dev.zarrreactive.store.ByteRange;
import dev.zarrreactive.store.Bytes;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * A shard whose index is here.
 *
 * @param chunk the shard
 * @param source where its bytes are
 * @param layout how it is laid out
 * @param known its index
 */
record OpenShard(EncodedChunk chunk, ByteSource source, ShardLayout layout, KnownIndex known) {
  /** How often a shard is looked at that we write again and again. */
  private static final int MOST_LOOKS = 8;

  /** The bytes of an inner chunk in the shard; null where it is missing. */
  ByteRange.@Nullable Slice find(ChunkProjection inner) {
    return index().find(inner.chunkIndex());
  }

  private ShardIndex index() {
    return known.index();
  }

  /** An inner chunk, its bytes a part of the shard's. */
  EncodedChunk part(ChunkProjection inner) {
    ByteRange.Slice place = find(inner);
    return innerChunk(inner, place == null ? null : new ByteSource.Part(source, place));
  }

  /** An inner chunk, its bytes from {@code bytes}. */
  EncodedChunk innerChunk(ChunkProjection inner, @Nullable ByteSource bytes) {
    long[] start = layout.innerGrid().chunkStart(inner.chunkIndex());
    Arrays.setAll(start, d -> start[d] + chunk.start()[d]);
    return new EncodedChunk(
        bytes,
        layout.innerCodec(),
        inner,
        chunk.gridIndex(),
        start,
        chunk.location().innerChunk(inner.chunkIndex()));
  }

  /**
   * The bytes of an inner chunk after the shard may have been replaced: by an index that is fetched
   * anew, and again while we write the shard.
   *
   * @param inner the inner chunk's index
   * @param before where it was
   * @param unmoved what to do where it still is there
   */
  Mono<Bytes> findAnew(
      ShardIndexes indexes, long[] inner, ByteRange.Slice before, Mono<Bytes> unmoved) {
    ShardPlace place = ShardPlace.of(source, layout);
    return place == null
        ? unmoved
        : findAnew(indexes, place, known, inner, before, unmoved, MOST_LOOKS);
  }

  private Mono<Bytes> findAnew(
      ShardIndexes indexes,
      ShardPlace place,
      KnownIndex old,
      long[] inner,
      ByteRange.Slice before,
      Mono<Bytes> unmoved,
      int looks) {
    return indexes
        .findAnew(old, place, source, layout)
        .flatMap(
            found -> {
              KnownIndex known = found.known();
              ByteRange.Slice now = known.index().find(inner);
              if (now == null) {
                return Mono.empty();
              }
              if (now.equals(before)) {
                return unmoved;
              }
              return source
                  .range(now)
                  .flatMap(
                      bytes ->
                          known.isStale() && looks > 1
                              ? findAnew(
                                  indexes, place, known, inner, now, Mono.just(bytes), looks - 1)
                              : Mono.just(bytes));
            });
  }

  /** True for what an index causes that is no longer that of the shard. */
  static boolean mayBeReplaced(ZarrException failure) {
    return failure instanceof CodecException || isOutside(failure);
  }

  /** True for what a store says of a range that is not in the value. */
  static boolean isOutside(Throwable failure) {
    return failure.getClass() == StoreException.class;
  }
}
