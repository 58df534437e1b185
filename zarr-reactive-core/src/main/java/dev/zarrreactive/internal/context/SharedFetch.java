package dev.zarrreactive.internal.context;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.internal.threads.Environment;
import dev.zarrreactive.store.Version;
import dev.zarrreactive.store.VersionedBytes;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** A request for chunks that is in flight, and the chunks of it that other operations await. */
public final class SharedFetch {
  private final long generation;
  private final long asked = Environment.current().nanoTime();
  private final @Nullable Version version;
  private final long @Nullable [] inner;
  private final SharedFetch @Nullable [] joined;
  private final Sinks.Empty<Void> over = Sinks.empty();
  private volatile @Nullable Map<Long, Given> chunks;
  private @Nullable Set<Long> joiners;
  private volatile @Nullable VersionedBytes answer;

  /**
   * Creates a request.
   *
   * @param inner the numbers of the chunks that it fetches; null for every chunk of the shard
   * @param joined for each requested chunk the other fetch that delivers it; null for this one
   */
  SharedFetch(
      long generation,
      @Nullable Version version,
      long @Nullable [] inner,
      SharedFetch @Nullable [] joined) {
    this.generation = generation;
    this.version = version;
    this.inner = inner;
    this.joined = joined;
  }

  /** Returns the generation of the value when the fetch began. */
  public long generation() {
    return generation;
  }

  /** Returns the other fetch that delivers the chunk at a place of the list; null for this one. */
  public @Nullable SharedFetch other(int place) {
    return joined == null ? null : joined[place];
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
    return generation == itsGeneration
        && (bringsAll() || itsVersion == null || itsVersion.equals(version));
  }

  /** Returns true if other operations may join the fetch. */
  boolean bringsChunks() {
    return inner == null || inner.length > 0;
  }

  /** Returns true if the fetch is of a whole shard. */
  boolean bringsAll() {
    return inner == null;
  }

  /** Notes the response to a fetch of a whole shard. */
  public void answered(VersionedBytes bytes) {
    answer = bytes;
  }

  /** Returns the response to a fetch of a whole shard; null if there is none. */
  public @Nullable VersionedBytes answer() {
    return answer;
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

  /** Called with the table locked. */
  long[] joiners() {
    Set<Long> all = joiners;
    joiners = null;
    return all == null ? new long[0] : all.stream().mapToLong(Long::longValue).toArray();
  }

  /** Delivers a decoded chunk, or null for a missing one, to the operations that wait for it. */
  public void give(long chunk, @Nullable NdArray decoded) {
    Map<Long, Given> all = chunks;
    if (all == null) { // one thread gives
      all = new ConcurrentHashMap<>();
      chunks = all;
    }
    all.put(chunk, new Given(decoded));
  }

  /** Signals to the waiting operations that no further chunk is delivered. */
  public void end() {
    over.tryEmitEmpty();
  }

  /** Completes when the fetch has completed, failed or been cancelled. */
  public Mono<Void> over() {
    return over.asMono();
  }

  /** Returns a delivered chunk; null if it is missing or was not delivered. */
  public @Nullable NdArray givenChunk(long chunk) {
    Given given = given(chunk);
    return given == null ? null : given.chunk();
  }

  /** Returns the delivery of a chunk; null if there was none. */
  public @Nullable Given given(long chunk) {
    Map<Long, Given> all = chunks;
    return all == null ? null : all.get(chunk);
  }

  /**
   * A chunk that was delivered.
   *
   * @param chunk the decoded chunk; null if it is missing
   */
  public record Given(@Nullable NdArray chunk) {}
}
