package dev.zarrreactive.webflux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.codec.Codecs;
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
import java.util.Arrays;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.zip.CRC32;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.http.HttpHeaders;
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
  void a_service_over_a_branch_shows_each_response_the_snapshot_of_now() {
    String location = directory.resolve("repo") + "|icechunk://branch.main";
    try (ConfigurableApplicationContext service =
        SliceService.start(Map.of("zarr.location", location))) {
      WebTestClient client = SliceService.client(service);
      assertThat(slice(client, "g/a", "1,0:2")).contains("104");
      commits.commit(hierarchy(500));
      assertThat(slice(client, "g/a", "1,0:2")).as("at once").contains("504");
      assertThat(slice(client, "g/a", "5,2:4")).contains("522");
    }
  }

  @Test
  void a_service_over_a_snapshot_keeps_it() {
    String location = directory.resolve("repo") + "|icechunk://" + first;
    try (ConfigurableApplicationContext service =
        SliceService.start(Map.of("zarr.location", location))) {
      WebTestClient client = SliceService.client(service);
      commits.commit(hierarchy(500));
      assertThat(slice(client, "g/a", "1,0:2")).contains("[4,5]");
    }
  }

  @Test
  void a_service_over_a_part_of_a_branch_follows_it_too() {
    String location = directory.resolve("repo") + "|icechunk://branch.main/g";
    try (ConfigurableApplicationContext service =
        SliceService.start(Map.of("zarr.location", location))) {
      WebTestClient client = SliceService.client(service);
      assertThat(slice(client, "a", "1,0:2")).contains("104");
      commits.commit(hierarchy(500));
      assertThat(slice(client, "a", "1,0:2")).contains("504");
    }
  }

  @Test
  void a_slice_has_an_etag_of_its_snapshot_and_is_not_sent_again() {
    String location = directory.resolve("repo") + "|icechunk:";
    try (ConfigurableApplicationContext service =
        SliceService.start(Map.of("zarr.location", location))) {
      WebTestClient client = SliceService.client(service);
      String tag = tag(client, "/arrays/g/a?select=1,0:2", "application/json");
      assertThat(tag).matches("\"[0-9a-f]{32}-json\"");
      assertThat(tag(client, "/arrays/g/a?select=1,0:2", "application/json")).isEqualTo(tag);
      assertThat(tag(client, "/arrays/g/a?select=1,0:2", "text/csv")).isNotEqualTo(tag);
      assertThat(tag(client, "/arrays/g/a?select=2,0:2", "application/json")).isNotEqualTo(tag);
      conditional(client, "If-None-Match", tag)
          .expectStatus()
          .isNotModified()
          .expectBody()
          .isEmpty();
      commits.commit(hierarchy(500));
      conditional(client, "If-None-Match", tag).expectStatus().isOk();
      assertThat(tag(client, "/arrays/g/a?select=1,0:2", "application/json")).isNotEqualTo(tag);
    }
  }

  private static String tag(WebTestClient client, String path, String accept) {
    HttpHeaders headers =
        client
            .get()
            .uri(path)
            .header("Accept", accept)
            .exchange()
            .expectStatus()
            .isOk()
            .expectBody()
            .returnResult()
            .getResponseHeaders();
    assertThat(headers.getCacheControl()).isEqualTo("no-cache");
    return headers.getETag();
  }

  private static WebTestClient.ResponseSpec conditional(
      WebTestClient client, String name, String value, String... more) {
    var request =
        client
            .get()
            .uri("/arrays/g/a?select=1,0:2")
            .header("Accept", "application/json")
            .header(name, value);
    for (int i = 0; i < more.length; i += 2) {
      request = request.header(more[i], more[i + 1]);
    }
    return request.exchange();
  }

  @Test
  void a_range_of_another_snapshot_is_answered_with_the_whole_slice() {
    String location = directory.resolve("repo") + "|icechunk:";
    try (ConfigurableApplicationContext service =
        SliceService.start(Map.of("zarr.location", location))) {
      WebTestClient client = SliceService.client(service);
      String path = "/arrays/g/a?select=...";
      String tag = tag(client, path, "application/octet-stream");
      assertThat(range(client, path, tag)).isEqualTo(206);
      commits.commit(hierarchy(500));
      assertThat(range(client, path, tag)).isEqualTo(200);
    }
  }

  private static int range(WebTestClient client, String path, String tag) {
    return client
        .get()
        .uri(path)
        .header("Accept", "application/octet-stream")
        .header("Range", "bytes=0-3")
        .header("If-Range", tag)
        .exchange()
        .expectBody()
        .returnResult()
        .getStatus()
        .value();
  }

  @Test
  void a_stream_that_has_begun_stays_in_its_snapshot_while_commits_come() throws Exception {
    int rows = 24;
    int bytes = 1 << 20;
    commits.commit(rows(rows, bytes, 1));
    String location = directory.resolve("repo") + "|icechunk:";
    try (ConfigurableApplicationContext service =
        SliceService.start(Map.of("zarr.location", location, "zarr.max-in-flight", "8MB"))) {
      int port = SliceService.port(service);
      try (RawClient client =
          new RawClient(port, "/arrays/rows?select=...", "application/octet-stream")) {
        client.read(100_000);
        for (int value = 2; value < 5; value++) {
          commits.commit(rows(rows, bytes, value));
          client.read(2L * bytes);
        }
        client.read(Long.MAX_VALUE);
        assertThat(client.received()).isEqualTo((long) rows * bytes);
        assertThat(client.checksum()).isEqualTo(checksum(rows * bytes, 1));
      }
      try (RawClient client =
          new RawClient(port, "/arrays/rows?select=...", "application/octet-stream")) {
        client.read(Long.MAX_VALUE);
        assertThat(client.checksum()).isEqualTo(checksum(rows * bytes, 4));
      }
    }
  }

  private static Store rows(int rows, int bytes, int value) {
    Store store = MemoryStore.create();
    byte[] all = new byte[rows * bytes];
    Arrays.fill(all, (byte) value);
    NdArray data = NdArray.ofBytes(DataTypes.UINT8, Shape.of(rows, bytes), all);
    Zarr.hierarchy(store)
        .createArray(
            "rows",
            ArrayMetadata.v3(data.shape(), DataTypes.UINT8)
                .chunkShape(1, bytes)
                .codecs(Codecs.bytes())
                .build())
        .flatMap(array -> array.write("...", data))
        .block(PATIENCE);
    return store;
  }

  private static long checksum(int bytes, int value) {
    byte[] all = new byte[bytes];
    Arrays.fill(all, (byte) value);
    CRC32 sum = new CRC32();
    sum.update(all);
    return sum.getValue();
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
