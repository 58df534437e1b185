package dev.zarrreactive.observation;

import dev.zarrreactive.error.Location;
import java.time.Duration;

/**
 * A request that has failed and is to be made again.
 *
 * @param place the key or prefix, where it is one
 * @param attempt the attempt that is to come; the first retry is attempt 2
 * @param backoff how long it is waited before that
 * @param error what went wrong
 */
public record StoreRetry(Location place, int attempt, Duration backoff, Throwable error) {}
