package dev.zarrreactive.server;

import static dev.zarrreactive.testing.Waiting.await;
import static dev.zarrreactive.testing.Waiting.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import dev.zarrreactive.observation.StoreOperation;
import dev.zarrreactive.observation.StoreRequest;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreCapability;
import dev.zarrreactive.testkit.HeldRequests;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which chunks are stored, over HTTP. */
class ChunkPresenceTest {
  private Serving serving = new Serving();

  @AfterEach
  void stop() {
    serving.close();
  }

  private static ArrayMetadataBuilder v3(long... shape) {
    return ArrayMetadata.v3(Shape.of(shape), DataTypes.INT32);
  }

  private static ArrayMetadataBuilder v2(long... shape) {
    return ArrayMetadata.v2(Shape.of(shape), DataTypes.INT32);
  }

  /** Creates an array at {@code a} and writes ones to some boxes; no other chunk is stored. */
  private ZarrArray create(ArrayMetadataBuilder metadata, String... boxes) {
    ZarrArray array =
        Objects.requireNonNull(
            await(Zarr.hierarchy(serving.values).createArray("a", metadata.build())));
    for (String box : boxes) {
      await(array.write(Selection.parse(box), 1));
    }
    serving.store.counts().reset();
    return array;
  }

  private JsonObject chunks(String select) {
    HttpResponse<byte[]> answer = serving.get("/api/a/chunks" + select);
    assertThat(answer.statusCode()).as(text(answer)).isEqualTo(200);
    assertThat(answer.headers().firstValue("content-type")).hasValue("application/json");
    assertThat(answer.headers().firstValue("cache-control")).hasValue("no-cache");
    return JsonDocument.parse(ByteBuffer.wrap(answer.body()), Location.UNKNOWN).object();
  }

  private static String text(HttpResponse<byte[]> answer) {
    return new String(answer.body(), StandardCharsets.UTF_8);
  }

  /** Returns the first index, the counts and the digits of a box. */
  private static String box(JsonObject document, String name) {
    JsonObject box = (JsonObject) Objects.requireNonNull(document.get(name), name);
    return Objects.requireNonNull(box.get("first")).toString()
        + Objects.requireNonNull(box.get("counts")).toString()
        + box.string("stored").orElseThrow();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''                           | [0,0][3,4]100001000001",
        "?select=...                  | [0,0][3,4]100001000001",
        "?select=8,0:20               | [1,0][1,3]010",
        "?select=0:20:19,29           | [0,3][3,1]001",
        "?select=%5B19,7,12%5D,0:24:8 | [1,0][2,3]010000",
        "?select=-1                   | [2,0][1,4]0001",
        "?select=3:3,0                | [0,0][0,1]",
      })
  void the_chunks_around_a_selection_are_reported(String select, String expected) {
    create(v3(20, 30).chunkShape(7, 8), "0,0", "8,8", "19,29");
    assertThat(box(chunks(select), "chunks")).isEqualTo(expected);
    assertThat(chunks(select).members()).containsOnlyKeys("path", "chunks");
    assertThat(serving.store.counts().bytesRead()).isLessThan(2000); // of metadata alone
  }

  @ParameterizedTest
  @ValueSource(strings = {"v3 /", "v3 .", "v2 /", "v2 ."})
  void keys_of_both_formats_are_listed_below_their_shared_prefix(String keys) {
    ArrayMetadataBuilder metadata = keys.startsWith("v3") ? v3(4, 40, 40) : v2(4, 40, 40);
    metadata.chunkShape(1, 8, 8).separator(keys.substring(3));
    create(metadata, "1,0,0", "2,9,0", "2,39,39", "3,0,0");
    String digits = box(chunks("?select=2"), "chunks").substring("[2,0,0][1,5,5]".length());
    assertThat(digits).isEqualTo("00000" + "10000" + "00000" + "00000" + "00001");
    List<StoreRequest> asked =
        serving.store.counts().requests().stream()
            .filter(request -> request.operation() == StoreOperation.LIST_PREFIX)
            .toList();
    assertThat(asked).hasSize(1);
    assertThat(asked.get(0).target())
        .isEqualTo(keys.endsWith(".") ? "a/" : keys.startsWith("v3") ? "a/c/2/" : "a/2/");
  }

  @Test
  void few_chunks_are_asked_for_and_no_key_is_listed() {
    create(v3(16).chunkShape(1), "3");
    assertThat(box(chunks(""), "chunks")).isEqualTo("[0][16]0001000000000000");
    assertThat(serving.store.counts().total(StoreOperation.LIST_PREFIX)).isZero();
    assertThat(box(chunks("?select=3"), "chunks")).isEqualTo("[3][1]1");
  }

  @Test
  void an_array_without_dimensions_is_one_chunk() {
    create(v3(), "...");
    assertThat(box(chunks(""), "chunks")).isEqualTo("[][]1");
  }

  @ParameterizedTest
  @ValueSource(ints = {12, 40})
  void the_index_of_a_shard_reports_its_inner_chunks(int rows) {
    create(v3(rows, 24).shardShape(6, 8).chunkShape(3, 4), "0,0", "5,7", "7,20");
    JsonObject answer = chunks("?select=0:12");
    assertThat(box(answer, "shards")).isEqualTo("[0,0][2,3]100001");
    assertThat(box(answer, "chunks"))
        .isEqualTo("[0,0][4,6]" + "100000" + "010000" + "000001" + "000000");
    answer = chunks("?select=4,2:23");
    assertThat(box(answer, "shards")).isEqualTo("[0,0][1,3]100");
    assertThat(box(answer, "chunks")).isEqualTo("[1,0][1,6]010000");
    assertThat(serving.store.counts().requests())
        .filteredOn(request -> request.target().startsWith("a/c/1/0"))
        .noneMatch(request -> request.operation() == StoreOperation.GET);
  }

  @Test
  void random_arrays_are_reported_as_they_are() {
    Random random = new Random(7);
    for (int round = 0; round < 20; round++) {
      String[] boxes = new String[4];
      for (int i = 0; i < boxes.length; i++) {
        boxes[i] = random.nextInt(50) + "," + random.nextInt(40);
      }
      boolean isSharded = random.nextBoolean();
      ArrayMetadataBuilder metadata = v3(50, 40).chunkShape(4, 3);
      ZarrArray array = create(isSharded ? metadata.shardShape(8, 9) : metadata, boxes);
      int[] from = {random.nextInt(50), random.nextInt(40)};
      int[] to = {
        from[0] + 1 + random.nextInt(50 - from[0]), from[1] + 1 + random.nextInt(40 - from[1])
      };
      JsonObject answer = chunks("?select=" + from[0] + ":" + to[0] + "," + from[1] + ":" + to[1]);
      String outer = box(answer, isSharded ? "shards" : "chunks");
      assertThat(outer).isEqualTo(asked(array, from, to));
      if (isSharded) {
        assertThat(box(answer, "chunks")).isEqualTo(inner(boxes, from, to));
      }
      await(serving.values.erasePrefix(array.path().prefix()));
    }
  }

  private static String asked(ZarrArray array, int[] from, int[] to) {
    int[] edge =
        array.chunkGrid().largestChunkShape().equals(Shape.of(8, 9))
            ? new int[] {8, 9}
            : new int[] {4, 3};
    return digits(from, to, edge, (i, j) -> Boolean.TRUE.equals(await(array.chunkExists(i, j))));
  }

  private static String inner(String[] points, int[] from, int[] to) {
    Set<String> stored =
        List.of(points).stream()
            .map(point -> point.split(","))
            .map(p -> Integer.parseInt(p[0]) / 4 + "," + Integer.parseInt(p[1]) / 3)
            .collect(Collectors.toSet());
    return digits(from, to, new int[] {4, 3}, (i, j) -> stored.contains(i + "," + j));
  }

  private interface Presence {
    boolean isStored(int i, int j);
  }

  private static String digits(int[] from, int[] to, int[] edge, Presence presence) {
    int[] first = {from[0] / edge[0], from[1] / edge[1]};
    int[] last = {(to[0] - 1) / edge[0], (to[1] - 1) / edge[1]};
    StringBuilder digits = new StringBuilder();
    for (int i = first[0]; i <= last[0]; i++) {
      for (int j = first[1]; j <= last[1]; j++) {
        digits.append(presence.isStored(i, j) ? '1' : '0');
      }
    }
    return String.format(
        "[%d,%d][%d,%d]%s",
        first[0], first[1], last[0] - first[0] + 1, last[1] - first[1] + 1, digits);
  }

  @Test
  void inner_chunks_of_too_many_shards_are_left_out() {
    create(v3(8000).shardShape(4).chunkShape(2), "0:8000");
    assertThat(chunks("").members()).containsOnlyKeys("path", "shards");
    assertThat(chunks("?select=0:1024").members()).containsOnlyKeys("path", "shards", "chunks");
    assertThat(chunks("?select=0:1028").members()).containsOnlyKeys("path", "shards");
  }

  @Test
  void a_store_that_cannot_list_is_asked_for_some_chunks() {
    serving.close();
    Serving old = serving;
    serving = new Serving(new Unlisted(old.values), server -> server);
    ZarrArray array =
        Objects.requireNonNull(
            await(Zarr.hierarchy(old.values).createArray("a", v3(300).chunkShape(1).build())));
    await(array.write(Selection.parse("1"), 1));
    assertThat(box(chunks("?select=0:256"), "chunks")).isEqualTo("[0][256]01" + "0".repeat(254));
    HttpResponse<byte[]> answer = serving.get("/api/a/chunks");
    assertThat(answer.statusCode()).isEqualTo(501);
    assertThat(text(answer)).contains("cannot list", "at most 256 chunks");
  }

  private static final class Unlisted extends DelegatingStore {
    Unlisted(Store store) {
      super(store);
    }

    @Override
    public Set<StoreCapability> capabilities() {
      return super.capabilities().stream()
          .filter(capability -> capability != StoreCapability.LIST)
          .collect(Collectors.toSet());
    }
  }

  @Test
  void too_many_chunks_or_keys_are_refused_with_the_bound() {
    create(v3(100, 101, 20).chunkShape(1, 1, 1).separator("."));
    HttpResponse<byte[]> answer = serving.get("/api/a/chunks?select=...,0");
    assertThat(answer.statusCode()).isEqualTo(413);
    assertThat(text(answer)).contains("more than 10000 chunks");
    for (int i = 0; i <= ChunkPresence.LISTED; i++) {
      serving.values.set(StoreKey.of("a/x" + i), Bytes.EMPTY).block();
    }
    answer = serving.get("/api/a/chunks?select=0:100,0,0");
    assertThat(answer.statusCode()).isEqualTo(413);
    assertThat(text(answer)).contains("more than 100000 keys", "at most 16 chunks");
    assertThat(box(chunks("?select=0:16,0,0"), "chunks")).endsWith("0".repeat(16));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/api/a/chunks?select=99        | 400 | out of bounds",
        "/api/a/chunks?select=1&format=raw | 400 | format",
        "/api/a/chunks?select=%5B       | 400 | [",
        "/api/chunks                    | 400 | a group",
        "/api/b/chunks                  | 404 | no array",
      })
  void a_wrong_request_learns_why(String path, int status, String why) {
    await(Zarr.hierarchy(serving.values).createGroup(""));
    create(v3(20, 30).chunkShape(7, 8));
    HttpResponse<byte[]> answer = serving.get(path.strip());
    assertThat(answer.statusCode()).isEqualTo(status);
    assertThat(text(answer)).contains(why);
  }

  @Test
  void other_methods_are_as_for_every_resource() {
    create(v3(20, 30).chunkShape(7, 8));
    HttpResponse<byte[]> head = serving.send("HEAD", "/api/a/chunks");
    assertThat(head.statusCode()).isEqualTo(200);
    assertThat(head.body()).isEmpty();
    assertThat(serving.send("POST", "/api/a/chunks").statusCode()).isEqualTo(405);
  }

  @Test
  void a_failure_of_the_store_is_no_missing_chunk() {
    create(v3(100).chunkShape(1));
    serving.store.fail(
        asked -> asked.operation() == StoreOperation.LIST_PREFIX || asked.target().contains("/c/"),
        () -> new StoreException("broken s3cret", Location.UNKNOWN));
    for (String select : List.of("", "?select=0:3")) {
      HttpResponse<byte[]> answer = serving.get("/api/a/chunks" + select);
      assertThat(answer.statusCode()).isEqualTo(502);
      assertThat(text(answer)).doesNotContain("s3cret");
    }
  }

  @Test
  void a_damaged_index_is_an_error_that_names_its_shard() {
    create(v3(40).shardShape(8).chunkShape(2), "0:40");
    serving.values.set(StoreKey.of("a/c/3"), Bytes.utf8("damaged".repeat(20))).block();
    HttpResponse<byte[]> answer = serving.get("/api/a/chunks");
    assertThat(answer.statusCode()).isEqualTo(500);
    assertThat(text(answer)).contains("/a", "[3]");
    assertThat(box(chunks("?select=0:24"), "chunks")).endsWith("1".repeat(12));
  }

  @Test
  void questions_count_as_slices_and_end_with_their_client() throws Exception {
    serving.close();
    serving = new Serving(server -> server.limits(ServerLimits.defaults().withSlices(1, 1 << 20)));
    create(v3(100).chunkShape(1));
    HeldRequests held =
        serving.store.hold(asked -> asked.operation() == StoreOperation.LIST_PREFIX);
    RawConnection client = new RawConnection(serving.server.port());
    Thread asking =
        new Thread(
            () -> {
              try {
                client.get("/api/a/chunks");
              } catch (java.io.IOException e) {
                // the socket is closed under the read
              }
            });
    asking.start();
    eventually("keys are listed", () -> held.waiting() > 0);
    assertThat(serving.get("/api/a/chunks").statusCode()).isEqualTo(503);
    client.close();
    eventually("the listing is cancelled", () -> serving.store.counts().inFlight() == 0);
    eventually("nothing is under way", () -> serving.server.requestsUnderWay() == 0);
    held.release();
    assertThat(chunks("").members()).containsKey("chunks");
  }
}
