package dev.zarrreactive.server;

import static dev.zarrreactive.credentials.LinkKeys.Access.READ;
import static dev.zarrreactive.credentials.LinkKeys.Access.READ_WRITE;
import static dev.zarrreactive.testing.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.credentials.LinkKeys;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.http.HttpStore;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.Store;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

/** Links that open a part of what is served. */
class SignedLinksTest {
  private static final LinkKeys KEYS = LinkKeys.of("k1:abcdefghijklmnopqrstuvwxyz012345");
  private static final Instant SOON = Instant.now().plusSeconds(3_600);

  private final List<String> told = new CopyOnWriteArrayList<>();
  private Serving serving =
      new Serving(
          server ->
              server
                  .links(KEYS)
                  .consolidated(true)
                  .onFailure((path, error) -> told.add(path + ": " + error)));

  @BeforeEach
  void write() {
    ZarrHierarchy written = Zarr.hierarchy(serving.values);
    await(written.createGroup(""));
    for (String group : List.of("earth", "earthquake")) {
      await(written.createGroup(group));
      await(
          written.createArray(
              group + "/t2m",
              ArrayMetadata.v3(Shape.of(4, 6), DataTypes.INT16).chunkShape(2, 3).build()));
    }
  }

  @AfterEach
  void stop() {
    serving.close();
  }

  private static String text(HttpResponse<byte[]> answer) {
    return new String(answer.body(), StandardCharsets.UTF_8);
  }

  private static String link(String path) {
    return KEYS.sign(path, READ, SOON);
  }

  @Test
  void a_link_opens_its_path_for_reading_and_nothing_else() {
    String link = link("earth");
    assertThat(serving.get(link + "/zarr.json").statusCode()).isEqualTo(200);
    assertThat(serving.get(link + "/t2m/zarr.json").statusCode()).isEqualTo(200);
    assertThat(serving.send("HEAD", link + "/t2m/zarr.json").statusCode()).isEqualTo(200);
    assertThat(serving.get(link + "/t2m/c/0/0").statusCode()).isEqualTo(404);
    assertThat(text(serving.get(link + "/"))).contains("t2m/");
    assertThat(serving.send("PUT", link + "/zarr.json").statusCode()).isEqualTo(405);
    for (String path : List.of("/zarr.json", "/earth/zarr.json", "/", "/api/", "/__signedx")) {
      assertThat(serving.get(path).statusCode()).as(path).isEqualTo(403);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/earthquake/zarr.json",
        "/zarr.json",
        "/earth/../earthquake/zarr.json",
        "/earth/%2e%2e/earthquake/zarr.json",
        "/earth%2Fzarr.json",
        "/earth/%2e./zarr.json",
        "/earth//zarr.json",
        "/api/earth/metadata",
        "/__versions/x/earth/zarr.json",
        "/../earth/zarr.json",
        "/earth/%00",
        "/earth/%zz",
        ""
      })
  void every_attack_has_one_answer_that_tells_nothing(String path) throws Exception {
    String token = link("earth").replaceAll("/earth$", "");
    String answer = raw(token + path);
    assertThat(answer)
        .startsWith("HTTP/1.1 403 ")
        .endsWith(
            "{\"title\":\"Forbidden\",\"status\":403,\"detail\":\"access to this is denied\"}");
    for (String other :
        List.of(
            KEYS.sign("earth", READ, Instant.now().minusSeconds(1)),
            link("earth").replace("k1.", "k2."),
            link("earth").replace(".r.", ".rw."),
            LinkKeys.of("k1:another-secret-of-this-key-012345").sign("earth", READ, SOON),
            "/__signed",
            "/__signed/x/earth")) {
      assertThat(raw(other + "/zarr.json").replaceAll("(?i)date:.*", ""))
          .isEqualTo(answer.replaceAll("(?i)date:.*", ""));
    }
    assertThat(told).isEmpty();
    assertThat(serving.store.counts().total()).isZero();
  }

  private String raw(String target) throws Exception {
    try (RawConnection client = new RawConnection(serving.server.port())) {
      String request = "GET " + target + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
      client.send(request.getBytes(StandardCharsets.ISO_8859_1));
      return new String(client.toEnd(), StandardCharsets.ISO_8859_1);
    }
  }

  @Test
  void clients_of_zarr_open_a_link_as_it_is_with_consolidated_metadata() {
    URI url = URI.create(serving.server.uri() + link("earth"));
    Store remote = HttpStore.open(url);
    ZarrGroup group = await(Zarr.hierarchy(remote).openGroup(""));
    assertThat(group.metadata().carriesConsolidated()).isTrue();
    assertThat(await(group.tree().map(ZarrNode::path).collectList())).hasToString("[/t2m]");
    await(remote.close());
    Store other = HttpStore.open(URI.create(url.toString().replace("/earth", "/earthquake")));
    assertThat(await(other.get(StoreKey.of("zarr.json")).materialize()).getThrowable())
        .isInstanceOf(AccessDeniedException.class);
    await(other.close());
  }

  @Test
  void a_link_to_all_opens_the_page_and_one_to_the_interface_opens_slices() {
    String all = link("");
    assertThat(text(serving.get(all + "/api/"))).startsWith("<!DOCTYPE html>");
    assertThat(serving.get(all + "/zarr.json").statusCode()).isEqualTo(200);
    String slices = link("api/earth");
    assertThat(text(serving.get(slices + "/t2m/slice?select=0,0:2&format=json"))).contains("[0,0]");
    assertThat(serving.get(slices + "/../earthquake/t2m/slice").statusCode()).isEqualTo(403);
    assertThat(serving.get(slices.replace("/earth", "/earthquake") + "/t2m/slice").statusCode())
        .isEqualTo(403);
  }

  @Test
  void a_server_that_only_reads_refuses_writes_through_a_link_for_writing() {
    String link = KEYS.sign("earth", READ_WRITE, SOON);
    assertThat(serving.get(link + "/zarr.json").statusCode()).isEqualTo(200);
    assertThat(serving.send("DELETE", link + "/zarr.json").statusCode()).isEqualTo(405);
  }

  @Test
  void what_is_told_of_a_failure_has_no_token() {
    serving.store.fail(any -> true, () -> new StoreException("broken", Location.UNKNOWN));
    HttpResponse<byte[]> answer = serving.get(link("earth") + "/t2m/zarr.json");
    assertThat(answer.statusCode()).isEqualTo(502);
    assertThat(text(answer)).contains("\"instance\":\"/earth/t2m/zarr.json\"");
    assertThat(told).hasSize(1).allSatisfy(each -> assertThat(each).startsWith("earth/t2m/"));
  }

  @Test
  void links_open_what_a_check_refuses_and_leave_the_rest_to_it() {
    serving.close();
    serving =
        new Serving(
            server ->
                server
                    .path("/data")
                    .links(KEYS)
                    .access(
                        (method, path, headers) ->
                            Mono.just(
                                path.startsWith("/public/")
                                    ? AccessCheck.Decision.ALLOWED
                                    : AccessCheck.Decision.unauthenticated("Bearer"))));
    serving.put(StoreKey.of("public/a"), 1);
    serving.put(StoreKey.of("private/a"), 1);
    assertThat(serving.get("/public/a").statusCode()).isEqualTo(200);
    assertThat(serving.get("/private/a").statusCode()).isEqualTo(401);
    assertThat(serving.get(link("private") + "/a").statusCode()).isEqualTo(200);
  }
}
