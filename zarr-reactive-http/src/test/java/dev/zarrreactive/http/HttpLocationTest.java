package dev.zarrreactive.http;

import static dev.zarrreactive.testing.Waiting.await;
import static dev.zarrreactive.testing.Waiting.errorOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.faults.NoLeaks;
import dev.zarrreactive.faults.server.Fault;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.store.file.FileSystemStore;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.store.zip.NewZipStore;
import dev.zarrreactive.store.zip.ZipStore;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Stores and nodes that a URL of HTTP opens. */
@ExtendWith(NoLeaks.class)
class HttpLocationTest {
  private static final Bytes GROUP = Bytes.utf8("{\"zarr_format\": 3, \"node_type\": \"group\"}");
  private static final StoreKey DOCUMENT = StoreKey.of("zarr.json");

  private final MemoryStore values = MemoryStore.create();
  private final FaultyServer server = FaultyServer.of(values);

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void a_url_is_a_hierarchy_and_is_asked_again_where_that_helps() {
    values.set(StoreKey.of("data/a b.zarr/zarr.json"), GROUP).block();
    server.misbehave(Fault.status(503, null).times(1));
    ZarrGroup group = await(Zarr.at(server.uri() + "/data/a b.zarr").openGroup());
    assertThat(group).isNotNull();
    assertThat(server.requests()).hasSizeGreaterThan(1);
    await(group.store().close());
  }

  @Test
  void a_url_of_an_archive_opens_the_archive(@TempDir Path directory) {
    NewZipStore zip = ZipStore.create(directory.resolve("x.zip"));
    await(zip.set(DOCUMENT, GROUP).then(zip.close()));
    Bytes archive = await(FileSystemStore.open(directory).get(StoreKey.of("x.zip")));
    values.set(StoreKey.of("d/x y.zip"), archive).block();
    Store store = await(Zarr.at(server.uri() + "/d/x%20y.zip?sig=a/b.zip").store());
    assertThat(await(store.get(DOCUMENT))).isEqualTo(GROUP);
    assertThat(server.requests()).allMatch(asked -> asked.uri().equals("/d/x%20y.zip?sig=a/b.zip"));
    assertThat(store.toString()).doesNotContain("sig");
    await(store.close());
    HttpCancelTest.eventually(() -> server.connections() == 0);
  }

  @Test
  void options_go_to_the_store() {
    values.set(DOCUMENT, GROUP).block();
    server.misbehave(
        Fault.status(403, null).where(asked -> !"key".equals(asked.header("x-api-key"))));
    StoreOptions none = StoreOptions.none();
    Store with =
        await(
            Zarr.at(server.uri().toString())
                .withStoreOptions(
                    none.with("header.X-Api-Key", "key")
                        .with("http2", "true")
                        .with("retry", "false"))
                .store());
    assertThat(await(with.get(DOCUMENT))).isEqualTo(GROUP);
    assertThat(with.toString())
        .startsWith("LimitedStore[")
        .endsWith(" requests now, HttpStore[" + server.uri() + "]]");
    Store without =
        await(
            Zarr.at(server.uri().toString())
                .withStoreOptions(none.with("forbidden-is-missing", "true"))
                .store());
    assertThat(await(without.get(DOCUMENT))).isNull();
    await(with.close().then(without.close()));
  }

  @ParameterizedTest
  @CsvSource({
    "endpoint, x, not an option",
    "header., x, not an option",
    "http2, yes, true or false",
    "connections, many, is a number",
    "stall-timeout, 5 s, PT30S",
    "proxy, ftp://p:1, http"
  })
  void options_that_make_no_sense_are_refused(String name, String value, String why) {
    assertThat(
            errorOf(
                Zarr.at(server.uri().toString())
                    .withStoreOptions(StoreOptions.none().with(name, value))
                    .store()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(why);
  }
}
