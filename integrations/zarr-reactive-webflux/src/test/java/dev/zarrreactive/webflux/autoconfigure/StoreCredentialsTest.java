package dev.zarrreactive.webflux.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** The credentials of the store of a service: by a property, and by a bean. */
class StoreCredentialsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final ApplicationContextRunner service =
      new ApplicationContextRunner()
          .withConfiguration(AutoConfigurations.of(ZarrAutoConfiguration.class));
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

  private ApplicationContextRunner located() {
    return service.withPropertyValues(
        "zarr.location=http://127.0.0.1:" + server.getAddress().getPort());
  }

  private static Bytes sent(Store store) {
    return store.get(StoreKey.of("a/c/0")).block(PATIENCE);
  }

  @Test
  void a_property_names_a_source_and_its_settings(@TempDir Path directory) throws IOException {
    Path token = Files.writeString(directory.resolve("token"), "of-the-file");
    located()
        .withPropertyValues("zarr.store.credentials=file", "zarr.store.credentials.path=" + token)
        .run(
            context ->
                assertThat(sent(context.getBean(Store.class)))
                    .isEqualTo(Bytes.utf8("Bearer of-the-file")));
  }

  @Test
  void a_bean_is_the_source() {
    located()
        .withBean(
            CredentialSource.class, () -> CredentialSource.fixed(Credential.bearer("of-the-bean")))
        .run(
            context ->
                assertThat(sent(context.getBean(Store.class)))
                    .isEqualTo(Bytes.utf8("Bearer of-the-bean")));
  }

  @Test
  void a_bean_and_a_property_contradict_each_other() {
    located()
        .withPropertyValues("zarr.store.credentials=netrc")
        .withBean(CredentialSource.class, () -> CredentialSource.fixed(Credential.bearer("s3cret")))
        .run(
            context ->
                assertThat(context)
                    .getFailure()
                    .rootCause()
                    .hasMessageContaining("the option credentials names another one")
                    .hasMessageNotContaining("s3cret"));
  }
}
