package dev.zarrreactive.gcs;

import dev.zarrreactive.internal.objects.BucketUrl;
import dev.zarrreactive.internal.transfer.UrlOptions;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.store.StoreProvider;
import dev.zarrreactive.store.decorator.Stores;
import java.net.URI;
import java.util.Set;
import reactor.core.publisher.Mono;

/**
 * Opens {@code gs://bucket/prefix} with retries and an adaptive limit, of at most as many requests
 * as connections (256 over HTTP/2). The options, which are text, are {@code endpoint} and {@code
 * proxy} (URLs), {@code credentials} (the name of a source, with {@code credentials.NAME}), {@code
 * user-project}, {@code bearer-token}, {@code anonymous}, {@code http2}, {@code
 * forbidden-is-missing} and {@code retry} ({@code true} or {@code false}), {@code connections},
 * {@code resumes} and {@code part-size} (numbers), {@code connect-timeout}, {@code idle-timeout}
 * and {@code stall-timeout} (such as {@code PT30S}). {@link GcsStoreBuilder} explains them. The
 * class is public for {@link java.util.ServiceLoader} only.
 */
public final class GcsStoreProvider implements StoreProvider {
  private static final UrlOptions<GcsStoreBuilder> OPTIONS =
      new UrlOptions<GcsStoreBuilder>("a store over Google Cloud Storage")
          .text("endpoint", (builder, url) -> builder.endpoint(Stores.uri(url)))
          .text("user-project", GcsStoreBuilder::userProject)
          .when("anonymous", GcsStoreBuilder::anonymous)
          .credentials(GcsStoreBuilder::credentials)
          .tls(GcsStoreBuilder::material)
          .text("bearer-token", (builder, token) -> builder.bearerToken(Mono.just(token)))
          .text("proxy", (builder, url) -> builder.proxy(Stores.uri(url)))
          .flag("http2", GcsStoreBuilder::http2)
          .flag("forbidden-is-missing", GcsStoreBuilder::forbiddenIsMissing)
          .number("connections", GcsStoreBuilder::connections)
          .number("resumes", GcsStoreBuilder::resumes)
          .number("part-size", GcsStoreBuilder::partSize)
          .duration("connect-timeout", GcsStoreBuilder::connectTimeout)
          .duration("idle-timeout", GcsStoreBuilder::idleTimeout)
          .duration("stall-timeout", GcsStoreBuilder::stallTimeout);

  /** Called by {@link java.util.ServiceLoader}. */
  public GcsStoreProvider() {}

  @Override
  public Set<String> schemes() {
    return Set.of("gs");
  }

  /**
   * {@inheritDoc}
   *
   * <p>Stores with equal options share at most {@code connections} connections, which close after
   * {@code idle-timeout} without a request, and what their source of credentials has looked up.
   */
  @Override
  public Mono<Store> open(URI uri, StoreOptions options) {
    return OPTIONS.open(uri, options, GcsStoreProvider::at, builder -> builder.shared(options));
  }

  private static GcsStoreBuilder at(URI uri) {
    BucketUrl url =
        BucketUrl.of(
            uri,
            "Google Cloud Storage",
            "gs://BUCKET/PREFIX",
            "The option credentials names a source of credentials, the option endpoint another"
                + " server");
    return GcsStore.at(url.bucket()).prefix(url.prefix());
  }
}
