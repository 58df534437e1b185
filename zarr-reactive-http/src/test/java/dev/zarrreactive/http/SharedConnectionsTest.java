package dev.zarrreactive.http;

import static dev.zarrreactive.http.HttpCancelTest.eventually;
import static dev.zarrreactive.testing.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.NodeNotFoundException;
import dev.zarrreactive.error.StoreCapabilityException;
import dev.zarrreactive.faults.server.Fault;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.store.memory.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Stores that are opened by a URL share the connections to their server. */
class SharedConnectionsTest {
  private static final int OPENS = 300;
  private static final StoreOptions SOON =
      StoreOptions.none().with("idle-timeout", "PT0.3S").with("connections", "8");

  private final MemoryStore values = MemoryStore.create();
  private final FaultyServer server = FaultyServer.of(values);

  @BeforeEach
  void two_arrays() {
    for (String name : List.of("a", "b")) {
      ArrayMetadata metadata =
          ArrayMetadata.v3(Shape.of(4), DataTypes.INT32).uncompressed().chunkShape(2).build();
      Zarr.hierarchy(values).createArray(name, metadata).block();
    }
  }

  @AfterEach
  void close() {
    server.close();
  }

  private String url(String name) {
    return server.uri() + "/" + name;
  }

  @Test
  void three_hundred_opens_one_after_the_other_leave_as_many_connections_as_one() {
    for (int i = 0; i < OPENS; i++) {
      await(Zarr.at(url(i % 2 == 0 ? "a" : "b")).withStoreOptions(SOON).openArray());
      eventually(() -> server.underWay() == 0); // it knows which connections the open has closed
      assertThat(server.connections()).isLessThanOrEqualTo(8);
    }
    eventually(() -> server.connections() == 0);
  }

  @Test
  void opens_at_the_same_time_share_as_many_connections_as_one_store_may_have() {
    List<ZarrArray> opened =
        Flux.range(0, OPENS)
            .flatMap(i -> Zarr.at(url("a")).withStoreOptions(SOON).openArray(), 64)
            .collectList()
            .block(Duration.ofMinutes(2));
    assertThat(opened).hasSize(OPENS);
    eventually(() -> server.underWay() == 0); // it knows which connections the opens have closed
    assertThat(server.connections()).isLessThanOrEqualTo(8);
    assertThat(await(opened.get(OPENS - 1).read(Selection.all()))).isNotNull(); // the store is open
    eventually(() -> server.connections() == 0);
    assertThat(await(opened.get(0).read(Selection.all()))).isNotNull(); // and connects again
  }

  @Test
  void the_last_store_that_is_closed_closes_the_connections() {
    StoreOptions own = StoreOptions.none().with("header.X-Of", "the-last-store");
    int others = HttpStoreBuilder.sharedServers();
    List<Store> stores = new ArrayList<>();
    for (int i = 0; i < OPENS; i++) {
      Store store = await(Zarr.at(url("a")).withStoreOptions(own).store());
      stores.add(store);
      await(store.get(StoreKey.of("zarr.json")));
    }
    assertThat(HttpStoreBuilder.sharedServers()).isEqualTo(others + 1);
    assertThat(server.connections()).isLessThanOrEqualTo(64);

    for (Store store : stores.subList(1, OPENS)) {
      await(store.close());
      await(store.close()); // counts once
    }
    assertThat(await(stores.get(0).get(StoreKey.of("zarr.json")))).isNotNull();
    assertThatThrownBy(() -> await(stores.get(1).get(StoreKey.of("zarr.json"))))
        .hasMessageContaining("the store was closed");

    await(stores.get(0).close());
    assertThat(HttpStoreBuilder.sharedServers()).isEqualTo(others);
    eventually(() -> server.connections() == 0);
  }

  @Test
  void stores_with_other_options_or_another_user_have_connections_of_their_own() {
    int others = HttpStoreBuilder.sharedServers();
    Store first =
        await(
            Zarr.at(url("a"))
                .withStoreOptions(StoreOptions.none().with("bearer-token", "one"))
                .store());
    Store second =
        await(
            Zarr.at(url("a"))
                .withStoreOptions(StoreOptions.none().with("bearer-token", "two"))
                .store());
    String withUser = url("a").replace("http://", "http://me:secret@");
    Store third =
        await(
            Zarr.at(withUser)
                .withStoreOptions(StoreOptions.none().with("bearer-token", "two"))
                .store());
    assertThat(HttpStoreBuilder.sharedServers()).isEqualTo(others + 3);
    Mono.when(first.close(), second.close(), third.close()).block();
    assertThat(HttpStoreBuilder.sharedServers()).isEqualTo(others);
  }

  @Test
  void an_open_that_fails_or_is_cancelled_leaves_no_store_open() {
    StoreOptions own = StoreOptions.none().with("header.X-Of", "a-failure").with("retry", "false");
    int others = HttpStoreBuilder.sharedServers();
    assertThatThrownBy(() -> await(Zarr.at(url("missing")).withStoreOptions(own).openArray()))
        .isInstanceOf(NodeNotFoundException.class);
    assertThat(HttpStoreBuilder.sharedServers()).isEqualTo(others);

    server.misbehave(Fault.silence());
    Mono<ZarrArray> opened = Zarr.at(url("a")).withStoreOptions(own).openArray();
    var waiting = opened.subscribe();
    eventually(() -> server.underWay() > 0);
    waiting.dispose();
    eventually(() -> HttpStoreBuilder.sharedServers() == others);
    eventually(() -> server.connections() == 0);
  }

  @Test
  void a_url_with_a_secret_query_shows_none_of_it_and_shares_the_connections() {
    StoreOptions own = StoreOptions.none().with("header.X-Of", "signatures");
    int others = HttpStoreBuilder.sharedServers();
    Store one = await(Zarr.at(url("a") + "?signature=one").withStoreOptions(own).store());
    Store two = await(Zarr.at(url("a") + "?signature=two").withStoreOptions(own).store());
    assertThat(HttpStoreBuilder.sharedServers()).isEqualTo(others + 1);
    assertThat(one.toString() + two).doesNotContain("signature");
    await(two.get(StoreKey.of("zarr.json")));
    assertThat(server.requests().get(0).uri()).endsWith("?signature=two");
    Mono.when(one.close(), two.close()).block();
  }

  @Test
  void nothing_is_created_over_http() {
    ArrayMetadata metadata = ArrayMetadata.v3(Shape.of(4), DataTypes.INT32).build();
    assertThatThrownBy(() -> await(Zarr.at(url("new")).createArray(metadata)))
        .isInstanceOf(StoreCapabilityException.class)
        .hasMessageContaining("cannot be written to");
    assertThatThrownBy(() -> await(Zarr.at(url("new")).createGroup()))
        .isInstanceOf(StoreCapabilityException.class);
  }
}
