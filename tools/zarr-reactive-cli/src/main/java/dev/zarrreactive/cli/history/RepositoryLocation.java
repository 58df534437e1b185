package dev.zarrreactive.cli.history;

import dev.zarrreactive.cli.location.LocationText;
import dev.zarrreactive.icechunk.IcechunkAdapter;
import dev.zarrreactive.icechunk.IcechunkVersion;
import dev.zarrreactive.internal.location.Pipeline;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreAdapter.Segment;
import dev.zarrreactive.store.StoreOptions;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/**
 * A repository, and the version of it that a location names.
 *
 * @param place of the repository
 * @param version the branch main where the location names none
 */
record RepositoryLocation(Pipeline place, IcechunkVersion version) {
  /**
   * Reads a location from the command line.
   *
   * @throws IllegalArgumentException for text that is no location of a repository
   */
  static RepositoryLocation of(String text) {
    Pipeline pipeline = LocationText.pipeline(text);
    Segment last = pipeline.last();
    if (last == null || !last.scheme().equals("icechunk")) {
      return new RepositoryLocation(pipeline, IcechunkVersion.MAIN);
    }
    return new RepositoryLocation(
        pipeline.withoutLast(), IcechunkAdapter.version(last, StoreOptions.none()));
  }

  /** Opens the store of the repository for {@code work}, and closes it. */
  Mono<Void> use(StoreOptions options, Function<Store, Mono<Void>> work) {
    return Mono.usingWhen(
        place.open(options).map(Pipeline::directoryOf), work, Store::close);
  }
}
