package dev.zarrreactive.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrLocation;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.cli.CommandRun;
import dev.zarrreactive.gcs.GcsStore;
import dev.zarrreactive.gcs.XmlApiServer;
import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.store.file.FileSystemStore;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** The samples of docs/gcs.md, and its commands, over a server that speaks the XML API. */
class GcsSamplesTest {
  private final XmlApiServer server = XmlApiServer.start();
  private final String bucket = server.newBucket();
  private final String endpoint = server.uri().toString();

  @BeforeEach
  void copy() {
    FileSystemStore files = FileSystemStore.open(CommandRun.EARTH.toAbsolutePath());
    files
        .list()
        .concatMap(
            key ->
                files
                    .get(key)
                    .doOnNext(value -> server.put(bucket, key.value(), value.toByteArray())))
        .blockLast();
  }

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void first() {
    // docs: gcs-first
    ZarrLocation location =
        Zarr.at("gs://" + bucket + "/earth/lat")
            .withStoreOptions(
                StoreOptions.none()
                    .with("anonymous", "true") // public data
                    .with("endpoint", endpoint)); // not for Google's
    Mono<NdArray> lat = location.openArray().flatMap(array -> array.read("::60"));
    // docs: end
    assertThat(lat.block().toDoubleArray()).startsWith(89.75, 59.75).hasSize(6);
  }

  @Test
  void settings() {
    server.accept("Bearer s3cret"::equals);
    Mono<String> token = Mono.just("s3cret");
    // docs: gcs-settings
    GcsStore store =
        GcsStore.at(bucket)
            .prefix("earth")
            .endpoint(URI.create(endpoint)) // where it is not Google's
            .bearerToken(token) // else: the application default credentials, or none
            .userProject("my-project") // pays for the requests, where readers pay
            .connections(32)
            .stallTimeout(Duration.ofSeconds(10)) // without a byte sent or received
            .open();
    // docs: end
    assertThat(store.get(StoreKey.of("lat/zarr.json")).block()).isNotNull();
    store.close().block();
  }

  @Test
  void the_command_reads_lists_and_writes() {
    String location = "gs://" + bucket;
    CommandRun tree = CommandRun.zarr("tree", location, "--endpoint", endpoint);
    assertThat(tree.exitCode()).as(tree.err()).isZero();
    assertThat(tree.out()).contains("lat");
    CommandRun ls =
        CommandRun.zarr("ls", location + "/earth", "--anonymous", "--endpoint", endpoint);
    assertThat(ls.out()).contains("lat").contains("lon");
    String copied = "gs://" + server.newBucket() + "/lat.zarr";
    CommandRun copy =
        CommandRun.zarr("copy", location + "/earth/lat", copied, "--quiet", "--endpoint", endpoint);
    assertThat(copy.exitCode()).as(copy.err()).isZero();
    CommandRun read = CommandRun.zarr("read", copied, "--select", "::120", "--endpoint", endpoint);
    assertThat(read.out()).contains("[ 89.75  29.75 -30.25]");
  }

  @Test
  void the_command_says_what_helps_where_access_is_denied() {
    server.accept(given -> given.equals("Bearer s3cret"));
    String location = "gs://" + bucket + "/earth/lat";
    CommandRun refused = CommandRun.zarr("info", location, "--endpoint", endpoint);
    assertThat(refused.exitCode()).isEqualTo(1);
    assertThat(refused.err())
        .contains("access denied")
        .contains("GOOGLE_APPLICATION_CREDENTIALS")
        .contains("--anonymous uses none");
    CommandRun allowed =
        CommandRun.with(
            Map.of("TOKEN", "s3cret"),
            "info",
            location,
            "--endpoint",
            endpoint,
            "--bearer-token-env",
            "TOKEN");
    assertThat(allowed.exitCode()).as(allowed.err()).isZero();
    assertThat(allowed.out() + allowed.err()).doesNotContain("s3cret");
  }
}
