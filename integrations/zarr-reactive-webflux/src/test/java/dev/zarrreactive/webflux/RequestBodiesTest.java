package dev.zarrreactive.webflux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.encoding.Encoding;
import dev.zarrreactive.encodings.Encodings;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.memory.MemoryStore;
import java.io.ByteArrayOutputStream;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.WebTestClient;

/** Elements in the bodies of requests: written, appended, and as arguments. */
class RequestBodiesTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Store STORE = MemoryStore.create();
  private static final ZarrHierarchy STORED = Zarr.hierarchy(STORE);

  private static ConfigurableApplicationContext service;
  private static WebTestClient client;

  @BeforeAll
  static void start() {
    service = SliceService.start(STORE, Map.of(), WriteController.class);
    client = SliceService.client(service);
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  @BeforeEach
  void empty() {
    STORED.erase("a").onErrorComplete().block(PATIENCE);
    create("a", DataTypes.INT32, 4, 3);
  }

  private static void create(String name, DataType type, long... shape) {
    ArrayMetadata metadata = ArrayMetadata.v3(Shape.of(shape), type).build();
    STORED.erase(name).onErrorComplete().block(PATIENCE);
    STORED.createArray(name, metadata).block(PATIENCE);
  }

  private static NdArray stored(String name) {
    return STORED.openArray(name).flatMap(array -> array.read()).block(PATIENCE);
  }

  private static byte[] encoded(NdArray data, Encoding format) {
    Store memory = MemoryStore.create();
    return Zarr.hierarchy(memory)
        .createArray("", ArrayMetadata.v3(data.shape(), data.dataType()).build())
        .flatMap(array -> array.write("...", data).thenReturn(array))
        .flatMapMany(array -> array.encode(Selection.all(), format, 1 << 16))
        .reduce(
            new ByteArrayOutputStream(),
            (all, piece) -> {
              all.writeBytes(piece.toByteArray());
              return all;
            })
        .block(PATIENCE)
        .toByteArray();
  }

  private static Encoding format(String type) {
    return switch (type) {
      case "application/x-npy" -> Encodings.npy();
      case "application/json" -> Encodings.json();
      case "application/x-ndjson" -> Encodings.jsonLines();
      default -> Encoding.raw(ByteOrder.LITTLE_ENDIAN);
    };
  }

  private static NdArray numbers(int rows) {
    return NdArray.ofInts(
        DataTypes.INT32, Shape.of(rows, 3), IntStream.range(0, rows * 3).map(i -> i - 5).toArray());
  }

  private static WebTestClient.ResponseSpec send(
      HttpMethod method, String path, String type, byte[] body) {
    return client
        .method(method)
        .uri(path)
        .contentType(MediaType.parseMediaType(type))
        .bodyValue(body)
        .exchange();
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "application/x-npy",
        "application/octet-stream",
        "application/json",
        "application/x-ndjson"
      })
  void each_format_of_the_responses_is_written_and_appended(String type) {
    byte[] body = encoded(numbers(4), format(type));
    send(HttpMethod.PUT, "/arrays/a", type, body).expectStatus().isOk();
    assertThat(stored("a").toIntArray()).isEqualTo(numbers(4).toIntArray());
    send(HttpMethod.POST, "/arrays/a", type, body)
        .expectStatus()
        .isOk()
        .expectBody(String.class)
        .consumeWith(all -> assertThat(all.getResponseBody()).contains("\"shape\":[8,3]"));
    assertThat(stored("a").slice(Selection.parse("4:")).toIntArray())
        .isEqualTo(numbers(4).toIntArray());
    send(HttpMethod.PUT, "/functional/a?x", type, encoded(numbers(8), format(type)))
        .expectStatus()
        .isNoContent();
    assertThat(stored("a").toIntArray()).isEqualTo(numbers(8).toIntArray());
  }

  @Test
  void a_selection_is_written_from_lines_that_are_rows_and_from_one_element() {
    send(HttpMethod.PUT, "/arrays/a?select=1:3,:2", "application/x-ndjson", utf8("[1,2]\n\n[3,4]"))
        .expectStatus()
        .isOk();
    send(HttpMethod.PUT, "/arrays/a?select=0,0", "application/json", utf8("[7]"))
        .expectStatus()
        .isOk();
    assertThat(stored("a").toIntArray()).containsExactly(7, 0, 0, 1, 2, 0, 3, 4, 0, 0, 0, 0);
  }

  @Test
  void texts_and_numbers_that_json_lacks_are_sent_as_json() {
    create("texts", DataTypes.STRING, 2);
    send(HttpMethod.PUT, "/arrays/texts", "application/json", utf8(" [ \"a],\\\"[\" , \"é\" ] "))
        .expectStatus()
        .isOk();
    assertThat(stored("texts").toStringArray()).containsExactly("a],\"[", "é");
    create("floats", DataTypes.FLOAT64, 3);
    send(
            HttpMethod.PUT,
            "/arrays/floats",
            "application/x-ndjson",
            utf8("\"NaN\"\n-1e3\n\"Infinity\""))
        .expectStatus()
        .isOk();
    assertThat(stored("floats").toDoubleArray())
        .containsExactly(Double.NaN, -1000, Double.POSITIVE_INFINITY);
    create("pairs", DataTypes.COMPLEX64, 2);
    send(HttpMethod.PUT, "/arrays/pairs", "application/json", utf8("[[1,2],[3,-4]]"))
        .expectStatus()
        .isOk();
    assertThat(stored("pairs").toComplexFloatArray()).containsExactly(1, 2, 3, -4);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/arrays/a?select=9,:|application/json|[1,2,3]|9",
        "/arrays/a?select=x|application/json|[]|position 1",
        "/arrays/a|application/json|[[1,2,3]]|the body has 1 of the 4 rows",
        "/arrays/a|application/json|[[1,2,3],[1,2,3],[1,2,3],[1,2,3],[1,2,3]]|more rows than the 4",
        "/arrays/a|application/json|[[1,2],[3,4]]|row 0 has a list of 2 elements where shape [3] has 3",
        "/arrays/a|application/json|[[1,2,x]]|row 0 is no JSON",
        "/arrays/a|application/json|[[1,2,3.5]]|row 0, element 2, is not of int32",
        "/arrays/a|application/json|{}|the JSON is no list of rows",
        "/arrays/a|application/json|[[1,2,3]|the JSON ends in row 0",
        "/arrays/a|application/json|[[1,2,3],]|lacks a row",
        "/arrays/a|application/x-ndjson|[1,2,3]|the body has 1 of the 4 rows",
        "/arrays/a|application/x-ndjson|1|the lines end after 1 elements of row 0",
        "/arrays/a|application/octet-stream|abcde|ends after 5 of the 12 bytes of row 0",
        "/arrays/a|application/x-npy|abcdefghijklmnopqrst|not a NumPy file",
        "/arrays/a|application/x-npy|abc|the NumPy file ends in its header",
        "/arrays/texts2|application/octet-stream|abc|application/x-ndjson"
      })
  void a_body_that_does_not_fit_is_400_with_the_reason(
      String path, String type, String body, String reason) {
    create("texts2", DataTypes.STRING, 2);
    send(HttpMethod.PUT, path, type, utf8(body))
        .expectStatus()
        .isBadRequest()
        .expectHeader()
        .contentType("application/problem+json")
        .expectBody(String.class)
        .consumeWith(all -> assertThat(all.getResponseBody()).contains(reason));
  }

  @Test
  void an_append_that_does_not_fit_is_400_and_leaves_what_was_there() {
    for (String body : new String[] {"[[1,2]]", "[[1,2,3],[4,5,\"x\"]]", "[[1,2,3]", "{"}) {
      send(HttpMethod.POST, "/arrays/a", "application/json", utf8(body))
          .expectStatus()
          .isBadRequest();
    }
    create("scalar", DataTypes.INT32);
    send(HttpMethod.POST, "/arrays/scalar", "application/json", utf8("[1]"))
        .expectStatus()
        .isBadRequest()
        .expectBody(String.class)
        .consumeWith(all -> assertThat(all.getResponseBody()).contains("a scalar, which has no"));
    assertThat(stored("a").slice(Selection.parse(":4")).toIntArray()).containsOnly(0);
  }

  @Test
  void a_body_with_a_content_encoding_is_415() {
    client
        .put()
        .uri("/arrays/a")
        .header("Content-Encoding", "gzip")
        .contentType(MediaType.APPLICATION_JSON)
        .bodyValue("[]")
        .exchange()
        .expectStatus()
        .isEqualTo(415);
  }

  @Test
  void a_numpy_file_of_another_type_or_order_is_400_before_a_row_is_stored() {
    NdArray floats = numbers(4).cast(DataTypes.FLOAT64);
    send(HttpMethod.PUT, "/arrays/a", "application/x-npy", encoded(floats, Encodings.npy()))
        .expectStatus()
        .isBadRequest()
        .expectBody(String.class)
        .consumeWith(
            all ->
                assertThat(all.getResponseBody())
                    .contains("float64 and shape [4, 3]", "int32 and shape [4, 3]"));
    byte[] fortran = encoded(numbers(4), Encodings.npy());
    String text = new String(fortran, StandardCharsets.ISO_8859_1).replace("False", "True ");
    send(
            HttpMethod.PUT,
            "/arrays/a",
            "application/x-npy",
            text.getBytes(StandardCharsets.ISO_8859_1))
        .expectStatus()
        .isBadRequest()
        .expectBody(String.class)
        .consumeWith(all -> assertThat(all.getResponseBody()).contains("ascontiguousarray"));
    assertThat(stored("a").toIntArray()).containsOnly(0);
  }

  @Test
  void a_read_of_the_programs_own_is_400_where_the_client_is_wrong() {
    for (String select : new String[] {"9,:", "x", "0,0,0"}) {
      String reason = select.startsWith("9") ? "index 9 is out of bounds" : "selection";
      client
          .get()
          .uri("/sums/a?select=" + select)
          .exchange()
          .expectStatus()
          .isBadRequest()
          .expectBody(String.class)
          .consumeWith(all -> assertThat(all.getResponseBody()).contains(reason));
    }
    client.get().uri("/sums/__x?select=0").exchange().expectStatus().is4xxClientError();
  }

  @ParameterizedTest
  @ValueSource(strings = {"application/x-npy", "application/octet-stream", "application/json"})
  void an_array_is_an_argument_of_a_handler(String type) {
    client
        .post()
        .uri("/extremes")
        .contentType(MediaType.parseMediaType(type))
        .header("Zarr-Data-Type", "int32")
        .header("Zarr-Shape", "4,3")
        .bodyValue(encoded(numbers(4), format(type)))
        .exchange()
        .expectStatus()
        .isOk()
        .expectBody(String.class)
        .isEqualTo("{\"shape\":[4,3],\"min\":-5,\"max\":6}");
  }

  @Test
  void an_array_of_lines_or_in_fortran_order_is_an_argument_too() {
    client
        .post()
        .uri("/extremes")
        .contentType(MediaType.APPLICATION_NDJSON)
        .header("Zarr-Data-Type", "float32")
        .bodyValue("[1.5,2]\n[3,4]\n")
        .exchange()
        .expectBody(String.class)
        .isEqualTo("{\"shape\":[2,2],\"min\":1.5,\"max\":4.0}");
  }

  @Test
  void an_array_without_a_type_or_beyond_the_memory_is_refused() {
    client
        .post()
        .uri("/extremes")
        .contentType(MediaType.APPLICATION_JSON)
        .bodyValue("[1]")
        .exchange()
        .expectStatus()
        .isBadRequest()
        .expectBody(String.class)
        .consumeWith(all -> assertThat(all.getResponseBody()).contains("Zarr-Data-Type"));
    client
        .post()
        .uri("/extremes")
        .contentType(ArrayBody.NPY)
        .bodyValue(new byte[(256 << 10) + 1])
        .exchange()
        .expectStatus()
        .isEqualTo(413)
        .expectBody(String.class)
        .consumeWith(all -> assertThat(all.getResponseBody()).contains("262144"));
    send(HttpMethod.POST, "/extremes", "text/csv", utf8("1")).expectStatus().isEqualTo(415);
  }

  @Test
  void values_have_a_tag_that_a_client_reads_and_writes_by() {
    send(
            HttpMethod.PUT,
            "/arrays/a",
            "application/octet-stream",
            encoded(numbers(4), format("application/octet-stream")))
        .expectStatus()
        .isOk();
    String tag = tag("/versions/a?select=0:2,:");
    client
        .get()
        .uri("/versions/a?select=0:2,:")
        .header("Accept", "application/json")
        .header("If-None-Match", "\"other\", " + tag)
        .exchange()
        .expectStatus()
        .isNotModified()
        .expectBody()
        .isEmpty();
    client
        .get()
        .uri("/versions/a?select=0:2,:")
        .header("If-Match", "\"other\"")
        .exchange()
        .expectStatus()
        .isEqualTo(412);
    put("/arrays/a?select=0:2,:", tag, "[[1,1,1],[2,2,2]]").expectStatus().isOk();
    put("/arrays/a?select=0:2,:", tag, "[[3,3,3],[3,3,3]]").expectStatus().isEqualTo(412);
    assertThat(stored("a").slice(Selection.parse("0:2")).toIntArray())
        .containsExactly(1, 1, 1, 2, 2, 2);
    assertThat(tag("/versions/a?select=0:2,:")).isNotEqualTo(tag);
  }

  private static WebTestClient.ResponseSpec put(String path, String tag, String body) {
    return client
        .put()
        .uri(path)
        .header("If-Match", tag)
        .contentType(MediaType.APPLICATION_JSON)
        .bodyValue(body)
        .exchange();
  }

  private static String tag(String path) {
    String tag =
        client
            .get()
            .uri(path)
            .header("Accept", "application/json")
            .exchange()
            .expectStatus()
            .isOk()
            .expectBody()
            .returnResult()
            .getResponseHeaders()
            .getETag();
    assertThat(tag).isNotNull();
    return tag;
  }

  @Test
  void metadata_have_a_tag_that_a_client_reads_and_changes_by() {
    String metadata = tag("/metadata/a");
    client
        .get()
        .uri("/metadata/a")
        .header("If-None-Match", metadata)
        .exchange()
        .expectStatus()
        .isNotModified();
    String attributes = tag("/attributes/a");
    client
        .patch()
        .uri("/units/a?units=K")
        .header("If-Match", attributes)
        .exchange()
        .expectStatus()
        .isOk()
        .expectHeader()
        .valueEquals("ETag", RequestConditions.tag(JsonObject.EMPTY.with("units", "K")));
    client
        .patch()
        .uri("/units/a?units=m")
        .header("If-Match", attributes)
        .exchange()
        .expectStatus()
        .isEqualTo(412);
    client
        .get()
        .uri("/metadata/a")
        .header("If-None-Match", metadata)
        .exchange()
        .expectStatus()
        .isOk();
  }
}
