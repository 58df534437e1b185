package dev.zarrreactive.internal.read;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.codec.ChunkCodec;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.internal.cache.Generations;
import dev.zarrreactive.internal.context.ShardIndexEntry;
import dev.zarrreactive.internal.context.SharedFetch;
import dev.zarrreactive.store.Version;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * One request to the store and the pieces that it serves: a whole chunk, a whole shard, or a range
 * of a shard with its inner chunks. The pieces of a fetch without a range are missing or in memory.
 * The pieces of a whole shard are planned as they are decoded.
 */
final class Fetch {
  /** The decoded bytes of a small fetch. */
  private static final long SMALL = 1 << 20;

  private final ChunkRequest chunk;
  private final @Nullable ByteRange range;
  private final @Nullable Version version;
  private final @Nullable OpenShard shard;
  private final @Nullable ShardSnapshot snapshot;
  private final long encodedBytes;
  private final ByteLease lease;
  private final @Nullable List<Piece> planned;
  private Iterator<Piece> rest;
  private @Nullable Piece next;
  private volatile @Nullable Bytes bytes;
  private volatile @Nullable ShardSnapshot inMemory;
  private volatile @Nullable SharedFetch shared;
  private volatile long asked;
  private volatile long generation;
  private volatile @Nullable SharedFetch serving;
  private boolean isReleased;
  private volatile @Nullable Piece failed;

  private Fetch(
      ChunkRequest chunk,
      @Nullable ByteRange range,
      @Nullable Version version,
      @Nullable OpenShard shard,
      @Nullable ShardSnapshot snapshot,
      long encodedBytes,
      ByteLease lease,
      @Nullable List<Piece> planned,
      Iterator<Piece> pieces) {
    this.chunk = chunk;
    this.range = range;
    this.version = version;
    this.shard = shard;
    this.snapshot = snapshot;
    this.encodedBytes = encodedBytes;
    this.lease = lease;
    this.planned = planned;
    this.rest = pieces;
    advance();
  }

  /** Returns the fetch of a chunk that is stored as a value of its own. */
  static Fetch ofChunk(ChunkRequest chunk, Piece itself, long encodedBytes, ByteLease lease) {
    List<Piece> piece = List.of(itself);
    ByteRange whole = ByteRange.whole(chunk.codec().maxStoredBytes());
    return new Fetch(chunk, whole, null, null, null, encodedBytes, lease, piece, piece.iterator());
  }

  /** Returns the fetch of a range of one version of a shard. */
  static Fetch ofRange(
      OpenShard shard,
      ShardSnapshot snapshot,
      ByteRange.Slice range,
      long encodedBytes,
      List<Piece> pieces,
      ByteLease lease) {
    return new Fetch(
        shard.chunk(),
        range,
        snapshot.version(),
        shard,
        snapshot,
        encodedBytes,
        lease,
        pieces,
        pieces.iterator());
  }

  /** Returns the fetch of pieces that need no request. */
  static Fetch ofNothing(
      ChunkRequest chunk,
      @Nullable OpenShard shard,
      @Nullable ShardSnapshot snapshot,
      List<Piece> pieces,
      ByteLease lease) {
    return new Fetch(chunk, null, null, shard, snapshot, 0, lease, pieces, pieces.iterator());
  }

  /** Returns the fetch of a whole shard. */
  static Fetch ofShard(
      OpenShard shard, long encodedBytes, Iterator<Piece> pieces, ByteLease lease) {
    return new Fetch(
        shard.chunk(),
        ByteRange.whole(shard.chunk().codec().maxStoredBytes()),
        null,
        shard,
        null,
        encodedBytes,
        lease,
        null,
        pieces);
  }

  /** Returns the fetch of a whole shard whose bytes came with its index. */
  static Fetch ofFetchedShard(
      OpenShard shard, ShardIndexEntry found, Iterator<Piece> pieces, ByteLease lease) {
    Bytes all = Objects.requireNonNull(found.whole());
    Fetch fetch =
        new Fetch(shard.chunk(), null, null, shard, null, all.size(), lease, null, pieces);
    fetch.bytes = all;
    fetch.asked = found.asked();
    fetch.generation = found.generation();
    fetch.inMemory = new ShardSnapshot(shard.levels(), found);
    return fetch;
  }

  private void advance() {
    next = rest.hasNext() ? rest.next() : null;
  }

  ChunkRequest chunk() {
    return chunk;
  }

  StoreKey key() {
    return chunk.key();
  }

  @Nullable ByteRange range() {
    return range;
  }

  /** Returns the version that the value must have; null if any version will do. */
  @Nullable Version version() {
    return version;
  }

  /** Returns the shard whose inner chunks are read; null for a chunk that is a value. */
  @Nullable OpenShard shard() {
    return shard;
  }

  /** Returns the snapshot of the shard that gave the pieces their ranges; null if there is none. */
  @Nullable ShardSnapshot snapshot() {
    return snapshot;
  }

  /**
   * Returns true where this process has written the shard since its index was read, and the store
   * has no versions that would tell.
   */
  boolean isOvertaken(Generations generations) {
    ShardIndexEntry index = snapshot == null ? null : snapshot.outermost();
    return index != null && index.version() == null && generations.of(key()) != index.generation();
  }

  /** Returns true for a chunk that is stored as a value of its own. */
  boolean isAlone() {
    return shard == null;
  }

  /** Returns true where the whole value of a shard is fetched. */
  boolean isWholeShard() {
    return planned == null;
  }

  /**
   * Returns true where one thread decodes the pieces in about the time in which it wakes another.
   */
  boolean isSmall() {
    return planned != null
        && planned.size() <= Decoder.TOGETHER
        && planned.size() * codec().representation().byteSize() <= SMALL;
  }

  ByteLease lease() {
    return lease;
  }

  /** Returns the pieces; empty if they are planned as they are decoded. */
  List<Piece> planned() {
    return planned == null ? List.of() : planned;
  }

  /** Returns the bytes of the pieces that were planned with the fetch. */
  long wantedBytes() {
    return planned().stream().mapToLong(Piece::length).sum();
  }

  /** Returns the number of the next piece in the plan of the operation. */
  synchronized long nextNumber() {
    return next == null ? Long.MAX_VALUE : next.number();
  }

  synchronized boolean hasNext() {
    return next != null;
  }

  /** Returns the next piece; null after the last one. */
  synchronized @Nullable Piece peek() {
    return next;
  }

  /**
   * Takes the next pieces.
   *
   * @param most the most pieces to take
   * @param below the bound of their numbers, exclusive
   */
  synchronized List<Piece> take(int most, long below) {
    if (next != null && planned != null && planned.size() == 1) {
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

  /**
   * Puts pieces back that were planned with the fetch: from {@code from} on, or all if it is null.
   */
  synchronized void putBack(@Nullable Piece from) {
    int place = from == null ? 0 : planned().indexOf(from);
    if (planned != null && place >= 0) {
      rest = planned.listIterator(place);
      advance();
    }
  }

  /** Notes that all pieces of a whole shard are in memory, so that it need not be requested. */
  synchronized void inMemory(List<Piece> pieces) {
    rest = pieces.iterator();
    advance();
  }

  /** Notes the piece that could not be decoded. */
  void failedAt(Piece piece) {
    failed = piece;
    serve(null);
  }

  /** Returns the location of the piece that failed, or else of the first one. */
  Location location() {
    Piece piece = failed;
    if (piece == null && !isWholeShard()) {
      piece = planned().get(0);
    }
    return piece == null ? chunk.location() : piece.location();
  }

  /** Returns the codec that every piece has. */
  ChunkCodec codec() {
    return shard == null ? chunk.codec() : shard.levels().unit();
  }

  /** Returns the pieces that were planned with the fetch and are not taken yet. */
  synchronized List<Piece> untaken() {
    Piece first = next;
    return first == null
        ? List.of()
        : planned().subList(planned().indexOf(first), planned().size());
  }

  /**
   * Notes that a request begins; other operations may join it. Bytes of an earlier request are
   * dropped: the answer may be that the value is missing now.
   */
  void begin(SharedFetch fetch) {
    serve(null);
    shared = fetch;
    bytes = null;
    inMemory = null;
    asked = fetch.asked();
    generation = fetch.generation();
  }

  /** Returns when the bytes were asked for, in nanoseconds. */
  long asked() {
    return asked;
  }

  /** Returns the generation of the value when its bytes were asked for. */
  long generation() {
    return generation;
  }

  @Nullable SharedFetch shared() {
    return shared;
  }

  /** Keeps a request open for other operations, until all pieces are decoded or one cannot be. */
  void serve(@Nullable SharedFetch next) {
    SharedFetch before = serving;
    serving = next;
    if (before != null) {
      before.close();
    }
  }

  /** Notes the bytes that the store has returned. */
  Fetch arrived(Bytes answer) {
    bytes = answer;
    return this;
  }

  /** Copies the bytes, which were lent. */
  void own() {
    bytes = Bytes.wrap(Objects.requireNonNull(bytes).toByteArray());
  }

  /** Notes the bytes of the whole shard, and its index. */
  void opened(Bytes answer, ShardSnapshot indexes) {
    bytes = answer;
    inMemory = indexes;
  }

  /** Returns the stored bytes of an inner chunk of this fetch; null if it is missing. */
  @Nullable Bytes bytes(long inner) {
    Bytes all = bytes;
    ShardSnapshot indexes = inMemory;
    if (all != null && indexes != null) {
      return bytes(inner, all, indexes);
    }
    for (Piece piece : planned()) {
      if (piece.inner() == inner) {
        return bytes(piece);
      }
    }
    return null;
  }

  private @Nullable Bytes bytes(long inner, Bytes all, ShardSnapshot indexes) {
    ByteRange.Slice place = indexes.find(Objects.requireNonNull(shard).levels().index(inner), all);
    return place == null ? null : all.slice((int) place.offset(), (int) place.length());
  }

  /**
   * Returns the stored bytes of inner chunks as they are now, null for a missing one: any thread
   * may ask, and later changes of the fetch do not reach them.
   */
  LongFunction<@Nullable Bytes> stored() {
    Bytes all = bytes;
    ShardSnapshot indexes = inMemory;
    if (all == null) {
      return inner -> null;
    }
    if (indexes != null) {
      return inner -> bytes(inner, all, indexes);
    }
    Map<Long, Bytes> each = new HashMap<>();
    for (Piece piece : planned()) {
      Bytes its = bytes(piece);
      if (its != null) {
        each.put(piece.inner(), its);
      }
    }
    return each::get;
  }

  /** Returns the stored bytes of a piece; null if it is missing. */
  @Nullable Bytes bytes(Piece piece) {
    Bytes all = bytes;
    if (all == null || !piece.isInShard()) {
      return all;
    }
    ShardSnapshot indexes = inMemory;
    if (indexes != null) {
      piece.place(indexes.find(piece.innerIndex(), all));
    }
    return piece.isMissing() ? null : slice(all, piece);
  }

  private Bytes slice(Bytes all, Piece piece) {
    long from = range instanceof ByteRange.Slice slice ? slice.offset() : 0;
    return all.slice((int) (piece.offset() - from), (int) piece.length());
  }

  /** Releases the stored bytes, once all pieces are decoded. Further calls have no effect. */
  void release() {
    synchronized (this) {
      if (isReleased) {
        return;
      }
      isReleased = true;
      bytes = null;
    }
    serve(null);
    lease.decoded(encodedBytes);
  }

  @Override
  public String toString() {
    return key() + " " + range;
  }
}
