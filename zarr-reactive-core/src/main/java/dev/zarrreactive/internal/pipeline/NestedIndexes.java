package dev.zarrreactive.internal.pipeline;

import dev.zarrreactive.codec.ShardLayout;
import dev.zarrreactive.internal.planning.ChunkPlan;
import dev.zarrreactive.internal.planning.ChunkProjection;
import dev.zarrreactive.internal.planning.MergedRanges;
import dev.zarrreactive.internal.sharing.SharedRequest;
import dev.zarrreactive.store.ByteRange;
import dev.zarrreactive.store.VersionedBytes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The indexes of the shards inside of a shard. Those that are close are fetched by one request, so
 * that a row of small nested shards does not cost a request each. An index that is known, or that
 * is not needed since its shard is fetched whole, is left out.
 */
final class NestedIndexes {
  /** How many nested shards are looked at together. */
  private static final int TOGETHER = 256;

  private final Reading reading;
  private final OpenShard shard;
  private final ShardLayout nested;
  private final Iterator<ChunkProjection> rest;
  private final Map<Long, Mono<VersionedBytes>> indexes = new HashMap<>();
  private long planned;

  /** The indexes of what is wanted of a shard that holds shards. */
  NestedIndexes(Reading reading, OpenShard shard, ChunkPlan plan) {
    this.reading = reading;
    this.shard = shard;
    this.nested = Objects.requireNonNull(shard.layout().innerCodec().shardLayout());
    this.rest = plan.iterator();
  }

  /** The bytes of the index of one nested shard; null where it is to be found otherwise. */
  synchronized @Nullable Mono<VersionedBytes> index(long number) {
    while (planned <= number && rest.hasNext()) {
      plan();
    }
    return indexes.remove(number);
  }

  private void plan() {
    List<Long> numbers = new ArrayList<>();
    List<ByteRange.Slice> ranges = new ArrayList<>();
    for (int i = 0; i < TOGETHER && rest.hasNext(); i++) {
      ChunkProjection inner = rest.next();
      ByteRange.Slice place = shard.find(inner);
      if (place != null && isLookedUp(inner, place)) {
        ByteRange.Slice index = ByteSource.within(nested.indexRange(), place.length());
        ranges.add(new ByteRange.Slice(place.offset() + index.offset(), index.length()));
        numbers.add(planned);
      }
      planned++;
    }
    Client client = reading.array().client();
    MergedRanges merged =
        client.merged(ranges, reading.connections(), client.budget().total() / 16);
    List<SharedRequest<VersionedBytes>> requests =
        IntStream.range(0, merged.requests().size())
            .mapToObj(number -> request(merged, ranges, number))
            .toList();
    for (int i = 0; i < numbers.size(); i++) {
      int request = merged.requestOf().get(i);
      long offset = ranges.get(i).offset() - merged.requests().get(request).offset();
      int length = (int) ranges.get(i).length();
      Mono<VersionedBytes> alone = shard.source().versioned(ranges.get(i));
      indexes.put(
          numbers.get(i),
          Mono.defer(
              () -> {
                Mono<VersionedBytes> joined = requests.get(request).tryJoin();
                return joined == null
                    ? alone
                    : joined.map(read -> part(read, (int) offset, length));
              }));
    }
  }

  private static VersionedBytes part(VersionedBytes read, int offset, int length) {
    return new VersionedBytes(
        Objects.requireNonNull(read.bytes()).slice(offset, length), read.version());
  }

  private boolean isLookedUp(ChunkProjection inner, ByteRange.Slice place) {
    ShardPlace known = ShardPlace.of(new ByteSource.Part(shard.source(), place), nested);
    WantedChunk wanted = shard.chunk().innerChunk(shard.layout(), inner);
    KnownIndex index = reading.array().client().shardIndexes().known(known);
    return index == null && WholeShard.of(reading, wanted, nested, null) == null;
  }

  private SharedRequest<VersionedBytes> request(
      MergedRanges merged, List<ByteRange.Slice> ranges, int number) {
    ByteRange.Slice range = merged.requests().get(number);
    Client client = reading.array().client();
    Mono<VersionedBytes> fetch = shard.source().versioned(range);
    return new SharedRequest<>(
        ShardIndexes.leased(
            reading.indexShare(),
            range.length(),
            client.telling().merged(merged, ranges, number, fetch)));
  }
}
