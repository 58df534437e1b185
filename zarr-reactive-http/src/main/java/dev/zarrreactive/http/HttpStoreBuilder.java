package dev.zarrreactive.http;

import dev.zarrreactive.internal.credential.Credentials;
import dev.zarrreactive.internal.http.ConnectionSettings;
import dev.zarrreactive.internal.http.HttpConnections;
import dev.zarrreactive.internal.http.Url;
import dev.zarrreactive.internal.transfer.SharedResources;
import dev.zarrreactive.internal.transfer.TransferSettings;
import dev.zarrreactive.internal.transfer.ValueReader;
import dev.zarrreactive.internal.transfer.ValueRequests;
import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.store.credential.Credential;
import dev.zarrreactive.store.credential.CredentialSource;
import dev.zarrreactive.store.credential.ExpiringCredential;
import dev.zarrreactive.store.credential.TlsMaterial;
import dev.zarrreactive.store.decorator.Stores;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;
import reactor.netty.tcp.SslProvider;

/** The settings of an {@link HttpStore}, for one thread. Each store that it builds is another. */
public final class HttpStoreBuilder {
  /** The connections of the stores that were opened by a URL. */
  private static final SharedResources<Server, HttpConnections> SHARED =
      new SharedResources<>(HttpConnections::close);

  private final Url base;
  private final @Nullable String user;
  private final Map<String, String> headers = new LinkedHashMap<>();
  private @Nullable CredentialSource credentials;
  private boolean followRedirects = true;
  private boolean pagesAreMissing;
  private int leastSpeed = 512;
  private final TransferSettings transfer = new TransferSettings();
  private final ConnectionSettings connections = new ConnectionSettings(transfer);
  private @Nullable HttpClient client;

  HttpStoreBuilder(URI base) {
    this.base = Url.of(base);
    this.user = Url.userInformation(base);
    if (user != null) {
      header("authorization", ConnectionSettings.basic(user));
    }
  }

  /** Sends a header with every request to this server. */
  public HttpStoreBuilder header(String name, String value) {
    headers.put(name, value);
    return this;
  }

  /**
   * Sends the credential of a source: headers, or a query such as a shared access signature. The
   * first request looks it up; one request looks up the next one shortly before its expiry, and a
   * request that the server answers with 401 looks it up again and is sent once more. After 403
   * that happens only where the expiry explains it. Stores of equal sources share the look-ups. An
   * error of the source is an error of the request.
   */
  public HttpStoreBuilder credentials(CredentialSource source) {
    this.credentials = source;
    return this;
  }

  /**
   * Sends headers that authenticate requests. The first request subscribes to {@code headers}; the
   * store keeps the result, and subscribes once more when the server answers 401. Use {@link
   * #credentials} where the program knows the expiry.
   */
  public HttpStoreBuilder headers(Mono<Map<String, String>> headers) {
    return credentials(
        CredentialSource.of(
            "the headers of the program",
            headers
                .defaultIfEmpty(Map.of())
                .map(all -> ExpiringCredential.lasting(new Credential.Headers(all)))));
  }

  /** Sends a bearer token; the store subscribes to {@code token} as to {@link #headers}. */
  public HttpStoreBuilder bearerToken(Mono<String> token) {
    return credentials(
        CredentialSource.of(
            "the token of the program",
            token.map(text -> ExpiringCredential.lasting(Credential.bearer(text)))));
  }

  /** Sends the bearer token of an option. */
  HttpStoreBuilder bearerToken(String token) {
    if (credentials != null) {
      throw new IllegalArgumentException(
          "bearer-token excludes credentials: set one of the two options");
    }
    return credentials(CredentialSource.fixed(Credential.bearer(token)));
  }

  /** Follows redirects, as by default, or not. No other server receives credentials. */
  public HttpStoreBuilder followRedirects(boolean follow) {
    this.followRedirects = follow;
    return this;
  }

  /**
   * Takes 401 and 403 for a missing value, as servers answer that hide missing files. By default
   * they are errors: a forbidden chunk must not read as fill values.
   */
  public HttpStoreBuilder forbiddenIsMissing(boolean missing) {
    transfer.setForbiddenIsMissing(missing);
    return this;
  }

  /**
   * Takes a page in HTML for a missing value, as servers of web applications send it with the
   * status 200 for every path that they do not know. By default it is an error: a page is no chunk.
   * A key that ends in {@code .html}, {@code .htm} or {@code .xhtml} may hold a page.
   */
  public HttpStoreBuilder pagesAreMissing(boolean missing) {
    this.pagesAreMissing = missing;
    return this;
  }

  /** Sets the time without a byte after which a request fails; 30 seconds by default. */
  public HttpStoreBuilder stallTimeout(Duration timeout) {
    transfer.setStallTimeout(timeout);
    return this;
  }

  /**
   * Sets the least speed of a body, on average over a stall timeout; 512 bytes per second by
   * default. A slower body fails as one that stalls. Zero allows any speed.
   */
  public HttpStoreBuilder leastSpeed(int bytesPerSecond) {
    this.leastSpeed = TransferSettings.atLeast(0, bytesPerSecond, "bytes per second");
    return this;
  }

  /**
   * Sets the largest size of all headers of a response together; 65,536 bytes by default. A
   * response with larger headers is an error.
   */
  public HttpStoreBuilder maxHeaderSize(int bytes) {
    connections.maxHeaderSize = TransferSettings.atLeast(1, bytes, "bytes of headers");
    return this;
  }

  /** Sets the number of times that a read resumes a body that was cut; 3 by default. */
  public HttpStoreBuilder resumes(int resumes) {
    transfer.setResumes(resumes);
    return this;
  }

  /** Uses HTTP/2: with TLS where the server has it, without TLS always. The default is HTTP/1.1. */
  public HttpStoreBuilder http2(boolean http2) {
    connections.http2 = http2;
    return this;
  }

  /**
   * Sets the largest number of connections at a time; 64 by default. More requests wait. Over
   * HTTP/2 requests share connections, as far as the server allows.
   */
  public HttpStoreBuilder connections(int most) {
    transfer.setConnections(most);
    return this;
  }

  /** Sets the timeout of a new connection; 10 seconds by default. */
  public HttpStoreBuilder connectTimeout(Duration timeout) {
    transfer.setConnectTimeout(timeout);
    return this;
  }

  /**
   * Sets the time that a connection stays open without a request; 30 seconds by default, which is
   * shorter than the timeouts of most servers.
   */
  public HttpStoreBuilder idleTimeout(Duration timeout) {
    connections.idleTimeout = TransferSettings.positive(timeout);
    return this;
  }

  /** Configures TLS, such as certificates to trust. */
  public HttpStoreBuilder tls(Consumer<? super SslProvider.SslContextSpec> tls) {
    connections.tls = tls;
    return this;
  }

  /** Sets the certificates of the options of a location. */
  HttpStoreBuilder material(TlsMaterial material) {
    connections.setTls(material);
    return this;
  }

  /**
   * Sends requests through a proxy: {@code http://host:port} or {@code socks5://host:port}, with
   * user and password before the host where the proxy needs them.
   *
   * @throws IllegalArgumentException for another URI
   */
  public HttpStoreBuilder proxy(URI proxy) {
    connections.proxy = ConnectionSettings.proxy(proxy);
    return this;
  }

  /**
   * Uses a client of the application, with its own connections, TLS, proxy and connect timeout: set
   * none of them here. The store does not close the client. The store sets redirects, compression
   * and the stall timeout.
   */
  public HttpStoreBuilder client(HttpClient client) {
    this.client = client;
    return this;
  }

  /** Counts connections, for tests. */
  HttpStoreBuilder counter(ConnectionProvider.MeterRegistrar counter) {
    connections.counter = counter;
    return this;
  }

  /**
   * Returns the store, which connects at its first request.
   *
   * @throws IllegalArgumentException where a client was given and settings of connections too
   */
  public HttpStore open() {
    HttpSettings settings = settings();
    if (client != null) {
      connections.refuseAny();
      Mono<HttpClient> given =
          Mono.just(
              HttpConnections.prepared(client, settings.stallTimeout(), settings.leastSpeed()));
      return store(() -> given, settings, Mono.empty());
    }
    HttpConnections made = connections(settings);
    return store(made::client, settings, made.close());
  }

  /**
   * Returns the store over the connections and the limit that all stores of this server with equal
   * options share. The last store that closes closes the connections.
   *
   * @param options of the store, which this builder has
   */
  Stores.Stack shared(StoreOptions options) {
    HttpSettings settings = settings();
    SharedResources.Lease<HttpConnections> lease =
        SHARED.lease(
            new Server(base.scheme(), base.authority(), user, options),
            () -> connections(settings));
    Supplier<Mono<HttpClient>> ready =
        () -> lease.isClosed() ? HttpConnections.refusal() : lease.resource().client();
    return Stores.stack(store(ready, settings, lease.close())).limit(lease.resource().limit());
  }

  /** Returns the number of servers with shared connections. */
  static int sharedServers() {
    return SHARED.size();
  }

  private HttpSettings settings() {
    return new HttpSettings(
        connections.proxy != null,
        Map.copyOf(headers),
        followRedirects,
        transfer.forbiddenIsMissing(),
        pagesAreMissing,
        transfer.stallTimeout(),
        leastSpeed,
        transfer.resumes());
  }

  private HttpConnections connections(HttpSettings settings) {
    return new HttpConnections(connections, base.scheme().equals("https"), settings.leastSpeed());
  }

  private HttpStore store(
      Supplier<Mono<HttpClient>> ready, HttpSettings settings, Mono<Void> closed) {
    Credentials held = credentials == null ? null : Credentials.of(credentials);
    ValueRequests requests =
        new HttpValueRequests(new Exchange(ready, base, settings, held, false));
    ValueRequests pages = new HttpValueRequests(new Exchange(ready, base, settings, held, true));
    return new HttpStore(
        base,
        requests,
        new ValueReader(requests, settings.resumes()),
        new ValueReader(pages, settings.resumes()),
        closed);
  }

  /**
   * The stores that share connections.
   *
   * @param user the user information of the URL; null where it has none
   */
  private record Server(
      String scheme, String authority, @Nullable String user, StoreOptions options) {
    /** The server, without secrets. */
    @Override
    public String toString() {
      return scheme + "://" + authority;
    }
  }
}
