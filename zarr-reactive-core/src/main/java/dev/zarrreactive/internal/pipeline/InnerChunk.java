package dev.zarrreactive.internal.pipeline;

import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.store.Bytes;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** An inner chunk of a shard that may not be open yet. */
final class InnerChunk implements ChunkBytes {
  private final Mono<ChunkBytes> place;
  private final Runnable skip;
  private volatile @Nullable ChunkBytes found;

  /**
   * An inner chunk.
   *
   * @param place looks it up
   * @param skip tells the shard that it is not looked up
   */
  InnerChunk(Mono<ChunkBytes> place, Runnable skip) {
    this.place = place;
    this.skip = skip;
  }

  @Override
  public Mono<Bytes> fetch() {
    return place.flatMap(
        bytes -> {
          found = bytes;
          return bytes.fetch();
        });
  }

  @Override
  public Mono<Bytes> fetchAnew(ZarrException failure) {
    ChunkBytes bytes = found;
    return bytes == null ? Mono.error(failure) : bytes.fetchAnew(failure);
  }

  @Override
  public @Nullable HeldBytes held() {
    ChunkBytes bytes = found;
    return bytes == null ? null : bytes.held();
  }

  @Override
  public void skip() {
    skip.run();
  }
}
