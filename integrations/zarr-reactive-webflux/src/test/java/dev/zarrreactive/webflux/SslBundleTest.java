package dev.zarrreactive.webflux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.store.Store;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store behind a certificate that no authority has signed. */
class SslBundleTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final char[] PASSWORD = "changeit".toCharArray();
  private static Path keys;
  private static HttpsServer server;

  @BeforeAll
  static void start(@TempDir Path directory) throws Exception {
    keys = directory.resolve("keys.p12");
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
                "changeit",
                "-keystore",
                keys.toString())
            .redirectErrorStream(true)
            .start();
    assertThat(keytool.waitFor(60, TimeUnit.SECONDS)).isTrue();
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (var in = Files.newInputStream(keys)) {
      store.load(in, PASSWORD);
    }
    KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    own.init(store, PASSWORD);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(own.getKeyManagers(), null, null);
    server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(context));
    server.createContext(
        "/",
        asked -> {
          byte[] value = "value".getBytes(StandardCharsets.UTF_8);
          asked.sendResponseHeaders(200, value.length);
          asked.getResponseBody().write(value);
          asked.close();
        });
    server.start();
  }

  @AfterAll
  static void stop() {
    server.stop(0);
  }

  private static Map<String, Object> properties() {
    Map<String, Object> all = new HashMap<>();
    String place = "https://localhost:" + server.getAddress().getPort();
    all.put("zarr.location", place);
    all.put("zarr.store.retry", "false");
    all.put("zarr.stores.archive.location", place);
    all.put("zarr.stores.archive.ssl.bundle", "archive");
    all.put("spring.ssl.bundle.jks.archive.truststore.location", keys.toUri().toString());
    all.put("spring.ssl.bundle.jks.archive.truststore.password", "changeit");
    return all;
  }

  @Test
  void a_store_trusts_the_certificates_of_its_bundle() {
    try (var service = SliceService.start(properties())) {
      Store archive = service.getBean("archiveStore", Store.class);
      assertThat(archive.get(StoreKey.of("a/c/0")).block(PATIENCE)).isEqualTo(Bytes.utf8("value"));
      Store other = service.getBean("zarrStore", Store.class);
      assertThatThrownBy(() -> other.get(StoreKey.of("a/c/0")).block(PATIENCE))
          .hasStackTraceContaining("unable to find valid certification path");
    }
  }

  @Test
  void the_store_without_a_name_has_a_bundle_too() {
    Map<String, Object> all = properties();
    all.put("zarr.ssl.bundle", "archive");
    try (var service = SliceService.start(all)) {
      Store store = service.getBean("zarrStore", Store.class);
      assertThat(store.get(StoreKey.of("a/c/0")).block(PATIENCE)).isEqualTo(Bytes.utf8("value"));
    }
  }

  @Test
  void a_bundle_that_chooses_protocols_is_refused() {
    Map<String, Object> all = properties();
    all.put("spring.ssl.bundle.jks.archive.options.enabled-protocols", "TLSv1.3");
    assertThatThrownBy(() -> SliceService.start(all))
        .hasStackTraceContaining("names ciphers or protocols");
  }
}
