package dev.zarrreactive.boot4;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.s3.S3ProxyServer;
import dev.zarrreactive.server.RunningServer;
import dev.zarrreactive.server.ZarrServer;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.memory.MemoryStore;
import io.netty.buffer.AdaptiveByteBufAllocator;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.Version;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootVersion;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** The stores over HTTP and S3, and the server, with the Reactor and the netty of Spring Boot 4. */
class NewerNettyTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int SIDE = 300;

  private static NdArray data() {
    int[] values = new int[SIDE * SIDE];
    for (int i = 0; i < values.length; i++) {
      values[i] = i * 31;
    }
    return NdArray.ofInts(DataTypes.INT32, Shape.of(SIDE, SIDE), values);
  }

  private static void write(Store store) {
    ArrayMetadata metadata =
        ArrayMetadata.v3(Shape.of(SIDE, SIDE), DataTypes.INT32)
            .shardShape(100, 100)
            .chunkShape(20, 20)
            .build();
    Zarr.hierarchy(store)
        .createArray("a", metadata)
        .flatMap(array -> array.write("...", data()))
        .block(PATIENCE);
  }

  private static void assertRead(Store store) {
    ZarrHierarchy hierarchy = Zarr.hierarchy(store);
    NdArray read =
        hierarchy.openArray("a").flatMap(array -> array.read(Selection.all())).block(PATIENCE);
    assertThat(read).isEqualTo(data());
    NdArray part = hierarchy.openArray("a").flatMap(array -> array.read("7:9,150")).block(PATIENCE);
    assertThat(part.toIntArray()).containsExactly((7 * SIDE + 150) * 31, (8 * SIDE + 150) * 31);
    assertThat(hierarchy.bytesInFlight()).isZero();
  }

  @Test
  void these_are_the_newer_versions() {
    assertThat(SpringBootVersion.getVersion()).startsWith("4.");
    assertThat(Version.identify().get("netty-common").artifactVersion()).startsWith("4.2.");
    assertThat(Mono.class.getPackage().getImplementationVersion())
        .satisfiesAnyOf(
            version -> assertThat(version).isNull(),
            version -> assertThat(version).startsWith("3.8."));
  }

  @Test
  void threads_that_allocate_at_once_do_not_block_by_the_rules_of_blockhound() {
    ByteBufAllocator allocator = new AdaptiveByteBufAllocator(true);
    Scheduler threads = Schedulers.newParallel("allocating", 8, true);
    try {
      Flux.range(0, 8)
          .parallel(8)
          .runOn(threads)
          .doOnNext(
              thread -> {
                for (int i = 0; i < 2_000; i++) {
                  allocator.directBuffer(30_382, 30_382).release();
                }
              })
          .sequential()
          .blockLast(PATIENCE);
    } finally {
      threads.dispose();
    }
  }

  @Test
  void an_array_is_served_and_read_over_http() {
    Store written = MemoryStore.create();
    write(written);
    RunningServer server = ZarrServer.of(written).port(0).start().block(PATIENCE);
    Store store = Zarr.at(server.uri().toString()).store().block(PATIENCE);
    assertRead(store);
    store.close().then(server.close()).block(PATIENCE);
  }

  @Test
  void an_array_is_written_and_read_in_s3() {
    try (S3ProxyServer server = S3ProxyServer.start()) {
      Store store = server.at(server.newBucket()).open();
      write(store);
      assertRead(store);
      store.close().block(PATIENCE);
    }
  }
}
