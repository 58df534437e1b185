package dev.zarrreactive.internal.store;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.store.ArchiveProvider;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.LocatedValues;
import dev.zarrreactive.store.Store;
import java.util.List;
import java.util.Locale;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Opens archives by the providers on the class path. */
public final class Archives {
  /** The suffix of the archives that are recognised by their first bytes, whatever their name. */
  private static final String ZIP = ".zip";

  private static final Mono<List<ArchiveProvider>> PROVIDERS =
      Providers.of(
          ServiceLoader.load(ArchiveProvider.class, ArchiveProvider.class.getClassLoader()));

  private Archives() {}

  /**
   * Opens the archive at a key, as a zip where its name has the suffix of no archive. The store
   * that is emitted closes {@code above}, too.
   */
  public static Mono<Store> open(Store above, StoreKey file) {
    return PROVIDERS
        .map(providers -> provider(providers, file))
        .flatMap(provider -> provider.open(above, file))
        .map(archive -> new OpenArchive(archive, above));
  }

  private static ArchiveProvider provider(List<ArchiveProvider> providers, StoreKey file) {
    String name = file.value().toLowerCase(Locale.ROOT);
    for (ArchiveProvider provider : providers) {
      if (provider.suffixes().stream().anyMatch(name::endsWith)) {
        return provider;
      }
    }
    for (ArchiveProvider provider : providers) {
      if (provider.suffixes().contains(ZIP)) {
        return provider;
      }
    }
    throw new UnsupportedFeatureException(
        file + " is a zip archive: add zarr-reactive-zip to the class path to open it",
        Location.ofKey(file.value()));
  }

  /** An archive with the store that was opened for it. */
  private static final class OpenArchive extends DelegatingStore {
    private final Store above;

    OpenArchive(Store archive, Store above) {
      super(archive);
      this.above = above;
    }

    @Override
    public @Nullable LocatedValues located() {
      return LocatedValues.of(delegate());
    }

    @Override
    public Mono<Void> close() {
      return delegate().close().then(above.close());
    }

    @Override
    public String toString() {
      return delegate().toString();
    }
  }
}
