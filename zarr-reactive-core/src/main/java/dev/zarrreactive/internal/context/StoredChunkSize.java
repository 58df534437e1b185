package dev.zarrreactive.internal.context;

import dev.zarrreactive.codec.ChunkCodec;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.ValueTooLargeException;
import dev.zarrreactive.store.ByteRange;
import reactor.core.publisher.Mono;

/**
 * The most bytes that a stored chunk may have: as many as its codecs can need. A store refuses a
 * larger object before it allocates it.
 */
public final class StoredChunkSize {
  private StoredChunkSize() {}

  /** Returns the range to ask the store for, which is the whole chunk. */
  public static ByteRange range(ChunkCodec codec) {
    return ByteRange.whole(codec.maxStoredBytes());
  }

  /** Returns the read; an object that is too large is no chunk of these codecs. */
  public static <T> Mono<T> checked(ChunkCodec codec, Mono<T> read) {
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
