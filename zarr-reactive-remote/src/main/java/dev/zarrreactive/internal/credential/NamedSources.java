package dev.zarrreactive.internal.credential;

import dev.zarrreactive.internal.store.Providers;
import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.store.credential.CredentialSource;
import dev.zarrreactive.store.credential.CredentialSourceProvider;
import java.net.URI;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import reactor.core.publisher.Mono;

/** The sources of credentials that the options of a store name. */
public final class NamedSources {
  /** The option that names the source. */
  public static final String OPTION = "credentials";

  private static final String SETTING = OPTION + ".";

  private static final Mono<List<CredentialSourceProvider>> FOUND =
      Providers.of(
          ServiceLoader.load(
              CredentialSourceProvider.class, CredentialSourceProvider.class.getClassLoader()));

  private NamedSources() {}

  /** Returns true for the names of options that belong to the source. */
  public static boolean isOption(String name) {
    return name.equals(OPTION) || name.startsWith(SETTING);
  }

  /**
   * Emits the source that the options name or have; empty for none. An unknown name, a wrong
   * setting, and settings without a name are {@link IllegalArgumentException}.
   */
  public static Mono<CredentialSource> of(URI store, StoreOptions options) {
    return Mono.defer(
        () -> {
          StoreOptions settings = settings(options);
          String name = options.get(OPTION);
          CredentialSource given = options.part(CredentialSource.class);
          if (given != null && name != null) {
            throw new IllegalArgumentException(
                "the options have a source, and the option " + OPTION + " names another one");
          }
          if (name == null && !settings.names().isEmpty()) {
            throw new IllegalArgumentException(
                "the option " + OPTION + " names the source that " + settings.names() + " set");
          }
          return name == null
              ? Mono.justOrEmpty(given)
              : FOUND.map(all -> provider(all, name).source(name, store, settings));
        });
  }

  private static StoreOptions settings(StoreOptions options) {
    StoreOptions settings = StoreOptions.none();
    for (String name : options.names()) {
      if (name.startsWith(SETTING)) {
        settings = settings.with(name.substring(SETTING.length()), options.text(name));
      }
    }
    return settings;
  }

  private static CredentialSourceProvider provider(
      List<CredentialSourceProvider> all, String name) {
    Set<String> names = new TreeSet<>();
    for (CredentialSourceProvider each : all) {
      if (each.names().contains(name)) {
        return each;
      }
      names.addAll(each.names());
    }
    throw new IllegalArgumentException(
        "no source of credentials is named \""
            + name
            + "\"; "
            + (names.isEmpty()
                ? "add zarr-reactive-credentials to the class path"
                : "the names are " + String.join(", ", names)));
  }
}
