package dev.zarrreactive.webflux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.icechunk.WrittenCommits;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.file.FileSystemStore;
import dev.zarrreactive.store.memory.MemoryStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.http.HttpStatus;
import org.springframework.test.web.reactive.server.WebTestClient;

/** A service whose location is a version of a repository, or references. */
class VersionedSlicesTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir Path directory;
  private WrittenCommits commits;
  private String first;

  @BeforeEach
  void write() {
    commits = new WrittenCommits(FileSystemStore.open(directory.resolve("repo")));
    first = commits.commit(hierarchy(0));
    commits.commit(hierarchy(100));
  }

  private static Store hierarchy(int start) {
    Store store = MemoryStore.create();
    NdArray data =
        NdArray.ofInts(
            DataTypes.INT32, Shape.of(6, 4), IntStream.range(start, start + 24).toArray());
    Zarr.hierarchy(store)
        .createArray(
            "g/a", ArrayMetadata.v3(data.shape(), DataTypes.INT32).chunkShape(2, 2).build())
        .flatMap(array -> array.write("...", data))
        .block(PATIENCE);
    return store;
  }

  private static String slice(String location, Map<String, Object> more, String path) {
    Map<String, Object> properties = new java.util.TreeMap<>(more);
    properties.put("zarr.location", location);
    try (ConfigurableApplicationContext service = SliceService.start(properties)) {
      return slice(SliceService.client(service), path, "1,0:2");
    }
  }

  private static String slice(WebTestClient client, String path, String select) {
    return client
        .get()
        .uri("/arrays/" + path + "?select=" + select)
        .header("Accept", "application/json")
        .exchange()
        .expectStatus()
        .isOk()
        .expectBody(String.class)
        .returnResult()
        .getResponseBody();
  }

  @Test
  void a_service_shows_the_version_that_its_location_names() {
    String repository = directory.resolve("repo").toString();
    assertThat(slice(repository + "|icechunk:", Map.of(), "g/a")).contains("104", "105");
    assertThat(slice(repository + "|icechunk://" + first, Map.of(), "g/a")).contains("4", "5");
    assertThat(slice(repository, Map.of("zarr.store.snapshot", first), "g/a"))
        .contains("4", "5")
        .doesNotContain("104");
  }

  @Test
  void a_service_keeps_the_snapshot_that_it_has_opened() {
    String location = directory.resolve("repo") + "|icechunk://branch.main";
    try (ConfigurableApplicationContext service =
        SliceService.start(Map.of("zarr.location", location))) {
      WebTestClient client = SliceService.client(service);
      String before = slice(client, "g/a", "1,0:2");
      commits.commit(hierarchy(500));
      assertThat(slice(client, "g/a", "1,0:2")).isEqualTo(before).contains("104");
      assertThat(slice(client, "g/a", "5,2:4"))
          .as("chunks that nobody has asked for")
          .contains("122");
    }
  }

  @Test
  void a_service_reads_what_its_references_lead_to_where_it_is_allowed() throws IOException {
    Path data = directory.resolve("a.nc");
    Files.writeString(data, "HEAD012345");
    Files.writeString(
        directory.resolve("air.json"),
        """
        {"version": 1, "refs": {
          ".zgroup": {"zarr_format": 2},
          "air/.zarray": {"zarr_format": 2, "shape": [2, 3], "chunks": [1, 3], "dtype": "|u1",
            "compressor": null, "filters": null, "order": "C", "fill_value": 0},
          "air/0.0": ["URL", 4, 3], "air/1.0": ["URL", 7, 3]}}
        """
            .replace("URL", data.toUri().toString()));
    String location = directory.resolve("air.json") + "|kerchunk:";
    Map<String, Object> allowed = Map.of("zarr.store[virtual:" + directory.toUri() + "]", "");
    assertThat(slice(location, allowed, "air")).contains("51", "52");
    try (ConfigurableApplicationContext service =
        SliceService.start(Map.of("zarr.location", location))) {
      SliceService.client(service)
          .get()
          .uri("/arrays/air?select=1,0:2")
          .exchange()
          .expectStatus()
          .isEqualTo(HttpStatus.FORBIDDEN);
    }
  }
}
