package dev.zarrreactive.cli.options;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The options for stores at URLs. */
public final class StoreArguments {
  @Option(
      names = "--header",
      paramLabel = "NAME:VALUE",
      converter = NamedValue.OfHeader.class,
      scope = ScopeType.INHERIT,
      description = "http: send this header with every request.")
  private List<NamedValue> headers = new ArrayList<>();

  @Option(
      names = "--header-env",
      paramLabel = "NAME:VARIABLE",
      converter = NamedValue.OfVariable.class,
      scope = ScopeType.INHERIT,
      description = "http: a header of an environment variable.")
  private List<NamedValue> headerVariables = new ArrayList<>();

  @Option(
      names = "--bearer-token-env",
      paramLabel = "VARIABLE",
      scope = ScopeType.INHERIT,
      description = "http, gs, az: the bearer token of a variable.")
  private @Nullable String bearerTokenVariable;

  @Option(
      names = "--netrc",
      scope = ScopeType.INHERIT,
      description = "http: the host's login in ~/.netrc, or in $NETRC.")
  private boolean netrc;

  @Option(
      names = "--credentials",
      paramLabel = "NAME",
      scope = ScopeType.INHERIT,
      description = "URLs: a source of keys that expire: earthdata.")
  private @Nullable String credentials;

  @Option(names = "--http2", scope = ScopeType.INHERIT, description = "http, gs: use HTTP/2.")
  private boolean http2;

  @Option(
      names = "--proxy",
      paramLabel = "URL",
      scope = ScopeType.INHERIT,
      description = "http, gs, az: ask through a proxy, also socks5.")
  private @Nullable String proxy;

  @Option(
      names = "--endpoint",
      paramLabel = "URL",
      scope = ScopeType.INHERIT,
      description = "s3, gs, az: another service, such as an emulator.")
  private @Nullable String endpoint;

  @Option(
      names = "--region",
      paramLabel = "NAME",
      scope = ScopeType.INHERIT,
      description = "s3: the region of the bucket.")
  private @Nullable String region;

  @Option(
      names = "--profile",
      paramLabel = "NAME",
      scope = ScopeType.INHERIT,
      description = "s3: the profile whose credentials to use.")
  private @Nullable String profile;

  @Option(
      names = "--anonymous",
      scope = ScopeType.INHERIT,
      description = "s3, gs, az: use no credentials, as for public data.")
  private boolean anonymous;

  @Option(
      names = "--path-style",
      scope = ScopeType.INHERIT,
      description = "s3: name the bucket in the path, not in the host.")
  private boolean pathStyle;

  @Option(
      names = "--requester-pays",
      scope = ScopeType.INHERIT,
      description = "s3: agree to pay for the requests.")
  private boolean requesterPays;

  @Option(
      names = "--connections",
      paramLabel = "N",
      scope = ScopeType.INHERIT,
      description = "URLs: the most connections at a time.")
  private @Nullable Integer connections;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      converter = TimeConverter.class,
      scope = ScopeType.INHERIT,
      description = "URLs: the longest silence of the server; 30s, 500ms.")
  private @Nullable Duration timeout;

  @Option(
      names = "--no-retry",
      scope = ScopeType.INHERIT,
      description = "URLs: fail at the first error; repeat no request.")
  private boolean noRetry;

  @Option(
      names = "--forbidden-is-missing",
      scope = ScopeType.INHERIT,
      description = "URLs: treat an answer of 403 as a missing value.")
  private boolean forbiddenIsMissing;

  @Option(
      names = "--pages-are-missing",
      scope = ScopeType.INHERIT,
      description = "http: treat a page in HTML as a missing value.")
  private boolean pagesAreMissing;

  @Option(
      names = "--store-option",
      paramLabel = "NAME=VALUE",
      converter = NamedValue.OfSetting.class,
      scope = ScopeType.INHERIT,
      description = "URLs: any other option of the store.")
  private List<NamedValue> others = new ArrayList<>();

  @Option(
      names = "--virtual",
      paramLabel = "PREFIX",
      scope = ScopeType.INHERIT,
      description =
          "read virtual chunks below a URL, with options of its store behind it:"
              + " PREFIX;anonymous=true.")
  private List<String> virtual = new ArrayList<>();

  /**
   * Adds the options to {@code settings}.
   *
   * @throws picocli.CommandLine.ParameterException for a wrong option
   */
  public void addTo(StoreSettings settings) {
    for (NamedValue header : headers) {
      settings.addHeader("--header", header.name(), header.value());
    }
    for (NamedValue header : headerVariables) {
      String value = settings.variable("--header-env", header.value());
      settings.addHeader("--header-env", header.name(), value);
    }
    if (bearerTokenVariable != null) {
      String token = settings.variable("--bearer-token-env", bearerTokenVariable);
      settings.addToken("--bearer-token-env", token);
    }
    if (netrc) {
      settings.addLogins("--netrc");
    }
    if (credentials != null) {
      settings.addSource("--credentials", credentials);
    }
    settings.add("--http2", StoreReach.HTTP_AND_GOOGLE, "http2", http2);
    settings.add("--proxy", StoreReach.PROXIED, "proxy", proxy);
    settings.add("--endpoint", StoreReach.BUCKETS, "endpoint", endpoint);
    settings.add("--region", StoreReach.S3, "region", region);
    settings.add("--profile", StoreReach.S3, "profile", profile);
    settings.add("--anonymous", StoreReach.BUCKETS, "anonymous", anonymous);
    settings.add("--path-style", StoreReach.S3, "path-style", pathStyle);
    settings.add("--requester-pays", StoreReach.S3, "requester-pays", requesterPays);
    if (connections != null && connections < 1) {
      throw settings.wrong("--connections must be 1 or more");
    }
    settings.add("--connections", StoreReach.ANY, "connections", connections);
    settings.add("--timeout", StoreReach.ANY, "stall-timeout", timeout);
    settings.add("--no-retry", StoreReach.ANY, "retry", noRetry ? "false" : null);
    settings.add(
        "--forbidden-is-missing", StoreReach.ANY, "forbidden-is-missing", forbiddenIsMissing);
    settings.add("--pages-are-missing", StoreReach.HTTP, "pages-are-missing", pagesAreMissing);
    others.forEach(other -> settings.addNamed("--store-option", other));
    virtual.forEach(container -> settings.addVirtual("--virtual", container));
  }
}
