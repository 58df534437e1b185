package dev.zarrreactive.internal.read;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.codec.ChunkCodec;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.internal.cache.Generations;
import dev.zarrreactive.internal.context.ShardIndexCache.ShardIndexEntry;
import dev.zarrreactive.internal.context.ShardLevels;
import dev.zarrreactive.internal.context.ShardSnapshot;
import dev.zarrreactive.internal.context.SharedFetches.SharedFetch;
import dev.zarrreactive.internal.flow.ByteBudget.SharedLease;
import dev.zarrreactive.internal.read.ChunkRequest.Piece;
import dev.zarrreactive.store.StoredObject;
import dev.zarrreactive.store.Version;
import dev.zarrreactive.store.VersionedBytes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/** Pieces that arrive together: with one request to the store, or without any. */
abstract sealed class Fetch {
  /** The pieces that a thread takes at a time. */
  static final int TOGETHER = 16;

  /** The decoded bytes of a small fetch. */
  private static final long SMALL = 1 << 20;

  private final ChunkRequest chunk;
  private final List<Piece> planned;
  private final long encodedBytes;
  private final SharedLease lease;
  private Iterator<Piece> rest;
  private @Nullable Piece next;
  private boolean isReleased;
  private volatile @Nullable Piece failed;

  private Fetch(
      ChunkRequest chunk,
      List<Piece> planned,
      Iterator<Piece> pieces,
      long encodedBytes,
      SharedLease lease) {
    this.chunk = chunk;
    this.planned = planned;
    this.encodedBytes = encodedBytes;
    this.lease = lease;
    this.rest = pieces;
    advance();
  }

  private void advance() {
    next = rest.hasNext() ? rest.next() : null;
  }

  /** Pieces that are decoded already. They need no request. */
  static final class OfKnown extends Fetch {
    OfKnown(ChunkRequest chunk, List<Piece> pieces, SharedLease lease) {
      super(chunk, pieces, pieces.iterator(), 0, lease);
    }
  }

  /** Inner chunks whose ranges are in an index, which may be stale. */
  sealed interface Indexed {
    /** Returns the index that gave the pieces their ranges. */
    ByIndex by();
  }

  /** A shard, and the snapshot of it that gave pieces their ranges. */
  record ByIndex(Shard shard, ShardSnapshot snapshot) {}

  /** The shard of a fetch. It plans pieces anew if it was replaced after its index was read. */
  interface Shard {
    ShardLevels levels();

    /**
     * Returns fetches by ranges for all pieces, in place of a request for the whole shard.
     *
     * @param held the lease of the fetch that they replace
     */
    Flux<Fetch> planRanges(SharedLease held);

    /**
     * Returns fetches by a fresh index.
     *
     * @param before the index by which they were planned
     * @param failure the failure that an unchanged index would repeat; null if another result is
     *     possible all the same
     */
    Flux<Fetch> planAgain(
        List<Piece> pieces, ShardSnapshot before, SharedLease held, @Nullable Throwable failure);

    /** Decodes the index of the whole shard, and caches it. */
    ShardSnapshot open(VersionedBytes whole, long asked, long generation);

    /** Returns the pieces if all of them are cached; null if not. */
    @Nullable List<Piece> cachedPieces();
  }

  /** Inner chunks of which the index tells all: that they are missing, or too large to be one. */
  static final class OfIndex extends Fetch implements Indexed {
    private final ByIndex by;

    OfIndex(ChunkRequest chunk, ByIndex by, List<Piece> pieces, SharedLease lease) {
      super(chunk, pieces, pieces.iterator(), 0, lease);
      this.by = by;
    }

    @Override
    public ByIndex by() {
      return by;
    }
  }

  /** A fetch that makes one request to the store. Other operations may join it. */
  abstract static sealed class Requested extends Fetch {
    private final ByteRange range;
    private volatile @Nullable Bytes bytes;
    private volatile @Nullable SharedFetch shared;
    private volatile @Nullable SharedFetch serving;

    private Requested(
        ChunkRequest chunk,
        List<Piece> planned,
        Iterator<Piece> pieces,
        ByteRange range,
        long encodedBytes,
        SharedLease lease) {
      super(chunk, planned, pieces, encodedBytes, lease);
      this.range = range;
    }

    ByteRange range() {
      return range;
    }

    /** Returns the version that the value must have; null if any version will do. */
    @Nullable Version version() {
      return null;
    }

    /**
     * Returns the key at which other operations find this request: that of the value, or one for
     * all chunks of an array.
     */
    StoreKey place() {
      return key();
    }

    /** Returns the number of a piece among all that other operations find at {@link #place}. */
    long numberOf(Piece piece) {
      return piece.inner();
    }

    /** Returns the key of the value that the piece of a number is, or is in. */
    StoreKey keyOf(long number) {
      return key();
    }

    /** Returns the number of a piece in its value. */
    long innerOf(long number) {
      return number;
    }

    /** Returns the codec of the piece of a number. */
    ChunkCodec codecOf(long number) {
      return codec();
    }

    /** Returns the codec that every piece has. */
    ChunkCodec codec() {
      return planned().get(0).codec();
    }

    /**
     * Notes that a request begins, or another one is joined. Bytes of an earlier request are
     * dropped: the answer may be that the value is missing now.
     */
    final void begin(SharedFetch fetch) {
      serve(null);
      shared = fetch;
      bytes = null;
    }

    /** Returns the request; null before it has begun. */
    final @Nullable SharedFetch shared() {
      return shared;
    }

    /** Keeps a request open for other operations, until all pieces are decoded or one cannot be. */
    final void serve(@Nullable SharedFetch next) {
      SharedFetch before = serving;
      serving = next;
      if (before != null) {
        before.close();
      }
    }

    /** Notes the bytes that the store has returned. */
    final void arrive(Bytes answer) {
      bytes = answer;
    }

    /** Copies the bytes, which were lent. */
    final void own() {
      Bytes lent = bytes;
      bytes = lent == null ? null : Bytes.wrap(lent.toByteArray());
    }

    final @Nullable Bytes bytes() {
      return bytes;
    }

    /** Returns the generation of the value when its bytes were asked for. */
    long generation() {
      SharedFetch request = shared;
      return request == null ? 0 : request.generation();
    }

    /** Returns the stored bytes of a piece; null if it is missing. */
    abstract @Nullable Bytes bytes(Piece piece);

    /**
     * Returns the stored bytes of pieces by their numbers as they are now, null for a missing one:
     * any thread may ask, and later changes of the fetch do not reach them.
     */
    abstract LongFunction<@Nullable Bytes> bytesOfPieces();

    @Override
    void failAt(Piece piece) {
      super.failAt(piece);
      serve(null);
    }

    @Override
    void drop() {
      bytes = null;
      serve(null);
    }

    @Override
    public String toString() {
      return super.toString() + " " + range;
    }
  }

  /** A chunk that is stored as a value of its own. */
  static final class OfChunk extends Requested {
    OfChunk(ChunkRequest chunk, List<Piece> itself, long encodedBytes, SharedLease lease) {
      super(chunk, itself, itself.iterator(), wholeValue(chunk), encodedBytes, lease);
    }

    @Override
    @Nullable Bytes bytes(Piece piece) {
      return bytes();
    }

    @Override
    LongFunction<@Nullable Bytes> bytesOfPieces() {
      Bytes all = bytes();
      return inner -> all;
    }
  }

  /** A range in which the bytes of several pieces lie. */
  abstract static sealed class Ranged extends Requested {
    private Ranged(
        ChunkRequest chunk, ByteRange.Slice range, List<Piece> pieces, SharedLease lease) {
      super(chunk, pieces, pieces.iterator(), range, range.length(), lease);
    }

    @Override
    ByteRange.Slice range() {
      return (ByteRange.Slice) super.range();
    }

    @Override
    @Nullable Bytes bytes(Piece piece) {
      Bytes all = bytes();
      ByteRange.Slice its = piece.range();
      return all == null || its == null
          ? null
          : all.slice((int) (its.offset() - range().offset()), (int) its.length());
    }

    @Override
    LongFunction<@Nullable Bytes> bytesOfPieces() {
      Map<Long, Bytes> each = new HashMap<>();
      for (Piece piece : planned()) {
        Bytes its = bytes(piece);
        if (its != null) {
          each.put(numberOf(piece), its);
        }
      }
      return each::get;
    }
  }

  /** A range of an object in which the values of several chunks lie. */
  static final class OfParts extends Ranged {
    private final StoredObject object;
    private final StoreKey place;
    private final Map<Long, Piece> byNumber = new HashMap<>();

    OfParts(StoredObject object, ByteRange.Slice range, List<Piece> pieces, SharedLease lease) {
      super(pieces.get(0).chunk(), range, pieces, lease);
      this.object = object;
      this.place = pieces.get(0).chunk().array().placeOfAll();
      for (Piece piece : pieces) {
        byNumber.put(numberOf(piece), piece);
      }
    }

    StoredObject object() {
      return object;
    }

    @Override
    StoreKey place() {
      return place;
    }

    @Override
    long numberOf(Piece piece) {
      return piece.chunk().number();
    }

    private Piece piece(long number) {
      return Objects.requireNonNull(byNumber.get(number));
    }

    @Override
    StoreKey keyOf(long number) {
      return piece(number).chunk().key();
    }

    @Override
    long innerOf(long number) {
      return 0;
    }

    @Override
    ChunkCodec codecOf(long number) {
      return piece(number).codec();
    }

    /** Returns a fetch for each piece that is not taken yet, with the lease of this one. */
    List<Fetch> apart(SharedLease held) {
      List<Fetch> each = new ArrayList<>();
      for (Piece piece : untaken()) {
        each.add(
            piece.known() == null
                ? new OfChunk(piece.chunk(), List.of(piece), 0, held)
                : new OfKnown(piece.chunk(), List.of(piece), held));
      }
      return each;
    }
  }

  /** Returns the range of a whole value, with the bound on its size. */
  private static ByteRange wholeValue(ChunkRequest chunk) {
    return ByteRange.whole(chunk.codec().maxStoredBytes());
  }

  /** A range of one version of a shard, with inner chunks. */
  static final class OfRange extends Ranged implements Indexed {
    private final ByIndex by;

    OfRange(
        ChunkRequest chunk,
        ByIndex by,
        ByteRange.Slice range,
        List<Piece> pieces,
        SharedLease lease) {
      super(chunk, range, pieces, lease);
      this.by = by;
    }

    @Override
    public ByIndex by() {
      return by;
    }

    @Override
    @Nullable Version version() {
      return by.snapshot().version();
    }
  }

  /** A whole shard. Its pieces are planned as they are decoded. */
  static final class OfShard extends Requested {
    private final Shard shard;
    private volatile @Nullable Version answered;
    private volatile @Nullable ShardSnapshot index;

    OfShard(
        ChunkRequest chunk,
        Shard shard,
        long encodedBytes,
        Iterator<Piece> all,
        SharedLease lease) {
      super(chunk, List.of(), all, wholeValue(chunk), encodedBytes, lease);
      this.shard = shard;
    }

    /**
     * Creates the fetch of a shard whose bytes came with its index, so that it is not requested.
     */
    static OfShard arrived(
        ChunkRequest chunk,
        Shard shard,
        ShardSnapshot index,
        Bytes whole,
        Iterator<Piece> all,
        SharedLease lease) {
      OfShard fetch = new OfShard(chunk, shard, whole.size(), all, lease);
      fetch.arrive(whole);
      fetch.index = index;
      return fetch;
    }

    Shard shard() {
      return shard;
    }

    @Override
    ChunkCodec codec() {
      return shard.levels().unit();
    }

    /** Notes the version of the bytes that arrive; returns the bytes. */
    @Nullable Bytes bytesOf(VersionedBytes answer) {
      answered = answer.version();
      return answer.bytes();
    }

    /** Decodes the index of the shard, whose bytes have arrived; returns the whole shard. */
    @Nullable VersionedBytes open(SharedFetch request) {
      Bytes whole = bytes();
      if (whole == null) {
        return null;
      }
      VersionedBytes all = new VersionedBytes(whole, answered);
      index = shard.open(all, request.asked(), request.generation());
      return all;
    }

    /** Takes what another fetch of the shard tells; returns false where it tells nothing. */
    boolean tryTake(SharedFetch other) {
      if (!other.isShardTold()) {
        return false;
      }
      begin(other);
      VersionedBytes all = other.shard();
      Bytes whole = all == null ? null : bytesOf(all);
      if (whole != null) {
        arrive(whole);
        open(other);
      }
      return true;
    }

    @Override
    long generation() {
      ShardSnapshot opened = index;
      ShardIndexEntry entry = opened == null ? null : opened.outermost();
      return entry == null ? super.generation() : entry.generation();
    }

    /** Takes all pieces from the cache; returns false if it lacks one of them. */
    boolean tryTakeCached() {
      List<Piece> cached = shard.cachedPieces();
      if (cached != null) {
        restart(cached.iterator());
      }
      return cached != null;
    }

    @Override
    @Nullable Bytes bytes(Piece piece) {
      Bytes all = bytes();
      ShardSnapshot opened = index;
      if (all == null || opened == null) {
        return null;
      }
      ByteRange.Slice its = opened.find(piece.innerIndex(), all);
      piece.locate(its);
      return its == null ? null : all.slice((int) its.offset(), (int) its.length());
    }

    @Override
    LongFunction<@Nullable Bytes> bytesOfPieces() {
      Bytes all = bytes();
      ShardSnapshot opened = index;
      if (all == null || opened == null) {
        return inner -> null;
      }
      return inner -> {
        ByteRange.Slice range = opened.find(shard.levels().index(inner), all);
        return range == null ? null : all.slice((int) range.offset(), (int) range.length());
      };
    }
  }

  ChunkRequest chunk() {
    return chunk;
  }

  StoreKey key() {
    return chunk.key();
  }

  SharedLease lease() {
    return lease;
  }

  /** Returns the pieces; empty if they are planned as they are decoded. */
  List<Piece> planned() {
    return planned;
  }

  /**
   * Returns true where this process has written the shard since its index was read, and the store
   * has no versions that would tell.
   */
  boolean isOvertaken(Generations generations) {
    ShardIndexEntry index =
        this instanceof Indexed indexed ? indexed.by().snapshot().outermost() : null;
    return index != null && index.version() == null && generations.of(key()) != index.generation();
  }

  /**
   * Returns true where one thread decodes the pieces in about the time in which it wakes another.
   */
  boolean isSmall() {
    return isForOneThread() && planned.size() * planned.get(0).decodedBytes() <= SMALL;
  }

  /** Returns true where one thread takes all pieces. */
  boolean isForOneThread() {
    return !planned.isEmpty() && planned.size() <= TOGETHER;
  }

  /** Returns the number of the next piece in the plan of the operation. */
  synchronized long nextNumber() {
    return next == null ? Long.MAX_VALUE : next.number();
  }

  synchronized boolean hasNext() {
    return next != null;
  }

  /**
   * Takes the next pieces.
   *
   * @param most the most pieces to take
   * @param below the bound of their numbers, exclusive
   */
  synchronized List<Piece> take(int most, long below) {
    if (next == null) {
      return List.of();
    }
    if (isUntouched() && planned.size() <= most && last().number() < below) {
      next = null;
      return planned;
    }
    List<Piece> taken = new ArrayList<>(Math.min(most, 64));
    while (next != null && taken.size() < most && next.number() < below) {
      taken.add(next);
      advance();
    }
    return taken;
  }

  /** Returns true while the next piece is the first of those that were planned. */
  private boolean isUntouched() {
    return !planned.isEmpty() && planned.get(0) == next;
  }

  private Piece last() {
    return planned.get(planned.size() - 1);
  }

  /**
   * Puts pieces back that were planned with the fetch: from {@code from} on, or all if it is null.
   */
  void putBack(@Nullable Piece from) {
    int first = from == null ? 0 : planned.indexOf(from);
    if (first >= 0 && !planned.isEmpty()) {
      restart(planned.listIterator(first));
    }
  }

  /** Continues with other pieces. */
  synchronized void restart(Iterator<Piece> pieces) {
    rest = pieces;
    advance();
  }

  /** Returns the pieces that were planned with the fetch and are not taken yet. */
  synchronized List<Piece> untaken() {
    Piece first = next;
    return first == null ? List.of() : planned.subList(planned.indexOf(first), planned.size());
  }

  /** Notes the piece that could not be decoded. */
  void failAt(Piece piece) {
    failed = piece;
  }

  /** Returns the location of the piece that failed, or else of the first one. */
  Location location() {
    Piece piece = failed;
    if (piece == null && !planned.isEmpty()) {
      piece = planned.get(0);
    }
    return piece == null ? chunk.location() : piece.location();
  }

  /** Drops the stored bytes. */
  void drop() {}

  /** Releases the stored bytes, once all pieces are decoded. Further calls have no effect. */
  void release() {
    synchronized (this) {
      if (isReleased) {
        return;
      }
      isReleased = true;
    }
    drop();
    lease.decoded(encodedBytes);
  }

  @Override
  public String toString() {
    return key().toString();
  }
}
