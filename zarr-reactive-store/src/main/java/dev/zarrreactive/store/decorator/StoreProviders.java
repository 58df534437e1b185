package dev.zarrreactive.store.decorator;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.internal.store.Providers;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.store.StoreProvider;
import dev.zarrreactive.store.file.FileSystemStore;
import dev.zarrreactive.store.memory.MemoryStore;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;

/** The providers by their schemes. */
final class StoreProviders {
  /** The modules of known schemes, for the error message if a module is not on the class path. */
  private static final Map<String, String> MODULES =
      Map.of(
          "http",
          "zarr-reactive-http",
          "https",
          "zarr-reactive-http",
          "s3",
          "zarr-reactive-s3",
          "gs",
          "zarr-reactive-gcs",
          "hf",
          "zarr-reactive-credentials");

  private static final Mono<Map<String, StoreProvider>> FOUND =
      Providers.of(ServiceLoader.load(StoreProvider.class, StoreProvider.class.getClassLoader()))
          .map(StoreProviders::byScheme);

  private StoreProviders() {}

  static Mono<Store> open(URI uri, StoreOptions given) {
    StoreOptions options = withoutThoseOfAdapters(given);
    String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
    return switch (scheme) {
      case "file" -> own(options, () -> FileSystemStore.open(uri));
      case "memory" -> own(options, () -> MemoryStore.named(nameOf(uri)));
      default -> FOUND.flatMap(found -> open(found, scheme, uri, options));
    };
  }

  /** A name with a colon is for what lies inside of the store. */
  private static StoreOptions withoutThoseOfAdapters(StoreOptions given) {
    StoreOptions options = given;
    for (String name : given.names()) {
      options = name.indexOf(':') < 0 ? options : options.without(name);
    }
    return options;
  }

  /** True where the text begins with a scheme that there is or could be a provider of. */
  static boolean knows(String scheme) {
    return scheme.equals("file") || scheme.equals("memory") || MODULES.containsKey(scheme);
  }

  private static Mono<Store> open(
      Map<String, StoreProvider> found, String scheme, URI uri, StoreOptions options) {
    StoreProvider provider =
        found.values().stream()
            .filter(each -> each.prefers(uri))
            .findFirst()
            .orElseGet(() -> found.get(scheme));
    if (provider != null) {
      return provider.open(uri, options);
    }
    String module = MODULES.get(scheme);
    Set<String> schemes = new TreeSet<>(found.keySet());
    schemes.addAll(Set.of("file", "memory"));
    return Mono.error(
        () ->
            new UnsupportedFeatureException(
                module == null
                    ? "nothing opens " + scheme + ": URLs; what can be opened: " + schemes
                    : scheme + ": add " + module + " to the class path to open such URLs",
                Location.UNKNOWN));
  }

  private static Mono<Store> own(StoreOptions options, Supplier<? extends Store> store) {
    return Mono.fromSupplier(
        () -> {
          if (!options.names().isEmpty()) {
            throw new IllegalArgumentException(
                "files and memory have no options; given: " + options.names());
          }
          return store.get();
        });
  }

  private static String nameOf(URI uri) {
    String name = uri.getSchemeSpecificPart();
    return name.startsWith("//") ? name.substring(2) : name;
  }

  private static Map<String, StoreProvider> byScheme(List<StoreProvider> providers) {
    Map<String, StoreProvider> byScheme = new TreeMap<>();
    for (StoreProvider provider : providers) {
      provider.schemes().forEach(scheme -> byScheme.put(scheme, provider));
    }
    return byScheme;
  }
}
