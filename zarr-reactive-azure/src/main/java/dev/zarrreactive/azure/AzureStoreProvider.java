package dev.zarrreactive.azure;

import dev.zarrreactive.internal.objects.BucketUrl;
import dev.zarrreactive.internal.transfer.UrlOptions;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.store.StoreProvider;
import dev.zarrreactive.store.decorator.Stores;
import java.net.URI;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Opens {@code az://container/prefix}, {@code
 * abfss://container@ACCOUNT.dfs.core.windows.net/prefix} and {@code
 * https://ACCOUNT.blob.core.windows.net/container/prefix} with retries and an adaptive limit, of at
 * most as many requests as connections. The options, which are text, are {@code account}, {@code
 * endpoint} and {@code proxy} (URLs), {@code account-key}, {@code sas-token}, {@code
 * connection-string}, {@code bearer-token}, {@code credentials} (the name of a source, whose
 * settings are {@code credentials.KEY}), {@code anonymous}, {@code forbidden-is-missing} and {@code
 * retry} ({@code true} or {@code false}), {@code connections}, {@code resumes} and {@code
 * part-size} (numbers), {@code connect-timeout}, {@code idle-timeout} and {@code stall-timeout}
 * (such as {@code PT30S}). {@link AzureStoreBuilder} explains them. The class is public for {@link
 * java.util.ServiceLoader} only.
 */
public final class AzureStoreProvider implements StoreProvider {
  private static final String SERVICE = "Azure";
  private static final String BLOB_FORM = "https://ACCOUNT.blob.core.windows.net/CONTAINER/PREFIX";
  private static final String FILE_FORM = "abfss://CONTAINER@ACCOUNT.dfs.core.windows.net/PREFIX";

  /** The domains of the public cloud and of the national ones, which alone may get secrets. */
  private static final String DOMAIN =
      "core\\.(?:windows\\.net|usgovcloudapi\\.net|chinacloudapi\\.cn)";

  private static final Pattern BLOB_HOST =
      Pattern.compile("([a-z0-9]{3,24})\\.blob\\.(" + DOMAIN + ")");

  private static final Pattern FILE_HOST =
      Pattern.compile("([^@]+)@([a-z0-9]{3,24})\\.(?:dfs|blob)\\.(" + DOMAIN + ")");

  private static final UrlOptions<AzureStoreBuilder> OPTIONS =
      new UrlOptions<AzureStoreBuilder>("a store in Azure")
          .text("account", AzureStoreBuilder::account)
          .text("endpoint", (builder, url) -> builder.endpoint(Stores.uri(url)))
          .text("account-key", AzureStoreBuilder::accountKey)
          .text("sas-token", AzureStoreBuilder::sasToken)
          .text("connection-string", AzureStoreBuilder::connectionString)
          .text("bearer-token", (builder, token) -> builder.bearerToken(Mono.just(token)))
          .credentials(AzureStoreBuilder::credentials)
          .tls(AzureStoreBuilder::material)
          .when("anonymous", AzureStoreBuilder::anonymous)
          .text("proxy", (builder, url) -> builder.proxy(Stores.uri(url)))
          .flag("forbidden-is-missing", AzureStoreBuilder::forbiddenIsMissing)
          .number("connections", AzureStoreBuilder::connections)
          .number("resumes", AzureStoreBuilder::resumes)
          .number("part-size", AzureStoreBuilder::partSize)
          .duration("connect-timeout", AzureStoreBuilder::connectTimeout)
          .duration("idle-timeout", AzureStoreBuilder::idleTimeout)
          .duration("stall-timeout", AzureStoreBuilder::stallTimeout);

  /** Called by {@link java.util.ServiceLoader}. */
  public AzureStoreProvider() {}

  @Override
  public Set<String> schemes() {
    return Set.of("az", "abfs", "abfss");
  }

  /** Returns true for the URL of a container, or of what is in it, at a host of Azure. */
  @Override
  public boolean prefers(URI uri) {
    String path = uri.getPath();
    return "https".equalsIgnoreCase(uri.getScheme())
        && uri.getRawAuthority() != null
        && BLOB_HOST.matcher(host(uri)).matches()
        && path != null
        && path.length() > 1;
  }

  private static String host(URI uri) {
    return uri.getRawAuthority().toLowerCase(Locale.ROOT);
  }

  /**
   * {@inheritDoc}
   *
   * <p>Stores of one account with equal options share at most {@code connections} connections,
   * which close after {@code idle-timeout} without a request.
   */
  @Override
  public Mono<Store> open(URI uri, StoreOptions options) {
    return OPTIONS.open(uri, options, AzureStoreProvider::at, builder -> builder.shared(options));
  }

  /** Parses a URL. Errors show no forbidden part of it: that may be a secret. */
  private static AzureStoreBuilder at(URI uri) {
    String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
    return switch (scheme) {
      case "https" -> atBlobHost(uri);
      case "abfs", "abfss" -> atFileHost(uri);
      default -> atContainer(uri);
    };
  }

  private static AzureStoreBuilder atContainer(URI uri) {
    String authority = uri.getRawAuthority();
    if (authority != null && FILE_HOST.matcher(authority.toLowerCase(Locale.ROOT)).matches()) {
      return atFileHost(uri);
    }
    BucketUrl url =
        BucketUrl.of(
            uri,
            SERVICE,
            "az://CONTAINER/PREFIX",
            "The option account names the account, the option credentials a source of credentials");
    return new AzureStoreBuilder(url.bucket()).prefix(url.prefix());
  }

  private static AzureStoreBuilder atFileHost(URI uri) {
    BucketUrl.refuseQuery(uri, SERVICE, FILE_FORM);
    Matcher host = FILE_HOST.matcher(uri.getRawAuthority() == null ? "" : host(uri));
    if (!host.matches()) {
      throw new IllegalArgumentException(
          "a URL of " + SERVICE + " is " + FILE_FORM + ", or az://CONTAINER/PREFIX");
    }
    String path = uri.getPath();
    return new AzureStoreBuilder(host.group(1))
        .account(host.group(2))
        .endpoint(endpoint(host.group(2), host.group(3)))
        .prefix(path == null ? "" : path);
  }

  private static AzureStoreBuilder atBlobHost(URI uri) {
    Matcher host = BLOB_HOST.matcher(host(uri));
    String path = uri.getPath();
    if (!host.matches() || path == null || path.length() < 2 || uri.getRawFragment() != null) {
      throw new IllegalArgumentException("a URL of " + SERVICE + " is " + BLOB_FORM);
    }
    int slash = path.indexOf('/', 1);
    String container = slash < 0 ? path.substring(1) : path.substring(1, slash);
    AzureStoreBuilder builder =
        new AzureStoreBuilder(container)
            .account(host.group(1))
            .endpoint(endpoint(host.group(1), host.group(2)))
            .prefix(slash < 0 ? "" : path.substring(slash));
    @Nullable String signature = uri.getRawQuery();
    return signature == null ? builder : builder.sasToken(signature);
  }

  private static URI endpoint(String account, String domain) {
    return URI.create("https://" + account + ".blob." + domain);
  }
}
