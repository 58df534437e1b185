package dev.zarrreactive.webflux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.arrow.ArrowTable;
import dev.zarrreactive.dataset.Dataset;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.Waiting;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/** A service that sends chunks and rows as streams of Apache Arrow. */
class ArrowServiceTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Store STORE = MemoryStore.create();
  private static ConfigurableApplicationContext service;

  @BeforeAll
  static void start() {
    ZarrHierarchy written = Zarr.hierarchy(STORE);
    List<Instant> days =
        List.of(Instant.parse("2026-11-01T00:00:00Z"), Instant.parse("2026-11-02T00:00:00Z"));
    NdArray kelvin = NdArray.ofDoubles(Shape.of(2, 3), 281, 282, 283, 284, 285, Double.NaN);
    Dataset.builder()
        .coordinate("time", days)
        .coordinate("lon", NdArray.ofDoubles(Shape.of(3), 14, 16, 18))
        .variable(
            "t2m", List.of("time", "lon"), kelvin, t2m -> t2m.chunkShape(1, 3).missing(Double.NaN))
        .write(written, "")
        .block(PATIENCE);
    service = SliceService.start(STORE, Map.of(), ArrowController.class);
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  /** Returns the batches of a response as text. */
  private static List<String> batches(String path) throws IOException {
    byte[] body =
        SliceService.client(service)
            .get()
            .uri(path)
            .exchange()
            .expectStatus()
            .isOk()
            .expectHeader()
            .contentType(ArrowTable.MEDIA_TYPE)
            .expectBody()
            .returnResult()
            .getResponseBody();
    List<String> batches = new ArrayList<>();
    try (RootAllocator allocator = new RootAllocator();
        ArrowStreamReader reader =
            new ArrowStreamReader(new ByteArrayInputStream(body), allocator)) {
      while (reader.loadNextBatch()) {
        batches.add(reader.getVectorSchemaRoot().contentToTSVString().strip());
      }
    }
    return batches;
  }

  @Test
  void each_chunk_is_a_tensor() throws IOException {
    assertThat(batches("/tensors/t2m"))
        .containsExactly(
            "time_start\tlon_start\tt2m\n0\t0\t[281.0,282.0,283.0]",
            "time_start\tlon_start\tt2m\n1\t0\t[284.0,285.0,null]");
  }

  @Test
  void each_cell_is_a_row_in_which_a_missing_value_is_null() throws IOException {
    assertThat(batches("/frames/t2m?time=2026-11-02"))
        .containsExactly("lon\tt2m\n14.0\t284.0\n16.0\t285.0\n18.0\tnull");
    ArrowController controller = service.getBean(ArrowController.class);
    Waiting.eventually("no memory of Arrow is held", () -> controller.allocated() == 0);
  }

  @Test
  void a_selection_that_is_wrong_is_400_before_anything_is_sent() {
    SliceService.client(service)
        .get()
        .uri("/frames/t2m?time=2027")
        .exchange()
        .expectStatus()
        .isBadRequest();
    SliceService.client(service)
        .get()
        .uri("/tensors/nope")
        .exchange()
        .expectStatus()
        .isBadRequest();
  }
}
