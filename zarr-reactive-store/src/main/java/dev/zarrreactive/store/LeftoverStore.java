package dev.zarrreactive.store;

import java.time.Duration;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A store in which a writer that dies may leave data that are no value: a half-written file, or
 * parts that were uploaded. No reader sees them, and they take space.
 */
public interface LeftoverStore extends Store {
  /**
   * Data that a dead writer has left.
   *
   * @param path the name below the root of the store, for people
   * @param size in bytes
   */
  record Leftover(String path, long size) {}

  /**
   * Lists what dead writers have left, in no particular order. A cancel ends the listing.
   *
   * @param age a store that cannot know whether a writer still runs lists only what was begun at
   *     least so long ago, by the clock of this machine; any other store ignores it
   */
  Flux<Leftover> leftovers(Duration age);

  /**
   * Removes the {@link #leftovers(Duration)}, and emits their number. A writer that still runs and
   * whose data are removed fails with an error. After an error or a cancel some are removed.
   */
  Mono<Long> clean(Duration age);
}
