package dev.zarrreactive.internal.pipeline;

import dev.zarrreactive.store.Bytes;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** A chunk whose bytes are known to be all of a value, or of bytes that are here. */
final class StoredChunk implements ChunkBytes {
  private final Mono<Bytes> bytes;
  private final Supplier<HeldBytes> hold;
  private volatile @Nullable HeldBytes held;

  /**
   * A chunk.
   *
   * @param bytes its bytes; empty where it is missing
   * @param hold leases the bytes, when the chunk's turn has come
   */
  StoredChunk(Mono<Bytes> bytes, Supplier<HeldBytes> hold) {
    this.bytes = bytes;
    this.hold = hold;
  }

  /** A chunk whose bytes are leased already, with those of others. */
  StoredChunk(Mono<Bytes> bytes, HeldBytes held) {
    this(bytes, () -> held);
    this.held = held;
  }

  @Override
  public Mono<Void> lease() {
    return Mono.defer(
        () -> {
          HeldBytes leased = held;
          if (leased == null) {
            leased = hold.get();
            held = leased;
          }
          return leased.granted();
        });
  }

  @Override
  public Mono<Bytes> fetch() {
    return lease().then(bytes);
  }

  @Override
  public @Nullable HeldBytes held() {
    return held;
  }
}
