package dev.zarrreactive.http;

import static dev.zarrreactive.testing.Waiting.await;
import static dev.zarrreactive.testing.Waiting.errorOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.NodeNotFoundException;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.store.memory.MemoryStore;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Nodes that are opened by equal URLs share a store, its caches and its end. */
class HttpSharedLocationsTest {
  private final MemoryStore values = MemoryStore.create();
  private final FaultyServer server = FaultyServer.of(values);
  private final StoreOptions options =
      StoreOptions.none().with("header.X-Test", String.valueOf(server.port()));
  private final ZarrOptions v3 = ZarrOptions.defaults().withZarrFormat(3);

  @AfterEach
  void close() {
    server.close();
  }

  private void array(String path, int value) {
    ArrayMetadata sharded =
        ArrayMetadata.v3(Shape.of(64), DataTypes.INT32)
            .chunkShape(8)
            .uncompressed()
            .shardShape(64)
            .build();
    await(
        Zarr.hierarchy(values)
            .createArray(path, sharded)
            .flatMap(array -> array.write(Selection.all(), value)));
  }

  private ZarrArray open(String path) {
    return await(
        Zarr.at(server.uri() + "/" + path).withStoreOptions(options).withOptions(v3).openArray());
  }

  private static int[] first(ZarrArray array) {
    return await(array.read(Selection.parse("0:2"))).toIntArray();
  }

  @Test
  void the_index_of_a_shard_is_fetched_once_for_all_that_open_its_url() {
    array("a", 5);
    ZarrArray one = open("a");
    assertThat(first(one)).containsExactly(5, 5);
    ZarrArray two = open("a");
    server.forget();
    assertThat(first(two)).containsExactly(5, 5);
    assertThat(server.requests()).as("the inner chunk, without the index").hasSize(1);
    await(one.store().close());
    await(two.store().close());
  }

  @Test
  void arrays_at_other_urls_of_the_server_keep_their_own_values() {
    array("a", 5);
    array("b", 6);
    List<ZarrArray> opened = List.of(open("a"), open("b"));
    for (int round = 0; round < 2; round++) {
      assertThat(first(opened.get(0))).containsExactly(5, 5);
      assertThat(first(opened.get(1))).containsExactly(6, 6);
    }
    opened.forEach(each -> await(each.store().close()));
  }

  @Test
  void a_node_that_is_missing_leaves_the_store_of_the_others_open() {
    await(Zarr.hierarchy(values).createGroup("g"));
    String url = server.uri() + "/g";
    ZarrGroup group = await(Zarr.at(url).withStoreOptions(options).openGroup());
    assertThat(errorOf(Zarr.at(url + "/none").withStoreOptions(options).openArray()))
        .isInstanceOf(NodeNotFoundException.class);
    assertThat(errorOf(Zarr.at(url).withStoreOptions(options).openArray()))
        .as("a group is there")
        .isNotNull();
    assertThat(await(group.exists("child"))).as("its store is open").isFalse();
    await(group.store().close());
  }

  @Test
  void the_last_close_of_the_store_of_a_url_closes_its_connections() {
    array("a", 5);
    int others = HttpStoreBuilder.sharedServers();
    ZarrArray one = open("a");
    ZarrArray two = open("a");
    assertThat(HttpStoreBuilder.sharedServers()).isEqualTo(others + 1);
    await(one.store().close());
    assertThat(first(two)).containsExactly(5, 5);
    await(two.store().close());
    assertThat(HttpStoreBuilder.sharedServers()).isEqualTo(others);
    assertThat(errorOf(two.read(Selection.parse("8:16")))).hasMessageContaining("was closed");
    ZarrArray anew = open("a");
    assertThat(first(anew)).containsExactly(5, 5);
    await(anew.store().close());
    assertThat(HttpStoreBuilder.sharedServers()).isEqualTo(others);
  }
}
