package dev.zarrreactive.s3;

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
 * Opens {@code s3://bucket/prefix} with retries and an adaptive limit, of at most as many
 * operations as connections. The options, which are text, are {@code endpoint} (a URL), {@code
 * region}, {@code profile}, {@code anonymous}, {@code path-style}, {@code requester-pays}, {@code
 * conditional-multipart}, {@code unsigned-payload}, {@code unquoted-etags}, {@code
 * forbidden-is-missing} and {@code retry} ({@code true} or {@code false}), {@code checksums}
 * ({@code when-required} or {@code when-supported}), {@code connections} and {@code resumes}
 * (numbers), {@code connect-timeout} and {@code stall-timeout} (such as {@code PT30S}). {@link
 * S3StoreBuilder} explains them. Keys are not among them: {@code credentials} names a source of
 * them, whose settings are {@code credentials.KEY}. The class is public for {@link
 * java.util.ServiceLoader} only.
 */
public final class S3StoreProvider implements StoreProvider {
  private static final UrlOptions<S3StoreBuilder> OPTIONS =
      new UrlOptions<S3StoreBuilder>("a store over S3")
          .text("endpoint", (builder, url) -> builder.endpoint(Stores.uri(url)))
          .text("region", S3StoreBuilder::region)
          .text("profile", S3StoreBuilder::profile)
          .when("anonymous", S3StoreBuilder::anonymous)
          .credentials(S3StoreBuilder::credentials)
          .tls(S3StoreBuilder::material)
          .flag("path-style", S3StoreBuilder::pathStyle)
          .flag("requester-pays", S3StoreBuilder::requesterPays)
          .text("checksums", (builder, when) -> builder.checksumsWhenSupported(checksums(when)))
          .flag("unsigned-payload", S3StoreBuilder::unsignedPayload)
          .flag("conditional-multipart", S3StoreBuilder::conditionalMultipart)
          .flag("unquoted-etags", S3StoreBuilder::unquotedETags)
          .flag("forbidden-is-missing", S3StoreBuilder::forbiddenIsMissing)
          .number("connections", S3StoreBuilder::connections)
          .number("resumes", S3StoreBuilder::resumes)
          .duration("connect-timeout", S3StoreBuilder::connectTimeout)
          .duration("stall-timeout", S3StoreBuilder::stallTimeout);

  /** Called by {@link java.util.ServiceLoader}. */
  public S3StoreProvider() {}

  @Override
  public Set<String> schemes() {
    return Set.of("s3");
  }

  @Override
  public Mono<Store> open(URI uri, StoreOptions options) {
    return OPTIONS.open(uri, options, S3StoreProvider::at, builder -> builder.shared(options));
  }

  private static S3StoreBuilder at(URI uri) {
    BucketUrl url =
        BucketUrl.of(
            uri,
            "S3",
            "s3://BUCKET/PREFIX",
            "Credentials come from the environment or a profile, the server is the option"
                + " endpoint");
    return S3Store.at(url.bucket()).prefix(url.prefix());
  }

  private static boolean checksums(String value) {
    return switch (value) {
      case "when-supported" -> true;
      case "when-required" -> false;
      default ->
          throw new IllegalArgumentException(
              "checksums is when-required or when-supported, not \"" + value + "\"");
    };
  }
}
