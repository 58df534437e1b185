package dev.zarrreactive.internal.context;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.ChunkCodec;
import dev.zarrreactive.codec.ShardIndex;
import dev.zarrreactive.codec.ShardLayout;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.internal.flow.ByteBudget;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.internal.link.Connections;
import dev.zarrreactive.internal.link.MergedRanges;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A shard with more bytes than its inner chunks can need: its index does not refer to the unused
 * bytes. Its index and its inner chunks are read by their ranges, of one version.
 */
final class PaddedShard {
  private final ArrayStorage array;
  private final ChunkCodec codec;
  private final ShardLayout layout;
  private final ConditionalUpdate value;

  /**
   * Creates a reader of a shard.
   *
   * @param codec the codec of shards that are not encoded any further
   */
  PaddedShard(ArrayStorage array, ChunkCodec codec, ConditionalUpdate value) {
    this.array = array;
    this.codec = codec;
    this.layout = Objects.requireNonNull(codec.shardLayout());
    this.value = value;
  }

  /** Reads the shard without its unused bytes; empty if it is missing. */
  Mono<Bytes> read() {
    return value
        .read(layout.indexRange())
        .publishOn(array.limits().codecScheduler())
        .flatMap(index -> readParts(places(layout.decodeIndex(index))));
  }

  /** Returns the place of each inner chunk, in C order; null for a missing one. */
  private List<ByteRange.@Nullable Slice> places(ShardIndex index) {
    long[] grid = layout.innerGrid().gridShape().toArray();
    int count = layout.innerGrid().gridShape().byteSize(1);
    long most = layout.innerCodec().maxStoredBytes();
    List<ByteRange.@Nullable Slice> places = new ArrayList<>(count);
    long all = 0;
    long[] at = new long[grid.length];
    for (int number = 0; number < count; number++) {
      ByteRange.Slice place = index.find(at);
      if (place != null && place.length() > most) {
        throw refused("the inner chunk " + Arrays.toString(at), place.length(), most);
      }
      places.add(place);
      all = ByteBudget.sum(all, place == null ? 0 : place.length());
      for (int d = grid.length - 1; d >= 0 && ++at[d] == grid[d]; d--) {
        at[d] = 0;
      }
    }
    if (all > codec.maxStoredBytes()) {
      throw refused("the inner chunks", all, codec.maxStoredBytes());
    }
    return places;
  }

  private static CodecException refused(String what, long bytes, long most) {
    return new CodecException(
        "the shard's index gives " + what + " " + bytes + " bytes, expected at most " + most,
        Location.UNKNOWN);
  }

  private Mono<Bytes> readParts(List<ByteRange.@Nullable Slice> places) {
    List<ByteRange.Slice> ranges = new ArrayList<>();
    for (ByteRange.Slice place : places) {
      if (place != null && place.length() > 0) {
        ranges.add(place);
      }
    }
    if (ranges.isEmpty()) {
      return Mono.fromSupplier(() -> join(places, List.of(), List.of(), List.of()));
    }
    HierarchyContext context = array.context();
    int requests = array.limits().concurrency();
    MergedRanges merged =
        context.coalesced(ranges, Connections.all(requests), context.budget().total() / 16);
    return Concurrently.mapInOrder(Flux.fromIterable(merged.requests()), requests, value::readMore)
        .collectList()
        .publishOn(array.limits().codecScheduler())
        .map(read -> join(places, merged.requestOf(), merged.requests(), read));
  }

  private Bytes join(
      List<ByteRange.@Nullable Slice> places,
      List<Integer> requestOf,
      List<ByteRange.Slice> requests,
      List<Bytes> read) {
    List<@Nullable Bytes> parts = new ArrayList<>(places.size());
    int stored = 0;
    for (ByteRange.Slice place : places) {
      if (place == null) {
        parts.add(null);
      } else if (place.length() == 0) {
        parts.add(Bytes.EMPTY);
      } else {
        int request = requestOf.get(stored++);
        int from = (int) (place.offset() - requests.get(request).offset());
        parts.add(read.get(request).slice(from, (int) place.length()));
      }
    }
    return layout.join(parts);
  }
}
