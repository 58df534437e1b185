package dev.zarrreactive.internal.pipeline;

import reactor.core.scheduler.Scheduler;

/**
 * What one operation may use.
 *
 * @param concurrency the most chunks in flight
 * @param inFlightBytes the most bytes, encoded and decoded, in flight
 * @param writeEmptyChunks true to store chunks that are all fill value
 * @param codecScheduler where chunks are encoded and decoded
 */
public record Limits(
    int concurrency, long inFlightBytes, boolean writeEmptyChunks, Scheduler codecScheduler) {}
