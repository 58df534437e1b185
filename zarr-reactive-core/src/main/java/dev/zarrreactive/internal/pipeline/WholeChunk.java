package dev.zarrreactive.internal.pipeline;

import dev.zarrreactive.codec.ChunkCodec;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.ValueTooLargeException;
import dev.zarrreactive.store.ByteRange;
import reactor.core.publisher.Mono;

/**
 * Reads of whole stored chunks, of as many bytes as their codecs can need. A store refuses a larger
 * object before it allocates it.
 */
final class WholeChunk {
  private WholeChunk() {}

  /** Returns the range to ask the store for. */
  static ByteRange range(ChunkCodec codec) {
    return ByteRange.whole(codec.maxStoredBytes());
  }

  /** The same read; an object that is too large is no chunk of these codecs. */
  static <T> Mono<T> checked(ChunkCodec codec, Mono<T> read) {
    return read.onErrorMap(
        ValueTooLargeException.class,
        e ->
            new CodecException(
                "the stored chunk has "
                    + (e.size() < 0 ? "more than " + e.maxBytes() : Long.toString(e.size()))
                    + " bytes, expected "
                    + codec.encodedSize(),
                e.location(),
                e));
  }
}
