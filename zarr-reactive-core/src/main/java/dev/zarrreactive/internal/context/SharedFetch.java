package dev.zarrreactive.internal.context;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.internal.threads.Environment;
import dev.zarrreactive.store.Version;
import dev.zarrreactive.store.VersionedBytes;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** One request for chunks that is under way, and the chunks of it that other operations await. */
public final class SharedFetch {
  private final long generation;
  private final long asked = Environment.current().nanoTime();
  private final @Nullable Version version;
  private final long @Nullable [] inner;
  private final SharedFetch @Nullable [] joined;
  private final Sinks.Empty<Void> over = Sinks.empty();
  private final Map<Long, Given> chunks = new ConcurrentHashMap<>();
  private @Nullable Set<Long> joiners;
  private volatile @Nullable VersionedBytes answer;

  /**
   * A request.
   *
   * @param inner the numbers of the chunks that it brings; null for every chunk of the shard
   * @param joined for each wanted chunk the fetch that brings it instead; null where none is
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

  /** Returns the fetch that brings the chunk at a place of this one's list; null for this one. */
  public @Nullable SharedFetch other(int place) {
    return joined == null ? null : joined[place];
  }

  /** Returns when the fetch began, in nanoseconds. */
  public long asked() {
    return asked;
  }

  /** Returns true where the fetch answers a read of the same version of the value. */
  boolean isOf(long itsGeneration, @Nullable Version itsVersion) {
    return generation == itsGeneration
        && (bringsAll() || itsVersion == null || itsVersion.equals(version));
  }

  /** Returns true where others may join the fetch. */
  boolean bringsChunks() {
    return inner == null || inner.length > 0;
  }

  /** Returns true where the fetch is of a whole shard. */
  boolean bringsAll() {
    return inner == null;
  }

  /** The answer of a fetch of a whole shard. */
  public void answered(VersionedBytes bytes) {
    answer = bytes;
  }

  /** Returns the answer of a fetch of a whole shard; null where there is none. */
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

  /** Gives a decoded chunk, or null for a missing one, to the operations that wait for it. */
  public void give(long chunk, @Nullable NdArray decoded) {
    chunks.put(chunk, new Given(decoded));
  }

  /** Tells the operations that wait that no chunk is given any more. */
  public void end() {
    over.tryEmitEmpty();
  }

  /** Completes at the end of the fetch, however it ends. */
  public Mono<Void> over() {
    return over.asMono();
  }

  /** Returns a chunk that was given and is not missing; null where there is none. */
  public @Nullable NdArray givenChunk(long chunk) {
    Given given = given(chunk);
    return given == null ? null : given.chunk();
  }

  /** Returns what was given of a chunk; null where nothing was. */
  public @Nullable Given given(long chunk) {
    return chunks.isEmpty() ? null : chunks.get(chunk);
  }

  /**
   * A chunk that was given.
   *
   * @param chunk the decoded chunk; null where it is missing
   */
  public record Given(@Nullable NdArray chunk) {}
}
