package dev.zarrreactive.webflux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.encodings.Encodings;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.memory.MemoryStore;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import org.springframework.test.web.reactive.server.WebTestClient;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Chunks as they arrive, in binary, and the threads that make their text. */
class ChunkStreamsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Store STORE = MemoryStore.create();

  private static ConfigurableApplicationContext service;
  private static WebTestClient client;

  @BeforeAll
  static void start() {
    ZarrHierarchy written = Zarr.hierarchy(STORE);
    NdArray data =
        NdArray.ofInts(DataTypes.INT32, Shape.of(5, 4), IntStream.range(0, 20).toArray());
    written
        .createArray("a", ArrayMetadata.v3(data.shape(), DataTypes.INT32).chunkShape(2, 3).build())
        .flatMap(array -> array.write("...", data))
        .block(PATIENCE);
    written
        .createArray("texts", ArrayMetadata.v3(Shape.of(2), DataTypes.STRING).build())
        .block(PATIENCE);
    written
        .createArray("empty", ArrayMetadata.v3(Shape.of(0), DataTypes.INT32).build())
        .block(PATIENCE);
    service = SliceService.start(STORE, Map.of());
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

  // docs: webflux-frames
  static List<String> frames(byte[] body) {
    ByteBuffer bytes = ByteBuffer.wrap(body).order(ByteOrder.LITTLE_ENDIAN);
    List<String> chunks = new ArrayList<>();
    while (bytes.hasRemaining()) {
      byte[] head = new byte[bytes.getInt()];
      byte[] elements = new byte[Math.toIntExact(bytes.getLong())];
      bytes.get(head).get(elements);
      chunks.add(new String(head, StandardCharsets.UTF_8).strip() + " " + elements.length);
    }
    return chunks;
  }

  // docs: end

  @Test
  void frames_have_their_lengths_before_them() {
    var result = get("/any-chunks/a", "application/x-zarr-chunks");
    assertThat(result.getResponseHeaders().getContentType())
        .hasToString("application/x-zarr-chunks");
    List<String> frames = frames(result.getResponseBody());
    assertThat(frames).hasSize(6);
    assertThat(frames)
        .contains(
            "{\"index\":[2,1],\"selection\":\"4:5,3:4\",\"shape\":[1,1],\"data_type\":\"int32\"} 4");
    ByteBuffer bytes = ByteBuffer.wrap(result.getResponseBody()).order(ByteOrder.LITTLE_ENDIAN);
    for (int frame = 0; frame < 6; frame++) {
      int head = bytes.getInt();
      long size = bytes.getLong();
      byte[] json = new byte[head];
      bytes.get(json);
      JsonObject described =
          (JsonObject) JsonValue.parse(new String(json, StandardCharsets.UTF_8).strip());
      if (described.get("index").toString().equals("[1,0]")) {
        int[] values = new int[(int) size / 4];
        bytes
            .slice(bytes.position(), (int) size)
            .order(ByteOrder.LITTLE_ENDIAN)
            .asIntBuffer()
            .get(values);
        assertThat(values).containsExactly(8, 9, 10, 12, 13, 14);
        assertThat((12 + head) % 8).isZero();
      }
      bytes.position(bytes.position() + (int) size);
    }
  }

  @Test
  void parts_of_a_multipart_body_are_numpy_files() {
    var result = get("/any-chunks/a", "multipart/mixed");
    String boundary = result.getResponseHeaders().getContentType().getParameter("boundary");
    String body = new String(result.getResponseBody(), StandardCharsets.ISO_8859_1);
    assertThat(body).startsWith("--" + boundary + "\r\n").endsWith("\r\n--" + boundary + "--\r\n");
    String[] parts = body.split("--" + boundary);
    assertThat(parts).hasSize(1 + 6 + 1);
    assertThat(parts)
        .anySatisfy(
            part ->
                assertThat(part)
                    .contains(
                        "Content-Type: application/x-npy\r\n",
                        "Content-Length: 152\r\n",
                        "Zarr-Index: 1,0\r\nZarr-Selection: 2:4,0:3\r\nZarr-Shape: 2,3\r\n\r\n"
                            + "\u0093NUMPY"));
    String empty =
        new String(
            get("/any-chunks/empty", "multipart/mixed").getResponseBody(), StandardCharsets.UTF_8);
    assertThat(empty).matches("--zarr-[0-9a-f]+--\r\n");
  }

  @Test
  void a_client_that_accepts_anything_gets_lines_as_before() {
    assertThat(get("/any-chunks/a", "*/*").getResponseHeaders().getContentType())
        .hasToString("application/x-ndjson");
  }

  @ParameterizedTest
  @ValueSource(strings = {"application/x-zarr-chunks", "multipart/mixed"})
  void texts_have_no_binary_form_and_a_missing_array_is_404(String accept) {
    client
        .get()
        .uri("/any-chunks/texts")
        .header("Accept", accept)
        .exchange()
        .expectStatus()
        .isEqualTo(406)
        .expectBody(String.class)
        .consumeWith(all -> assertThat(all.getResponseBody()).contains("application/x-ndjson"));
    client
        .get()
        .uri("/any-chunks/none")
        .header("Accept", accept)
        .exchange()
        .expectStatus()
        .isNotFound();
  }

  @Test
  void text_is_made_on_the_threads_of_codecs() {
    int count = 100_000;
    NdArray data =
        NdArray.ofInts(DataTypes.INT32, Shape.of(count), IntStream.range(0, count).toArray());
    Chunk chunk =
        Zarr.hierarchy(MemoryStore.create())
            .createArray("", ArrayMetadata.v3(data.shape(), DataTypes.INT32).build())
            .flatMap(array -> array.write("...", data).thenReturn(array))
            .flatMapMany(array -> array.chunks())
            .blockFirst(PATIENCE);
    Set<String> threads = new TreeSet<>();
    Bytes last =
        Mono.defer(
                () ->
                    ChunkText.pieces("", chunk, "\n")
                        .doOnNext(piece -> threads.add(Thread.currentThread().getName()))
                        .last())
            .subscribeOn(Schedulers.single())
            .block(PATIENCE);
    assertThat(new String(last.toByteArray(), StandardCharsets.UTF_8)).endsWith("}\n");
    assertThat(threads).isNotEmpty().allSatisfy(name -> assertThat(name).startsWith("zarr-codec"));
  }

  @Test
  void pieces_of_a_chunk_are_made_as_they_are_demanded() {
    NdArray data =
        NdArray.filled(
            Shape.of(1 << 20), ArrayMetadata.v3(Shape.of(1), DataTypes.UINT8).build().fillValue());
    long pieces =
        ChunkText.elements(Encodings.npy(), data).limitRate(1).take(3).count().block(PATIENCE);
    assertThat(pieces).isEqualTo(3);
    assertThat(Flux.from(ChunkText.elements(Encodings.npy(), data)).count().block(PATIENCE))
        .isGreaterThan(60);
  }
}
