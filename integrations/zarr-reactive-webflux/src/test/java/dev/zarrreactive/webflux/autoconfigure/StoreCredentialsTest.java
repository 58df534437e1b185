package dev.zarrreactive.webflux.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.credential.Credential;
import dev.zarrreactive.store.credential.CredentialSource;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.env.MapPropertySource;

/** The credentials of the store of a service: by a property, and by a bean. */
class StoreCredentialsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        asked -> {
          String sent = String.valueOf(asked.getRequestHeaders().getFirst("Authorization"));
          byte[] value = sent.getBytes(StandardCharsets.UTF_8);
          asked.sendResponseHeaders(200, value.length);
          asked.getResponseBody().write(value);
          asked.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  /** Starts a service over the server, with properties and perhaps a bean. */
  private AnnotationConfigApplicationContext started(
      Map<String, Object> properties, @Nullable CredentialSource bean) {
    Map<String, Object> all = new HashMap<>(properties);
    all.put("zarr.location", "http://127.0.0.1:" + server.getAddress().getPort());
    AnnotationConfigApplicationContext service = new AnnotationConfigApplicationContext();
    service.getEnvironment().getPropertySources().addFirst(new MapPropertySource("test", all));
    service.register(ZarrAutoConfiguration.class);
    if (bean != null) {
      service.registerBean(CredentialSource.class, () -> bean);
    }
    service.refresh();
    return service;
  }

  private static Bytes sent(Store store) {
    return store.get(StoreKey.of("a/c/0")).block(PATIENCE);
  }

  @Test
  void a_property_names_a_source_and_its_settings(@TempDir Path directory) throws IOException {
    Path token = Files.writeString(directory.resolve("token"), "of-the-file");
    Map<String, Object> properties =
        Map.of("zarr.store.credentials", "file", "zarr.store.credentials.path", token.toString());
    try (var service = started(properties, null)) {
      assertThat(sent(service.getBean(Store.class))).isEqualTo(Bytes.utf8("Bearer of-the-file"));
    }
  }

  @Test
  void a_bean_is_the_source() {
    CredentialSource bean = CredentialSource.fixed(Credential.bearer("of-the-bean"));
    try (var service = started(Map.of(), bean)) {
      assertThat(sent(service.getBean(Store.class))).isEqualTo(Bytes.utf8("Bearer of-the-bean"));
    }
  }

  @Test
  void a_bean_and_a_property_contradict_each_other() {
    CredentialSource bean = CredentialSource.fixed(Credential.bearer("s3cret"));
    assertThatThrownBy(() -> started(Map.of("zarr.store.credentials", "netrc"), bean))
        .hasRootCauseInstanceOf(IllegalArgumentException.class)
        .rootCause()
        .hasMessageContaining("the option credentials names another one")
        .hasMessageNotContaining("s3cret");
  }
}
