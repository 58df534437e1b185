package dev.zarrreactive.observation;

import dev.zarrreactive.error.Location;
import java.time.Duration;

/**
 * A failed request that will be repeated.
 *
 * @param place the key or the prefix; {@link Location#UNKNOWN} for a listing of all keys
 * @param attempt the number of the next attempt; the first retry is attempt 2
 * @param backoff the wait before that attempt
 * @param error the error of the last attempt
 */
public record StoreRetry(Location place, int attempt, Duration backoff, Throwable error) {}
