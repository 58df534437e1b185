package dev.zarrreactive.internal.pipeline;

import dev.zarrreactive.codec.ShardReading;
import reactor.core.scheduler.Scheduler;

/**
 * What one operation may use.
 *
 * @param concurrency the most chunks in flight
 * @param inFlightBytes the most bytes, encoded and decoded, in flight
 * @param writeEmptyChunks true to store chunks that are all fill value
 * @param shardReading how inner chunks are read from shards
 * @param codecScheduler where chunks are encoded and decoded
 */
public record Limits(
    int concurrency,
    long inFlightBytes,
    boolean writeEmptyChunks,
    ShardReading shardReading,
    Scheduler codecScheduler) {}
