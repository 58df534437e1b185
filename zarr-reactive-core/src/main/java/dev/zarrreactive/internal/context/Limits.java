package dev.zarrreactive.internal.context;

import dev.zarrreactive.codec.ShardReading;
import reactor.core.scheduler.Scheduler;

/**
 * The limits of one operation.
 *
 * @param concurrency the most chunks in flight
 * @param inFlightBytes the most bytes, encoded and decoded, in flight
 * @param independentOperations true if no operation waits for another one's subscriber
 * @param writeEmptyChunks true to store chunks that hold only the fill value
 * @param shardReading how inner chunks are read from shards
 * @param decodedChunkBytes the most bytes in the cache of decoded chunks; 0 to disable it
 * @param codecScheduler the scheduler that encodes and decodes chunks
 */
public record Limits(
    int concurrency,
    long inFlightBytes,
    boolean independentOperations,
    boolean writeEmptyChunks,
    ShardReading shardReading,
    long decodedChunkBytes,
    Scheduler codecScheduler) {}
