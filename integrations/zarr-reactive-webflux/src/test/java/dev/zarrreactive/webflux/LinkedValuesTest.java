package dev.zarrreactive.webflux;

import static dev.zarrreactive.credentials.LinkKeys.Access.READ;
import static dev.zarrreactive.credentials.LinkKeys.Access.READ_WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.credentials.LinkKeySource;
import dev.zarrreactive.credentials.LinkKeys;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.http.HttpStore;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.Store;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.http.HttpMethod;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import org.springframework.test.web.reactive.server.WebTestClient;

/** Signed links into a service of Spring Boot: its controllers, and the values of its store. */
class LinkedValuesTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String SECRET = "abcdefghijklmnopqrstuvwxyz012345";
  private static final Instant SOON = Instant.now().plusSeconds(3_600);
  private static final int LARGE = (9 << 20) + 7;

  @TempDir private static Path directory;
  private static byte[] large;
  private static ConfigurableApplicationContext service;
  private static WebTestClient client;
  private static LinkKeys keys;

  @BeforeAll
  static void start() throws Exception {
    Path data = Files.createDirectory(directory.resolve("data"));
    Store store = Zarr.at(data.toString()).store().block(PATIENCE);
    ZarrHierarchy written = Zarr.hierarchy(store);
    written.createGroup("").block(PATIENCE);
    for (String group : List.of("earth", "earthquake")) {
      written.createGroup(group).block(PATIENCE);
      written
          .createArray(group + "/t2m", ArrayMetadata.v3(Shape.of(4, 6), DataTypes.INT16).build())
          .block(PATIENCE);
    }
    store.close().block(PATIENCE);
    large = new byte[LARGE];
    new Random(7).nextBytes(large);
    Files.write(data.resolve("earth/large"), large);
    Path file = Files.writeString(directory.resolve("links.key"), "k1:" + SECRET + "\n");
    service =
        SliceService.start(
            Map.of("zarr.location", data.toString(), "zarr.links.key-file", file.toString()));
    client =
        SliceService.client(service)
            .mutate()
            .codecs(c -> c.defaultCodecs().maxInMemorySize(-1))
            .build();
    keys = service.getBean(LinkKeySource.class).keys().block(PATIENCE);
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  private static String link(String path) {
    return keys.sign(path, READ, SOON);
  }

  private static EntityExchangeResult<byte[]> send(
      HttpMethod method, String path, String body, String... headers) {
    WebTestClient.RequestBodySpec request =
        client
            .method(method)
            .uri(URI.create("http://127.0.0.1:" + SliceService.port(service) + path));
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    return (body == null ? request : request.bodyValue(body))
        .exchange()
        .expectBody()
        .returnResult();
  }

  private static EntityExchangeResult<byte[]> get(String path, String... headers) {
    return send(HttpMethod.GET, path, null, headers);
  }

  private static int status(EntityExchangeResult<byte[]> result) {
    return result.getStatus().value();
  }

  private static String header(EntityExchangeResult<byte[]> result, String name) {
    return result.getResponseHeaders().getFirst(name);
  }

  private static String text(EntityExchangeResult<byte[]> result) {
    byte[] body = result.getResponseBody();
    return body == null ? "" : new String(body, StandardCharsets.UTF_8);
  }

  @Test
  void a_client_of_zarr_opens_a_group_by_its_link() {
    Store remote =
        HttpStore.open(
            URI.create("http://127.0.0.1:" + SliceService.port(service) + link("zarr/earth")));
    assertThat(Zarr.hierarchy(remote).openArray("t2m").block(PATIENCE).shape())
        .hasToString("[4, 6]");
    remote.close().block(PATIENCE);
  }

  @Test
  void values_are_behind_links_alone() {
    String link = link("/zarr/earth");
    EntityExchangeResult<byte[]> found = get(link + "/zarr.json");
    assertThat(status(found)).isEqualTo(200);
    assertThat(header(found, "Content-Type")).isEqualTo("application/json");
    assertThat(status(get(link + "/none"))).isEqualTo(404);
    assertThat(status(get(link + "/t2m"))).isEqualTo(404);
    for (String path :
        List.of(
            "/zarr/zarr.json",
            "/zarr/earth/zarr.json",
            "/__signed",
            "/__signed/x/zarr/zarr.json",
            link.replace("earth", "earthquake") + "/zarr.json",
            link.replace("earth", "") + "zarr.json",
            link + "/../earthquake/zarr.json",
            link + "/%2e%2e/earthquake/zarr.json",
            link + "/..;/earthquake/zarr.json",
            link + "%2Fzarr.json",
            keys.sign("zarr/earth", READ, Instant.now().minusSeconds(1)) + "/zarr.json")) {
      EntityExchangeResult<byte[]> refused = get(path);
      assertThat(status(refused)).as(path).isEqualTo(403);
      assertThat(text(refused)).contains("access to this is denied").doesNotContain("k1.");
    }
  }

  @Test
  void a_controller_answers_a_link_to_its_path() {
    assertThat(text(get(link("arrays/earth") + "/t2m?select=0,0:2", "Accept", "application/json")))
        .isEqualTo("[0,0]\n");
    assertThat(status(get(link("arrays/earth") + "quake/t2m?select=0,0:2"))).isEqualTo(403);
  }

  @ParameterizedTest
  @CsvSource({"0, 9", "4194300, 4194310", "0, 9437190", "9437190, 9437191"})
  void a_range_is_read_of_a_large_value(int first, int last) {
    EntityExchangeResult<byte[]> part =
        get(link("zarr/earth") + "/large", "Range", "bytes=" + first + "-" + last);
    int end = Math.min(last + 1, LARGE);
    assertThat(status(part)).isEqualTo(206);
    assertThat(header(part, "Content-Range"))
        .isEqualTo("bytes " + first + "-" + (end - 1) + "/" + LARGE);
    assertThat(part.getResponseBody()).isEqualTo(Arrays.copyOfRange(large, first, end));
  }

  @Test
  void a_large_value_is_whole_and_so_are_its_end_and_its_headers() {
    String path = link("zarr/earth") + "/large";
    EntityExchangeResult<byte[]> whole = get(path);
    assertThat(whole.getResponseBody()).isEqualTo(large);
    EntityExchangeResult<byte[]> end = get(path, "Range", "bytes=-5");
    assertThat(end.getResponseBody()).isEqualTo(Arrays.copyOfRange(large, LARGE - 5, LARGE));
    EntityExchangeResult<byte[]> head = send(HttpMethod.HEAD, path, null);
    assertThat(header(head, "Content-Length")).isEqualTo(Integer.toString(LARGE));
    assertThat(header(head, "ETag")).isEqualTo(header(whole, "ETag"));
    EntityExchangeResult<byte[]> beyond = get(path, "Range", "bytes=" + LARGE + "-");
    assertThat(status(beyond)).isEqualTo(416);
    assertThat(header(beyond, "Content-Range")).isEqualTo("bytes */" + LARGE);
    assertThat(status(get(path, "Range", "lines=1"))).isEqualTo(200);
  }

  @Test
  void a_value_that_the_client_has_is_not_sent_again() {
    String path = link("zarr/earth") + "/zarr.json";
    EntityExchangeResult<byte[]> first = get(path);
    String tag = header(first, "ETag");
    assertThat(status(get(path, "If-None-Match", tag))).isEqualTo(304);
    assertThat(status(get(path, "If-None-Match", "\"other\""))).isEqualTo(200);
    assertThat(status(get(path, "If-Match", "\"other\""))).isEqualTo(412);
    assertThat(status(get(path, "Range", "bytes=0-1", "If-Range", "\"other\""))).isEqualTo(200);
    assertThat(status(get(path, "Range", "bytes=0-1", "If-Range", tag))).isEqualTo(206);
  }

  @Test
  void a_link_for_writing_stores_and_erases_values() {
    String reading = link("zarr/earth") + "/new";
    String writing = keys.sign("zarr/earth", READ_WRITE, SOON) + "/new";
    assertThat(status(send(HttpMethod.PUT, reading, "a"))).isEqualTo(403);
    assertThat(status(send(HttpMethod.DELETE, reading, null))).isEqualTo(403);
    assertThat(status(send(HttpMethod.PUT, writing, "first", "If-None-Match", "*"))).isEqualTo(204);
    assertThat(status(send(HttpMethod.PUT, writing, "other", "If-None-Match", "*"))).isEqualTo(412);
    String tag = header(get(writing), "ETag");
    assertThat(status(send(HttpMethod.PUT, writing, "second", "If-Match", tag))).isEqualTo(204);
    assertThat(status(send(HttpMethod.PUT, writing, "third", "If-Match", tag))).isEqualTo(412);
    assertThat(status(send(HttpMethod.PUT, writing, "third", "If-Match", "x"))).isEqualTo(412);
    assertThat(text(get(reading))).isEqualTo("second");
    assertThat(status(send(HttpMethod.DELETE, writing, null, "If-Match", tag))).isEqualTo(412);
    assertThat(status(send(HttpMethod.DELETE, writing, null))).isEqualTo(204);
    assertThat(status(get(reading))).isEqualTo(404);
    assertThat(status(send(HttpMethod.PUT, writing.replace("earth", "mars"), "a"))).isEqualTo(403);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "/"})
  void a_path_for_people_has_no_token(String above) {
    assertThat(LinkFilter.shown(above + link("zarr/earth").substring(above.isEmpty() ? 0 : 1)))
        .isEqualTo("/__signed/.../zarr/earth");
    assertThat(LinkFilter.shown("/base" + link("a"))).isEqualTo("/base/__signed/.../a");
  }
}
