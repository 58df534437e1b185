package dev.zarrreactive.kerchunk;

import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.internal.store.Adapters;
import dev.zarrreactive.spi.Spi;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreAdapter;
import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.virtual.VirtualContainers;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import reactor.core.publisher.Mono;

/**
 * Opens references, in pipelines as {@code refs.json|kerchunk:path} and {@code
 * refs.parq|kerchunk:path}.
 *
 * <p>A file is JSON where its name ends in {@code .json}, {@code .json.zst}, {@code .zst}, {@code
 * .json.gz} or {@code .gz}. Any other name is asked for Parquet first, and then for JSON. The
 * option {@code virtual:PREFIX} allows a container, see {@link VirtualContainers#of}; {@code base}
 * and {@code target} are those of {@link KerchunkOptions}.
 */
@Spi
public final class KerchunkAdapter implements StoreAdapter {
  private static final String BASE = "base";
  private static final String TARGET = "target";
  private static final Set<String> OPTIONS = Set.of(BASE, TARGET);
  private static final List<String> ENDINGS = List.of(".json", ".zst", ".gz");

  /** Creates the adapter; called by {@link java.util.ServiceLoader}. */
  public KerchunkAdapter() {}

  @Override
  public String scheme() {
    return "kerchunk";
  }

  @Override
  public boolean takes(String option) {
    return OPTIONS.contains(option) || VirtualContainers.isOption(option);
  }

  @Override
  public Mono<Opened> open(Place place, Segment segment, StoreOptions options) {
    return Mono.defer(
        () -> {
          if (segment.query() != null) {
            throw new IllegalArgumentException("|kerchunk: takes no query");
          }
          VirtualContainers allowed = VirtualContainers.of(options);
          KerchunkOptions settings = settings(options);
          return place
              .file()
              .flatMap(file -> open(file, allowed, settings))
              .map(store -> new Opened(Adapters.closing(store, allowed.close()), segment.path()));
        });
  }

  private static KerchunkOptions settings(StoreOptions options) {
    KerchunkOptions settings = KerchunkOptions.defaults();
    String base = options.get(BASE);
    String target = options.get(TARGET);
    settings = base == null ? settings : settings.withBase(base);
    return target == null ? settings : settings.withTarget(target);
  }

  private static Mono<Store> open(
      StoredFile file, VirtualContainers allowed, KerchunkOptions settings) {
    Mono<Store> json = Kerchunk.open(file.store(), file.key(), allowed, settings);
    String name = file.key().value().toLowerCase(Locale.ROOT);
    if (ENDINGS.stream().anyMatch(name::endsWith)) {
      return json;
    }
    StorePrefix directory = StorePrefix.of(file.key().value() + "/");
    return Kerchunk.openIfThere(file.store(), directory, allowed, settings).switchIfEmpty(json);
  }
}
