package dev.zarrreactive.internal.context;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.codec.ShardLayout;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.context.ShardIndexCache.ShardIndexEntry;
import dev.zarrreactive.internal.context.ShardSnapshot.NestedShard;
import dev.zarrreactive.internal.flow.ByteBudget;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.internal.link.Connections;
import dev.zarrreactive.internal.link.MergedRanges;
import dev.zarrreactive.internal.sharing.SharedRequest;
import dev.zarrreactive.store.ReadCondition;
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
 * The indexes of the shards that are nested in one stored value, in the cache or by requests, of
 * which one brings indexes that are close together.
 *
 * @param key of the value
 * @param location of the outermost shard, for errors
 * @param connections for the requests
 */
public record NestedIndexes(
    HierarchyContext context,
    StoreKey key,
    Location location,
    ShardLevels levels,
    Connections connections) {

  /**
   * Finds indexes, and adds them to a snapshot of the value. A value of another version, or none,
   * is a {@link PreconditionFailedException}.
   *
   * @param share leases the bytes; null where no lease is to be waited for
   */
  public Mono<Void> find(
      Collection<NestedShard> needed, ShardSnapshot now, ByteBudget.@Nullable Share share) {
    List<NestedShard> fetched = new ArrayList<>();
    List<ByteRange.Slice> ranges = new ArrayList<>();
    for (NestedShard nested : needed) {
      ShardIndexEntry known = context.shardIndexes().cached(keyOf(nested, now));
      if (known == null) {
        ByteRange.Slice index =
            ShardIndexCache.within(layoutOf(nested).indexRange(), nested.range().length());
        ranges.add(new ByteRange.Slice(nested.range().offset() + index.offset(), index.length()));
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
      int number = i;
      requests.add(
          new SharedRequest<>(
              context
                  .instrumentation()
                  .rangeRequest(
                      () -> merged.request(ranges, number),
                      bytes(merged.requests().get(number), now.version()))));
    }
    Mono<Void> all =
        Concurrently.map(
                Flux.range(0, fetched.size()),
                Integer.MAX_VALUE,
                i -> {
                  int request = merged.requestOf().get(i);
                  long from = ranges.get(i).offset() - merged.requests().get(request).offset();
                  int length = (int) ranges.get(i).length();
                  return find(
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
    return ShardIndexCache.lease(share, merged.bytes(), all);
  }

  private Mono<ShardIndexEntry> find(
      NestedShard nested, ShardSnapshot now, Mono<VersionedBytes> bytes) {
    return context
        .shardIndexes()
        .findNested(keyOf(nested, now), layoutOf(nested), bytes)
        .switchIfEmpty(Mono.error(this::erased))
        .onErrorMap(ZarrException.class, e -> ArrayStorage.located(e, nested.location(location)))
        .doOnNext(entry -> now.add(nested, entry.index()));
  }

  private PreconditionFailedException erased() {
    return new PreconditionFailedException(
        "the shard was erased while it was read", Location.ofKey(key.value()));
  }

  private static VersionedBytes part(VersionedBytes read, int from, int length) {
    return new VersionedBytes(
        Objects.requireNonNull(read.bytes()).slice(from, length), read.version());
  }

  private ShardLayout layoutOf(NestedShard nested) {
    return levels.layouts().get(nested.level());
  }

  private ShardIndexKey keyOf(NestedShard nested, ShardSnapshot now) {
    return ShardIndexKey.nested(key, nested.range(), now.version(), layoutOf(nested));
  }

  private Mono<VersionedBytes> bytes(ByteRange.Slice range, @Nullable Version version) {
    return Mono.defer(
        () ->
            version == null
                ? context.requests().get(key, range).map(bytes -> new VersionedBytes(bytes, null))
                : context.requests().getVersioned(key, range, ReadCondition.ifMatch(version)));
  }
}
