package dev.zarrreactive.internal.read;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.codec.ShardLayout;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.context.HierarchyContext;
import dev.zarrreactive.internal.context.ShardIndexCache;
import dev.zarrreactive.internal.context.ShardIndexEntry;
import dev.zarrreactive.internal.context.ShardIndexKey;
import dev.zarrreactive.internal.context.ShardLevels;
import dev.zarrreactive.internal.flow.ByteBudget;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.internal.link.Connections;
import dev.zarrreactive.internal.link.MergedRanges;
import dev.zarrreactive.internal.read.ShardSnapshot.NestedShard;
import dev.zarrreactive.internal.sharing.SharedRequest;
import dev.zarrreactive.observation.RangeRequest;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.Version;
import dev.zarrreactive.store.VersionedBytes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Finds the indexes of the shards nested in a shard: in the cache, or by requests, of which one
 * brings indexes that are close together.
 */
final class NestedIndexes {
  private final HierarchyContext context;
  private final ShardIndexCache indexes;
  private final ChunkRequest chunk;
  private final Connections connections;
  private final ShardLevels levels;

  NestedIndexes(ReadOperation operation, ChunkRequest chunk, Connections connections) {
    this.context = operation.array().context();
    this.indexes = context.shardIndexes();
    this.chunk = chunk;
    this.connections = connections;
    this.levels = chunk.levels();
  }

  /**
   * Finds indexes and adds them to a snapshot.
   *
   * @param share leases the bytes; null where no lease is to be waited for
   */
  Mono<Void> found(
      Collection<NestedShard> needed, ShardSnapshot now, ByteBudget.@Nullable Share share) {
    List<NestedShard> fetched = new ArrayList<>();
    List<ByteRange.Slice> ranges = new ArrayList<>();
    for (NestedShard nested : needed) {
      ShardIndexEntry known = indexes.cached(key(nested, now));
      if (known == null) {
        ByteRange.Slice index =
            ShardIndexCache.within(layout(nested).indexRange(), nested.place().length());
        ranges.add(new ByteRange.Slice(nested.place().offset() + index.offset(), index.length()));
        fetched.add(nested);
      } else {
        now.add(nested, known.index());
      }
    }
    if (fetched.isEmpty()) {
      return Mono.empty();
    }
    MergedRanges merged = context.coalesced(ranges, connections, context.budget().total() / 16);
    List<SharedRequest<VersionedBytes>> requests = new ArrayList<>();
    for (int i = 0; i < merged.requests().size(); i++) {
      int request = i;
      ByteRange.Slice range = merged.requests().get(i);
      requests.add(
          new SharedRequest<>(
              context
                  .instrumentation()
                  .rangeRequest(
                      () -> rangeRequest(merged, ranges, request), bytes(range, now.version()))));
    }
    Mono<Void> all =
        Concurrently.map(
                Flux.range(0, fetched.size()),
                Integer.MAX_VALUE,
                i -> {
                  int request = merged.requestOf().get(i);
                  long from = ranges.get(i).offset() - merged.requests().get(request).offset();
                  int length = (int) ranges.get(i).length();
                  return index(
                      fetched.get(i),
                      now,
                      Mono.defer(
                          () -> {
                            Mono<VersionedBytes> joined = requests.get(request).tryJoin();
                            return joined == null
                                ? bytes(ranges.get(i), now.version())
                                : joined.map(read -> part(read, (int) from, length));
                          }));
                })
            .then();
    return ShardIndexCache.leased(share, merged.bytes(), all);
  }

  /** Describes one of the requests that ranges were merged into, by its index. */
  private static RangeRequest rangeRequest(
      MergedRanges merged, List<ByteRange.Slice> ranges, int number) {
    int together = 0;
    long wanted = 0;
    for (int i = 0; i < ranges.size(); i++) {
      if (merged.requestOf().get(i) == number) {
        together++;
        wanted += ranges.get(i).length();
      }
    }
    long bytes = merged.requests().get(number).length();
    return new RangeRequest(together, bytes, Math.max(0, bytes - wanted)); // ranges may overlap
  }

  private Mono<ShardIndexEntry> index(
      NestedShard nested, ShardSnapshot now, Mono<VersionedBytes> bytes) {
    return indexes
        .findNested(key(nested, now), layout(nested), bytes)
        .switchIfEmpty(Mono.error(this::erased))
        .onErrorMap(
            ZarrException.class, e -> OpenShard.located(e, nested.location(chunk.location())))
        .doOnNext(entry -> now.add(nested, entry.index()));
  }

  private PreconditionFailedException erased() {
    return new PreconditionFailedException(
        "the shard was erased while it was read", Location.ofKey(chunk.key().value()));
  }

  private static VersionedBytes part(VersionedBytes read, int from, int length) {
    return new VersionedBytes(
        Objects.requireNonNull(read.bytes()).slice(from, length), read.version());
  }

  private ShardLayout layout(NestedShard nested) {
    return levels.layouts().get(nested.level());
  }

  private ShardIndexKey key(NestedShard nested, ShardSnapshot now) {
    return ShardIndexKey.nested(chunk.key(), nested.place(), now.version(), layout(nested));
  }

  private Mono<VersionedBytes> bytes(ByteRange.Slice range, @Nullable Version version) {
    Store store = context.requests();
    return Mono.defer(
        () ->
            version == null
                ? store.get(chunk.key(), range).map(bytes -> new VersionedBytes(bytes, null))
                : store.getVersioned(chunk.key(), range, ReadCondition.ifMatch(version)));
  }
}
