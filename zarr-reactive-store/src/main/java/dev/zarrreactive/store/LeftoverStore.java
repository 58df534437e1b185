package dev.zarrreactive.store;

import java.time.Duration;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A store in which a writer that is killed may leave unfinished data: a hidden file, or the parts
 * of an upload. They are no value and no reader sees them, but they take space.
 */
public interface LeftoverStore extends Store {
  /**
   * One hidden file, or one upload, that a killed writer has left unfinished.
   *
   * @param path the name below the root of the store, for people
   * @param size in bytes
   */
  record Leftover(String path, long size) {}

  /**
   * Lists what killed writers have left, in no particular order. A cancel ends the listing.
   *
   * @param age for a store that cannot know whether a writer still runs: it lists only what was
   *     begun at least so long ago, by the clock of this machine. Other stores ignore it
   */
  Flux<Leftover> leftovers(Duration age);

  /**
   * Removes the {@link #leftovers(Duration)}, and emits their number. A writer that still runs and
   * whose data are removed fails with an error. After an error or a cancel some are removed.
   */
  Mono<Long> clean(Duration age);
}
