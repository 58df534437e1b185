package dev.zarrreactive.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.cli.CommandRun;
import dev.zarrreactive.credentials.LinkKeySource;
import dev.zarrreactive.credentials.LinkKeys;
import dev.zarrreactive.http.HttpStore;
import dev.zarrreactive.server.AccessCheck;
import dev.zarrreactive.server.RunningServer;
import dev.zarrreactive.server.ZarrServer;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.file.FileSystemStore;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;

/** The samples of docs/serving.md. */
class ServingSamplesTest {
  private static final String KEY_TEXT = "2026-11:abcdefghijklmnopqrstuvwxyz012345";

  @TempDir Path directory;

  private final Store store = FileSystemStore.open(CommandRun.EARTH);

  @Test
  void server() {
    int port = 0;
    // docs: serve
    Mono<RunningServer> running =
        ZarrServer.of(store)
            .port(port)
            .consolidated(true) // one request opens the tree
            .start();
    // docs: end
    RunningServer server = running.block();
    Store remote = HttpStore.open(server.uri());
    assertThat(Zarr.hierarchy(remote).openGroup("").flatMapMany(ZarrGroup::tree).count().block())
        .isEqualTo(5);
    remote.close().block();
    server.close().block();
  }

  @Test
  void mounted() {
    // docs: serve-mounted
    var data = ZarrServer.of(store).path("/data").handler();
    HttpServer server =
        HttpServer.create()
            .route(
                routes ->
                    routes
                        .route(request -> request.uri().startsWith("/data/"), data)
                        .get(
                            "/hello",
                            (request, response) -> response.sendString(Mono.just("hello"))));
    // docs: end
    DisposableServer bound = server.host("127.0.0.1").port(0).bindNow();
    Store remote = HttpStore.open(URI.create("http://127.0.0.1:" + bound.port() + "/data"));
    assertThat(Zarr.hierarchy(remote).openArray("earth/lat").block().shape()).hasToString("[360]");
    remote.close().block();
    bound.disposeNow();
  }

  @Test
  void access() {
    // docs: serve-access
    ZarrServer server =
        ZarrServer.of(store)
            .origins("https://viewer.example") // whose pages may read, too
            .access(
                (method, path, headers) ->
                    path.startsWith("/public/")
                        ? Mono.just(AccessCheck.Decision.ALLOWED)
                        : isKnown(headers.get("Authorization"))
                            .map(
                                known ->
                                    known
                                        ? AccessCheck.Decision.ALLOWED
                                        : AccessCheck.Decision.unauthenticated("Bearer")));
    // docs: end
    RunningServer running = server.port(0).start().block();
    HttpStore stranger = HttpStore.open(running.uri());
    HttpStore known = HttpStore.at(running.uri()).bearerToken(Mono.just("t")).open();
    StoreKey key = StoreKey.of("zarr.json");
    assertThat(stranger.get(key).onErrorComplete().block()).isNull();
    assertThat(known.get(key).block()).isNotNull();
    stranger.close().block();
    known.close().block();
    running.close().block();
  }

  @Test
  void links() throws Exception {
    Path keyFile = Files.writeString(directory.resolve("links.key"), KEY_TEXT);
    // docs: serve-links
    LinkKeySource source = LinkKeySource.file(keyFile);
    ZarrServer server = ZarrServer.of(store).consolidated(true).links(source);
    Instant soon = Instant.now().plus(Duration.ofHours(1));
    Mono<String> link = source.keys().map(keys -> keys.sign("/earth", LinkKeys.Access.READ, soon));
    // docs: end
    RunningServer running = server.port(0).start().block();
    Store linked = HttpStore.open(URI.create(running.uri() + link.block()));
    assertThat(Zarr.hierarchy(linked).openArray("lat").block().shape()).hasToString("[360]");
    linked.close().block();
    running.close().block();
  }

  private static Mono<Boolean> isKnown(@Nullable String authorization) {
    return Mono.just("Bearer t".equals(authorization));
  }
}
