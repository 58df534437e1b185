package dev.zarrreactive.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrLocation;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.cli.CommandRun;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.faults.server.Fault;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.s3.S3Store;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.store.decorator.RequestLimit;
import dev.zarrreactive.store.decorator.RetryOptions;
import dev.zarrreactive.store.decorator.Stores;
import dev.zarrreactive.store.file.FileSystemStore;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Mono;

/** The samples of docs/s3.md; a server of files answers GET as S3 does. */
class S3SamplesTest {
  private final FaultyServer server =
      FaultyServer.of(FileSystemStore.open(CommandRun.EARTH.toAbsolutePath().getParent()));
  private final String bucket = CommandRun.EARTH.getFileName().toString();
  private final String endpoint = server.uri().toString();

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void first() {
    System.setProperty("aws.accessKeyId", "key");
    System.setProperty("aws.secretAccessKey", "s3cret");
    try {
      // docs: s3-first
      ZarrLocation location =
          Zarr.at("s3://" + bucket + "/earth/lat")
              .withStoreOptions(StoreOptions.none().with("endpoint", endpoint)); // not for Amazon's
      Mono<NdArray> lat = location.openArray().flatMap(array -> array.read("::60"));
      // docs: end
      assertThat(lat.block().toDoubleArray()).startsWith(89.75, 59.75).hasSize(6);
      assertThat(server.requests()).allMatch(asked -> asked.header("authorization") != null);
    } finally {
      System.clearProperty("aws.accessKeyId");
      System.clearProperty("aws.secretAccessKey");
    }
  }

  /** A directory takes the place of a bucket, for the server of this test only reads. */
  @Test
  void write(@TempDir Path directory) {
    ZarrLocation location = Zarr.at(directory.resolve("own").toString());
    // docs: s3-write
    ArrayMetadata metadata = ArrayMetadata.v3(Shape.of(2, 3), DataTypes.INT32).build();
    NdArray values = NdArray.ofInts(DataTypes.INT32, Shape.of(2, 3), 1, 2, 3, 4, 5, 6);
    Mono<Void> written =
        location.createArray(metadata).flatMap(array -> array.write(Selection.all(), values));
    // docs: end
    written.block();
    assertThat(location.openArray().flatMap(array -> array.read("1,:")).block().toIntArray())
        .containsExactly(4, 5, 6);
  }

  @Test
  void url() {
    // docs: s3-url
    StoreOptions options = StoreOptions.none().with("endpoint", endpoint).with("anonymous", "true");
    Mono<NdArray> lat =
        Mono.usingWhen(
            Zarr.at("s3://" + bucket + "/earth").withStoreOptions(options).store(),
            store ->
                Zarr.hierarchy(store)
                    .openArray("lat")
                    .flatMap(array -> array.read(Selection.all())),
            Store::close);
    // docs: end
    assertThat(lat.block().shape()).hasToString("[360]");
  }

  @Test
  void settings() {
    String accessKey = "key";
    String secretKey = "s3cret";
    // docs: s3-settings
    S3Store store =
        S3Store.at(bucket)
            .prefix("earth")
            .endpoint(URI.create(endpoint)) // where it is not Amazon's
            .credentials(accessKey, secretKey) // else: environment, profile, container, instance
            .connections(32)
            .stallTimeout(Duration.ofSeconds(10)) // without a byte sent or received
            .open();
    // docs: end
    assertThat(Zarr.hierarchy(store).openArray("lat").block()).isNotNull();
    assertThat(server.requests()).allMatch(asked -> asked.header("authorization") != null);
    store.close().block();
  }

  @Test
  void stack() {
    S3Store s3 = S3Store.at(bucket).endpoint(URI.create(endpoint)).anonymous().open();
    // docs: s3-stack
    Store limited = Stores.limited(s3, RequestLimit.adaptive());
    Store store = Stores.retrying(limited, RetryOptions.defaults());
    // docs: end
    server.misbehave(Fault.status(503, "0").times(2));
    assertThat(Zarr.hierarchy(store).openArray("earth/lat").block()).isNotNull();
    store.close().block();
  }
}
