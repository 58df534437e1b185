package dev.zarrreactive.observation;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The decoding of one chunk, or of one inner chunk of a shard, with all its codecs, and the copy
 * into the result.
 *
 * @param duration the time that it took, on one thread
 * @param encodedBytes the size of the stored chunk
 * @param decodedBytes the size of the whole decoded chunk
 * @param error the error of a failed decoding, or null
 */
public record ChunkDecoding(
    Duration duration, long encodedBytes, long decodedBytes, @Nullable Throwable error) {}
