package dev.zarrreactive.internal.context;

import dev.zarrreactive.store.Coalescing;
import reactor.core.scheduler.Scheduler;

/**
 * The limits of one operation.
 *
 * @param concurrency the most chunks in flight
 * @param inFlightBytes the most bytes, encoded and decoded, in flight
 * @param independentOperations true if no operation waits for another one's subscriber
 * @param writeEmptyChunks true to store chunks that hold only the fill value
 * @param coalescing the rule that merges the ranges of inner chunks into requests
 * @param indexCacheBytes the most bytes in the cache of shard indexes; 0 to disable it
 * @param speculativeTail the bytes at the end of a shard that are fetched with its index
 * @param decodedChunkBytes the most bytes in the cache of decoded chunks; 0 to disable it
 * @param codecScheduler the scheduler that encodes and decodes chunks
 */
public record Limits(
    int concurrency,
    long inFlightBytes,
    boolean independentOperations,
    boolean writeEmptyChunks,
    Coalescing coalescing,
    long indexCacheBytes,
    int speculativeTail,
    long decodedChunkBytes,
    Scheduler codecScheduler) {}
