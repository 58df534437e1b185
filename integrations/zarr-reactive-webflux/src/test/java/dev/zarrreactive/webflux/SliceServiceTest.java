package dev.zarrreactive.webflux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.Store;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import org.springframework.test.web.reactive.server.WebTestClient;

/** A service of Spring Boot with nothing but controllers and properties. */
class SliceServiceTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int ROWS = 30;
  private static final int COLUMNS = 40;
  private static final int HEADER = 128;

  @TempDir private static Path directory;
  private static ConfigurableApplicationContext service;
  private static WebTestClient client;
  private static byte[] all;

  @BeforeAll
  static void start() {
    Store store = Zarr.at(directory.toString()).store().block(PATIENCE);
    ZarrHierarchy written = Zarr.hierarchy(store);
    float[] values = new float[ROWS * COLUMNS];
    for (int i = 0; i < values.length; i++) {
      values[i] = 250 + i / 20f;
    }
    NdArray data = NdArray.ofFloats(DataTypes.FLOAT32, Shape.of(ROWS, COLUMNS), values);
    all = data.bytes().toByteArray();
    JsonObject units = JsonObject.EMPTY.with("units", "K");
    written.createGroup("").block(PATIENCE);
    written
        .createArray(
            "t2m",
            ArrayMetadata.v3(data.shape(), DataTypes.FLOAT32)
                .chunkShape(7, 9)
                .attributes(units)
                .build())
        .flatMap(array -> array.write("...", data))
        .block(PATIENCE);
    written
        .createArray("deep/names", ArrayMetadata.v3(Shape.of(2), DataTypes.STRING).build())
        .block(PATIENCE);
    written
        .createArray("cube", ArrayMetadata.v3(Shape.of(2, 8, 9), DataTypes.FLOAT32).build())
        .block(PATIENCE);
    store.close().block(PATIENCE);
    service =
        SliceService.start(
            Map.of(
                "zarr.location", directory.toString(),
                "zarr.max-concurrency", "5",
                "zarr.max-in-flight", "16MB",
                "zarr.max-slice-size", "4800B",
                "management.endpoint.health.show-details", "always",
                "management.endpoints.web.exposure.include", "health,metrics"));
    client = SliceService.client(service);
  }

  @AfterAll
  static void stop() {
    service.close();
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

  private static String text(EntityExchangeResult<byte[]> result) {
    byte[] body = result.getResponseBody();
    return body == null ? "" : new String(body, StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/arrays/t2m", "/functional/t2m"})
  void a_slice_is_the_bytes_of_its_elements_with_their_length(String path) {
    var result = get(path + "?select=2:5,:", "application/octet-stream");
    assertThat(result.getResponseBody())
        .isEqualTo(Arrays.copyOfRange(all, 2 * COLUMNS * 4, 5 * COLUMNS * 4));
    assertThat(result.getResponseHeaders().getContentLength()).isEqualTo(3 * COLUMNS * 4);
    assertThat(result.getResponseHeaders().getFirst("Accept-Ranges")).isEqualTo("bytes");
    assertThat(result.getResponseHeaders().getFirst("Zarr-Shape")).isEqualTo("3,40");
    assertThat(result.getResponseHeaders().getFirst("Zarr-Data-Type")).isEqualTo("float32");
  }

  @Test
  void a_client_that_accepts_anything_gets_a_numpy_file() {
    var result = get("/arrays/t2m?select=...", "*/*");
    assertThat(result.getResponseHeaders().getContentType()).hasToString("application/x-npy");
    assertThat(result.getResponseHeaders().getContentLength()).isEqualTo(HEADER + all.length);
    assertThat(text(result)).contains("NUMPY", "'shape': (30, 40)");
    assertThat(Arrays.copyOfRange(result.getResponseBody(), HEADER, HEADER + all.length))
        .isEqualTo(all);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "application/json|application/json|[[250.0,250.05]]\\n",
        "application/x-ndjson|application/x-ndjson|250.0\\n250.05\\n",
        "text/csv|text/csv;charset=utf-8|d0,d1,value\\r\\n0,0,250.0\\r\\n0,1,250.05\\r\\n"
      })
  void text_is_negotiated(String accept, String type, String body) {
    var result = get("/arrays/t2m?select=0:1,0:2", accept);
    assertThat(result.getResponseHeaders().getFirst("Content-Type")).isEqualToIgnoringCase(type);
    assertThat(text(result)).isEqualTo(body.replace("\\n", "\n").replace("\\r", "\r"));
  }

  @Test
  void a_controller_chooses_the_format_for_all_clients() {
    var result = get("/pictures/cube/1", "text/csv,*/*;q=0.1");
    assertThat(result.getResponseHeaders().getContentType()).hasToString("image/png");
    assertThat(result.getResponseHeaders().getCacheControl()).isEqualTo("max-age=60");
  }

  @ParameterizedTest
  @CsvSource({
    "bytes=0-9,0,10",
    "bytes=100-4799,100,4800",
    "bytes=4000-,4000,4800",
    "bytes=-7,4793,4800",
    "bytes=4799-99999,4799,4800"
  })
  void a_range_is_206_and_that_part(String range, int from, int end) {
    client
        .get()
        .uri("/arrays/t2m?select=...")
        .header("Accept", "application/octet-stream")
        .header("Range", range)
        .exchange()
        .expectStatus()
        .isEqualTo(HttpStatus.PARTIAL_CONTENT)
        .expectHeader()
        .contentLength(end - from)
        .expectHeader()
        .valueEquals("Content-Range", "bytes " + from + "-" + (end - 1) + "/4800")
        .expectBody(byte[].class)
        .isEqualTo(Arrays.copyOfRange(all, from, end));
  }

  @Test
  void a_range_of_a_file_counts_its_header() {
    client
        .get()
        .uri("/arrays/t2m?select=...")
        .header("Range", "bytes=120-135")
        .exchange()
        .expectStatus()
        .isEqualTo(HttpStatus.PARTIAL_CONTENT)
        .expectBody(byte[].class)
        .consumeWith(
            result ->
                assertThat(Arrays.copyOfRange(result.getResponseBody(), 8, 16))
                    .isEqualTo(Arrays.copyOf(all, 8)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"bytes=4800-", "bytes=-0"})
  void a_range_outside_is_416(String range) {
    client
        .get()
        .uri("/arrays/t2m?select=...")
        .header("Accept", "application/octet-stream")
        .header("Range", range)
        .exchange()
        .expectStatus()
        .isEqualTo(HttpStatus.REQUESTED_RANGE_NOT_SATISFIABLE)
        .expectHeader()
        .valueEquals("Content-Range", "bytes */4800");
  }

  @ParameterizedTest
  @ValueSource(strings = {"lines=0-9", "bytes=9-0", "bytes=0-1,5-6", "nonsense"})
  void other_ranges_are_ignored(String range) {
    client
        .get()
        .uri("/arrays/t2m?select=...")
        .header("Range", range)
        .exchange()
        .expectStatus()
        .isOk()
        .expectHeader()
        .contentLength(HEADER + all.length);
  }

  @Test
  void text_has_no_ranges() {
    client
        .get()
        .uri("/arrays/t2m?select=0,:2")
        .header("Accept", "text/csv")
        .header("Range", "bytes=0-1")
        .exchange()
        .expectStatus()
        .isOk()
        .expectHeader()
        .doesNotExist("Accept-Ranges");
  }

  @Test
  void head_returns_the_length_and_reads_nothing() {
    client
        .method(HttpMethod.HEAD)
        .uri("/arrays/t2m?select=...")
        .exchange()
        .expectStatus()
        .isOk()
        .expectHeader()
        .contentLength(HEADER + all.length)
        .expectBody()
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/arrays/none?select=...|404|no array or group is here",
        "/arrays/t2m?select=50,:|400|50",
        "/arrays/t2m?select=a:b|400|a:b",
        "/arrays/deep?select=...|400|a group is at /deep, not an array",
        "/arrays/__a?select=...|404|no array or group is here",
        "/functional/t2m?select=50,:|400|50",
        "/functional/none|404|no array or group is here",
        "/metadata/none|404|no array or group is here",
        "/arrays/t2m?select=clip|400|clip"
      })
  void errors_are_problem_documents(String path, int status, String detail) {
    client
        .get()
        .uri(path)
        .exchange()
        .expectStatus()
        .isEqualTo(status)
        .expectHeader()
        .contentType("application/problem+json")
        .expectHeader()
        .valueEquals("Cache-Control", "no-store")
        .expectBody(String.class)
        .consumeWith(
            result ->
                assertThat(result.getResponseBody())
                    .contains("\"status\":" + status, detail, "\"instance\":\"/")
                    .doesNotContain(directory.toString()));
  }

  @Test
  void a_format_that_lacks_the_type_is_refused_with_one_that_has_it() {
    client
        .get()
        .uri("/arrays/deep/names?select=...")
        .header("Accept", "application/x-npy")
        .exchange()
        .expectStatus()
        .isBadRequest()
        .expectBody(String.class)
        .consumeWith(
            result -> assertThat(result.getResponseBody()).contains("jsonLines, json and csv"));
    assertThat(text(get("/arrays/deep/names?select=...", "application/json")))
        .isEqualTo("[\"\",\"\"]\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/arrays/t2m?select=...", "/functional/t2m"})
  void a_client_that_accepts_no_format_gets_406(String path) {
    client
        .get()
        .uri(path)
        .header("Accept", "application/xml")
        .exchange()
        .expectStatus()
        .isEqualTo(HttpStatus.NOT_ACCEPTABLE);
  }

  @Test
  void a_slice_beyond_the_limit_is_413() {
    client
        .get()
        .uri(
            "/arrays/t2m?select=[0,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,"
                + "23,24,25,26,27,28,29],:")
        .exchange()
        .expectStatus()
        .isEqualTo(413)
        .expectBody(String.class)
        .consumeWith(result -> assertThat(result.getResponseBody()).contains("at most 4800"));
  }

  @Test
  void a_stream_of_chunks_is_a_line_for_each() {
    var result = get("/chunks/t2m", "*/*");
    assertThat(result.getResponseHeaders().getContentType()).hasToString("application/x-ndjson");
    List<JsonObject> lines =
        text(result)
            .lines()
            .map(
                line ->
                    JsonDocument.parse(
                            ByteBuffer.wrap(line.getBytes(StandardCharsets.UTF_8)),
                            Location.UNKNOWN)
                        .object())
            .toList();
    assertThat(lines).hasSize(5 * 5);
    assertThat(lines)
        .anySatisfy(
            line ->
                assertThat(line.toString())
                    .contains("\"index\": [4, 4]".replace(" ", ""), "28:30,36:40", "[2,4]"));
  }

  private static List<String> lines() {
    return text(get("/chunks/t2m", "application/x-ndjson")).lines().toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/chunks/t2m", "/any-chunks/t2m"})
  void a_stream_of_chunks_is_an_event_for_each_with_the_json_of_its_line(String path) {
    var result = get(path, "text/event-stream");
    assertThat(result.getResponseHeaders().getContentType())
        .hasToString("text/event-stream;charset=UTF-8");
    assertThat(text(result).split("\n\n"))
        .hasSize(25)
        .containsExactlyInAnyOrderElementsOf(lines().stream().map(line -> "data:" + line).toList());
  }

  @ParameterizedTest
  @ValueSource(strings = {"text/event-stream", "*/*"})
  void events_of_chunks_keep_their_fields(String accept) {
    assertThat(text(get("/events/t2m", accept)).split("\n\n"))
        .containsExactlyInAnyOrderElementsOf(
            lines().stream().map(line -> "event:chunk\ndata:" + line).toList());
    String[] events = text(get("/fields/t2m", accept)).split("\n\n");
    assertThat(events[0]).isEqualTo("retry:3000\n:two\n:lines");
    assertThat(events).hasSize(26);
    assertThat(events[1]).startsWith("id:0\ndata:{\"index\":[");
    assertThat(events[25]).startsWith("id:24\ndata:{\"index\":[");
  }

  @Test
  void an_event_whose_id_has_a_line_break_is_refused() {
    client
        .get()
        .uri("/broken-event/t2m")
        .header("Accept", "text/event-stream")
        .exchange()
        .expectStatus()
        .is5xxServerError();
  }

  @Test
  void chunks_stand_in_a_class_of_the_service() {
    assertThat(text(get("/wrapped/t2m", "text/event-stream")).split("\n\n"))
        .containsExactlyInAnyOrderElementsOf(
            lines().stream()
                .map(line -> "data:{\"name\":\"t2m\",\"chunk\":" + line + "}")
                .toList());
    assertThat(text(get("/unknown-events/t2m", "text/event-stream")).split("\n\n"))
        .containsExactlyInAnyOrderElementsOf(lines().stream().map(line -> "data:" + line).toList());
  }

  @Test
  void chunks_are_a_list_and_one_chunk_is_an_object() {
    String list = text(get("/any-chunks/t2m", "application/json"));
    assertThat(list)
        .startsWith("[{\"index\":")
        .endsWith("]]}]")
        .hasSize(String.join(",", lines()).length() + 2);
    assertThat(lines()).allSatisfy(line -> assertThat(list).contains(line));
    assertThat(lines()).contains(text(get("/first-chunk/t2m", "application/json")));
    assertThat(text(get("/first-chunk/t2m", "application/x-ndjson"))).endsWith("}\n");
    assertThat(lines())
        .contains(text(get("/first-chunk/t2m", "text/event-stream")).substring(5).strip());
  }

  @Test
  void a_problem_names_its_request_as_the_client_sent_it() {
    client
        .get()
        .uri(
            URI.create(
                "http://127.0.0.1:" + SliceService.port(service) + "/arrays/a%20b%C3%A4?select=0"))
        .exchange()
        .expectStatus()
        .isNotFound()
        .expectBody(String.class)
        .consumeWith(
            result ->
                assertThat(result.getResponseBody())
                    .contains("\"instance\":\"/arrays/a%20b%C3%A4\""));
  }

  @ParameterizedTest
  @CsvSource({
    "/chunks/none, application/x-ndjson",
    "/chunks/none, text/event-stream",
    "/events/none, text/event-stream",
    "/any-chunks/none, application/json",
    "/first-chunk/none, application/json"
  })
  void a_stream_that_fails_before_its_first_chunk_has_a_status(String path, String accept) {
    client.get().uri(path).header("Accept", accept).exchange().expectStatus().isNotFound();
  }

  @Test
  void metadata_and_attributes_are_the_json_of_the_store() {
    String document = text(get("/metadata/t2m", "application/json"));
    assertThat(document)
        .startsWith("{\"zarr_format\":3,\"node_type\":\"array\"")
        .contains("\"shape\":[30,40]", "\"data_type\":\"float32\"");
    assertThat(text(get("/metadata/deep", "*/*"))).contains("\"node_type\":\"group\"");
    assertThat(text(get("/attributes/t2m", "*/*"))).isEqualTo("{\"units\":\"K\"}");
    assertThat(text(get("/all", "application/json")))
        .contains(document)
        .startsWith("[{")
        .contains("},{")
        .endsWith("}]");
  }

  @Test
  void parts_of_metadata_stand_in_a_class_of_the_service() {
    assertThat(text(get("/summaries/t2m", "*/*")))
        .isEqualTo(
            "{\"name\":\"t2m\",\"type\":\"float32\",\"shape\":[30,40],"
                + "\"attributes\":{\"units\":\"K\"}}");
  }

  @Test
  void a_format_may_be_the_applications_own() {
    var result = get("/own/t2m", "application/x-own");
    assertThat(result.getResponseHeaders().getContentType()).hasToString("application/x-own");
    assertThat(ByteBuffer.wrap(result.getResponseBody()).getFloat()).isEqualTo(250);
  }

  @Test
  void an_endpoint_writes_buffers_by_itself() {
    assertThat(text(get("/rows/t2m", "*/*")).lines()).hasSize(ROWS * COLUMNS).contains("250.05");
  }

  @Test
  void the_health_endpoint_names_the_store_and_the_meters_count() {
    assertThat(text(get("/actuator/health", "*/*")))
        .contains("\"zarr\":{", "\"status\":\"UP\"", "\"root\":\"array or group\"");
    get("/arrays/t2m?select=...", "*/*");
    assertThat(text(get("/actuator/metrics/zarr.operations", "application/json")))
        .contains("COUNT", "operation");
  }

  @Test
  void the_properties_are_the_options() {
    ZarrHierarchy hierarchy = service.getBean(ZarrHierarchy.class);
    assertThat(hierarchy.options().maxConcurrency()).isEqualTo(5);
    assertThat(hierarchy.options().maxInFlightBytes()).isEqualTo(16 << 20);
  }
}
