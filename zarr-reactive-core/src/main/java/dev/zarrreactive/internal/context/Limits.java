package dev.zarrreactive.internal.context;

import dev.zarrreactive.codec.ShardReading;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;

/**
 * What one operation may use.
 *
 * @param concurrency the most chunks in flight
 * @param inFlightBytes the most bytes, encoded and decoded, in flight
 * @param writeEmptyChunks true to store chunks that are all fill value
 * @param shardReading how inner chunks are read from shards
 * @param decodedChunkBytes how many bytes of decoded chunks are kept; 0 to keep none
 * @param decodedChunkAge the age from which on they are asked about; null for never
 * @param codecScheduler where chunks are encoded and decoded
 */
public record Limits(
    int concurrency,
    long inFlightBytes,
    boolean writeEmptyChunks,
    ShardReading shardReading,
    long decodedChunkBytes,
    @Nullable Duration decodedChunkAge,
    Scheduler codecScheduler) {}
