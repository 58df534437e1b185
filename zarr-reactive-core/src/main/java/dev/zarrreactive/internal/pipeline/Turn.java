package dev.zarrreactive.internal.pipeline;

import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * A shard's turn to lease bytes. Chunks that are handed on in order must be leased in order, or
 * later ones could hold all that the first one waits for.
 */
final class Turn {
  private static final Turn ANY = new Turn(Mono.empty());

  private final Mono<Void> begun;
  private final Sinks.Empty<Void> over = Sinks.empty();

  private Turn(Mono<Void> begun) {
    this.begun = begun;
  }

  /** A turn where the order does not matter. */
  static Turn any() {
    return ANY;
  }

  /** The turn after this one. */
  Turn next() {
    return this == ANY ? ANY : new Turn(over.asMono());
  }

  /** The first turn, where the order matters. */
  static Turn first() {
    return new Turn(Mono.empty());
  }

  /** Completes when all that comes before has leased its bytes. */
  Mono<Void> begun() {
    return begun;
  }

  /** All bytes are leased. */
  void end() {
    if (this != ANY) {
      over.tryEmitEmpty();
    }
  }
}
