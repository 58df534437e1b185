package dev.zarrreactive.internal.store;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.internal.sharing.SharedFailure;
import dev.zarrreactive.internal.threads.FileThreads;
import java.util.List;
import java.util.ServiceLoader;
import reactor.core.publisher.Mono;

/** Finds the providers of a service. */
public final class Providers {
  private Providers() {}

  /**
   * Returns the providers that the class path has of {@code loader}'s service. A file thread looks
   * them up at the first subscription, once; after an error the next subscription looks again.
   */
  public static <P> Mono<List<P>> of(ServiceLoader<P> loader) {
    return FileThreads.call(
            () -> List.copyOf(loader.stream().map(ServiceLoader.Provider::get).toList()),
            e -> new StoreException("the class path cannot be read", Location.UNKNOWN, e))
        .cacheInvalidateIf(providers -> false)
        .onErrorMap(SharedFailure::forOne);
  }
}
