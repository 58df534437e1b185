package dev.zarrreactive.observation;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The decoding of one chunk, or of one inner chunk of a shard, with all its codecs, and the copy
 * into the result.
 *
 * @param duration how long it took, on one thread
 * @param encodedBytes what was stored
 * @param decodedBytes the size of the whole chunk
 * @param error what went wrong, where it could not be decoded
 */
public record ChunkDecoding(
    Duration duration, long encodedBytes, long decodedBytes, @Nullable Throwable error) {}
