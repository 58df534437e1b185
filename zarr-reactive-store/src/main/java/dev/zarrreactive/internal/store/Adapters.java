package dev.zarrreactive.internal.store;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreAdapter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import reactor.core.publisher.Mono;

/** The adapters on the class path, by their schemes. */
public final class Adapters {
  /** The scheme of archives that are recognised by their first bytes, whatever their name. */
  public static final String ZIP = "zip";

  /** The modules of known schemes, for the error where a module is not on the class path. */
  private static final Map<String, String> MODULES =
      Map.of(
          ZIP,
          "zarr-reactive-zip",
          "icechunk",
          "zarr-reactive-icechunk",
          "kerchunk",
          "zarr-reactive-kerchunk");

  private static final Mono<List<StoreAdapter>> FOUND =
      Providers.of(ServiceLoader.load(StoreAdapter.class, StoreAdapter.class.getClassLoader()));

  private Adapters() {}

  /**
   * Emits the adapter of a scheme; an {@link UnsupportedFeatureException} that tells the module to
   * add, or what can be opened, where there is none.
   */
  public static Mono<StoreAdapter> find(String scheme) {
    return findIfThere(scheme)
        .switchIfEmpty(FOUND.flatMap(adapters -> Mono.error(missing(scheme, adapters))));
  }

  /** Emits the adapter of a scheme; empty where none is on the class path. */
  public static Mono<StoreAdapter> findIfThere(String scheme) {
    return FOUND.mapNotNull(
        adapters ->
            adapters.stream()
                .filter(adapter -> adapter.scheme().equals(scheme))
                .findFirst()
                .orElse(null));
  }

  /**
   * Emits the adapter that one of the names of options belongs to alone; empty where there is none.
   * A name with a colon belongs to several, and names none.
   */
  public static Mono<StoreAdapter> namedBy(Set<String> options) {
    List<String> names = options.stream().filter(name -> name.indexOf(':') < 0).toList();
    return names.isEmpty()
        ? Mono.empty()
        : FOUND.mapNotNull(
            adapters ->
                adapters.stream()
                    .filter(adapter -> names.stream().anyMatch(adapter::takes))
                    .findFirst()
                    .orElse(null));
  }

  /** Emits the adapter of a file by the ending of its name, and that of zip archives otherwise. */
  public static Mono<StoreAdapter> ofFile(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return FOUND.flatMap(
        adapters ->
            adapters.stream()
                .filter(adapter -> adapter.suffixes().stream().anyMatch(lower::endsWith))
                .findFirst()
                .map(Mono::just)
                .orElseGet(() -> find(ZIP)));
  }

  /**
   * Returns a store that closes what was opened for it, after itself.
   *
   * @param more closes it
   */
  public static Store closing(Store store, Mono<Void> more) {
    return new ClosingStore(store, more);
  }

  private static UnsupportedFeatureException missing(String scheme, List<StoreAdapter> adapters) {
    String module = MODULES.get(scheme);
    Set<String> known =
        adapters.stream().map(StoreAdapter::scheme).collect(Collectors.toCollection(TreeSet::new));
    known.addAll(Set.of("zarr2", "zarr3"));
    return new UnsupportedFeatureException(
        module == null
            ? "nothing opens |" + scheme + ":; what can stand behind a | is " + known
            : "|" + scheme + ": needs " + module + " on the class path",
        Location.UNKNOWN);
  }
}
