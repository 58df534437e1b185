package dev.zarrreactive.http;

import dev.zarrreactive.internal.sharing.SharedResources;
import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.store.StoreStack;
import dev.zarrreactive.store.Stores;
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
  /** The connections of stores that were opened by a URL. */
  private static final SharedResources<Server, Connections> SHARED =
      new SharedResources<>(Connections::close);

  private final Url base;
  private final @Nullable String user;
  private final Map<String, String> headers = new LinkedHashMap<>();
  private Mono<Map<String, String>> credentials = Mono.just(Map.of());
  private boolean credentialsMayChange;
  private boolean followRedirects = true;
  private boolean forbiddenIsMissing;
  private Duration stallTimeout = Duration.ofSeconds(30);
  private int leastSpeed = 512;
  private int resumes = 3;
  private final ConnectionSettings connections = new ConnectionSettings();
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

  /**
   * How many bytes of a body have to arrive a second, on average over a stall timeout; 512 by
   * default. A body that comes more slowly fails as one that stalls. Zero for any speed.
   */
  public HttpStoreBuilder leastSpeed(int bytesPerSecond) {
    if (bytesPerSecond < 0) {
      throw new IllegalArgumentException(bytesPerSecond + " bytes a second");
    }
    this.leastSpeed = bytesPerSecond;
    return this;
  }

  /**
   * How many bytes all headers of an answer may have together; 65,536 by default. An answer with
   * more is an error.
   */
  public HttpStoreBuilder maxHeaderSize(int bytes) {
    if (bytes < 1) {
      throw new IllegalArgumentException(bytes + " bytes of headers");
    }
    connections.maxHeaderSize = bytes;
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

  /**
   * How long a connection without a request stays open; 30 seconds by default, which is shorter
   * than most servers wait.
   */
  public HttpStoreBuilder idleTimeout(Duration timeout) {
    connections.idleTimeout = ConnectionSettings.positive(timeout);
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
    HttpSettings settings = settings();
    if (client != null) {
      connections.refuseAny();
      return store(Mono.just(Connections.prepared(client, settings)), settings, Mono.empty());
    }
    Connections made = connections(settings);
    return store(made.client(), settings, made.close());
  }

  /**
   * The store, over the connections and the limit of all stores of this server that were opened
   * with equal options; the last of them that is closed closes the connections.
   *
   * @param options those that this builder was told
   */
  StoreStack shared(StoreOptions options) {
    HttpSettings settings = settings();
    SharedResources.Lease<Connections> lease =
        SHARED.lease(
            new Server(base.scheme(), base.authority(), user, options),
            () -> connections(settings));
    Mono<HttpClient> ready =
        Mono.defer(() -> lease.isClosed() ? Connections.refusal() : lease.resource().client());
    return Stores.stack(store(ready, settings, lease.close())).limit(lease.resource().limit());
  }

  /** How many servers have connections that stores share. */
  static int sharedServers() {
    return SHARED.size();
  }

  private HttpSettings settings() {
    return new HttpSettings(
        connections.proxy != null,
        Map.copyOf(headers),
        followRedirects,
        forbiddenIsMissing,
        stallTimeout,
        leastSpeed,
        resumes);
  }

  private Connections connections(HttpSettings settings) {
    return new Connections(connections, base.scheme().equals("https"), settings);
  }

  private HttpStore store(Mono<HttpClient> ready, HttpSettings settings, Mono<Void> closed) {
    Credentials proof =
        credentialsMayChange ? Credentials.from(credentials) : Credentials.fixed(Map.of());
    return new HttpStore(base, new Exchange(ready, base, settings, proof), settings, closed);
  }

  /**
   * A server, and what it is told besides.
   *
   * @param user the user information of the URL; null where it has none
   */
  private record Server(
      String scheme, String authority, @Nullable String user, StoreOptions options) {
    /** Without secrets. */
    @Override
    public String toString() {
      return scheme + "://" + authority;
    }
  }
}
