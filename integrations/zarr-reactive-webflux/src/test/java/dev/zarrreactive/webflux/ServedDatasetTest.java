package dev.zarrreactive.webflux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.observation.StoreRequest;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testkit.HeldRequests;
import dev.zarrreactive.testkit.InstrumentedStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import org.springframework.test.web.reactive.server.WebTestClient;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A service of values: by labels, decoded, of a dataset that is asked whether it has changed. */
class ServedDatasetTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int TIMES = 4;
  private static final InstrumentedStore STORE = InstrumentedStore.of(MemoryStore.create());

  private static ConfigurableApplicationContext service;
  private static WebTestClient client;

  @BeforeAll
  static void start() {
    ZarrHierarchy written = Zarr.hierarchy(STORE);
    written.createGroup("").block(PATIENCE);
    long[] hours = IntStream.range(0, TIMES).mapToLong(day -> 24L * day).toArray();
    write(
        written,
        "time",
        NdArray.ofLongs(DataTypes.INT64, Shape.of(TIMES), hours),
        JsonObject.EMPTY.with("units", "hours since 2024-01-30 00:00:00"),
        "time");
    write(written, "lat", NdArray.ofDoubles(Shape.of(3), 48, 47.5, 47), JsonObject.EMPTY, "lat");
    write(written, "lon", NdArray.ofDoubles(Shape.of(4), 8, 8.5, 9, 9.5), JsonObject.EMPTY, "lon");
    short[] packed = new short[TIMES * 12];
    for (short i = 0; i < packed.length; i++) {
      packed[i] = i == 0 ? -1 : i;
    }
    write(
        written,
        "t2m",
        NdArray.ofShorts(DataTypes.INT16, Shape.of(TIMES, 3, 4), packed),
        JsonObject.EMPTY
            .with("scale_factor", JsonValue.parse("0.5"))
            .with("add_offset", JsonValue.parse("250.0"))
            .with("_FillValue", -1),
        "time",
        "lat",
        "lon");
    written.openGroup("").flatMap(group -> group.consolidate()).block(PATIENCE);
    service = SliceService.start(STORE, Map.of(), DatasetController.class);
    client = SliceService.client(service);
  }

  private static void write(
      ZarrHierarchy hierarchy,
      String name,
      NdArray values,
      JsonObject attributes,
      String... dimensions) {
    hierarchy
        .createArray(
            name,
            ArrayMetadata.v3(values.shape(), values.dataType())
                .dimensionNames(dimensions)
                .attributes(attributes)
                .build())
        .flatMap(array -> array.write("...", values))
        .block(PATIENCE);
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  @BeforeEach
  void forget() {
    STORE.behave();
    STORE.counts().reset();
  }

  private static EntityExchangeResult<byte[]> get(String path, String accept) {
    return client
        .get()
        .uri(path)
        .header("Accept", accept)
        .exchange()
        .expectStatus()
        .isOk()
        .expectBody()
        .returnResult();
  }

  private static String text(String path) {
    byte[] body = get(path, "application/json").getResponseBody();
    return body == null ? "" : new String(body, StandardCharsets.UTF_8).strip();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/values/time|[\"2024-01-30T00:00:00\",\"2024-01-31T00:00:00\",\"2024-02-01T00:00:00\",\"2024-02-02T00:00:00\"]",
        "/values/t2m?sel=time:2024-01-30,lat:48|[\"NaN\",250.5,251.0,251.5]",
        "/values/t2m?sel=time:2024-02&sel=lat:47.5&sel=lon:8..8.5|[[264.0,264.5],[270.0,270.5]]",
        "/values/t2m?sel=time:2024-01-31,lat~47.3,lon~9.4|259.5",
        "/series/t2m?lat=47.2&lon=8.4|[254.5,260.5,266.5,272.5]",
        "/tiles/t2m/2024-01-31/0/1|[[257.0,257.5],[259.0,259.5]]",
        "/decoded/t2m?select=0,0,:|[\"NaN\",250.5,251.0,251.5]",
        "/arrays/t2m?select=0,0,:|[-1,1,2,3]"
      })
  void values_are_decoded_and_labels_select_them(String path, String values) {
    assertThat(text(path)).isEqualTo(values);
  }

  @Test
  void every_format_that_a_client_accepts_has_values() {
    String path = "/series/t2m?lat=47.2&lon=8.4";
    var npy = get(path, "*/*");
    assertThat(npy.getResponseHeaders().getContentType()).hasToString("application/x-npy");
    assertThat(npy.getResponseHeaders().getFirst("Zarr-Data-Type")).isEqualTo("float64");
    assertThat(npy.getResponseHeaders().getFirst("Zarr-Shape")).isEqualTo("4");
    assertThat(npy.getResponseHeaders().getContentLength()).isEqualTo(128 + 4 * 8);
    assertThat(new String(npy.getResponseBody(), StandardCharsets.ISO_8859_1)).contains("'<f8'");
    assertThat(get(path, "application/octet-stream").getResponseBody()).hasSize(4 * 8);
    assertThat(new String(get(path, "text/csv").getResponseBody(), StandardCharsets.UTF_8))
        .isEqualTo(
            "time,lat,lon,value\r\n0,2,1,254.5\r\n1,2,1,260.5\r\n2,2,1,266.5\r\n3,2,1,272.5\r\n");
    var dates = get("/values/time?sel=time:2024-02", "application/x-ndjson");
    assertThat(dates.getResponseHeaders().getFirst("Zarr-Data-Type")).isEqualTo("string");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/values/t2m?sel=lat:47.3|the nearest is 47.5",
        "/values/t2m?sel=height:2|the dataset / has the dimensions [lat, lon, time], not height",
        "/values/t2m?sel=lat|expected DIM=LABEL",
        "/values/tp|has no variable tp, but lat, lon, t2m, time",
        "/values/t2m?sel=time:February|February",
        "/tiles/t2m/2024-01-31/9/9:|9"
      })
  void what_a_client_asks_wrongly_is_400_with_the_reason(String path, String reason) {
    client
        .get()
        .uri(path)
        .exchange()
        .expectStatus()
        .isBadRequest()
        .expectBody(String.class)
        .consumeWith(result -> assertThat(result.getResponseBody()).contains(reason));
  }

  @Test
  void a_table_has_the_labels_of_its_cells() {
    String path = "/tables/t2m?sel=time:2024-01-31..2024-02-01&sel=lat:48&sel=lon:8..8.5";
    assertThat(new String(get(path, "*/*").getResponseBody(), StandardCharsets.UTF_8))
        .isEqualTo(
            "time,lon,t2m\r\n"
                + "2024-01-31T00:00:00,8.0,256.0\r\n"
                + "2024-01-31T00:00:00,8.5,256.5\r\n"
                + "2024-02-01T00:00:00,8.0,262.0\r\n"
                + "2024-02-01T00:00:00,8.5,262.5\r\n");
    String first = "/tables/t2m?sel=time:2024-01-30&sel=lat:48&sel=lon:8..8.5";
    assertThat(
            new String(
                get(first, "application/x-ndjson").getResponseBody(), StandardCharsets.UTF_8))
        .isEqualTo("{\"lon\":8.0,\"t2m\":null}\n{\"lon\":8.5,\"t2m\":250.5}\n");
    assertThat(text(first)).isEqualTo("[{\"lon\":8.0,\"t2m\":null},{\"lon\":8.5,\"t2m\":250.5}]");
    assertThat(
            new String(
                    get("/tables/t2m?sel=lon:9,lat:47", "text/csv").getResponseBody(),
                    StandardCharsets.UTF_8)
                .lines())
        .hasSize(1 + TIMES);
  }

  @Test
  void a_head_of_a_table_reads_no_values() {
    client
        .head()
        .uri("/tables/t2m?sel=lat:48")
        .exchange()
        .expectStatus()
        .isOk()
        .expectHeader()
        .contentType("text/csv;charset=UTF-8")
        .expectBody()
        .isEmpty();
    assertThat(STORE.counts().requests().stream().map(StoreRequest::target))
        .doesNotContain("t2m/c/0/0/0");
  }

  @Test
  void an_unchanged_dataset_costs_a_conditional_request_for_each_of_what_it_needs() {
    text("/series/t2m?lat=47.2&lon=8.4");
    STORE.counts().reset();
    text("/series/t2m?lat=47.2&lon=8.4");
    assertThat(STORE.counts().requests().stream().map(StoreRequest::target))
        .containsExactlyInAnyOrder("zarr.json", "lat/c/0", "lon/c/0", "t2m/c/0/0/0");
    assertThat(STORE.counts().bytesRead()).isLessThan(200); // the values alone
  }

  @Test
  void readers_at_the_same_time_share_the_requests() {
    ServedDataset data = ServedDataset.of(Zarr.hierarchy(STORE), "");
    data.dataset().block(PATIENCE);
    STORE.counts().reset();
    HeldRequests held = STORE.hold(request -> request.target().equals("zarr.json"));
    Mono<List<Object>> all =
        Flux.range(0, 20).<Object>flatMap(i -> data.dataset(), 20).collectList().cache();
    all.subscribe();
    assertThat(held.waiting()).isEqualTo(1);
    held.release();
    assertThat(all.block(PATIENCE)).hasSize(20);
    assertThat(STORE.counts().requests().stream().map(StoreRequest::target))
        .containsExactly("zarr.json");
  }

  @Test
  void a_change_of_another_program_is_seen_by_the_next_request() {
    MemoryStore other = MemoryStore.create();
    InstrumentedStore store = InstrumentedStore.of(other);
    ZarrHierarchy writer = Zarr.hierarchy(other);
    writer.createGroup("").block(PATIENCE);
    write(writer, "x", NdArray.ofDoubles(Shape.of(2), 1, 2), JsonObject.EMPTY, "x");
    write(writer, "v", NdArray.ofDoubles(Shape.of(2), 10, 20), JsonObject.EMPTY, "x");
    ServedDataset data = ServedDataset.of(Zarr.hierarchy(store), "");
    ArraySlice before = data.slice("v", List.of("x:2")).block(PATIENCE);
    assertThat(before.selection()).hasToString("1");
    writer
        .openArray("x")
        .flatMap(x -> x.write("...", NdArray.ofDoubles(Shape.of(2), 2, 3)))
        .block(PATIENCE);
    ArraySlice after = data.slice("v", List.of("x:2")).block(PATIENCE);
    assertThat(after.selection()).hasToString("0");
    writer
        .openArray("x")
        .flatMap(x -> x.append(0, NdArray.ofDoubles(Shape.of(1), 4)))
        .block(PATIENCE);
    writer
        .openArray("v")
        .flatMap(v -> v.append(0, NdArray.ofDoubles(Shape.of(1), 40)))
        .block(PATIENCE);
    assertThat(data.slice("v", List.of("x:4")).block(PATIENCE).selection()).hasToString("2");
  }

  @Test
  void within_the_age_of_revalidation_nothing_is_asked() {
    ServedDataset data =
        ServedDataset.of(Zarr.hierarchy(STORE), "").withRevalidation(Duration.ofHours(1));
    data.slice("t2m", List.of("lat:48")).block(PATIENCE);
    STORE.counts().reset();
    data.slice("t2m", List.of("lat:48")).block(PATIENCE);
    assertThat(STORE.counts().total()).isZero();
  }
}
