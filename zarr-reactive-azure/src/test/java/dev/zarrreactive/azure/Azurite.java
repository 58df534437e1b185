package dev.zarrreactive.azure;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.internal.http.ConnectionSettings;
import dev.zarrreactive.internal.http.HttpConnections;
import dev.zarrreactive.internal.http.Url;
import dev.zarrreactive.internal.objects.ObjectNames;
import dev.zarrreactive.internal.objects.ValuePart;
import dev.zarrreactive.internal.service.ServiceIdentity;
import dev.zarrreactive.internal.service.ServiceRequest;
import dev.zarrreactive.internal.service.ServiceRequests;
import dev.zarrreactive.internal.service.ServiceSettings;
import dev.zarrreactive.internal.transfer.TransferSettings;
import dev.zarrreactive.store.credential.Credential;
import dev.zarrreactive.store.credential.CredentialSource;
import dev.zarrreactive.testing.InstalledServer;
import dev.zarrreactive.testing.Waiting;
import io.netty.handler.codec.http.HttpMethod;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * An Azurite of the test's own, the emulator of Azure, where there is one on this machine: {@code
 * npm install -g azurite}, or {@code -Dzarr.azurite=PATH} of the program {@code azurite-blob}.
 */
public final class Azurite implements AutoCloseable {
  /** The name of its account. */
  public static final String ACCOUNT = ConnectionString.EMULATED;

  /** The key of its account, which is no secret. */
  public static final String KEY = ConnectionString.EMULATED_KEY;

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String NAME = System.getProperty("zarr.azurite", "azurite-blob");
  private static final AtomicInteger CONTAINERS = new AtomicInteger();

  private final InstalledServer server;

  private Azurite(InstalledServer server) {
    this.server = server;
  }

  /** The one of this JVM, which ends with it; the test is skipped where there is none. */
  public static Azurite shared() {
    program(); // skips the test before the class of the server is made
    return Shared.SERVER;
  }

  private static final class Shared {
    static final Azurite SERVER = start();

    static {
      Runtime.getRuntime().addShutdownHook(new Thread(SERVER::close));
    }
  }

  /** Starts one; the test is skipped where there is none. */
  public static Azurite start() {
    String program = program();
    return new Azurite(
        InstalledServer.start(
            1,
            ports ->
                List.of(
                    program,
                    "--blobPort",
                    "" + ports.get(0),
                    "--inMemoryPersistence",
                    "--silent",
                    "--disableTelemetry",
                    "--disableProductStyleUrl",
                    "--skipApiVersionCheck")));
  }

  private static String program() {
    return InstalledServer.program(NAME).toString();
  }

  /** Returns true where there is one on this machine. */
  public static boolean isInstalled() {
    return InstalledServer.find(NAME).isPresent();
  }

  /** The server, with its account as the path. */
  public URI uri() {
    return URI.create("http://127.0.0.1:" + server.port() + "/" + ACCOUNT);
  }

  /** The server alone. */
  public URI server() {
    return URI.create("http://127.0.0.1:" + server.port());
  }

  /** A connection string with the key of the account. */
  public String connectionString() {
    return "AccountName=" + ACCOUNT + ";AccountKey=" + KEY + ";BlobEndpoint=" + uri();
  }

  /**
   * A shared access signature for a container, for ten minutes.
   *
   * @param permissions such as {@code rl}, to read and to list
   */
  public String signature(String container, String permissions) {
    return Signatures.ofContainer(container, permissions, Instant.now().plusSeconds(600));
  }

  /** Settings of a store in a container, with the key of the account. */
  public AzureStoreBuilder at(String container) {
    return AzureStore.at(ACCOUNT, container).endpoint(uri()).accountKey(KEY);
  }

  /** A new private container, which nobody else uses. */
  public String newContainer() {
    return newContainer(Map.of());
  }

  /** A new container whose blobs anybody may read and list. */
  public String newPublicContainer() {
    return newContainer(Map.of("x-ms-blob-public-access", "container"));
  }

  private String newContainer(Map<String, String> headers) {
    String name = "test-" + CONTAINERS.incrementAndGet() + "-" + ProcessHandle.current().pid();
    ask(
        name,
        (requests, settings) ->
            requests
                .ask(
                    new ServiceRequest(
                        HttpMethod.PUT,
                        settings.container("restype=container"),
                        Location.UNKNOWN,
                        name,
                        headers,
                        List.of()))
                .then());
    return name;
  }

  /**
   * A shared access signature for a container, which is valid from now on.
   *
   * @param permissions such as {@code rl}, to read and to list
   */
  public String signature(String container, String permissions, Duration life) {
    return Signatures.ofContainer(container, permissions, Instant.now().plus(life));
  }

  /** Sends blocks that no list names, as a writer does before it dies. */
  public void beginUpload(String container, String name, int blocks, int size) {
    ask(
        container,
        (requests, settings) -> {
          BlobWrites writes = new BlobWrites(requests, settings);
          BlockIds upload = BlockIds.next();
          return Flux.range(1, blocks)
              .map(i -> new ValuePart(i, List.of(Bytes.wrap(new byte[size])), i == blocks))
              .concatMap(part -> writes.send(StoreKey.of(name), upload, part))
              .then();
        });
  }

  private void ask(
      String container, BiFunction<ServiceRequests, ServiceSettings, Mono<Void>> requests) {
    HttpConnections connections =
        new HttpConnections(new ConnectionSettings(new TransferSettings()), false, 1);
    ServiceSettings settings =
        new ServiceSettings(
            Url.of(uri()), container, new ObjectNames("az://x/", ""), false, false, PATIENCE, 0, 1);
    ServiceRequests sender =
        new ServiceRequests(
            connections::client,
            settings,
            new ServiceIdentity(
                AzureService.AZURE,
                CredentialSource.fixed(new Credential.AccountKey(ACCOUNT, KEY))));
    Waiting.await(requests.apply(sender, settings));
    Waiting.await(connections.close());
  }

  /** Puts a blob into a container. */
  public void put(String container, String name, byte[] value) {
    AzureStore store = at(container).open();
    Waiting.await(store.set(StoreKey.of(name), Bytes.wrap(value)));
    Waiting.await(store.close());
  }

  @Override
  public void close() {
    server.close();
  }
}
