package dev.zarrreactive.azure;

import static dev.zarrreactive.testing.Waiting.errorOf;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.credential.TokenCredential;
import com.azure.identity.DefaultAzureCredential;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.faults.server.Origin;
import dev.zarrreactive.faults.server.ReceivedRequest;
import dev.zarrreactive.faults.server.ServerResponse;
import dev.zarrreactive.testing.ChildProcess;
import dev.zarrreactive.testing.ClassPath;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.Http11SslContextSpec;
import reactor.netty.http.server.HttpServer;
import reactor.netty.tcp.SslProvider;

/**
 * Tokens that {@code azure-identity} gets from services as they are documented, in a process with
 * the variables of such a machine. The server takes the newest token alone, which lives for two
 * seconds.
 */
class AzureIdentityTest {
  private static final String SECRET = "h3ader-s3cret";
  private static final String READ = "read 5 bytes";
  private static final String PASSWORD = "changeit";

  @TempDir Path directory;

  private final AtomicInteger tokens = new AtomicInteger();
  private final FaultyServer server = FaultyServer.of((Origin) this::answer);

  @AfterEach
  void close() {
    server.close();
  }

  private String token() {
    return "{\"access_token\":\"t0ken-"
        + tokens.incrementAndGet()
        + "\",\"expires_on\":\""
        + Instant.now().plusSeconds(2).getEpochSecond()
        + "\",\"expires_in\":2,\"resource\":\"https://storage.azure.com\",\"token_type\":\"Bearer\"}";
  }

  private Mono<ServerResponse> answer(ReceivedRequest asked) {
    if (asked.path().startsWith("msi/")) {
      return Mono.just(json(200, token()));
    }
    if (asked.path().startsWith("broken/")) {
      return Mono.just(json(400, "{\"message\":\"no such identity\",\"correlationId\":\"1\"}"));
    }
    if (asked.path().startsWith("garbled/")) {
      return Mono.just(json(401, "{\"access_token\":\"t0ken\" s3cret"));
    }
    boolean isNewest = ("Bearer t0ken-" + tokens).equals(asked.header("authorization"));
    return Mono.just(ServerResponse.of(isNewest ? 200 : 401, Bytes.utf8(isNewest ? "value" : "")));
  }

  private static ServerResponse json(int status, String text) {
    return ServerResponse.of(status, Bytes.utf8(text)).with("content-type", "application/json");
  }

  private ChildProcess start(Map<String, String> environment, String... options) {
    String[] all = new String[options.length + 2];
    all[0] = "endpoint";
    all[1] = server.uri().toString();
    System.arraycopy(options, 0, all, 2, options.length);
    return ChildProcess.start(ReadWithIdentity.class, environment, all);
  }

  private Map<String, String> ofAppService(String path) {
    return Map.of("IDENTITY_ENDPOINT", server.uri() + path, "IDENTITY_HEADER", SECRET);
  }

  /** Reads until the process has used three tokens. */
  private void readOn(ChildProcess process) {
    assertThat(process.line()).isEqualTo(READ);
    while (tokens.get() < 3) {
      process.go();
      assertThat(process.line()).isEqualTo(READ);
    }
  }

  @Test
  void a_managed_identity_gives_tokens_that_are_renewed() {
    try (ChildProcess process =
        start(
            ofAppService("/msi/token"),
            "credentials",
            "azure-managed-identity",
            "credentials.client-id",
            "of-tests")) {
      readOn(process);
    }
    List<ReceivedRequest> asked =
        server.requests().stream().filter(each -> each.path().startsWith("msi/")).toList();
    assertThat(asked)
        .hasSizeGreaterThanOrEqualTo(3)
        .allSatisfy(
            each -> {
              assertThat(each.header("x-identity-header")).isEqualTo(SECRET);
              assertThat(each.uri())
                  .contains("resource=https%3A%2F%2Fstorage.azure.com")
                  .contains("client_id=of-tests");
            });
  }

  @Test
  void what_the_library_finds_by_itself_reads_too() {
    try (ChildProcess process = start(ofAppService("/msi/token"), "credentials", "azure")) {
      assertThat(process.line()).isEqualTo(READ);
    }
  }

  @Test
  void an_identity_that_is_refused_says_why_and_shows_no_secret() {
    try (ChildProcess process =
        start(ofAppService("/broken/token"), "credentials", "azure-managed-identity")) {
      assertThat(process.line())
          .startsWith("AccessDeniedException: no credential from the managed identity of this")
          .contains("no such identity")
          .contains("is this a machine of Azure with an identity?")
          .contains("key a")
          .doesNotContain(SECRET);
    }
    try (ChildProcess process =
        start(ofAppService("/garbled/token"), "credentials", "azure-managed-identity")) {
      assertThat(process.line())
          .contains("the service answered 401 without a token")
          .doesNotContain("s3cret");
    }
  }

  /**
   * The library asks the authority of a tenant whether it knows the host, but that of ADFS: only
   * there a local server can be one.
   */
  @Test
  void a_workload_identity_exchanges_the_token_of_a_file_which_is_replaced() throws Exception {
    Path keys = keys();
    Path federated = Files.writeString(directory.resolve("federated"), "first-s3cret");
    List<String> assertions = new CopyOnWriteArrayList<>();
    DisposableServer authority = authority(keys, assertions);
    try (ChildProcess process =
        start(
            Map.of(
                "AZURE_AUTHORITY_HOST",
                "https://localhost:" + authority.port() + "/",
                "AZURE_TENANT_ID",
                "adfs",
                "AZURE_CLIENT_ID",
                "of-tests",
                "AZURE_FEDERATED_TOKEN_FILE",
                federated.toString(),
                "JDK_JAVA_OPTIONS",
                "-Djavax.net.ssl.trustStore="
                    + keys
                    + " -Djavax.net.ssl.trustStorePassword="
                    + PASSWORD),
            "credentials",
            "azure-workload-identity")) {
      assertThat(process.line()).isEqualTo(READ);
      Files.writeString(federated, "second-s3cret");
      process.go();
      readOn(process);
    } finally {
      authority.disposeNow();
    }
    assertThat(assertions).contains("first-s3cret", "second-s3cret");
  }

  private DisposableServer authority(Path keys, List<String> assertions) throws Exception {
    KeyStore store = KeyStore.getInstance(keys.toFile(), PASSWORD.toCharArray());
    KeyManagerFactory factory =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(store, PASSWORD.toCharArray());
    return HttpServer.create()
        .host("127.0.0.1")
        .port(0)
        .secure(
            spec ->
                spec.sslContext(
                    (SslProvider.GenericSslContextSpec<?>) Http11SslContextSpec.forServer(factory)))
        .handle(
            (request, response) ->
                request
                    .receive()
                    .aggregate()
                    .asString()
                    .flatMap(
                        form -> {
                          assertions.add(
                              new QueryStringDecoder(form, false)
                                  .parameters()
                                  .get("client_assertion")
                                  .get(0));
                          return response
                              .header("content-type", "application/json")
                              .sendString(Mono.just(token()))
                              .then();
                        }))
        .bindNow();
  }

  private Path keys() throws Exception {
    Path file = directory.resolve("keys.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "server",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-ext",
                "san=dns:localhost",
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD,
                "-keystore",
                file.toString())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertThat(keytool.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return file;
  }

  @Test
  void a_workload_without_its_variables_says_which_and_who_sets_them() {
    assertThat(errorOf(new IdentitySource(IdentitySource.Kind.WORKLOAD, "of-tests").credential()))
        .isInstanceOf(StoreException.class)
        .hasMessageStartingWith("set AZURE_CLIENT_ID, AZURE_TENANT_ID and AZURE_FEDERATED_TOKEN")
        .hasMessageContaining("azure.workload.identity/use");
  }

  @Test
  void without_the_library_the_error_says_what_to_add() throws Exception {
    try (URLClassLoader loader =
        ClassPath.without(DefaultAzureCredential.class, TokenCredential.class)) {
      Class<?> user = loader.loadClass(IdentityUser.class.getName());
      assertThat(user).isNotSameAs(IdentityUser.class);
      String report = (String) ((Callable<?>) user.getDeclaredConstructor().newInstance()).call();
      assertThat(report)
          .contains("UnsupportedFeatureException")
          .contains("add it, or set the option account-key or sas-token")
          .contains("com.azure:azure-identity on the class path");
    }
  }
}
