package dev.zarrreactive.internal.pipeline;

import dev.zarrreactive.codec.ShardLayout;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.internal.guard.MemoryGuard;
import dev.zarrreactive.internal.pipeline.KnownIndex.Found;
import dev.zarrreactive.store.ByteRange;
import dev.zarrreactive.store.Bytes;
import dev.zarrreactive.store.VersionedBytes;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * What is asked for to know the index of one shard, and what is made of the answer: the index alone
 * or, where a tail is speculated on, a tail that may hold the whole shard.
 */
final class IndexFetch {
  private final ShardPlace place;
  private final ShardLayout layout;
  private final long speculativeTail;
  private final Scheduler scheduler;

  /**
   * A fetch.
   *
   * @param speculativeTail how many bytes are asked for at least; 0 for the index alone
   * @param scheduler where the index is decoded
   */
  IndexFetch(ShardPlace place, ShardLayout layout, long speculativeTail, Scheduler scheduler) {
    this.place = place;
    this.layout = layout;
    this.speculativeTail = speculativeTail;
    this.scheduler = scheduler;
  }

  /** How many bytes are asked for. */
  long size() {
    return size(wanted());
  }

  private static long size(ByteRange range) {
    return range instanceof ByteRange.Suffix suffix
        ? suffix.length()
        : ((ByteRange.Slice) range).length();
  }

  /** Asks for the index; empty where there is no shard. */
  Mono<Found> from(ByteSource source) {
    return of(Mono.defer(() -> source.versioned(wanted())));
  }

  /** The index in bytes that are fetched with others. */
  Mono<Found> of(Mono<VersionedBytes> fetched) {
    return fetched.publishOn(scheduler).map(this::decoded);
  }

  private Found decoded(VersionedBytes fetched) {
    Bytes bytes = Objects.requireNonNull(fetched.bytes());
    return inMemory(
        layout,
        () ->
            new Found(
                new KnownIndex(layout.decodeIndex(index(bytes)), fetched.version()), whole(bytes)));
  }

  /** Decodes the index of a shard; an error where the heap has no room for it. */
  static <T> T inMemory(ShardLayout layout, Supplier<T> decode) {
    return MemoryGuard.allocating(
        "to decode the index of a shard", size(layout.indexRange()), Location.UNKNOWN, decode);
  }

  private ByteRange wanted() {
    return speculates() ? new ByteRange.Suffix(speculativeTail) : layout.indexRange();
  }

  private boolean speculates() {
    return place.isWholeValue()
        && place.index() instanceof ByteRange.Suffix suffix
        && suffix.length() < speculativeTail;
  }

  private Bytes index(Bytes fetched) {
    ByteRange.Slice slice =
        place.index() instanceof ByteRange.Suffix suffix
            ? suffix.resolve(fetched.size())
            : new ByteRange.Slice(0, fetched.size());
    return alone(fetched, slice);
  }

  /** A tail that is shorter than what was asked for is everything. */
  private @Nullable Bytes whole(Bytes fetched) {
    return speculates() && fetched.size() < speculativeTail ? fetched : null;
  }

  /** A part of some bytes that does not keep the rest of them in memory. */
  static Bytes alone(Bytes bytes, ByteRange.Slice part) {
    Bytes slice = bytes.slice((int) part.offset(), (int) part.length());
    return slice.size() == bytes.unsafeArray().length ? slice : Bytes.wrap(slice.toByteArray());
  }
}
