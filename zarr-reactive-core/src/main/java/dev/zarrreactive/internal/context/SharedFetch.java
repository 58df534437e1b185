package dev.zarrreactive.internal.context;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.internal.sharing.SharedFailure;
import dev.zarrreactive.internal.threads.Environment;
import dev.zarrreactive.store.Version;
import dev.zarrreactive.store.VersionedBytes;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * A request for chunks that other operations may join. It tells them its answer, which may be that
 * a chunk is missing, or its failure. A fetch that was cancelled, or that a write has overtaken,
 * tells nothing: one of the operations then makes the next request, and the others join that one.
 */
public final class SharedFetch {
  private final SharedFetches table;
  private final Place place;
  private final long generation;
  private final long asked = Environment.current().nanoTime();
  private final @Nullable Version version;
  private final ByteRange range;
  private final long @Nullable [] inner;
  private final SharedFetch @Nullable [] joined;
  private final Sinks.Empty<Void> over = Sinks.empty();
  private volatile @Nullable Map<Long, Told> told;
  private @Nullable Set<Long> joiners;
  private volatile @Nullable Mono<VersionedBytes> answer;
  private volatile @Nullable Throwable failure;
  private volatile @Nullable LongFunction<Told> bytes;

  /**
   * Creates a request.
   *
   * @param inner the numbers of the chunks that it fetches; null for every chunk of the shard
   * @param joined for each requested chunk the other fetch that delivers it; null for this one
   */
  SharedFetch(
      SharedFetches table,
      Place place,
      long generation,
      @Nullable Version version,
      ByteRange range,
      long @Nullable [] inner,
      SharedFetch @Nullable [] joined) {
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

  /**
   * Returns the other fetch that delivers the chunk at a place of the list, or the whole shard;
   * null for this one.
   */
  public @Nullable SharedFetch other(int number) {
    return joined == null ? null : joined[number];
  }

  /** Returns the number of chunks that other fetches deliver. */
  public int joined() {
    return joined == null ? 0 : joined.length - Objects.requireNonNull(inner).length;
  }

  /** Returns when the fetch began, in nanoseconds. */
  public long asked() {
    return asked;
  }

  /** Returns true if the fetch reads the same version of the value. */
  boolean isOf(long itsGeneration, @Nullable Version itsVersion) {
    return generation == itsGeneration && (bringsAll() || Objects.equals(itsVersion, version));
  }

  /** Returns true if other operations may join the fetch. */
  boolean bringsChunks() {
    return inner == null ? joined == null : inner.length > 0;
  }

  /** Returns true if the fetch is of a whole shard. */
  boolean bringsAll() {
    return inner == null;
  }

  /** Returns true if the bytes have arrived and are still in memory. */
  public boolean hasBytes() {
    return bytes != null;
  }

  /** Called with the table locked. */
  boolean join(long chunk) {
    if (inner != null && Arrays.binarySearch(inner, chunk) < 0) {
      return false;
    }
    if (joiners == null) {
      joiners = new TreeSet<>();
    }
    joiners.add(chunk);
    return true;
  }

  /** Called with the table locked, when the bytes have arrived. */
  long[] arrived(@Nullable LongFunction<Told> source) {
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
    return table.arrived(this, source);
  }

  /** Notes the response to a fetch of a whole shard; null if the shard is missing. */
  public void answered(@Nullable VersionedBytes value) {
    answer = Mono.justOrEmpty(value);
  }

  /** Tells the operations that wait for a chunk. */
  public void tell(long chunk, Told what) {
    Map<Long, Told> all = told;
    if (all == null) {
      synchronized (this) {
        all = told == null ? new ConcurrentHashMap<>() : Objects.requireNonNull(told);
        told = all;
      }
    }
    all.put(chunk, what);
  }

  /** Signals to the waiting operations that they are told all that there is to tell. */
  public void end() {
    over.tryEmitEmpty();
  }

  /** Tells all waiting operations that the request has failed, and closes the fetch. */
  public void fail(Throwable error) {
    failure = SharedFailure.forOne(error); // an operation adds its place to another copy
    close();
  }

  /** Closes the fetch to further operations. Operations that were told nothing go on alone. */
  public void close() {
    table.remove(this);
    bytes = null;
    end();
  }

  /** Completes when the waiting operations are told what there is to tell. */
  public Mono<Void> over() {
    return over.asMono();
  }

  /** Returns a chunk that was decoded for other operations; null if it was not. */
  public @Nullable NdArray decoded(long chunk) {
    Map<Long, Told> all = told;
    return all != null && all.get(chunk) instanceof Told.Decoded given ? given.chunk() : null;
  }

  /**
   * Returns what the fetch tells of a chunk; null for nothing. A failure to decode it is told to
   * those that would request the same bytes: an index that is stale points to others.
   *
   * @param wanted the range that the asking operation would request
   * @param itsVersion the version of the value that it would request; null for any
   */
  public @Nullable Told told(long chunk, ByteRange wanted, @Nullable Version itsVersion) {
    Map<Long, Told> all = told;
    Told known = all == null ? null : all.get(chunk);
    LongFunction<Told> source = bytes;
    if (known == null && source != null) {
      known = source.apply(chunk);
      tell(chunk, known);
    }
    if (known instanceof Told.Failed) {
      close();
      boolean isSame = wanted.equals(range) || (itsVersion != null && itsVersion.equals(version));
      return isSame ? failed(((Told.Failed) known).error()) : null;
    }
    Throwable error = known == null ? failureOf(wanted) : null;
    return error == null ? known : failed(error);
  }

  private static Told failed(Throwable error) {
    return new Told.Failed(SharedFailure.forOne(error));
  }

  /**
   * Returns the response to a fetch of a whole shard: empty if the shard is missing, an error if
   * the request has failed; null for nothing.
   *
   * @param wanted the range that the asking operation would request
   */
  public @Nullable Mono<VersionedBytes> answer(ByteRange wanted) {
    Throwable error = failureOf(wanted);
    return error == null ? answer : Mono.error(SharedFailure.forOne(error));
  }

  private @Nullable Throwable failureOf(ByteRange wanted) {
    Throwable error = failure;
    return error == null || (SharedFailure.dependsOnRange(error) && !wanted.equals(range))
        ? null
        : error;
  }
}
