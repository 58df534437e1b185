package dev.zarrreactive.internal.context;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.internal.cache.Generations;
import dev.zarrreactive.internal.context.ArrayStorage.ArrayForm;
import dev.zarrreactive.internal.context.SharedFetches.SharedFetch.Joined;
import dev.zarrreactive.internal.context.SharedFetches.SharedFetch.Place;
import dev.zarrreactive.internal.context.SharedFetches.SharedFetch.Told;
import dev.zarrreactive.internal.sharing.SharedFailure;
import dev.zarrreactive.internal.sharing.SharedRequest;
import dev.zarrreactive.internal.threads.Environment;
import dev.zarrreactive.store.Version;
import dev.zarrreactive.store.VersionedBytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Single-flight for the chunk requests of all operations of a hierarchy. An operation that needs a
 * chunk in flight waits for that fetch instead of making a request. A fetch can be joined after its
 * lease is granted and until its bytes arrive: in between it waits for the store alone. A fetch
 * whose chunks are to be cached can be joined until they are in the cache. Thread-safe.
 */
public final class SharedFetches {
  private final Generations generations;
  private final Map<Place, List<SharedFetch>> underWay = new HashMap<>();

  SharedFetches(Generations generations) {
    this.generations = generations;
  }

  /**
   * Begins a fetch of the chunks that are not in flight yet.
   *
   * @param form the metadata of the array
   * @param version the version of the value that is requested; null for any
   * @param range the range of the value that is requested
   * @param inner the numbers of the chunks in their shard, ascending; null for all of them
   */
  public SharedFetch begin(
      StoreKey key,
      ArrayForm form,
      @Nullable Version version,
      ByteRange range,
      long @Nullable [] inner) {
    long generation = generations.of(key);
    Place place = new Place(key, form);
    synchronized (underWay) {
      List<SharedFetch> others = underWay.getOrDefault(place, List.of());
      Joined joined =
          others.isEmpty()
              ? Joined.NONE
              : inner == null
                  ? joinWhole(others, generation, range)
                  : join(others, generation, version, range, inner);
      long[] own = inner == null || joined.count() == 0 ? inner : rest(inner, joined.each());
      SharedFetch mine = new SharedFetch(this, place, generation, version, range, own, joined);
      if (mine.bringsChunks()) {
        underWay.computeIfAbsent(place, any -> new ArrayList<>(1)).add(mine);
      }
      return mine;
    }
  }

  private static Joined joinWhole(List<SharedFetch> others, long generation, ByteRange range) {
    for (SharedFetch other : others) {
      if (other.bringsAll() && other.isOf(generation, null)) {
        return new Joined(new SharedFetch[] {other}, 1, List.of(other.outcome(range)));
      }
    }
    return Joined.NONE;
  }

  private static Joined join(
      List<SharedFetch> others,
      long generation,
      @Nullable Version version,
      ByteRange range,
      long[] inner) {
    @Nullable SharedFetch[] each = new SharedFetch[inner.length];
    Map<SharedFetch, Mono<SharedFetch>> outcomes = new LinkedHashMap<>(2);
    int count = 0;
    for (int i = 0; i < inner.length; i++) {
      for (SharedFetch other : others) {
        if (other.isOf(generation, version) && other.tryAwait(inner[i])) {
          each[i] = other;
          count++;
          outcomes.computeIfAbsent(other, joined -> joined.outcome(range));
          break;
        }
      }
    }
    return count == 0 ? Joined.NONE : new Joined(each, count, List.copyOf(outcomes.values()));
  }

  /** Returns the chunks that no other fetch brings. */
  private static long[] rest(long[] inner, @Nullable SharedFetch[] joined) {
    long[] rest = new long[inner.length];
    int count = 0;
    for (int i = 0; i < inner.length; i++) {
      if (joined[i] == null) {
        rest[count++] = inner[i];
      }
    }
    return Arrays.copyOf(rest, count);
  }

  long[] noteArrival(SharedFetch fetch, @Nullable LongFunction<Told> source) {
    synchronized (underWay) {
      boolean isOpen = isOpen(fetch);
      if (source == null) {
        remove(fetch);
      }
      return fetch.noteArrival(isOpen ? source : null);
    }
  }

  private boolean isOpen(SharedFetch fetch) {
    return underWay.getOrDefault(fetch.place(), List.of()).contains(fetch);
  }

  void remove(SharedFetch fetch) {
    synchronized (underWay) {
      List<SharedFetch> all = underWay.get(fetch.place());
      if (all != null && all.remove(fetch) && all.isEmpty()) {
        underWay.remove(fetch.place());
      }
    }
  }

  /** Returns the number of fetches that can be joined. */
  public int count() {
    synchronized (underWay) {
      return underWay.values().stream().mapToInt(List::size).sum();
    }
  }

  /**
   * The requests of one operation that other operations may join until this one ends: those that
   * nothing has answered yet, and those whose chunks are not cached yet.
   */
  public static final class Joinable {
    private final Set<SharedFetch> served = ConcurrentHashMap.newKeySet();
    private @Nullable SharedFetch first;
    private volatile boolean isOver;

    /** Notes that a request begins; closes it to others if the operation has ended. */
    public void add(SharedFetch fetch) {
      if (!link(fetch)) {
        fetch.close();
      }
    }

    private synchronized boolean link(SharedFetch fetch) {
      if (isOver) {
        return false;
      }
      fetch.next = first;
      if (first != null) {
        first.previous = fetch;
      }
      first = fetch;
      return true;
    }

    /** Notes that a request has been answered, has failed or was cancelled. */
    public synchronized void remove(SharedFetch fetch) {
      if (isOver || (fetch.previous == null && first != fetch)) {
        return;
      }
      if (fetch.previous == null) {
        first = fetch.next;
      } else {
        fetch.previous.next = fetch.next;
      }
      if (fetch.next != null) {
        fetch.next.previous = fetch.previous;
      }
      fetch.next = null;
      fetch.previous = null;
    }

    /** Keeps a request that was answered open, until its chunks are cached. */
    public void serve(SharedFetch fetch) {
      served.removeIf(each -> !each.hasBytes()); // over since
      served.add(fetch);
      if (isOver) {
        fetch.close();
      }
    }

    /** Returns true after the end of the operation. */
    public boolean isOver() {
      return isOver;
    }

    /** Closes all of them to others, at the end of the operation. */
    public void close() {
      for (SharedFetch fetch = end(); fetch != null; fetch = fetch.next) {
        fetch.close();
      }
      served.forEach(SharedFetch::close);
    }

    private synchronized @Nullable SharedFetch end() {
      isOver = true;
      return first;
    }
  }

  /**
   * A request for chunks that other operations may join. It tells them its answer, which may be
   * that a chunk is missing, or its failure. A fetch that was cancelled, or that a write has
   * overtaken, tells nothing: one of the operations then makes the next request, and the others
   * join that one.
   */
  public static final class SharedFetch {
    private final SharedFetches table;
    private final Place place;
    private final long generation;
    private final long asked = Environment.current().nanoTime();
    private final @Nullable Version version;
    private final ByteRange range;
    private final long @Nullable [] inner;
    private final Joined joined;
    private final Map<Long, Told> told = new ConcurrentHashMap<>(0);
    private @Nullable Set<Long> joiners;
    private volatile @Nullable SharedRequest<SharedFetch> waiting;
    private volatile @Nullable VersionedBytes shard;
    private volatile boolean isShardTold;
    private volatile @Nullable LongFunction<Told> bytes;
    private @Nullable SharedFetch next; // of the same operation, see Joinable
    private @Nullable SharedFetch previous;

    /**
     * Creates a request.
     *
     * @param inner the numbers of the chunks that it fetches; null for every chunk of the shard
     * @param joined the fetches that deliver the other chunks
     */
    SharedFetch(
        SharedFetches table,
        Place place,
        long generation,
        @Nullable Version version,
        ByteRange range,
        long @Nullable [] inner,
        Joined joined) {
      this.table = table;
      this.place = place;
      this.generation = generation;
      this.version = version;
      this.range = range;
      this.inner = inner;
      this.joined = joined;
    }

    /** A stored value, as the value of an array's chunk. */
    record Place(StoreKey key, ArrayForm form) {}

    /** The fetches that a fetch has joined. */
    static final class Joined {
      static final Joined NONE = new Joined(new SharedFetch[0], 0, List.of());

      private final @Nullable SharedFetch[] each;
      private final int count;
      private final List<Mono<SharedFetch>> outcomes;

      /**
       * Creates the list of fetches.
       *
       * @param each for each requested chunk the fetch that delivers it, null for the fetch itself;
       *     empty if that delivers all
       * @param count the number of chunks that others deliver
       * @param outcomes the outcomes of these fetches, each to be subscribed to exactly once
       */
      Joined(@Nullable SharedFetch[] each, int count, List<Mono<SharedFetch>> outcomes) {
        this.each = each;
        this.count = count;
        this.outcomes = outcomes;
      }

      /** Returns the fetches, for the chunks in their order; not a copy. */
      @Nullable SharedFetch[] each() {
        return each;
      }

      int count() {
        return count;
      }
    }

    /** The answer of a fetch to the operations that wait for a chunk of it. */
    public sealed interface Told {
      /** The chunk. */
      record Decoded(NdArray chunk) implements Told {}

      /** The chunk is missing. */
      record Missing() implements Told {}

      /** The request, or the decoding of the chunk, has failed. */
      record Failed(Throwable error) implements Told {}
    }

    Place place() {
      return place;
    }

    /** Returns the generation of the value when the fetch began. */
    public long generation() {
      return generation;
    }

    /** Returns when the fetch began, in nanoseconds. */
    public long asked() {
      return asked;
    }

    /**
     * Returns the other fetch that delivers the chunk at a place of the list, or the whole shard;
     * null for this one.
     */
    public @Nullable SharedFetch other(int number) {
      return joined.count() == 0 ? null : joined.each()[number];
    }

    /** Returns the number of chunks that other fetches deliver; 1 if one delivers a whole shard. */
    public int joined() {
      return joined.count();
    }

    /**
     * Completes when the joined fetches have told what there is to tell. Fails with the first of
     * them; a failure that depends on a range is not told to a fetch of another range.
     */
    public Mono<Void> joinedOutcomes() {
      List<Mono<SharedFetch>> outcomes = joined.outcomes;
      return outcomes.size() == 1 ? outcomes.get(0).then() : Mono.when(outcomes);
    }

    /** Returns true if the fetch reads the same version of the value. */
    boolean isOf(long itsGeneration, @Nullable Version itsVersion) {
      return generation == itsGeneration && (bringsAll() || Objects.equals(itsVersion, version));
    }

    /** Returns true if other operations may join the fetch. */
    boolean bringsChunks() {
      return inner == null ? joined.count() == 0 : inner.length > 0;
    }

    /** Returns true if the fetch is of a whole shard. */
    boolean bringsAll() {
      return inner == null;
    }

    /** Returns true if the bytes have arrived and are still in memory. */
    public boolean hasBytes() {
      return bytes != null;
    }

    /** Returns true if the fetch brings a chunk, and notes it as awaited. With the table locked. */
    boolean tryAwait(long chunk) {
      if (inner != null && Arrays.binarySearch(inner, chunk) < 0) {
        return false;
      }
      if (joiners == null) {
        joiners = new TreeSet<>();
      }
      joiners.add(chunk);
      return true;
    }

    /** Returns the outcome for a fetch of another range. Called with the table locked. */
    Mono<SharedFetch> outcome(ByteRange wanted) {
      if (hasBytes()) {
        return Mono.just(this);
      }
      SharedRequest<SharedFetch> request = waiting == null ? new SharedRequest<>() : waiting;
      waiting = request;
      Mono<SharedFetch> outcome = Objects.requireNonNull(request.tryJoin());
      return wanted.equals(range)
          ? outcome
          : outcome.onErrorResume(SharedFailure::dependsOnRange, e -> Mono.empty());
    }

    /** Called with the table locked, when the bytes have arrived. */
    long[] noteArrival(@Nullable LongFunction<Told> source) {
      bytes = source;
      Set<Long> all = joiners;
      joiners = null;
      return all == null ? new long[0] : all.stream().mapToLong(Long::longValue).toArray();
    }

    /**
     * Notes that the bytes have arrived, and closes the fetch to further operations unless it keeps
     * the bytes. It then stays open until {@link #close}.
     *
     * @param source decodes a chunk of the bytes, on any thread; null if they are not kept
     * @return the numbers of the chunks that other operations wait for
     */
    public long[] arrive(@Nullable LongFunction<Told> source) {
      return table.noteArrival(this, source);
    }

    /** Notes the response to a fetch of a whole shard; null if it is missing. */
    public void answer(@Nullable VersionedBytes value) {
      shard = value;
      isShardTold = true;
    }

    /** Tells the operations that wait for a chunk. */
    public void tell(long chunk, Told what) {
      told.put(chunk, what);
    }

    /** Signals to the waiting operations that they are told all that there is to tell. */
    public void end() {
      SharedRequest<SharedFetch> others = waiting;
      if (others != null) {
        others.answer(this);
      }
    }

    /** Tells all waiting operations that the request has failed, and closes the fetch. */
    public void fail(Throwable error) {
      closeToOthers();
      SharedRequest<SharedFetch> others = waiting;
      if (others != null) {
        others.fail(SharedFailure.forOne(error)); // an operation adds its place to another copy
      }
    }

    /** Closes the fetch to further operations. Operations that were told nothing go on alone. */
    public void close() {
      closeToOthers();
      SharedRequest<SharedFetch> others = waiting;
      if (others != null) {
        others.answer(null);
      }
    }

    private void closeToOthers() {
      table.remove(this);
      bytes = null;
    }

    /** Returns a chunk that was decoded for other operations; null if it was not. */
    public @Nullable NdArray decoded(long chunk) {
      return told.get(chunk) instanceof Told.Decoded given ? given.chunk() : null;
    }

    /**
     * Returns what the fetch tells of a chunk; null for nothing. A failure to decode it is told to
     * those that would request the same bytes: an index that is stale points to others.
     *
     * @param wanted the range that the asking operation would request
     * @param itsVersion the version of the value that it would request; null for any
     */
    public @Nullable Told told(long chunk, ByteRange wanted, @Nullable Version itsVersion) {
      Told known = told.get(chunk);
      LongFunction<Told> source = bytes;
      if (known == null && source != null) {
        known = source.apply(chunk);
        tell(chunk, known);
      }
      if (!(known instanceof Told.Failed failed)) {
        return known;
      }
      closeToOthers();
      boolean isSame = wanted.equals(range) || (itsVersion != null && itsVersion.equals(version));
      return isSame ? new Told.Failed(SharedFailure.forOne(failed.error())) : null;
    }

    /** Returns true if the fetch tells of a whole shard, which may be missing. */
    public boolean isShardTold() {
      return isShardTold;
    }

    /** Returns the response to a fetch of a whole shard; null if it is missing. */
    public @Nullable VersionedBytes shard() {
      return shard;
    }
  }
}
