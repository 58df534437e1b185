package dev.zarrreactive.azure;

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

/** The settings of a {@link AzureStore}, for one thread. Each store that it builds is another. */
public final class AzureStoreBuilder {
  private static final int LEAST_PART = 64 << 10;

  /** The connections of the stores that were opened by a URL. */
  private static final ServiceConnections CONNECTIONS = new ServiceConnections();

  private final String container;
  private final TransferSettings transfer = new TransferSettings();
  private final ConnectionSettings connections = new ConnectionSettings(transfer);
  private String prefix = "";
  private @Nullable String account;
  private @Nullable Url endpoint;
  private @Nullable CredentialSource credentials;
  private @Nullable String accountKey;
  private int partSize = 16 << 20;
  private @Nullable HttpClient client;
  private Map<String, String> environment = System.getenv();

  AzureStoreBuilder(String container) {
    if (!container.matches("[a-z0-9](-?[a-z0-9]){2,62}|\\$root|\\$web|\\$logs")) {
      throw new IllegalArgumentException("not the name of a container: \"" + container + "\"");
    }
    this.container = container;
  }

  /**
   * Names the account, which is the first part of the host {@code ACCOUNT.blob.core.windows.net}.
   *
   * @throws IllegalArgumentException for other text than the name of an account
   */
  public AzureStoreBuilder account(String account) {
    if (!account.matches("[a-z0-9]{3,24}")) {
      throw new IllegalArgumentException("not the name of an account: \"" + account + "\"");
    }
    this.account = account;
    return this;
  }

  /**
   * Sets the prefix of the names of all objects of the store, as it is written: empty segments,
   * {@code .} and {@code ..} stay. One slash at its start is dropped, and one at its end may be
   * missing.
   */
  public AzureStoreBuilder prefix(String prefix) {
    this.prefix = ObjectNames.prefix(prefix);
    return this;
  }

  /**
   * Sets the server, where it is not {@code https://ACCOUNT.blob.core.windows.net}: that of another
   * cloud, or an emulator with the account as its path, {@code
   * http://127.0.0.1:10000/devstoreaccount1}.
   *
   * @throws IllegalArgumentException for a URI that is no URL of HTTP, or has user, password or
   *     query
   */
  public AzureStoreBuilder endpoint(URI endpoint) {
    this.endpoint = ServiceConnections.endpoint(endpoint);
    return this;
  }

  /**
   * Sets the account, the server and the credential of a connection string, such as that of the
   * portal of Azure, or {@code UseDevelopmentStorage=true} for an emulator on this machine.
   *
   * @throws IllegalArgumentException for other text; it shows no value
   */
  public AzureStoreBuilder connectionString(String text) {
    ConnectionString parsed = ConnectionString.parse(text);
    endpoint(parsed.endpoint());
    if (parsed.account() != null) {
      account = parsed.account();
    }
    return parsed.credential() == null
        ? this
        : credentials(CredentialSource.fixed(parsed.credential()));
  }

  /** Signs requests with the key of the account, in Base64. */
  public AzureStoreBuilder accountKey(String key) {
    this.accountKey = key;
    return this;
  }

  /**
   * Sends a shared access signature with each request: {@code sv=...&sig=...}.
   *
   * @throws IllegalArgumentException for text that no query has; it shows no value
   */
  public AzureStoreBuilder sasToken(String token) {
    return credentials(CredentialSource.fixed(new Credential.Query(token)));
  }

  /** Sends requests without credentials, for a public bucket. */
  public AzureStoreBuilder anonymous() {
    return credentials(CredentialSource.fixed(Credential.anonymous()));
  }

  /**
   * Sends a bearer token. The first request subscribes to {@code token}; the store keeps the
   * result, and subscribes once more when the server answers 401.
   */
  public AzureStoreBuilder bearerToken(Mono<String> token) {
    return credentials(ServiceIdentity.bearer(token));
  }

  /**
   * Sends the credentials of a source, which are renewed before they expire: keys of an account,
   * shared access signatures, bearer tokens or none. The default are the variables {@code
   * AZURE_STORAGE_CONNECTION_STRING}, {@code AZURE_STORAGE_KEY} and {@code AZURE_STORAGE_SAS_TOKEN}
   * where they are of this account, and else none.
   */
  public AzureStoreBuilder credentials(CredentialSource source) {
    this.credentials = source;
    return this;
  }

  /**
   * Takes 401 and 403 of a read for a missing value, as the server answers to callers that may not
   * list the bucket. By default they are errors: a forbidden chunk must not read as fill values.
   */
  public AzureStoreBuilder forbiddenIsMissing(boolean missing) {
    transfer.setForbiddenIsMissing(missing);
    return this;
  }

  /**
   * Uploads values larger than {@code bytes} in blocks of that size; 16 MiB by default. A value has
   * at most 50,000 blocks.
   *
   * @throws IllegalArgumentException for a size below 64 KiB
   */
  public AzureStoreBuilder partSize(int bytes) {
    if (bytes < LEAST_PART) {
      throw new IllegalArgumentException(
          "a part has at least " + LEAST_PART + " bytes, not " + bytes);
    }
    this.partSize = bytes;
    return this;
  }

  /** Sets the largest number of connections at a time; 64 by default. More requests wait. */
  public AzureStoreBuilder connections(int most) {
    transfer.setConnections(most);
    return this;
  }

  /** Sets the timeout of a new connection; 10 seconds by default. */
  public AzureStoreBuilder connectTimeout(Duration timeout) {
    transfer.setConnectTimeout(timeout);
    return this;
  }

  /**
   * Sets the time that a connection stays open without a request; 30 seconds by default, which is
   * shorter than the timeouts of most servers.
   */
  public AzureStoreBuilder idleTimeout(Duration timeout) {
    connections.idleTimeout = TransferSettings.positive(timeout);
    return this;
  }

  /**
   * Sets the time without a byte received or sent after which a request fails; 30 seconds by
   * default.
   */
  public AzureStoreBuilder stallTimeout(Duration timeout) {
    transfer.setStallTimeout(timeout);
    return this;
  }

  /** Sets the number of times that a read resumes a body that was cut; 3 by default. */
  public AzureStoreBuilder resumes(int resumes) {
    transfer.setResumes(resumes);
    return this;
  }

  /** Sets the certificates of the options of a location. */
  AzureStoreBuilder material(TlsMaterial material) {
    connections.setTls(material);
    return this;
  }

  /**
   * Sends requests through a proxy: {@code http://host:port} or {@code socks5://host:port}, with
   * user and password before the host where the proxy needs them.
   *
   * @throws IllegalArgumentException for another URI
   */
  public AzureStoreBuilder proxy(URI proxy) {
    connections.proxy = ConnectionSettings.proxy(proxy);
    return this;
  }

  /**
   * Uses a client of the application, with its own connections, TLS, proxy and connect timeout: set
   * none of them here. The store does not close the client. The store sets redirects, compression
   * and the stall timeout.
   */
  public AzureStoreBuilder client(HttpClient client) {
    this.client = client;
    return this;
  }

  /** Counts connections, for tests. */
  AzureStoreBuilder counter(ConnectionProvider.MeterRegistrar counter) {
    connections.counter = counter;
    return this;
  }

  /** Replaces the environment of the process, for tests. */
  AzureStoreBuilder environment(Map<String, String> environment) {
    this.environment = environment;
    return this;
  }

  /**
   * Returns the store, which connects and looks up credentials at its first request.
   *
   * @throws IllegalArgumentException where a client was given and settings of connections too
   */
  public AzureStore open() {
    ServiceSettings settings = settings();
    return CONNECTIONS.open(connections, client, settings, identity(), AzureStore::new);
  }

  /**
   * Returns the store over the connections and the limit that all stores of this server with equal
   * options share. The last store that closes closes the connections.
   *
   * @param options of the store, which this builder has
   */
  Stores.Stack shared(StoreOptions options) {
    ServiceSettings settings = settings();
    return CONNECTIONS.share(connections, options, settings, identity(), AzureStore::new);
  }

  /** Returns the number of servers with shared connections. */
  static int sharedServers() {
    return CONNECTIONS.sharedServers();
  }

  private ServiceIdentity identity() {
    return new ServiceIdentity(AzureService.AZURE, source());
  }

  private CredentialSource source() {
    String key = accountKey;
    if (key != null) {
      if (account == null) {
        throw new IllegalArgumentException("the key of an account needs the name of the account");
      }
      return CredentialSource.fixed(new Credential.AccountKey(account, key));
    }
    return credentials == null ? new EnvironmentSource(account, environment) : credentials;
  }

  private ServiceSettings settings() {
    if (endpoint == null) {
      fromEnvironment();
    }
    Url server = endpoint;
    if (server == null) {
      throw new IllegalArgumentException(
          "the account of the container "
              + container
              + " is not known: set the option account, or the variable "
              + EnvironmentSource.ACCOUNT
              + ", or open abfss://"
              + container
              + "@ACCOUNT.dfs.core.windows.net/PATH");
    }
    return new ServiceSettings(
        server,
        container,
        new ObjectNames("az://" + container + (account == null ? "" : "@" + account) + "/", prefix),
        transfer.forbiddenIsMissing(),
        connections.proxy != null,
        transfer.stallTimeout(),
        transfer.resumes(),
        partSize);
  }

  private void fromEnvironment() {
    if (account == null) {
      EnvironmentSource.settings(environment, this);
    }
    if (endpoint == null && account != null) {
      endpoint = Url.of(URI.create("https://" + account + ".blob.core.windows.net"));
    }
  }
}
