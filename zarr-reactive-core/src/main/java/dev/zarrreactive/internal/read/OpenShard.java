package dev.zarrreactive.internal.read;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.context.HierarchyContext;
import dev.zarrreactive.internal.context.ShardIndexCache;
import dev.zarrreactive.internal.context.ShardIndexEntry;
import dev.zarrreactive.internal.context.ShardIndexKey;
import dev.zarrreactive.internal.context.ShardLevels;
import dev.zarrreactive.internal.flow.ByteBudget;
import dev.zarrreactive.internal.link.Connections;
import dev.zarrreactive.internal.planning.ChunkProjection;
import dev.zarrreactive.internal.read.ShardSnapshot.NestedShard;
import dev.zarrreactive.store.VersionedBytes;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A shard that an operation reads. It is fetched whole, in one request, or by the ranges of its
 * inner chunks, which are in its index. Shards nested in it are expanded in place.
 */
final class OpenShard {
  /** The most attempts to read a shard that other programs keep replacing. */
  static final int LOOKS = 8;

  /** The number of pieces that are planned together. */
  private static final int GROUP = 1024;

  private final ReadOperation operation;
  private final HierarchyContext context;
  private final ShardIndexCache indexes;
  private final ChunkRequest chunk;
  private final Connections connections;
  private final ShardLevels levels;
  private final ShardIndexKey key;
  private final NestedIndexes nestedIndexes;
  private volatile @Nullable ShardSnapshot snapshot;
  private volatile @Nullable WholeShard whole;
  private volatile @Nullable List<Piece> cached;

  OpenShard(ReadOperation operation, ChunkRequest chunk, Connections connections) {
    this.operation = operation;
    this.context = operation.array().context();
    this.indexes = context.shardIndexes();
    this.chunk = chunk;
    this.connections = connections;
    this.levels = chunk.levels();
    this.key = ShardIndexKey.ofValue(chunk.key(), levels.outermost());
    this.nestedIndexes = new NestedIndexes(operation, chunk, connections);
  }

  ChunkRequest chunk() {
    return chunk;
  }

  ShardLevels levels() {
    return levels;
  }

  /** Completes with this shard when its fetches can be planned. */
  Mono<OpenShard> opened() {
    Mono<OpenShard> indexed = Mono.defer(this::indexed);
    return (operation.array().keepsDecodedChunks()
            ? Mono.defer(() -> inMemory().switchIfEmpty(indexed))
            : indexed)
        .onErrorMap(ZarrException.class, e -> located(e, chunk.location()));
  }

  private Mono<OpenShard> indexed() {
    whole = WholeShard.of(operation, chunk, levels, indexes.cached(key));
    return whole != null
        ? Mono.just(this)
        : found(operation.indexShare()).doOnNext(now -> snapshot = now).thenReturn(this);
  }

  /**
   * Completes with this shard if all its pieces are in memory; stale ones are revalidated first.
   */
  private Mono<OpenShard> inMemory() {
    List<Piece> all = new ArrayList<>();
    boolean isAsked = false;
    Iterator<Piece> pieces = pieces(0);
    while (pieces.hasNext()) {
      Piece piece = pieces.next();
      if (piece.known() == null) {
        if (!context.decodedChunks().isRevalidated(operation.id(piece))) {
          return Mono.empty();
        }
        isAsked = true;
      }
      all.add(piece);
    }
    cached = all;
    return isAsked ? unchanged(all) : Mono.just(this);
  }

  /** Returns the pieces if all are cached; null if not. */
  @Nullable List<Piece> cached() {
    List<Piece> all = new ArrayList<>();
    WholeShard asWhole = whole;
    Iterator<Piece> pieces = pieces(asWhole == null ? 0 : asWhole.decodedEach());
    while (pieces.hasNext()) {
      Piece piece = pieces.next();
      if (piece.known() == null) {
        return null;
      }
      all.add(piece);
    }
    return all;
  }

  private Mono<OpenShard> unchanged(List<Piece> pieces) {
    return context
        .decodedChunks()
        .isUnchanged(operation.id(pieces.get(0)))
        .filter(unchanged -> unchanged && pieces.stream().allMatch(operation::takeRevalidated))
        .doOnSuccess(unchanged -> cached = unchanged == null ? null : pieces)
        .map(unchanged -> this);
  }

  private Mono<ShardSnapshot> found(ByteBudget.@Nullable Share share) {
    return indexes
        .find(key, levels.outermost(), share)
        .map(entry -> new ShardSnapshot(levels, entry))
        .defaultIfEmpty(new ShardSnapshot(levels, null));
  }

  /** Returns the fetches for the requested pieces, in the order of the plan. */
  Flux<Fetch> fetches() {
    List<Piece> inMemory = cached;
    if (inMemory != null) {
      return Flux.just(Fetch.ofNothing(chunk, this, null, inMemory, operation.lease(0, 0, 0, 1)));
    }
    WholeShard asWhole = whole;
    if (asWhole != null) {
      return Flux.just(asWhole.fetch(this, pieces(asWhole.decodedEach())));
    }
    ShardIndexEntry entry = current().outermost();
    Bytes bytes = entry == null ? null : entry.whole();
    if (entry != null && bytes != null) {
      ByteLease lease = WholeShard.lease(operation, chunk, levels, bytes.size());
      long each = levels.unit().representation().byteSize();
      return Flux.just(Fetch.ofFetchedShard(this, entry, pieces(each), lease));
    }
    return ranges(null);
  }

  /**
   * Returns the fetches of ranges for the requested pieces.
   *
   * @param held the lease of all fetches; null if each window acquires its own
   */
  Flux<Fetch> ranges(@Nullable ByteLease held) {
    Groups groups = new Groups(pieces(0));
    return Flux.defer(
            () -> {
              List<Piece> first = groups.next();
              return groups.hasNext()
                  ? Flux.concat(
                      List.of(
                          ranges(first, held),
                          Flux.<List<Piece>>fromIterable(() -> groups)
                              .concatMap(group -> ranges(group, held), 0)))
                  : ranges(first, held);
            })
        .onErrorMap(ZarrException.class, e -> located(e, chunk.location()));
  }

  private Flux<Fetch> ranges(List<Piece> group, @Nullable ByteLease held) {
    return placed(group, current(), held == null ? operation.indexShare() : null)
        .flatMap(now -> held == null ? confirmed(group, now) : Mono.just(now))
        .flatMapIterable(now -> fetches(group, now, held));
  }

  /**
   * Finds the index and returns the fetches of ranges, for a shard that is too large to fetch
   * whole.
   */
  Flux<Fetch> rangesAfterAll(ByteLease held) {
    return found(null)
        .flatMapMany(
            now -> {
              snapshot = now;
              return ranges(held);
            });
  }

  static ZarrException located(ZarrException failure, Location place) {
    return failure.location().chunkIndex() == null ? failure.at(place) : failure;
  }

  private ShardSnapshot current() {
    return Objects.requireNonNull(snapshot);
  }

  /** Iterates over the pieces in groups. */
  private record Groups(Iterator<Piece> pieces) implements Iterator<List<Piece>> {
    @Override
    public boolean hasNext() {
      return pieces.hasNext();
    }

    @Override
    public List<Piece> next() {
      List<Piece> group = new ArrayList<>();
      while (group.size() < GROUP && pieces.hasNext()) {
        group.add(pieces.next());
      }
      return group;
    }
  }

  /**
   * Returns the requested pieces, created lazily.
   *
   * @param held the decoded bytes that are leased for each piece, even for one in memory
   */
  private Iterator<Piece> pieces(long held) {
    Iterator<ChunkProjection> plan = chunk.innerChunks().iterator();
    return new Iterator<>() {
      private long number = chunk.first();

      @Override
      public boolean hasNext() {
        return plan.hasNext();
      }

      @Override
      public Piece next() {
        Piece piece = chunk.innerPiece(levels, plan.next(), number++);
        piece.held(held);
        operation.takeCached(piece);
        return piece;
      }
    };
  }

  /** Opens the shard with its whole value, and caches its index. */
  void open(Fetch fetch, VersionedBytes answer) {
    Bytes bytes = Objects.requireNonNull(answer.bytes());
    ShardIndexEntry entry =
        new ShardIndexEntry(
            ShardIndexCache.decode(levels.outermost(), bytes),
            answer.version(),
            fetch.asked(),
            fetch.generation(),
            null);
    indexes.keep(key, entry);
    fetch.opened(bytes, new ShardSnapshot(levels, entry));
  }

  /**
   * Gives pieces their ranges in the stored value. If the shard is replaced meanwhile, the ranges
   * come from a newer snapshot.
   *
   * @param share the share that leases the indexes of nested shards; null if the operation holds
   *     the lease of the pieces, as it must not wait for a second one
   * @return the snapshot that the ranges belong to
   */
  Mono<ShardSnapshot> placed(
      List<Piece> pieces, ShardSnapshot now, ByteBudget.@Nullable Share share) {
    return placed(pieces, now, share, LOOKS);
  }

  private Mono<ShardSnapshot> placed(
      List<Piece> pieces, ShardSnapshot now, ByteBudget.@Nullable Share share, int looks) {
    Mono<ShardSnapshot> placed = placedBy(pieces, now, share);
    return levels.layouts().size() == 1 || looks <= 1
        ? placed
        : placed.onErrorResume(
            PreconditionFailedException.class,
            e -> refreshed(now).flatMap(newer -> placed(pieces, newer, share, looks - 1)));
  }

  private Mono<ShardSnapshot> placedBy(
      List<Piece> pieces, ShardSnapshot now, ByteBudget.@Nullable Share share) {
    Map<List<Long>, NestedShard> needed = new LinkedHashMap<>();
    now.trim();
    for (Piece piece : pieces) {
      NestedShard nested = piece.known() == null ? now.place(piece) : null;
      if (nested != null) {
        needed.putIfAbsent(nested.id(), nested);
      }
    }
    return needed.isEmpty()
        ? Mono.just(now)
        : nestedIndexes
            .found(needed.values(), now, share)
            .then(Mono.defer(() -> placedBy(pieces, now, share)));
  }

  /** Returns a fresh snapshot in place of {@code old}, which is stale. */
  Mono<ShardSnapshot> refreshed(ShardSnapshot old) {
    return Mono.defer(
        () -> {
          if (current() != old) {
            return Mono.just(current());
          }
          ShardIndexEntry entry = old.outermost();
          if (entry != null) {
            indexes.remove(key, entry);
          }
          return found(null).map(now -> replaced(old, now));
        });
  }

  private synchronized ShardSnapshot replaced(ShardSnapshot old, ShardSnapshot now) {
    if (snapshot == old) {
      snapshot = now;
    }
    return current();
  }

  /**
   * Revalidates a cached index in which pieces are missing: another program may have stored them
   * since. A missing piece has no request of its own that would notice the new version.
   */
  private Mono<ShardSnapshot> confirmed(List<Piece> pieces, ShardSnapshot now) {
    ShardIndexEntry entry = now.outermost();
    if (entry == null || entry.asked() - operation.began() >= 0 || !hasMissing(pieces)) {
      return Mono.just(now);
    }
    return indexes
        .confirmed(key, entry, levels.outermost(), operation.indexShare(), operation.began())
        .map(
            newer ->
                newer.index() == entry.index()
                    ? now.confirmed(newer)
                    : new ShardSnapshot(levels, newer))
        .defaultIfEmpty(new ShardSnapshot(levels, null))
        .map(newer -> replaced(now, newer))
        .flatMap(newer -> placed(pieces, newer, operation.indexShare()));
  }

  private static boolean hasMissing(List<Piece> pieces) {
    for (Piece piece : pieces) {
      if (piece.known() == null && piece.isMissing()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns the fetches for pieces that have their ranges.
   *
   * @param held the lease of all fetches; null if each window acquires its own
   */
  List<Fetch> fetches(List<Piece> pieces, ShardSnapshot now, @Nullable ByteLease held) {
    List<Fetch> fetches = new ArrayList<>();
    long unit = levels.unit().representation().byteSize();
    long most = operation.mostTogether();
    List<Piece> window = new ArrayList<>();
    long bytes = 0;
    for (Piece piece : pieces) {
      long size = ByteBudget.sum(piece.length(), operation.isStreamed() ? unit : 0);
      if (!window.isEmpty() && size > most - bytes) {
        new FetchWindow(operation, this, now, connections, window).addTo(fetches, held);
        window = new ArrayList<>();
        bytes = 0;
      }
      window.add(piece);
      bytes = ByteBudget.sum(bytes, size);
    }
    new FetchWindow(operation, this, now, connections, window).addTo(fetches, held);
    return fetches;
  }
}
