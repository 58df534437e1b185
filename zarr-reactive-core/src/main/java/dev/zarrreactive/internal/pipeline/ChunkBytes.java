package dev.zarrreactive.internal.pipeline;

import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.store.Bytes;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** The stored bytes of one chunk that an operation reads, and what the operation holds for it. */
interface ChunkBytes {
  /**
   * Leases room for the bytes and for what they decode to; completes when the lease is granted.
   * What comes after that depends on the store and the codec threads alone, not on a subscriber's
   * demand.
   */
  Mono<Void> lease();

  /** The bytes, when their lease is granted; empty where missing. */
  Mono<Bytes> fetch();

  /**
   * The bytes after those of {@link #fetch} were no good, where they have been replaced since; the
   * same failure where they have not.
   */
  default Mono<Bytes> fetchAnew(ZarrException failure) {
    return Mono.error(failure);
  }

  /** What the operation holds for the chunk; null where it holds nothing yet. */
  @Nullable HeldBytes held();

  /** The bytes are not needed any more. */
  default void decoded() {
    HeldBytes held = held();
    if (held != null) {
      held.decoded();
    }
  }

  /** The bytes are not asked for: somebody else has the chunk already. */
  default void skip() {
    HeldBytes held = held();
    if (held != null) {
      held.decoded();
      held.handedOn();
    }
  }

  /** Nothing is stored, nothing is held. */
  ChunkBytes NONE =
      new ChunkBytes() {
        @Override
        public Mono<Void> lease() {
          return Mono.empty();
        }

        @Override
        public Mono<Bytes> fetch() {
          return Mono.empty();
        }

        @Override
        public @Nullable HeldBytes held() {
          return null;
        }
      };
}
