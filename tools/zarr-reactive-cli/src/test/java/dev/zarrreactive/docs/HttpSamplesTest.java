package dev.zarrreactive.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.cli.CommandRun;
import dev.zarrreactive.faults.server.Fault;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.faults.server.ReceivedRequest;
import dev.zarrreactive.http.HttpStore;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.store.decorator.HedgeOptions;
import dev.zarrreactive.store.decorator.RequestLimit;
import dev.zarrreactive.store.decorator.RetryOptions;
import dev.zarrreactive.store.decorator.Stores;
import dev.zarrreactive.store.file.FileSystemStore;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** The samples of docs/http.md. */
class HttpSamplesTest {
  private final FaultyServer server = FaultyServer.of(FileSystemStore.open(CommandRun.EARTH));
  private final URI base = server.uri();

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void url() {
    String url = base + "/earth/lat"; // https://data.example/earth.zarr/earth/lat
    // docs: http-url
    Mono<NdArray> lat = Zarr.at(url).openArray().flatMap(array -> array.read(Selection.all()));
    // docs: end
    assertThat(lat.block().shape()).hasToString("[360]");
  }

  @Test
  void locations() {
    // docs: locations
    StoreOptions options = StoreOptions.none().with("header.X-Api-Key", key());
    Mono<Store> remote = // https:, file:, memory:, a path
        Zarr.at(base + "/earth").withStoreOptions(options).store();
    Mono<ZarrNode> node =
        Mono.usingWhen(
            remote, store -> Zarr.hierarchy(store).open("rgb"), Store::close); // closed by you
    // docs: end
    assertThat(node.block().path()).hasToString("/rgb");
    assertThat(server.requests()).allMatch(asked -> "k".equals(asked.header("x-api-key")));
  }

  @Test
  void known_format() {
    String url = base + "/earth/lat";
    // docs: http-known-format
    ZarrOptions three = ZarrOptions.defaults().withZarrFormat(3);
    Mono<ZarrArray> lat =
        Zarr.at(url)
            .withStoreOptions(StoreOptions.none().with("bearer-token", key()))
            .withOptions(three)
            .openArray();
    // docs: end
    assertThat(lat.block().shape()).hasToString("[360]");
    assertThat(server.requests()).hasSize(1);
  }

  private static String key() {
    return "k";
  }

  @Test
  void settings() {
    server.misbehave(
        Fault.status(401, null)
            .where(asked -> !"Bearer fresh".equals(asked.header("authorization"))));
    Mono<String> token = Mono.just("fresh");
    // docs: http-settings
    HttpStore store =
        HttpStore.at(base) // https://data.example/earth.zarr?signature=...
            .bearerToken(token) // a Mono: subscribed once, and again after a 401
            .connections(32)
            .stallTimeout(Duration.ofSeconds(10)) // without a byte
            .open();
    // docs: end
    assertThat(Zarr.hierarchy(store).openArray("earth/lat").block()).isNotNull();
    store.close().block();
  }

  @Test
  void stack() {
    // docs: http-stack
    Store store =
        Stores.stack(HttpStore.open(base))
            .limit(RequestLimit.adaptive())
            .retry(RetryOptions.defaults().withDeadline(Duration.ofSeconds(20)))
            .hedge(HedgeOptions.defaults())
            .build();
    // docs: end
    Fault cut = Fault.cutAfter(50).where(asked -> asked.path().endsWith("c/0")).times(1);
    server.misbehave(cut.and(Fault.status(503, "0").times(1)));
    ZarrArray array = Zarr.hierarchy(store).openArray("earth/lat").block();
    assertThat(array.read(Selection.all()).block().shape()).hasToString("[360]");
    List<ReceivedRequest> requests = server.requests();
    assertThat(requests).anyMatch(asked -> asked.header("if-range") != null);
    store.close().block();
  }
}
