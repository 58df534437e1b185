package dev.zarrreactive.internal.read;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.ShardIndex;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.error.RangeOutOfBoundsException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.ValueTooLargeException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.cache.Generations;
import dev.zarrreactive.internal.context.ArrayStorage;
import dev.zarrreactive.internal.context.NestedIndexes;
import dev.zarrreactive.internal.context.ShardIndexCache;
import dev.zarrreactive.internal.context.ShardIndexCache.ShardIndexEntry;
import dev.zarrreactive.internal.context.ShardIndexKey;
import dev.zarrreactive.internal.context.ShardLevels;
import dev.zarrreactive.internal.context.ShardSnapshot;
import dev.zarrreactive.internal.context.ShardSnapshot.NestedShard;
import dev.zarrreactive.internal.flow.ByteBudget;
import dev.zarrreactive.internal.flow.ByteBudget.SharedLease;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.internal.link.Connections;
import dev.zarrreactive.internal.link.MergedRanges;
import dev.zarrreactive.internal.planning.ChunkPlan;
import dev.zarrreactive.internal.planning.ChunkProjection;
import dev.zarrreactive.internal.read.ChunkRequest.Piece;
import dev.zarrreactive.store.VersionedBytes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A shard that an operation reads. It is fetched whole, in one request, or by the ranges of its
 * inner chunks, which are in its index. Shards nested in it are expanded in place.
 */
final class OpenShard implements Fetch.Shard {
  /** The number of pieces that are planned together. */
  private static final int GROUP = 1024;

  private static final double NEARLY_ALL = 0.9;

  private final ReadOperation operation;
  private final ShardIndexCache indexes;
  private final ChunkRequest chunk;
  private final Connections connections;
  private final ShardLevels levels;
  private final ShardIndexKey key;
  private final NestedIndexes nested;
  private final long decodedEach;
  private volatile @Nullable ShardSnapshot snapshot;
  private volatile long wholeBytes = -1;
  private volatile @Nullable List<Piece> cached;

  OpenShard(ReadOperation operation, ChunkRequest chunk, Connections connections) {
    this.operation = operation;
    this.indexes = operation.array().context().shardIndexes();
    this.chunk = chunk;
    this.connections = connections;
    this.levels = chunk.levels();
    this.key = ShardIndexKey.ofValue(chunk.key(), levels.outermost());
    this.nested =
        new NestedIndexes(
            operation.array().context(), chunk.key(), chunk.location(), levels, connections);
    this.decodedEach = operation.held(levels.unit().representation().byteSize());
  }

  @Override
  public ShardLevels levels() {
    return levels;
  }

  /** Looks up what the plan needs; completes with this shard when its fetches can be planned. */
  Mono<OpenShard> open() {
    return Mono.defer(
            () -> {
              cached = cachedPieces();
              if (cached == null) {
                wholeBytes = bytesIfWhole(indexes.cached(key));
              }
              return cached != null || wholeBytes >= 0
                  ? Mono.just(this)
                  : lookUp(operation.indexShare()).doOnNext(now -> snapshot = now).thenReturn(this);
            })
        .onErrorMap(ZarrException.class, e -> ArrayStorage.located(e, chunk.location()));
  }

  /**
   * Decides whether to fetch the shard whole, in one request. The operation must read nearly all of
   * it or enough for its price, its size must be within the bound of its inner chunks, and its
   * encoded and decoded bytes must fit into half of the budget.
   *
   * @param known its index if it is cached
   * @return the encoded bytes; negative if the shard is read by ranges
   */
  private long bytesIfWhole(@Nullable ShardIndexEntry known) {
    ChunkPlan plan = chunk.innerChunks();
    ShardIndex index = known == null ? null : known.index();
    long encoded =
        index == null
            ? ByteBudget.expected(chunk.codec().representation().byteSize())
            : Math.max(index.end(), 0);
    if (!chunk.isWantedWhole() && !wantsNearlyAll(plan, index, encoded)) {
      return -1;
    }
    long most = operation.budget().total() / 2;
    if (encoded > most || (index != null && encoded > chunk.codec().maxStoredBytes())) {
      return -1;
    }
    long decoded = ByteBudget.product(operation.decodedAtOnce(plan.size()), decodedEach);
    return decoded <= most - encoded ? encoded : -1;
  }

  private boolean wantsNearlyAll(ChunkPlan plan, @Nullable ShardIndex index, long encoded) {
    if (index == null || levels.layouts().size() > 1) {
      double all = levels.grid().gridShape().elementCount().doubleValue();
      return plan.size() >= operation.array().context().shareOfWhole(NEARLY_ALL, encoded) * all;
    }
    long[] wanted = new long[1];
    plan.forEachIndex(
        inner -> {
          ByteRange.Slice range = index.find(inner);
          wanted[0] = range == null ? wanted[0] : ByteBudget.sum(wanted[0], range.length());
        });
    return plan.size() > 1 && wanted[0] >= NEARLY_ALL * index.end();
  }

  @Override
  public @Nullable List<Piece> cachedPieces() {
    if (!operation.array().keepsDecodedChunks()) {
      return null;
    }
    List<Piece> all = new ArrayList<>();
    Iterator<Piece> pieces = pieces(wholeBytes < 0 ? 0 : decodedEach);
    while (pieces.hasNext()) {
      Piece piece = pieces.next();
      if (piece.known() == null) {
        return null;
      }
      all.add(piece);
    }
    return all;
  }

  /** Looks up the index. */
  private Mono<ShardSnapshot> lookUp(ByteBudget.@Nullable Share share) {
    return indexes
        .find(key, levels.outermost(), share)
        .map(entry -> new ShardSnapshot(levels, entry))
        .defaultIfEmpty(new ShardSnapshot(levels, null));
  }

  /** Returns the fetches for the requested pieces, in the order of the plan. */
  Flux<Fetch> fetches() {
    List<Piece> known = cached;
    if (known != null) {
      return Flux.just(new Fetch.OfKnown(chunk, known, operation.lease(0, 0, 0, 1)));
    }
    if (wholeBytes >= 0) {
      SharedLease lease = leaseOfAll(wholeBytes);
      return Flux.just(new Fetch.OfShard(chunk, this, wholeBytes, pieces(decodedEach), lease));
    }
    ShardSnapshot now = current();
    Bytes bytes = now.outermost() == null ? null : now.outermost().whole();
    if (bytes != null) { // they came with the index
      SharedLease lease = leaseOfAll(bytes.size());
      Iterator<Piece> all = pieces(levels.unit().representation().byteSize());
      return Flux.just(Fetch.OfShard.arrived(chunk, this, now, bytes, all, lease));
    }
    return ranges(null);
  }

  private SharedLease leaseOfAll(long encoded) {
    return operation.lease(encoded, chunk.innerChunks().size(), decodedEach, 1);
  }

  /**
   * Returns the fetches of ranges for the requested pieces.
   *
   * @param held the lease of all fetches; null if each window acquires its own
   */
  private Flux<Fetch> ranges(@Nullable SharedLease held) {
    Iterator<Piece> pieces = pieces(0);
    return Flux.defer(
            () -> {
              List<Piece> first = new ArrayList<>();
              while (first.size() < GROUP && pieces.hasNext()) {
                first.add(pieces.next());
              }
              Flux<Fetch> begin = ranges(first, held);
              if (!pieces.hasNext()) {
                return begin;
              }
              Flux<List<Piece>> rest = Flux.fromIterable(() -> pieces).buffer(GROUP);
              return Flux.concat(List.of(begin, rest.concatMap(group -> ranges(group, held), 0)));
            })
        .onErrorMap(ZarrException.class, e -> ArrayStorage.located(e, chunk.location()));
  }

  private Flux<Fetch> ranges(List<Piece> group, @Nullable SharedLease held) {
    return locate(
            group, current(), held == null ? operation.indexShare() : null, ShardSnapshot.LOOKS)
        .flatMap(now -> held == null ? confirm(group, now) : Mono.just(now))
        .flatMapIterable(now -> windows(group, now, held));
  }

  /** Looks up the index first, for the shard is too large to be fetched whole. */
  @Override
  public Flux<Fetch> planRanges(SharedLease held) {
    return lookUp(null)
        .flatMapMany(
            now -> {
              snapshot = now;
              return ranges(held);
            });
  }

  @Override
  public Flux<Fetch> planAgain(
      List<Piece> pieces, ShardSnapshot before, SharedLease held, @Nullable Throwable failure) {
    List<ByteRange.@Nullable Slice> ranges = rangesOf(pieces);
    return refresh(before)
        .flatMap(now -> locate(pieces, now, null, ShardSnapshot.LOOKS))
        .flatMapMany(
            now ->
                failure != null
                        && Objects.equals(now.version(), before.version())
                        && rangesOf(pieces).equals(ranges)
                    ? Flux.error(failure)
                    : Flux.fromIterable(windows(pieces, now, held)));
  }

  private static List<ByteRange.@Nullable Slice> rangesOf(List<Piece> pieces) {
    return pieces.stream().<ByteRange.@Nullable Slice>map(Piece::range).toList();
  }

  private ShardSnapshot current() {
    return Objects.requireNonNull(snapshot);
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
        Piece piece = Piece.of(chunk, levels, plan.next(), number++);
        piece.held(held);
        operation.tryTakeCached(piece);
        return piece;
      }
    };
  }

  @Override
  public ShardSnapshot open(VersionedBytes whole, long asked, long generation) {
    ShardIndex index =
        ShardIndexCache.decode(levels.outermost(), Objects.requireNonNull(whole.bytes()));
    ShardIndexEntry entry = new ShardIndexEntry(index, whole.version(), asked, generation, null);
    indexes.keep(key, entry);
    return new ShardSnapshot(levels, entry);
  }

  /**
   * Gives pieces their ranges in the stored value. If the shard is replaced meanwhile, the ranges
   * come from a newer snapshot.
   *
   * @param share the share that leases the indexes of nested shards; null if the operation holds
   *     the lease of the pieces, as it must not wait for a second one
   * @param looks the most attempts
   * @return the snapshot that the ranges belong to
   */
  private Mono<ShardSnapshot> locate(
      List<Piece> pieces, ShardSnapshot now, ByteBudget.@Nullable Share share, int looks) {
    Mono<ShardSnapshot> located = locateBy(pieces, now, share);
    return levels.layouts().size() == 1 || looks <= 1
        ? located
        : located.onErrorResume(
            PreconditionFailedException.class,
            e -> refresh(now).flatMap(newer -> locate(pieces, newer, share, looks - 1)));
  }

  private Mono<ShardSnapshot> locateBy(
      List<Piece> pieces, ShardSnapshot now, ByteBudget.@Nullable Share share) {
    Map<List<Long>, NestedShard> needed = new LinkedHashMap<>();
    now.trim();
    for (Piece piece : pieces) {
      if (piece.known() == null) {
        ShardSnapshot.Found found = now.find(piece.innerIndex());
        NestedShard shard = found.needed();
        if (shard == null) {
          piece.locate(found.range());
        } else {
          needed.putIfAbsent(shard.id(), shard);
        }
      }
    }
    return needed.isEmpty()
        ? Mono.just(now)
        : nested
            .find(needed.values(), now, share)
            .then(Mono.defer(() -> locateBy(pieces, now, share)));
  }

  /** Returns a fresh snapshot in place of {@code old}, which is stale. */
  private Mono<ShardSnapshot> refresh(ShardSnapshot old) {
    return Mono.defer(
        () -> {
          if (current() != old) {
            return Mono.just(current());
          }
          ShardIndexEntry entry = old.outermost();
          if (entry != null) {
            indexes.remove(key, entry);
          }
          return lookUp(null).map(now -> replace(old, now));
        });
  }

  private synchronized ShardSnapshot replace(ShardSnapshot old, ShardSnapshot now) {
    if (snapshot == old) {
      snapshot = now;
    }
    return current();
  }

  /**
   * Revalidates a cached index in which pieces are missing: another program may have stored them
   * since. A missing piece has no request of its own that would notice the new version.
   */
  private Mono<ShardSnapshot> confirm(List<Piece> pieces, ShardSnapshot now) {
    ShardIndexEntry entry = now.outermost();
    if (entry == null || entry.asked() - operation.began() >= 0 || !hasMissing(pieces)) {
      return Mono.just(now);
    }
    return indexes
        .confirm(key, entry, levels.outermost(), operation.indexShare(), operation.began())
        .map(
            newer ->
                newer.index() == entry.index()
                    ? now.confirm(newer)
                    : new ShardSnapshot(levels, newer))
        .defaultIfEmpty(new ShardSnapshot(levels, null))
        .map(newer -> replace(now, newer))
        .flatMap(newer -> locate(pieces, newer, operation.indexShare(), ShardSnapshot.LOOKS));
  }

  private static boolean hasMissing(List<Piece> pieces) {
    return pieces.stream().anyMatch(piece -> piece.known() == null && piece.isMissing());
  }

  /**
   * Returns the fetches for pieces that have their ranges: for windows of successive pieces, as
   * large as may be fetched together.
   *
   * @param held the lease of all fetches; null if each window acquires its own
   */
  private List<Fetch> windows(List<Piece> pieces, ShardSnapshot now, @Nullable SharedLease held) {
    long unit = operation.isStreamed() ? levels.unit().representation().byteSize() : 0;
    List<Fetch> fetches = new ArrayList<>();
    operation
        .windows(pieces, piece -> ByteBudget.sum(piece.length(), unit))
        .forEach(window -> fetches.addAll(window(window, now, held)));
    return fetches;
  }

  /**
   * Returns the fetches for successive pieces that share one lease, in the order of their first
   * pieces. Ranges that are close to each other are coalesced into one fetch. Pieces that need no
   * bytes become a fetch without a request.
   */
  private List<Fetch> window(List<Piece> pieces, ShardSnapshot now, @Nullable SharedLease held) {
    List<Piece> stored = new ArrayList<>(pieces.size());
    List<Piece> others = new ArrayList<>();
    List<ByteRange.Slice> ranges = new ArrayList<>(pieces.size());
    int decoded = 0;
    for (Piece piece : pieces) {
      ByteRange.Slice range = piece.known() == null && !piece.isTooLarge() ? piece.range() : null;
      if (range == null) {
        others.add(piece);
      } else {
        stored.add(piece);
        ranges.add(range);
      }
      if (piece.known() == null) {
        piece.held(decodedEach);
        decoded++;
      }
    }
    long mostUnwanted = operation.mostTogether() / 2;
    MergedRanges merged = operation.array().context().coalesced(ranges, connections, mostUnwanted);
    int count = merged.requests().size();
    int fetches = count + (others.isEmpty() ? 0 : 1);
    SharedLease lease =
        held == null
            ? operation.lease(merged.bytes(), decoded, decodedEach, fetches)
            : held.within();
    List<List<Piece>> served = merged.byRequest(stored);
    Fetch.ByIndex by = new Fetch.ByIndex(this, now);
    List<Fetch> all = new ArrayList<>(fetches);
    for (int i = 0; i < count; i++) {
      all.add(new Fetch.OfRange(chunk, by, merged.requests().get(i), served.get(i), lease));
    }
    if (!others.isEmpty()) {
      all.add(new Fetch.OfIndex(chunk, by, others, lease));
    }
    all.sort(Comparator.comparingLong(Fetch::nextNumber));
    return all;
  }

  /**
   * Reads the remaining pieces of a fetch again when its shard was replaced after its index was
   * read, or one by one when a request for parts of an object has failed, of which some may be
   * there. The pieces become new fetches under a fresh index and keep the lease of the failed
   * fetch. A store with versions rejects a read of a replaced shard. With other stores, a replaced
   * shard is noticed when its bytes fail to decode, or when this process has written it.
   *
   * @param <T> what becomes of the pieces
   */
  static final class StaleShardRetry<T> {
    private final Generations generations;
    private final Fetcher fetcher;
    private final Function<Fetch, Publisher<T>> decode;

    /**
     * Creates a retry.
     *
     * @param decode decodes the remaining pieces of a loaded fetch
     */
    StaleShardRetry(
        Generations generations, Fetcher fetcher, Function<Fetch, Publisher<T>> decode) {
      this.generations = generations;
      this.fetcher = fetcher;
      this.decode = decode;
    }

    /**
     * Loads a fetch and decodes its pieces, and reads them again if their shard was replaced. An
     * error has the location of the piece.
     */
    Flux<T> read(Fetch fetch) {
      return read(fetch, ShardSnapshot.LOOKS);
    }

    private Flux<T> read(Fetch fetch, int looks) {
      Flux<T> pieces =
          fetcher
              .load(fetch)
              .flatMapMany(
                  loaded ->
                      looks > 1 && loaded.isOvertaken(generations)
                          ? again(loaded, null, looks)
                          : decode.apply(loaded));
      boolean mayBeStale =
          fetch instanceof Fetch.Indexed
              || fetch instanceof Fetch.OfShard
              || (fetch instanceof Fetch.OfParts parts && parts.planned().size() > 1);
      Flux<T> fresh =
          mayBeStale
              ? pieces.onErrorResume(
                  ZarrException.class,
                  e ->
                      mayHelp(fetch, e) && looks > 1
                          ? again(fetch, e, looks)
                          : Flux.error(e instanceof PreconditionFailedException ? replaced(e) : e))
              : pieces;
      return fresh.onErrorMap(ZarrException.class, e -> ArrayStorage.located(e, fetch.location()));
    }

    private static ZarrException replaced(ZarrException failure) {
      return new PreconditionFailedException(
          "the shard was replaced "
              + ShardSnapshot.LOOKS
              + " times while it was read, at last: "
              + failure.statement()
              + "; read again when its writers pause",
          failure.location(),
          failure);
    }

    /** Returns true for a failure that a stale index may cause. */
    private static boolean mayHelp(Fetch fetch, ZarrException failure) {
      if (fetch instanceof Fetch.OfParts) {
        return failure.getClass() == StoreException.class; // of one of the pieces, perhaps
      }
      return fetch instanceof Fetch.OfShard
          ? failure instanceof ValueTooLargeException
          : failure instanceof CodecException
              || failure instanceof PreconditionFailedException
              || failure instanceof RangeOutOfBoundsException;
    }

    /**
     * Reads the remaining pieces under a fresh index, side by side: the pieces of the new fetches
     * may interleave, so that a piece of one is not admitted before a piece of another is
     * delivered.
     *
     * @param failure null where this process has written the shard meanwhile
     */
    private Flux<T> again(Fetch fetch, @Nullable ZarrException failure, int looks) {
      SharedLease held = fetch.lease().within();
      boolean mayBeAnother = failure == null || failure instanceof PreconditionFailedException;
      Flux<Fetch> planned;
      if (fetch instanceof Fetch.OfShard whole) {
        planned = whole.shard().planRanges(held);
      } else if (fetch instanceof Fetch.OfParts parts) {
        planned = Flux.fromIterable(parts.apart(held));
      } else {
        Fetch.ByIndex by = ((Fetch.Indexed) fetch).by();
        ZarrException repeated = mayBeAnother ? null : failure;
        planned = by.shard().planAgain(fetch.untaken(), by.snapshot(), held, repeated);
      }
      return Concurrently.map(planned, Integer.MAX_VALUE, part -> read(part, looks - 1))
          .doOnComplete(fetch::release);
    }
  }
}
