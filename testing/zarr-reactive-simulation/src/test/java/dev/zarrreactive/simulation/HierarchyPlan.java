package dev.zarrreactive.simulation;

import dev.zarrreactive.ShardReading;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.observation.ZarrObserver;
import dev.zarrreactive.store.Coalescing;
import dev.zarrreactive.store.decorator.RequestLimit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The options of a hierarchy.
 *
 * @param limit the most requests at a time; 0 for the default limit
 * @param decodedBytes what the cache of decoded chunks keeps; 0 for no cache
 */
record HierarchyPlan(
    int concurrency,
    long inFlightBytes,
    int limit,
    long decodedBytes,
    long indexBytes,
    int tail,
    boolean merges,
    boolean writesEmpty,
    boolean isObserved) {
  ZarrOptions options(@Nullable RequestLimit requests, ZarrObserver observer) {
    ShardReading reading =
        ShardReading.defaults().withIndexCacheBytes(indexBytes).withSpeculativeTail(tail);
    ZarrOptions options =
        ZarrOptions.defaults()
            .withMaxConcurrency(concurrency)
            .withMaxInFlightBytes(inFlightBytes)
            .withDecodedChunkCache(decodedBytes)
            .withShardReading(merges ? reading : reading.withCoalescing(Coalescing.none()))
            .withWriteEmptyChunks(writesEmpty);
    if (requests != null) {
      options = options.withRequestLimit(requests);
    }
    if (isObserved) {
      options = options.withObserver(observer);
    }
    return options;
  }

  /** Returns the options with room for all, and without a limit. */
  HierarchyPlan roomy() {
    return new HierarchyPlan(
        concurrency, 1 << 20, 0, decodedBytes, indexBytes, tail, merges, writesEmpty, isObserved);
  }

  /** Returns the options with room for some counters, so that quantiles take few passes. */
  HierarchyPlan counting() {
    long bytes = Math.max(1024, inFlightBytes);
    return new HierarchyPlan(
        concurrency, bytes, limit, decodedBytes, indexBytes, tail, merges, writesEmpty, isObserved);
  }

  /** Returns true where another program's writes may stay unseen, because a cache never asks. */
  boolean mayBeStale() {
    return decodedBytes > 0;
  }

  /** Returns options with less in them. */
  Stream<HierarchyPlan> simpler() {
    return Stream.of(
        new HierarchyPlan(
            concurrency, inFlightBytes, 0, decodedBytes, indexBytes, 0, merges, false, false),
        new HierarchyPlan(
            concurrency,
            inFlightBytes,
            limit,
            0,
            indexBytes,
            tail,
            merges,
            writesEmpty,
            isObserved),
        new HierarchyPlan(
            concurrency,
            1 << 20,
            limit,
            decodedBytes,
            indexBytes,
            tail,
            merges,
            writesEmpty,
            isObserved));
  }

  @Override
  public String toString() {
    return "concurrency "
        + concurrency
        + ", "
        + inFlightBytes
        + " bytes in flight"
        + (limit == 0 ? "" : ", limit " + limit)
        + (decodedBytes == 0 ? "" : ", " + decodedBytes + " bytes of decoded chunks")
        + (indexBytes == 0 ? ", no indexes kept" : "")
        + (tail == 0 ? "" : ", tail of " + tail)
        + (merges ? "" : ", no merging")
        + (writesEmpty ? ", empty chunks written" : "")
        + (isObserved ? ", observed" : "");
  }
}
