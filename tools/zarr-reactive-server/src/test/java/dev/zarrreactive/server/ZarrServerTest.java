package dev.zarrreactive.server;

import static dev.zarrreactive.testing.Waiting.await;
import static dev.zarrreactive.testing.Waiting.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.testkit.HeldRequests;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;

/** Listings, other origins, access, admission, and servers of an application. */
class ZarrServerTest {
  private Serving serving = new Serving();

  @AfterEach
  void stop() {
    serving.close();
  }

  private void serve(java.util.function.UnaryOperator<ZarrServer> settings) {
    serving.close();
    serving = new Serving(settings);
  }

  private static String text(HttpResponse<byte[]> answer) {
    return new String(answer.body(), StandardCharsets.UTF_8);
  }

  private static String header(HttpResponse<byte[]> answer, String name) {
    return answer.headers().firstValue(name).orElse("-");
  }

  @Test
  void a_directory_is_listed_as_json_and_as_links() {
    serving.put(StoreKey.of("a/zarr.json"), 1);
    serving.put(StoreKey.of("a/c/0/0"), 1);
    serving.put(StoreKey.of("a/b c&\"<%.txt"), 1);
    String json = text(serving.get("/a/", "Accept", "application/json"));
    assertThat(json)
        .startsWith("{\"path\":\"a/\",\"entries\":[")
        .contains("{\"name\":\"zarr.json\",\"type\":\"value\"}")
        .contains("{\"name\":\"c\",\"type\":\"directory\"}");
    String page = text(serving.get("/a/"));
    assertThat(page)
        .contains("<a href=\"c/\">c/</a>")
        .contains("<a href=\"b%20c%26%22%3C%25.txt\">b c&amp;&quot;&lt;%.txt</a>");
    assertThat(serving.get("/a/b%20c%26%22%3C%25.txt").statusCode()).isEqualTo(200);
    assertThat(serving.get("/").statusCode()).isEqualTo(200);
    assertThat(serving.get("/b/").statusCode()).isEqualTo(404);
    serving.store.fail(any -> true, () -> new StoreException("broken", Location.UNKNOWN));
    assertThat(serving.get("/a/").statusCode()).isEqualTo(502);
    assertThat(serving.get("/b/").statusCode()).isEqualTo(502);
  }

  @Test
  void pages_of_other_origins_are_kept_out_by_default() {
    serving.put(Serving.KEY, 10);
    HttpResponse<byte[]> answer = serving.get("/a/c/0", "Origin", "https://viewer.example");
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(header(answer, "access-control-allow-origin")).isEqualTo("-");
    HttpResponse<byte[]> preflight =
        serving.send(
            "OPTIONS",
            "/a/c/0",
            "Origin",
            "https://viewer.example",
            "Access-Control-Request-Method",
            "GET");
    assertThat(header(preflight, "access-control-allow-origin")).isEqualTo("-");
    assertThat(header(preflight, "access-control-allow-methods")).isEqualTo("-");
  }

  @Test
  void pages_of_all_origins_may_read_where_that_is_asked_for() {
    serve(server -> server.origins("*"));
    serving.put(Serving.KEY, 10);
    HttpResponse<byte[]> answer = serving.get("/a/c/0", "Origin", "https://viewer.example");
    assertThat(header(answer, "access-control-allow-origin")).isEqualTo("*");
    assertThat(header(answer, "access-control-expose-headers"))
        .contains("Content-Range", "Content-Length", "ETag", "Accept-Ranges");
    HttpResponse<byte[]> missing = serving.get("/a/c/1", "Origin", "https://viewer.example");
    assertThat(header(missing, "access-control-allow-origin")).isEqualTo("*");
    HttpResponse<byte[]> preflight =
        serving.send(
            "OPTIONS",
            "/a/c/0",
            "Origin",
            "https://viewer.example",
            "Access-Control-Request-Method",
            "GET",
            "Access-Control-Request-Headers",
            "range, x-token");
    assertThat(preflight.statusCode()).isEqualTo(204);
    assertThat(header(preflight, "access-control-allow-headers")).isEqualTo("range, x-token");
    assertThat(header(preflight, "access-control-allow-methods")).contains("GET");
  }

  @Test
  void pages_of_one_origin_may_read() {
    serve(server -> server.origins("https://viewer.example"));
    serving.put(Serving.KEY, 10);
    HttpResponse<byte[]> known = serving.get("/a/c/0", "Origin", "https://viewer.example");
    assertThat(header(known, "access-control-allow-origin")).isEqualTo("https://viewer.example");
    assertThat(header(known, "vary")).isEqualToIgnoringCase("origin");
    HttpResponse<byte[]> other = serving.get("/a/c/0", "Origin", "https://other.example");
    assertThat(header(other, "access-control-allow-origin")).isEqualTo("-");
    HttpResponse<byte[]> listing = serving.get("/", "Origin", "https://viewer.example");
    assertThat(listing.headers().allValues("vary"))
        .map(name -> name.toLowerCase(java.util.Locale.ROOT))
        .containsExactlyInAnyOrder("accept", "origin");
  }

  @Test
  void a_request_is_answered_where_the_check_allows_it() {
    serve(
        server ->
            server.access(
                (method, path, headers) ->
                    path.startsWith("/public/")
                        ? Mono.just(AccessCheck.Decision.ALLOWED)
                        : headers.contains("Authorization")
                            ? Mono.empty()
                            : Mono.just(AccessCheck.Decision.unauthenticated("Bearer"))));
    serving.put(StoreKey.of("public/v"), 10);
    assertThat(serving.get("/public/v").statusCode()).isEqualTo(200);
    HttpResponse<byte[]> refused = serving.get("/v");
    assertThat(refused.statusCode()).isEqualTo(401);
    assertThat(header(refused, "www-authenticate")).isEqualTo("Bearer");
    assertThat(serving.get("/v", "Authorization", "Bearer x").statusCode()).isEqualTo(403);
    assertThat(serving.get("/%70ublic/v").statusCode()).isEqualTo(200);
    assertThat(serving.store.counts().requests())
        .allMatch(asked -> asked.target().equals("public/v"));
  }

  @Test
  void a_request_beyond_the_limit_gets_retry_after() throws InterruptedException {
    serve(server -> server.limits(ServerLimits.defaults().withRequests(1)));
    serving.put(Serving.KEY, 10);
    HeldRequests held = serving.store.hold(any -> true);
    Thread first = new Thread(() -> serving.get("/a/c/0"));
    first.start();
    eventually("the store is asked", () -> held.waiting() == 1);
    HttpResponse<byte[]> second = serving.get("/a/c/0");
    assertThat(second.statusCode()).isEqualTo(503);
    assertThat(header(second, "retry-after")).isEqualTo("1");
    held.release();
    first.join();
    eventually("it is answered", () -> serving.server.requestsUnderWay() == 0);
    assertThat(serving.get("/a/c/0").statusCode()).isEqualTo(200);
  }

  @Test
  void an_application_mounts_the_server_in_its_own() {
    Bytes value = serving.put(Serving.KEY, 10);
    var handler = ZarrServer.of(serving.store).path("/data").handler();
    DisposableServer own =
        await(
            HttpServer.create()
                .host("127.0.0.1")
                .port(0)
                .route(
                    routes ->
                        routes
                            .route(request -> request.uri().startsWith("/data/"), handler)
                            .get("/hello", (in, out) -> out.sendString(Mono.just("hello"))))
                .bind()
                .subscribeOn(reactor.core.scheduler.Schedulers.boundedElastic()));
    String uri = "http://127.0.0.1:" + own.port();
    var store = dev.zarrreactive.http.HttpStore.open(java.net.URI.create(uri + "/data"));
    assertThat(await(store.get(Serving.KEY))).isEqualTo(value);
    await(store.close());
    own.disposeNow();
  }

  @Test
  void settings_that_cannot_be_are_refused() {
    ZarrServer server = ZarrServer.of(serving.store);
    assertThatThrownBy(() -> server.port(70_000)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> server.path("data/")).hasMessageContaining("data/");
    assertThatThrownBy(() -> ServerLimits.defaults().withRequests(0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> await(server.port(serving.server.port()).start()))
        .hasStackTraceContaining("Address already in use");
  }
}
