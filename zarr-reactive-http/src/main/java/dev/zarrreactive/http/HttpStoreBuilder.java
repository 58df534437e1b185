package dev.zarrreactive.http;

import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;
import reactor.netty.tcp.SslProvider;

/** The settings of an {@link HttpStore}. For one thread; each store that it makes is its own. */
public final class HttpStoreBuilder {
  private final Url base;
  private final Map<String, String> headers = new LinkedHashMap<>();
  private Mono<Map<String, String>> credentials = Mono.just(Map.of());
  private boolean credentialsMayChange;
  private boolean followRedirects = true;
  private boolean forbiddenIsMissing;
  private Duration stallTimeout = Duration.ofSeconds(30);
  private int resumes = 3;
  private final ConnectionSettings connections = new ConnectionSettings();
  private @Nullable HttpClient client;

  HttpStoreBuilder(URI base) {
    this.base = Url.of(base);
    String user = Url.userInformation(base);
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
   * Sends headers that prove who asks. They are asked for when the first request needs them, kept,
   * and asked for once more when the server answers 401. An error of {@code headers} is an error of
   * the request.
   */
  public HttpStoreBuilder headers(Mono<Map<String, String>> headers) {
    this.credentials = headers;
    this.credentialsMayChange = true;
    return this;
  }

  /** Sends a bearer token, which is asked for as {@link #headers} are. */
  public HttpStoreBuilder bearerToken(Mono<String> token) {
    return headers(token.map(text -> Map.of("authorization", "Bearer " + text)));
  }

  /** Whether redirects are followed; they are by default. Credentials go to no other server. */
  public HttpStoreBuilder followRedirects(boolean follow) {
    this.followRedirects = follow;
    return this;
  }

  /**
   * Whether 401 and 403 mean that there is no value, as with servers that hide what they do not
   * list. By default they do not: a chunk that one may not read is not fill value.
   */
  public HttpStoreBuilder forbiddenIsMissing(boolean missing) {
    this.forbiddenIsMissing = missing;
    return this;
  }

  /** How long nothing may arrive before a request fails; 30 seconds by default. */
  public HttpStoreBuilder stallTimeout(Duration timeout) {
    this.stallTimeout = ConnectionSettings.positive(timeout);
    return this;
  }

  /** How often a body that was cut is continued before the error is handed on; 3 by default. */
  public HttpStoreBuilder resumes(int resumes) {
    if (resumes < 0) {
      throw new IllegalArgumentException(resumes + " resumes");
    }
    this.resumes = resumes;
    return this;
  }

  /**
   * Whether to use HTTP/2: with TLS where the server has it, without TLS always. HTTP/1.1 by
   * default.
   */
  public HttpStoreBuilder http2(boolean http2) {
    connections.http2 = http2;
    return this;
  }

  /**
   * How many connections there may be at a time; 64 by default. More requests wait; over HTTP/2
   * they share connections, as far as the server lets them.
   */
  public HttpStoreBuilder connections(int most) {
    if (most < 1) {
      throw new IllegalArgumentException(most + " connections");
    }
    connections.most = most;
    return this;
  }

  /** How long a connection may take to be made; 10 seconds by default. */
  public HttpStoreBuilder connectTimeout(Duration timeout) {
    connections.connectTimeout = ConnectionSettings.positive(timeout);
    return this;
  }

  /** The settings of TLS, such as certificates to trust. */
  public HttpStoreBuilder tls(Consumer<? super SslProvider.SslContextSpec> tls) {
    connections.tls = tls;
    return this;
  }

  /**
   * Asks through a proxy: {@code http://host:port} or {@code socks5://host:port}, with user and
   * password before the host where it wants them.
   *
   * @throws IllegalArgumentException where the URI is none of these
   */
  public HttpStoreBuilder proxy(URI proxy) {
    connections.proxy = ConnectionSettings.proxy(proxy);
    return this;
  }

  /**
   * Uses a client of the application, with its own connections, TLS, proxy and time to connect,
   * which are then not set here; the store does not close it. Redirects, compression and the stall
   * timeout are the store's.
   */
  public HttpStoreBuilder client(HttpClient client) {
    this.client = client;
    return this;
  }

  /** For tests: has the connections counted. */
  HttpStoreBuilder counter(ConnectionProvider.MeterRegistrar counter) {
    connections.counter = counter;
    return this;
  }

  /**
   * The store. Nothing is connected yet.
   *
   * @throws IllegalArgumentException where settings of connections were made for a client that has
   *     its own
   */
  public HttpStore build() {
    HttpSettings settings =
        new HttpSettings(
            Map.copyOf(headers), followRedirects, forbiddenIsMissing, stallTimeout, resumes);
    Credentials proof =
        credentialsMayChange ? Credentials.from(credentials) : Credentials.fixed(Map.of());
    if (client != null) {
      connections.refuseAny();
      HttpClient own = Connections.prepared(client, settings);
      return new HttpStore(
          base, new Exchange(Mono.just(own), base, settings, proof), settings, Mono.empty());
    }
    Connections made = new Connections(connections, base.scheme().equals("https"), settings);
    return new HttpStore(
        base, new Exchange(made.client(), base, settings, proof), settings, made.close());
  }
}
