package dev.zarrreactive.internal.pipeline;

import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.planning.ChunkProjection;
import dev.zarrreactive.internal.planning.MergedRanges;
import dev.zarrreactive.store.ByteRange;
import dev.zarrreactive.store.Bytes;
import dev.zarrreactive.store.Coalescing;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Inner chunks of one shard that follow each other in the plan. Ranges that are close are fetched
 * by one request, which is made when the first of its chunks is read and is cancelled when nobody
 * waits for it. All of the window's bytes are leased at once: windows are begun in the order of the
 * plan, so that those who hold bytes never wait for those who wait.
 */
final class ShardWindow {
  private final ShardIndexes indexes;
  private final OpenShard shard;
  private final MergedRanges merged;
  private final ByteBudget.Lease lease;
  private final List<SharedFetch<Optional<Bytes>>> fetches = new ArrayList<>();
  private final List<EncodedChunk> chunks = new ArrayList<>();

  /**
   * A window.
   *
   * @param inner the inner chunks
   * @param places where they are in the shard; null for those that are missing
   * @param mostUnwanted the most bytes to fetch too many
   */
  ShardWindow(
      ShardIndexes indexes,
      OpenShard shard,
      List<ChunkProjection> inner,
      List<ByteRange.@Nullable Slice> places,
      Coalescing coalescing,
      long mostUnwanted,
      ByteBudget budget) {
    this.indexes = indexes;
    this.shard = shard;
    List<ByteRange.Slice> ranges = new ArrayList<>();
    for (int i = 0; i < inner.size(); i++) {
      ByteRange.Slice place = places.get(i);
      Member member = place == null ? null : new Member(ranges.size(), place, inner.get(i));
      chunks.add(shard.innerChunk(inner.get(i), member));
      if (place != null) {
        ranges.add(place);
      }
    }
    merged = MergedRanges.of(ranges, coalescing, mostUnwanted);
    lease = budget.lease(bytes(merged.requests()));
    for (int i = 1; i < ranges.size(); i++) {
      lease.retain();
    }
    SharedFetch<Boolean> granted = new SharedFetch<>(Mono.defer(lease::granted));
    for (ByteRange.Slice request : merged.requests()) {
      Mono<Optional<Bytes>> fetch =
          shard.source().range(request).map(Optional::of).defaultIfEmpty(Optional.empty());
      fetches.add(new SharedFetch<>(granted.get().then(fetch)));
    }
  }

  private static long bytes(List<ByteRange.Slice> ranges) {
    long bytes = 0;
    for (ByteRange.Slice range : ranges) {
      bytes = bytes > Long.MAX_VALUE - range.length() ? Long.MAX_VALUE : bytes + range.length();
    }
    return bytes;
  }

  /** The chunks, in the order of the plan. */
  List<EncodedChunk> chunks() {
    return chunks;
  }

  /** The bytes of one inner chunk. */
  private final class Member implements ByteSource {
    private final int number;
    private final ByteRange.Slice place;
    private final ChunkProjection inner;

    Member(int number, ByteRange.Slice place, ChunkProjection inner) {
      this.number = number;
      this.place = place;
      this.inner = inner;
    }

    @Override
    public Mono<Bytes> all() {
      return Mono.defer(
          () -> {
            int request = merged.requestOf().get(number);
            long offset = merged.requests().get(request).offset();
            return fetches
                .get(request)
                .get()
                .flatMap(Mono::justOrEmpty)
                .map(bytes -> bytes.slice((int) (place.offset() - offset), (int) place.length()))
                .onErrorResume(OpenShard::isOutside, this::alone)
                .flatMap(this::current);
          });
    }

    /** Where a merged request fails since one of its chunks is outside, the others are not. */
    private Mono<Bytes> alone(Throwable failure) {
      int request = merged.requestOf().get(number);
      return merged.requests().get(request).equals(place)
          ? Mono.error(failure)
          : shard.source().range(place);
    }

    /** Where we have written the shard meanwhile, its index may not be that of these bytes. */
    private Mono<Bytes> current(Bytes bytes) {
      return shard.known().isStale()
          ? shard.findAnew(indexes, inner.chunkIndex(), place, Mono.just(bytes))
          : Mono.just(bytes);
    }

    @Override
    public Mono<Bytes> allAnew(ZarrException failure) {
      return OpenShard.mayBeReplaced(failure)
          ? shard.findAnew(indexes, inner.chunkIndex(), place, Mono.error(failure))
          : Mono.error(failure);
    }

    @Override
    public Mono<Bytes> range(ByteRange range) {
      return new Part(shard.source(), place).range(range);
    }

    @Override
    public void release() {
      lease.release();
    }
  }
}
