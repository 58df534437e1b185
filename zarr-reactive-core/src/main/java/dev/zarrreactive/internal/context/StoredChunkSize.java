package dev.zarrreactive.internal.context;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.ChunkCodec;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.ValueTooLargeException;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/**
 * The bound on the bytes of a stored chunk: as many as its codecs can need. A store refuses a
 * larger object before it allocates memory for it.
 */
public final class StoredChunkSize {
  private StoredChunkSize() {}

  /**
   * Reads a whole chunk, which must be no larger than the bound.
   *
   * @param request reads the value in this range
   */
  public static <T> Mono<T> read(ChunkCodec codec, Function<ByteRange, Mono<T>> request) {
    return request
        .apply(ByteRange.whole(codec.maxStoredBytes()))
        .onErrorMap(error -> error(codec, error));
  }

  /**
   * Reads a chunk that is to be changed. Of a shard that is larger than the bound, the bytes that
   * its index refers to are read, and returned as a shard of these alone.
   */
  public static Mono<Bytes> read(ArrayStorage array, ChunkCodec codec, ConditionalUpdate target) {
    return target
        .read(ByteRange.whole(codec.maxStoredBytes()))
        .onErrorResume(
            ValueTooLargeException.class,
            error ->
                codec.shardLayout() == null
                    ? Mono.error(error(codec, error))
                    : new PaddedShard(array, codec, target).read());
  }

  /** Returns a codec error in place of the store's error for an object that is too large. */
  public static Throwable error(ChunkCodec codec, Throwable error) {
    if (!(error instanceof ValueTooLargeException e)) {
      return error;
    }
    boolean isShard = codec.shardLayout() != null;
    return new CodecException(
        "the stored chunk has "
            + (e.size() < 0 ? "more than " + e.maxBytes() : Long.toString(e.size()))
            + " bytes, expected "
            + (isShard ? "at most " + codec.maxStoredBytes() + " bytes" : codec.encodedSize())
            + (isShard ? " of such a shard; readChunk reads what its index refers to" : ""),
        e.location(),
        e);
  }
}
