package dev.zarrreactive.internal.pipeline;

import dev.zarrreactive.codec.ShardLayout;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.error.RangeOutOfBoundsException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.planning.ChunkProjection;
import dev.zarrreactive.store.ByteRange;
import dev.zarrreactive.store.Bytes;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Reads an inner chunk again whose shard may have been replaced since its index was fetched: by
 * indexes that are fetched anew, those of the shards around it first, and again while somebody goes
 * on replacing it. Bytes of one version are never taken for those of another where the store knows
 * versions.
 */
final class SecondLook {
  /** How often a shard is looked at that is replaced again and again. */
  static final int MOST = 8;

  private final ShardIndexes indexes;

  SecondLook(ShardIndexes indexes) {
    this.indexes = indexes;
  }

  /** True for what an index causes that is no longer that of the shard. */
  static boolean mayHelp(ZarrException failure) {
    return failure instanceof CodecException || isReplaced(failure) || isOutside(failure);
  }

  /** True for what a store says of a value that has another version. */
  static boolean isReplaced(Throwable failure) {
    return failure instanceof PreconditionFailedException;
  }

  /** True for what a store says of a range that is not in the value. */
  static boolean isOutside(Throwable failure) {
    return failure instanceof RangeOutOfBoundsException;
  }

  /**
   * The bytes of an inner chunk by indexes that are fetched anew; empty where it is missing now.
   *
   * @param unmoved what to do where it still is where it was
   */
  Mono<Bytes> bytes(OpenShard shard, ChunkProjection inner, Mono<Bytes> unmoved) {
    return bytes(shard, inner, unmoved, MOST);
  }

  private Mono<Bytes> bytes(
      OpenShard before, ChunkProjection inner, Mono<Bytes> unmoved, int looks) {
    return shard(before)
        .flatMap(
            now -> {
              ByteRange.Slice place = now.find(inner);
              if (place == null) {
                return Mono.empty();
              }
              boolean moved = !isSame(before, now) || !place.equals(before.find(inner));
              Mono<Bytes> bytes = moved ? now.bytes(inner, place) : unmoved;
              return looks <= 1
                  ? bytes
                  : bytes
                      .flatMap(
                          read ->
                              now.known().isStale()
                                  ? bytes(now, inner, Mono.just(read), looks - 1)
                                  : Mono.just(read))
                      .onErrorResume(
                          SecondLook::isReplaced,
                          e -> bytes(now, inner, now.bytes(inner, place), looks - 1));
            });
  }

  /** The shard as it is now; empty where it is gone. */
  private Mono<OpenShard> shard(OpenShard before) {
    OpenShard outer = before.outer();
    return outer == null
        ? shard(before, null, before.source().of(null))
        : nested(outer, before.chunk().projection())
            .flatMap(
                place ->
                    place.bytes() == null
                        ? Mono.empty()
                        : shard(before, place.outer(), place.bytes()));
  }

  private Mono<OpenShard> shard(OpenShard before, @Nullable OpenShard outer, ByteSource source) {
    ShardLayout layout = before.layout();
    return indexes
        .findAnew(before.known(), ShardPlace.of(source, layout), source, layout)
        .map(found -> OpenShard.found(before.chunk(), outer, source, layout, found.known()));
  }

  /**
   * Where a nested shard is now, or that it is missing; empty where the shard around it is gone.
   */
  Mono<ShardContents.Place> nested(OpenShard outer, ChunkProjection nested) {
    return shard(outer)
        .map(
            now -> {
              ByteRange.Slice place = now.find(nested);
              return place == null
                  ? ShardContents.Place.MISSING
                  : new ShardContents.Place(
                      new ByteSource.Part(now.source(), place), null, now, null);
            });
  }

  private static boolean isSame(OpenShard before, OpenShard now) {
    return before.source().equals(now.source());
  }
}
