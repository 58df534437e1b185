package dev.zarrreactive.gcs;

import dev.zarrreactive.internal.http.ConnectionSettings;
import dev.zarrreactive.internal.http.Url;
import dev.zarrreactive.internal.objects.ObjectNames;
import dev.zarrreactive.internal.service.ServiceConnections;
import dev.zarrreactive.internal.service.ServiceIdentity;
import dev.zarrreactive.internal.service.ServiceSettings;
import dev.zarrreactive.internal.transfer.TransferSettings;
import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.store.credential.Credential;
import dev.zarrreactive.store.credential.CredentialSource;
import dev.zarrreactive.store.credential.TlsMaterial;
import dev.zarrreactive.store.decorator.Stores;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;

/** The settings of a {@link GcsStore}, for one thread. Each store that it builds is another. */
public final class GcsStoreBuilder {
  /** Names an emulator to all clients of this service. */
  static final String EMULATOR = "STORAGE_EMULATOR_HOST";

  private static final Url GOOGLE = Url.of(URI.create("https://storage.googleapis.com"));

  /** The unit of parts: the server takes only multiples of it. */
  private static final int PART_UNIT = 256 << 10;

  /** The connections of the stores that were opened by a URL. */
  private static final ServiceConnections CONNECTIONS = new ServiceConnections();

  private final String bucket;
  private final TransferSettings transfer = new TransferSettings();
  private final ConnectionSettings connections = new ConnectionSettings(transfer);
  private String prefix = "";
  private @Nullable Url endpoint;
  private @Nullable String userProject;
  private @Nullable CredentialSource credentials;
  private int partSize = 16 << 20;
  private @Nullable HttpClient client;
  private Map<String, String> environment = System.getenv();

  GcsStoreBuilder(String bucket) {
    if (!bucket.matches("[A-Za-z0-9._-]{1,222}") || bucket.matches("\\.+")) {
      throw new IllegalArgumentException("not the name of a bucket: \"" + bucket + "\"");
    }
    this.bucket = bucket;
  }

  /**
   * Sets the prefix of the names of all objects of the store, as it is written: empty segments,
   * {@code .} and {@code ..} stay. One slash at its start is dropped, and one at its end may be
   * missing.
   */
  public GcsStoreBuilder prefix(String prefix) {
    this.prefix = ObjectNames.prefix(prefix);
    return this;
  }

  /**
   * Sets a server other than Google's, such as an emulator: {@code http://localhost:4443}. The
   * default is that of the variable {@code STORAGE_EMULATOR_HOST}, and else Google's. Another
   * server gets no credentials but those that are set here.
   *
   * @throws IllegalArgumentException for a URI that is no URL of HTTP, or has user, password or
   *     query
   */
  public GcsStoreBuilder endpoint(URI endpoint) {
    this.endpoint = ServiceConnections.endpoint(endpoint);
    return this;
  }

  /** Names the project that pays for requests, where the readers of a bucket pay. */
  public GcsStoreBuilder userProject(String project) {
    this.userProject = project;
    return this;
  }

  /** Sends requests without credentials, for a public bucket. */
  public GcsStoreBuilder anonymous() {
    return credentials(CredentialSource.fixed(Credential.anonymous()));
  }

  /**
   * Sends a bearer token. The first request subscribes to {@code token}; the store keeps the
   * result, and subscribes once more when the server answers 401.
   */
  public GcsStoreBuilder bearerToken(Mono<String> token) {
    return credentials(ServiceIdentity.bearer(token));
  }

  /**
   * Sends the credentials of a source, bearer tokens or none, which are renewed before they expire.
   * The default are the application default credentials of Google's tools, if there are any, and
   * else none.
   */
  public GcsStoreBuilder credentials(CredentialSource source) {
    this.credentials = source;
    return this;
  }

  /**
   * Takes 401 and 403 of a read for a missing value, as the server answers to callers that may not
   * list the bucket. By default they are errors: a forbidden chunk must not read as fill values.
   */
  public GcsStoreBuilder forbiddenIsMissing(boolean missing) {
    transfer.setForbiddenIsMissing(missing);
    return this;
  }

  /**
   * Uploads values larger than {@code bytes} in parts of that size; 16 MiB by default.
   *
   * @throws IllegalArgumentException for a size that is no multiple of 256 KiB
   */
  public GcsStoreBuilder partSize(int bytes) {
    if (bytes <= 0 || bytes % PART_UNIT != 0) {
      throw new IllegalArgumentException(
          "the size of a part is a multiple of " + PART_UNIT + " bytes, not " + bytes);
    }
    this.partSize = bytes;
    return this;
  }

  /** Sets the largest number of connections at a time; 64 by default. More requests wait. */
  public GcsStoreBuilder connections(int most) {
    transfer.setConnections(most);
    return this;
  }

  /** Sets the timeout of a new connection; 10 seconds by default. */
  public GcsStoreBuilder connectTimeout(Duration timeout) {
    transfer.setConnectTimeout(timeout);
    return this;
  }

  /**
   * Sets the time that a connection stays open without a request; 30 seconds by default, which is
   * shorter than the timeouts of most servers.
   */
  public GcsStoreBuilder idleTimeout(Duration timeout) {
    connections.idleTimeout = TransferSettings.positive(timeout);
    return this;
  }

  /**
   * Sets the time without a byte received or sent after which a request fails; 30 seconds by
   * default.
   */
  public GcsStoreBuilder stallTimeout(Duration timeout) {
    transfer.setStallTimeout(timeout);
    return this;
  }

  /** Sets the number of times that a read resumes a body that was cut; 3 by default. */
  public GcsStoreBuilder resumes(int resumes) {
    transfer.setResumes(resumes);
    return this;
  }

  /** Uses HTTP/2, over which requests share connections; the default is HTTP/1.1. */
  public GcsStoreBuilder http2(boolean http2) {
    connections.http2 = http2;
    return this;
  }

  /** Sets the certificates of the options of a location. */
  GcsStoreBuilder material(TlsMaterial material) {
    connections.setTls(material);
    return this;
  }

  /**
   * Sends requests through a proxy: {@code http://host:port} or {@code socks5://host:port}, with
   * user and password before the host where the proxy needs them.
   *
   * @throws IllegalArgumentException for another URI
   */
  public GcsStoreBuilder proxy(URI proxy) {
    connections.proxy = ConnectionSettings.proxy(proxy);
    return this;
  }

  /**
   * Uses a client of the application, with its own connections, TLS, proxy and connect timeout: set
   * none of them here. The store does not close the client. The store sets redirects, compression
   * and the stall timeout.
   */
  public GcsStoreBuilder client(HttpClient client) {
    this.client = client;
    return this;
  }

  /** Counts connections, for tests. */
  GcsStoreBuilder counter(ConnectionProvider.MeterRegistrar counter) {
    connections.counter = counter;
    return this;
  }

  /** Replaces the environment of the process, for tests. */
  GcsStoreBuilder environment(Map<String, String> environment) {
    this.environment = environment;
    return this;
  }

  /**
   * Returns the store, which connects and looks up credentials at its first request.
   *
   * @throws IllegalArgumentException where a client was given and settings of connections too
   */
  public GcsStore open() {
    ServiceSettings settings = settings();
    return CONNECTIONS.open(connections, client, settings, identity(settings), GcsStore::new);
  }

  /**
   * Returns the store over the connections and the limit that all stores of this server with equal
   * options share. The last store that closes closes the connections.
   *
   * @param options of the store, which this builder has
   */
  Stores.Stack shared(StoreOptions options) {
    ServiceSettings settings = settings();
    return CONNECTIONS.share(connections, options, settings, identity(settings), GcsStore::new);
  }

  /** Returns the number of servers with shared connections. */
  static int sharedServers() {
    return CONNECTIONS.sharedServers();
  }

  private ServiceIdentity identity(ServiceSettings settings) {
    return new ServiceIdentity(new GcsService(userProject), source(settings));
  }

  private CredentialSource source(ServiceSettings settings) {
    if (credentials != null) {
      return credentials;
    }
    return settings.endpoint().equals(GOOGLE)
        ? GoogleSource.byDefault(environment)
        : CredentialSource.fixed(Credential.anonymous());
  }

  private ServiceSettings settings() {
    return new ServiceSettings(
        endpoint == null ? emulatorOrGoogle() : endpoint,
        bucket,
        new ObjectNames("gs://" + bucket + "/", prefix),
        transfer.forbiddenIsMissing(),
        connections.proxy != null,
        transfer.stallTimeout(),
        transfer.resumes(),
        partSize);
  }

  private Url emulatorOrGoogle() {
    String emulator = environment.getOrDefault(EMULATOR, "");
    if (emulator.isBlank()) {
      return GOOGLE;
    }
    try {
      return ServiceConnections.endpoint(
          URI.create(emulator.contains("://") ? emulator : "http://" + emulator));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "the variable " + EMULATOR + " is no URL such as http://localhost:4443", e);
    }
  }
}
