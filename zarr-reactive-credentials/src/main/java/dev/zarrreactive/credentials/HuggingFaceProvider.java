package dev.zarrreactive.credentials;

import dev.zarrreactive.internal.credential.NamedSources;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.store.StoreProvider;
import dev.zarrreactive.store.decorator.Stores;
import java.net.URI;
import java.util.Set;
import reactor.core.publisher.Mono;

/**
 * Opens the files of datasets, models, spaces and buckets of Hugging Face: {@code
 * hf://datasets/OWNER/NAME@REVISION/PATH}. The store reads over HTTPS, with the options of a store
 * over HTTP; the revision is {@code main} where the URL has none. The token is that of {@code
 * HF_TOKEN} or of the log-in, unless the option {@code credentials} names another source; public
 * data need none. The class is public for {@link java.util.ServiceLoader} only.
 */
public final class HuggingFaceProvider implements StoreProvider {
  private final Surroundings around;

  /** Called by {@link java.util.ServiceLoader}. */
  public HuggingFaceProvider() {
    this(Surroundings.ofProcess());
  }

  HuggingFaceProvider(Surroundings around) {
    this.around = around;
  }

  @Override
  public Set<String> schemes() {
    return Set.of("hf");
  }

  @Override
  public Mono<Store> open(URI uri, StoreOptions options) {
    return Mono.defer(
        () -> {
          URI hub = HuggingFaceUrl.hub(around);
          boolean isNamed = options.get(NamedSources.OPTION) != null;
          boolean hasToken = options.get("bearer-token") != null;
          return Stores.open(
              HuggingFaceUrl.resolved(uri, hub),
              isNamed || hasToken ? options : options.with(NamedSources.OPTION, "hugging-face"));
        });
  }
}
