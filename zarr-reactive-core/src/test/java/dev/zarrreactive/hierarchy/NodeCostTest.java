package dev.zarrreactive.hierarchy;

import static dev.zarrreactive.hierarchy.Documents.putArray;
import static dev.zarrreactive.hierarchy.Documents.putGroup;
import static dev.zarrreactive.testing.Waiting.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.RoundTrips;
import dev.zarrreactive.testkit.HeldRequests;
import dev.zarrreactive.testkit.InstrumentedStore;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** What opening and listing nodes may cost, in round trips and the requests of each. */
class NodeCostTest {
  private final InstrumentedStore store = InstrumentedStore.of(MemoryStore.create());

  private ZarrGroup root() {
    ZarrGroup root = Zarr.hierarchy(store).openGroup("").block();
    store.counts().reset();
    return root;
  }

  @Test
  void open_format_known() {
    putGroup(store, "");
    putGroup(store, "g");
    putArray(store, "g/a");
    ZarrGroup root = root();
    assertThat(RoundTrips.of(store, root.openArray("g/a"))).containsExactly(1);
    assertThat(RoundTrips.of(store, root.openGroup("g"))).containsExactly(1);
    assertThat(RoundTrips.of(store, root.open("g/a"))).containsExactly(1);
  }

  /** Of v3 the others are cancelled where they do not come; v2 takes a round trip more. */
  @Test
  void open_format_unknown() {
    putArray(store, "new");
    Documents.put(store, "old/.zgroup", "{\"zarr_format\":2}");
    store.counts().reset();
    assertThat(RoundTrips.of(store, Zarr.hierarchy(store).open("new"))).containsExactly(3);
    assertThat(RoundTrips.of(store, Zarr.hierarchy(store).openArray("new"))).containsExactly(3);
    assertThat(RoundTrips.of(store, Zarr.hierarchy(store).openGroup("old"))).containsExactly(3, 1);
    assertThat(RoundTrips.of(store, Zarr.hierarchy(store).open("old"))).containsExactly(3, 2);
    store.counts().reset();
    HeldRequests others = store.hold(request -> !request.target().equals("new/zarr.json"));
    HeldRequests document = store.hold(request -> request.target().equals("new/zarr.json"));
    CompletableFuture<ZarrArray> opened = Zarr.hierarchy(store).openArray("new").toFuture();
    eventually("all are asked for", () -> others.waiting() + document.waiting() == 3);
    document.release();
    assertThat(opened.join().path().value()).isEqualTo("/new");
    eventually("the other requests are given up", () -> store.counts().inFlight() == 0);
    assertThat(store.counts().cancelled()).isEqualTo(2);
    eventually("none waits", () -> others.waiting() == 0);
  }

  /** 31 groups on three levels, and 25 arrays below. */
  private void putTree() {
    putGroup(store, "");
    for (int i = 0; i < 5; i++) {
      putGroup(store, "g" + i);
      for (int j = 0; j < 5; j++) {
        putGroup(store, "g" + i + "/h" + j);
        putArray(store, "g" + i + "/h" + j + "/a");
      }
    }
  }

  @Test
  void tree_of_g_groups_of_depth_d_by_level() {
    putTree();
    assertThat(RoundTrips.of(store, nodes(root().tree())))
        .as("listings and documents of each level")
        .containsExactly(1, 5, 5, 25, 25, 25);
  }

  @Test
  void tree_that_is_consolidated() {
    putTree();
    root().consolidate().block();
    store.counts().reset();
    Mono<List<String>> tree =
        Zarr.hierarchy(store).openGroup("").flatMap(root -> nodes(root.tree()));
    assertThat(RoundTrips.of(store, tree)).hasSize(1);
    assertThat(RoundTrips.of(store, nodes(root().tree()))).isEmpty();
  }

  private static Mono<List<String>> nodes(Flux<? extends ZarrNode> nodes) {
    return nodes
        .map(node -> node.path().value())
        .collectList()
        .doOnNext(paths -> assertThat(paths).hasSize(5 + 25 + 25));
  }
}
