package dev.zarrreactive.webflux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.azure.Azurite;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.faults.server.ReceivedRequest;
import dev.zarrreactive.faults.server.ServerResponse;
import dev.zarrreactive.gcs.FakeGcsServer;
import dev.zarrreactive.gcs.XmlApiServer;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.credential.Credential;
import dev.zarrreactive.store.credential.CredentialSource;
import dev.zarrreactive.store.memory.MemoryStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.web.reactive.server.WebTestClient;
import reactor.core.publisher.Mono;

/** A service whose location is in a container of Azure, or in a bucket of Google. */
class CloudSlicesTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String PREFIX = "data/";
  private static final String TOKEN = "t0ken";

  @TempDir Path directory;
  private final XmlApiServer google = XmlApiServer.start();
  private final Map<String, byte[]> blobs = new ConcurrentHashMap<>();
  private final FaultyServer azure = FaultyServer.of(asked -> Mono.just(answer(asked)));

  @AfterEach
  void stop() {
    azure.close();
    google.close();
  }

  /** Puts a group with one array into the store. */
  private static void write(BiConsumer<String, byte[]> store) {
    Store values = MemoryStore.create();
    NdArray data =
        NdArray.ofInts(DataTypes.INT32, Shape.of(6, 4), IntStream.range(0, 24).toArray());
    Zarr.hierarchy(values)
        .createArray(
            "g/a", ArrayMetadata.v3(data.shape(), DataTypes.INT32).chunkShape(2, 2).build())
        .flatMap(array -> array.write("...", data))
        .block(PATIENCE);
    for (StoreKey key : values.list().collectList().block(PATIENCE)) {
      store.accept(PREFIX + key, values.get(key).block(PATIENCE).toByteArray());
    }
  }

  /** Starts a cloud that asks for the token, with the array; returns the properties for it. */
  private Map<String, Object> cloud(String scheme) {
    Map<String, Object> properties = new TreeMap<>();
    if (scheme.equals("gs")) {
      String bucket = google.newBucket();
      write((object, value) -> google.put(bucket, object, value));
      google.accept(("Bearer " + TOKEN)::equals);
      properties.put("zarr.location", "gs://" + bucket + "/data");
      properties.put("zarr.store.endpoint", google.uri().toString());
    } else {
      write((name, value) -> blobs.put("account/container/" + name, value));
      properties.put("zarr.location", "az://container/data");
      properties.put("zarr.store.account", "account");
      properties.put("zarr.store.endpoint", azure.uri() + "/account");
    }
    return properties;
  }

  /** Answers as Azure does. */
  private ServerResponse answer(ReceivedRequest asked) {
    if (!("Bearer " + TOKEN).equals(asked.header("authorization"))) {
      return ServerResponse.of(401, Bytes.EMPTY)
          .with("x-ms-error-code", "InvalidAuthenticationInfo");
    }
    byte[] value = blobs.get(asked.path());
    return value == null
        ? ServerResponse.of(404, Bytes.EMPTY).with("x-ms-error-code", "BlobNotFound")
        : ServerResponse.of(200, Bytes.wrap(value)).with("etag", "\"1\"");
  }

  private static WebTestClient.ResponseSpec get(ConfigurableApplicationContext service) {
    return SliceService.client(service)
        .get()
        .uri("/arrays/g/a?select=1,0:2")
        .header("Accept", "application/json")
        .exchange();
  }

  /** Starts a service with these properties and beans, and asks it for a slice. */
  private static void isServed(Map<String, Object> properties, Class<?>... beans) {
    try (ConfigurableApplicationContext service = SliceService.start(properties, beans)) {
      String slice =
          get(service)
              .expectStatus()
              .isOk()
              .expectBody(String.class)
              .returnResult()
              .getResponseBody();
      assertThat(slice).contains("4").contains("5");
    }
  }

  private Map<String, Object> withFile(Map<String, Object> properties, String text, String as)
      throws IOException {
    Path file = Files.writeString(directory.resolve("secret"), text);
    properties.put("zarr.store.credentials", "file");
    properties.put("zarr.store.credentials.path", file.toString());
    properties.put("zarr.store.credentials.as", as);
    return properties;
  }

  @Configuration(proxyBeanMethods = false)
  static class Tokens {
    @Bean
    CredentialSource tokens() {
      return CredentialSource.fixed(Credential.bearer(TOKEN));
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class Keys {
    @Bean
    CredentialSource keys() {
      return CredentialSource.fixed(new Credential.AccountKey(Azurite.ACCOUNT, Azurite.KEY));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"az", "gs"})
  void a_property_names_the_source_of_its_credentials(String cloud) throws IOException {
    isServed(withFile(cloud(cloud), TOKEN, "bearer"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"az", "gs"})
  void a_bean_gives_its_credentials(String cloud) {
    isServed(cloud(cloud), Tokens.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"az", "gs"})
  void a_wrong_token_is_403_and_the_answer_shows_neither_it_nor_the_store(String cloud)
      throws IOException {
    Map<String, Object> properties = withFile(cloud(cloud), "wr0ng", "bearer");
    try (ConfigurableApplicationContext service = SliceService.start(properties)) {
      String told =
          get(service)
              .expectStatus()
              .isForbidden()
              .expectBody(String.class)
              .returnResult()
              .getResponseBody();
      assertThat(told)
          .contains("the store denies access")
          .doesNotContain("wr0ng", "127.0.0.1", "container", "bucket");
    }
  }

  @Test
  void a_container_of_azurite_is_served_with_a_signature_and_with_the_key_of_a_bean()
      throws IOException {
    Azurite emulator = Azurite.shared();
    String container = emulator.newContainer();
    write((name, value) -> emulator.put(container, name, value));
    Map<String, Object> properties = new TreeMap<>();
    properties.put("zarr.location", "az://" + container + "/data");
    properties.put("zarr.store.account", Azurite.ACCOUNT);
    properties.put("zarr.store.endpoint", emulator.uri().toString());
    isServed(properties, Keys.class);
    isServed(withFile(properties, emulator.signature(container, "rl"), "query"));
  }

  @Test
  void a_bucket_of_the_emulator_of_google_is_served() {
    try (FakeGcsServer emulator = FakeGcsServer.start()) {
      String bucket = emulator.newBucket();
      write((name, value) -> emulator.put(bucket, name, value));
      Map<String, Object> properties = new TreeMap<>();
      properties.put("zarr.location", "gs://" + bucket + "/data");
      properties.put("zarr.store.endpoint", emulator.uri().toString());
      isServed(properties);
    }
  }
}
