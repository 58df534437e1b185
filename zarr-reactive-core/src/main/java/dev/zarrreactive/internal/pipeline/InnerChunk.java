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

  private Mono<ChunkBytes> bytes() {
    return Mono.defer(
        () -> {
          ChunkBytes known = found;
          return known == null ? place.doOnNext(bytes -> found = bytes) : Mono.just(known);
        });
  }

  @Override
  public Mono<Void> lease() {
    return bytes().flatMap(ChunkBytes::lease);
  }

  @Override
  public Mono<Bytes> fetch() {
    return bytes().flatMap(ChunkBytes::fetch);
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
    ChunkBytes bytes = found;
    if (bytes == null) {
      skip.run();
    } else {
      bytes.skip();
    }
  }
}
