package dev.zarrreactive.server;

import static dev.zarrreactive.testing.Waiting.await;
import static dev.zarrreactive.testing.Waiting.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.NullTerminatedBytesType;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.GroupMetadata;
import dev.zarrreactive.testkit.HeldRequests;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Slices, metadata and trees over HTTP. */
class ArrayApiTest {
  private Serving serving = new Serving();

  @BeforeEach
  void create() {
    create(serving);
  }

  private static void create(Serving serving) {
    ZarrHierarchy zarr = Zarr.hierarchy(serving.values);
    await(zarr.createGroup("g", GroupMetadata.of(JsonObject.EMPTY.with("title", "t"))));
    ZarrArray array =
        Objects.requireNonNull(
            await(
                zarr.createArray(
                    "g/a",
                    ArrayMetadata.v3(Shape.of(20, 30), DataTypes.INT32)
                        .uncompressed()
                        .chunkShape(7, 8)
                        .build())));
    int[] numbers = IntStream.range(0, 600).toArray();
    await(array.write(Selection.all(), NdArray.ofInts(DataTypes.INT32, Shape.of(20, 30), numbers)));
  }

  @AfterEach
  void stop() {
    serving.close();
  }

  private static String text(HttpResponse<byte[]> answer) {
    return new String(answer.body(), StandardCharsets.UTF_8);
  }

  private static String header(HttpResponse<byte[]> answer, String name) {
    return answer.headers().firstValue(name).orElse("-");
  }

  @Test
  void a_slice_has_the_selected_elements_in_each_format() {
    HttpResponse<byte[]> raw = serving.get("/api/g/a/slice?select=0:20:10,%5B1,5,29%5D&format=raw");
    int[] elements = new int[6];
    ByteBuffer.wrap(raw.body()).order(ByteOrder.LITTLE_ENDIAN).asIntBuffer().get(elements);
    assertThat(elements).containsExactly(1, 5, 29, 301, 305, 329);
    assertThat(header(raw, "content-length")).isEqualTo("24");
    assertThat(header(raw, "zarr-data-type")).isEqualTo("int32");
    assertThat(header(raw, "zarr-shape")).isEqualTo("2,3");

    HttpResponse<byte[]> npy = serving.get("/api/g/a/slice?select=3,4:6");
    assertThat(npy.body()).startsWith(0x93, 'N', 'U', 'M', 'P', 'Y').endsWith(95, 0, 0, 0);
    assertThat(header(npy, "content-length")).isEqualTo(Integer.toString(npy.body().length));

    HttpResponse<byte[]> json = serving.get("/api/g/a/slice?select=0:2,5:7&format=json");
    assertThat(text(json).replaceAll("\\s", "")).isEqualTo("[[5,6],[35,36]]");
    assertThat(header(json, "content-type")).isEqualTo("application/json");

    HttpResponse<byte[]> lines = serving.get("/api/g/a/slice?select=0,5:7&format=jsonl");
    assertThat(text(lines)).isEqualTo("5\n6\n");
    HttpResponse<byte[]> table = serving.get("/api/g/a/slice?select=1,5:7&format=csv");
    assertThat(text(table).lines().skip(1)).containsExactly("1,5,35", "1,6,36");

    HttpResponse<byte[]> all = serving.get("/api/g/a/slice?format=raw");
    assertThat(all.body()).hasSize(2400);
    HttpResponse<byte[]> one = serving.get("/api/g/a/slice?format=json&select=1,1");
    assertThat(text(one).strip()).isEqualTo("31");
    assertThat(header(one, "zarr-shape")).isEmpty();
    assertThat(serving.get("/api/g/a/slice?format=raw&select=3:3").body()).isEmpty();
  }

  /** Chunks of 7 × 8 in rows 5 to 19 by 2 and columns 6 to 29 by 5. */
  @ParameterizedTest
  @CsvSource({"5:20:2", "6"})
  void a_slice_is_sent_as_its_chunks_with_their_places(String rows) {
    HttpResponse<byte[]> answer =
        serving.get("/api/g/a/slice?format=chunks&select=" + rows + ",6:30:5");
    int[] first = rows.equals("6") ? new int[] {6, 1, 1} : new int[] {5, 8, 2};
    boolean isLine = rows.equals("6");
    assertThat(header(answer, "zarr-shape")).isEqualTo(isLine ? "5" : "8,5");
    assertThat(header(answer, "zarr-data-type")).isEqualTo("int32");
    ByteBuffer body = ByteBuffer.wrap(answer.body()).order(ByteOrder.LITTLE_ENDIAN);
    int[][] found = new int[first[1]][5];
    int frames = 0;
    for (; body.hasRemaining(); frames++) {
      int row = isLine ? 0 : body.getInt();
      int height = isLine ? 1 : body.getInt();
      int column = body.getInt();
      int width = body.getInt();
      for (int r = row; r < row + height; r++) {
        for (int c = column; c < column + width; c++) {
          found[r][c] = body.getInt();
        }
      }
    }
    assertThat(frames).isEqualTo(isLine ? 4 : 12);
    for (int r = 0; r < found.length; r++) {
      for (int c = 0; c < 5; c++) {
        assertThat(found[r][c]).isEqualTo((first[0] + r * first[2]) * 30 + 6 + c * 5);
      }
    }
  }

  @Test
  void the_chunks_of_a_slice_are_decoded_if_values_are_wanted() {
    await(
        Zarr.hierarchy(serving.values)
            .createArray(
                "g/packed",
                ArrayMetadata.v3(Shape.of(2), DataTypes.INT16)
                    .attributes(json("{\"scale_factor\": 0.5}"))
                    .build())
            .flatMap(
                array ->
                    array.write(
                        Selection.all(),
                        NdArray.ofShorts(DataTypes.INT16, Shape.of(2), new short[] {3, 4}))));
    HttpResponse<byte[]> answer = serving.get("/api/g/packed/slice?format=chunks&decode=true");
    ByteBuffer body = ByteBuffer.wrap(answer.body()).order(ByteOrder.LITTLE_ENDIAN);
    assertThat(header(answer, "zarr-data-type")).isEqualTo("float64");
    assertThat(body.getInt()).isZero();
    assertThat(body.getInt()).isEqualTo(2);
    assertThat(new double[] {body.getDouble(), body.getDouble()}).containsExactly(1.5, 2);
    assertThat(body.hasRemaining()).isFalse();
  }

  @Test
  void a_group_is_described_with_what_is_in_it_if_that_is_asked_for() {
    await(
        Zarr.hierarchy(serving.values)
            .createArray(
                "g/time",
                ArrayMetadata.v3(Shape.of(3), DataTypes.INT32)
                    .dimensionNames("time")
                    .attributes(
                        json(
                            "{\"units\": \"days since 2000-01-01\", \"long_name\": \"when\","
                                + " \"secret\": \"x\", \"standard_name\": 7}"))
                    .build()));
    JsonObject described =
        JsonDocument.parse(
                ByteBuffer.wrap(serving.get("/api/g/metadata?children=true").body()),
                Location.UNKNOWN)
            .object();
    assertThat(String.valueOf(described.get("is_complete"))).isEqualTo("true");
    String children = String.valueOf(described.get("children"));
    assertThat(children)
        .contains("\"path\":\"/g/a\"", "\"shape\":[20,30]", "\"bytes\":2400")
        .contains("\"dimensions\":[\"time\"]", "\"rules\":[\"time\"]", "\"long_name\":\"when\"")
        .doesNotContain("secret", "standard_name");
    assertThat(text(serving.get("/api/metadata?children=true")))
        .contains("{\"path\":\"/g\",\"kind\":\"group\"}");
    assertThat(text(serving.get("/api/g/metadata"))).doesNotContain("children");
    assertThat(text(serving.get("/api/g/a/metadata?children=true"))).doesNotContain("children");
    assertThat(serving.get("/api/g/metadata?children=1").statusCode()).isEqualTo(400);
  }

  @Test
  void the_name_of_the_store_is_told_with_the_tree_of_the_root() {
    assertThat(text(serving.get("/api/tree"))).doesNotContain("\"name\"");
    serving.close();
    serving = new Serving(server -> server.name("earth.zarr"));
    create(serving);
    assertThat(text(serving.get("/api/tree"))).contains("\"name\":\"earth.zarr\"");
    assertThat(text(serving.get("/api/g/tree"))).doesNotContain("\"name\"");
  }

  @Test
  void decoded_slices_have_values_in_place_of_stored_elements() {
    Zarr.hierarchy(serving.values)
        .createArray(
            "g/p",
            ArrayMetadata.v3(Shape.of(2, 2), DataTypes.INT16)
                .dimensionNames("time", "x")
                .attributes(
                    json(
                        "{\"scale_factor\": 0.5, \"add_offset\": 10, \"_FillValue\": -1,"
                            + " \"units\": \"K\"}"))
                .build())
        .flatMap(
            p ->
                p.write(
                    Selection.all(),
                    NdArray.ofShorts(DataTypes.INT16, Shape.of(2, 2), new short[] {4, -1, 0, 7})))
        .block();
    times("g/time", "360_day", 59, 60);
    HttpResponse<byte[]> raw = serving.get("/api/g/p/slice?format=raw&decode=true");
    double[] values = new double[4];
    ByteBuffer.wrap(raw.body()).order(ByteOrder.LITTLE_ENDIAN).asDoubleBuffer().get(values);
    assertThat(values).containsExactly(12, Double.NaN, 10, 13.5);
    assertThat(header(raw, "zarr-data-type")).isEqualTo("float64");
    assertThat(header(raw, "content-length")).isEqualTo("32");
    assertThat(text(serving.get("/api/g/p/slice?format=json&decode=false&select=0,0")).strip())
        .isEqualTo("4");
    assertThat(text(serving.get("/api/g/p/slice?format=jsonl&decode=true&select=1")))
        .isEqualTo("10.0\n13.5\n");
    HttpResponse<byte[]> dates = serving.get("/api/g/time/slice?format=json&decode=true");
    assertThat(text(dates).replaceAll("\\s", ""))
        .isEqualTo("[\"2000-02-30T00:00:00\",\"2000-03-01T00:00:00\"]");
    assertThat(header(dates, "zarr-data-type")).isEqualTo("string");
    String metadata = text(serving.get("/api/g/p/metadata"));
    assertThat(metadata)
        .contains("\"decoded\":{\"data_type\":\"float64\"")
        .contains("\"rules\":[\"fill_value\",\"scale_and_offset\"]")
        .contains("\"dimensions\":[\"time\",\"x\"]")
        .contains("\"layout\":{\"codecs\":[\"bytes\",\"zstd\"],\"chunks\":[2,2]}");
    assertThat(text(serving.get("/api/g/a/metadata")))
        .doesNotContain("\"decoded\"")
        .contains("\"dimensions\":[null,null]");
  }

  @Test
  void characters_are_joined_and_bounds_are_times_as_in_a_dataset() {
    ZarrHierarchy zarr = Zarr.hierarchy(serving.values);
    ZarrArray names =
        Objects.requireNonNull(
            await(
                zarr.createArray(
                    "g/names",
                    ArrayMetadata.v3(Shape.of(2, 3), new NullTerminatedBytesType(1))
                        .dimensionNames("n", "string3")
                        .chunkShape(2, 2)
                        .build())));
    Bytes letters = Bytes.wrap("abcde\0".getBytes(StandardCharsets.US_ASCII));
    await(names.write(Selection.all(), NdArray.wrap(names.dataType(), Shape.of(2, 3), letters)));
    await(
        zarr.createArray(
            "g/time",
            ArrayMetadata.v3(Shape.of(1), DataTypes.INT32)
                .dimensionNames("time")
                .attributes(
                    JsonObject.EMPTY
                        .with("units", "days since 2020-01-01")
                        .with("bounds", "time_bnds"))
                .build()));
    await(
        zarr.createArray(
            "g/time_bnds",
            ArrayMetadata.v3(Shape.of(1, 2), DataTypes.INT32)
                .dimensionNames("time", "bnds")
                .build()));
    HttpResponse<byte[]> texts = serving.get("/api/g/names/slice?format=json&decode=true");
    assertThat(text(texts).strip()).isEqualTo("[\"abc\",\"de\"]");
    assertThat(header(texts, "zarr-shape")).isEqualTo("2");
    assertThat(header(texts, "zarr-data-type")).isEqualTo("string");
    assertThat(text(serving.get("/api/g/names/slice?format=csv&decode=true&select=1")))
        .isEqualTo("n,value\r\n1,de\r\n");
    assertThat(serving.get("/api/g/names/slice?decode=true&select=0,0").statusCode())
        .isEqualTo(400);
    assertThat(text(serving.get("/api/g/names/slice?format=json&select=0,0")).strip())
        .isEqualTo("\"YQ==\"");
    assertThat(text(serving.get("/api/g/names/metadata"))).contains("\"shape\":[2]");
    assertThat(text(serving.get("/api/g/time_bnds/slice?format=jsonl&decode=true")))
        .isEqualTo("\"2020-01-01T00:00:00\"\n\"2020-01-01T00:00:00\"\n");
    assertThat(text(serving.get("/api/g/time_bnds/metadata")))
        .contains("\"data_type\":\"numpy.datetime64[s]\"");
  }

  @Test
  void values_that_cannot_be_decoded_are_refused_and_stored_elements_are_sent() {
    times("g/when", "lunar", 1, 2);
    HttpResponse<byte[]> answer = serving.get("/api/g/when/slice?decode=true");
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(text(answer)).contains("lunar");
    assertThat(text(serving.get("/api/g/when/slice?format=jsonl"))).isEqualTo("1\n2\n");
    assertThat(text(serving.get("/api/g/when/metadata"))).doesNotContain("\"decoded\"");
  }

  @Test
  void the_bound_of_a_slice_is_that_of_decoded_bytes() {
    serving.close();
    serving = new Serving(server -> server.limits(ServerLimits.defaults().withSlices(4, 100)));
    times("g/time", "standard", IntStream.range(0, 20).toArray());
    assertThat(serving.get("/api/g/time/slice").statusCode()).isEqualTo(200);
    assertThat(text(serving.get("/api/g/time/slice?decode=true"))).contains("160 bytes");
  }

  private void times(String path, String calendar, int... days) {
    Zarr.hierarchy(serving.values)
        .createArray(
            path,
            ArrayMetadata.v3(Shape.of(days.length), DataTypes.INT32)
                .dimensionNames("time")
                .attributes(
                    json(
                        "{\"units\": \"days since 2000-01-01\", \"calendar\": \""
                            + calendar
                            + "\"}"))
                .build())
        .flatMap(
            array ->
                array.write(
                    Selection.all(), NdArray.ofInts(DataTypes.INT32, Shape.of(days.length), days)))
        .block();
  }

  private static JsonObject json(String text) {
    return JsonDocument.parse(
            ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)), Location.UNKNOWN)
        .object();
  }

  @Test
  void an_image_of_ome_zarr_is_described_by_its_group() {
    JsonObject image =
        json(
            "{\"ome\": {\"version\": \"0.5\", \"omero\": {\"channels\": [{\"label\": \"DAPI\","
                + " \"color\": \"FF8000\", \"window\": {\"start\": 1, \"end\": 9, \"min\": 0,"
                + " \"max\": 9}}]},"
                + " \"multiscales\": [{\"axes\": [{\"name\": \"c\", \"type\": \"channel\"},"
                + " {\"name\": \"y\", \"type\": \"space\", \"unit\": \"micrometer\"},"
                + " {\"name\": \"x\", \"type\": \"space\"}], \"datasets\": [{\"path\": \"s0\","
                + " \"coordinateTransformations\": [{\"type\": \"scale\", \"scale\": [1, 0.5, 2]},"
                + " {\"type\": \"translation\", \"translation\": [0, 3, 0]}]},"
                + " {\"path\": \"../s1\"}]}]}}");
    await(Zarr.hierarchy(serving.values).createGroup("g/image", GroupMetadata.of(3, image)));
    assertThat(text(serving.get("/api/g/image/metadata")))
        .contains("\"levels\":[\"/g/image/s0\"]", "\"channels\":[\"DAPI\"]")
        .contains(
            "\"display\":[{\"colour\":[255,128,0],\"active\":true,\"inverted\":false,\"start\":1")
        .contains("\"unit\":\"micrometer\",\"scale\":0.5,\"translation\":3");
    assertThat(text(serving.get("/api/g/metadata"))).doesNotContain("\"image\"");
  }

  @Test
  void a_plane_is_a_picture() throws IOException {
    HttpResponse<byte[]> png = serving.get("/api/g/a/slice?format=png&range=0:599");
    assertThat(header(png, "content-type")).isEqualTo("image/png");
    BufferedImage picture = ImageIO.read(new ByteArrayInputStream(png.body()));
    assertThat(picture.getHeight()).isEqualTo(20);
    assertThat(picture.getWidth()).isEqualTo(30);
    assertThat(picture.getRaster().getSample(0, 0, 0)).isZero();
    assertThat(picture.getRaster().getSample(29, 19, 0)).isEqualTo(255);
  }

  @Test
  void a_head_of_a_slice_says_its_size_and_reads_no_chunk() {
    HttpResponse<byte[]> head = serving.send("HEAD", "/api/g/a/slice?format=raw");
    assertThat(header(head, "content-length")).isEqualTo("2400");
    assertThat(serving.store.counts().requests())
        .noneMatch(asked -> asked.target().contains("/c/"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/api/g/a/slice?select=99             | 400 | out of bounds",
        "/api/g/a/slice?select=::-1           | 400 | step",
        "/api/g/a/slice?select=1,2,3          | 400 | 3",
        "/api/g/a/slice?select=1&select=2     | 400 | once",
        "/api/g/a/slice?format=hdf5           | 400 | hdf5",
        "/api/g/a/slice?format=png            | 400 | int32",
        "/api/g/a/slice?format=png&range=0:0  | 400 | 0:1",
        "/api/g/a/slice?format=png&range=a    | 400 | 0:1",
        "/api/g/a/slice?range=0:1             | 400 | png",
        "/api/g/a/slice?format=chunks&select=[1,3] | 400 | not of lists of indices",
        "/api/g/a/slice?format=chunks&range=0:1    | 400 | parameters",
        "/api/g/a/slice?size=9                | 400 | size is for the format png",
        "/api/g/a/slice?format=png&size=3     | 400 | from 4 to 16384",
        "/api/g/a/slice?format=png&colours=x  | 400 | colours need a range",
        "/api/g/a/slice?format=png&range=0:1&colours=x | 400 | the colours are one of",
        "/api/g/a/slice?decode=yes            | 400 | yes",
        "/api/g/a/slice?colour=red            | 400 | colour",
        "/api/g/slice                         | 400 | a group",
        "/api/g/b/slice                       | 404 | no array",
        "/api/g/b/metadata                    | 404 | no array",
        "/api/g/a/metadata?x=1                | 400 | x",
        "/api/g/a/other                       | 404 | nothing",
      })
  void a_wrong_request_learns_why(String path, int status, String why) {
    HttpResponse<byte[]> answer = serving.get(path.strip());
    assertThat(answer.statusCode()).isEqualTo(status);
    assertThat(text(answer)).contains(why);
    assertThat(header(answer, "content-type")).isEqualTo("application/problem+json");
  }

  @Test
  void a_slice_that_is_too_large_is_refused_with_the_bound() {
    serving.close();
    serving = new Serving(server -> server.limits(ServerLimits.defaults().withSlices(4, 100)));
    create(serving);
    HttpResponse<byte[]> answer = serving.get("/api/g/a/slice");
    assertThat(answer.statusCode()).isEqualTo(413);
    assertThat(text(answer)).contains("2400 bytes", "at most 100");
    assertThat(serving.get("/api/g/a/slice?select=0,:25").statusCode()).isEqualTo(200);
  }

  @Test
  void slices_beyond_the_limit_get_retry_after() throws InterruptedException {
    serving.close();
    serving = new Serving(server -> server.limits(ServerLimits.defaults().withSlices(1, 1 << 20)));
    create(serving);
    HeldRequests held = serving.store.hold(asked -> asked.target().contains("/c/"));
    Thread first = new Thread(() -> serving.get("/api/g/a/slice?select=0"));
    first.start();
    eventually("chunks are asked for", () -> held.waiting() > 0);
    HttpResponse<byte[]> second = serving.get("/api/g/a/slice?select=0");
    assertThat(second.statusCode()).isEqualTo(503);
    assertThat(header(second, "retry-after")).isEqualTo("1");
    held.release();
    first.join();
    eventually("it ends", () -> serving.server.requestsUnderWay() == 0);
    assertThat(serving.get("/api/g/a/slice?select=0").statusCode()).isEqualTo(200);
  }

  @Test
  void a_client_that_leaves_ends_the_reads_of_its_slice() throws Exception {
    HeldRequests held = serving.store.hold(asked -> asked.target().contains("/c/"));
    RawConnection client = new RawConnection(serving.server.port());
    Thread asking =
        new Thread(
            () -> {
              try {
                client.get("/api/g/a/slice");
              } catch (java.io.IOException e) {
                // the socket is closed under the read
              }
            });
    asking.start();
    eventually("chunks are asked for", () -> held.waiting() > 0);
    client.close();
    eventually("the reads are cancelled", () -> serving.store.counts().inFlight() == 0);
    eventually("nothing is under way", () -> serving.server.requestsUnderWay() == 0);
  }

  @Test
  void a_failure_of_the_store_is_no_fill_value() {
    serving.store.fail(
        asked -> asked.target().contains("/c/"),
        () -> new StoreException("broken s3cret", Location.UNKNOWN));
    HttpResponse<byte[]> answer = serving.get("/api/g/a/slice?format=raw");
    assertThat(answer.statusCode()).isEqualTo(502);
    assertThat(text(answer)).doesNotContain("s3cret");
    serving.store.behave();
    serving.values.set(StoreKey.of("g/a/c/0/0"), Bytes.utf8("damaged")).block();
    HttpResponse<byte[]> damaged = serving.get("/api/g/a/slice?format=raw");
    assertThat(damaged.statusCode()).isEqualTo(500);
    assertThat(text(damaged)).contains("chunk [0, 0]", "/g/a");
  }

  @Test
  void metadata_and_trees_are_json() {
    assertThat(text(serving.get("/api/g/a/metadata")))
        .contains("\"kind\":\"array\"", "\"shape\":[20,30]", "\"document\":{")
        .contains("\"data_type\":\"int32\"");
    assertThat(text(serving.get("/api/g/metadata"))).contains("\"title\":\"t\"");
    String tree = text(serving.get("/api/tree"));
    assertThat(tree).contains("\"path\":\"/g\"", "\"path\":\"/g/a\"", "\"is_complete\":true");
    assertThat(text(serving.get("/api/g/a/tree"))).contains("\"nodes\":[]");
  }

  @Test
  void the_description_names_what_is_served() {
    HttpResponse<byte[]> answer = serving.get("/api/openapi.json");
    JsonObject document =
        JsonDocument.parse(ByteBuffer.wrap(answer.body()), Location.UNKNOWN).object();
    JsonObject paths = (JsonObject) Objects.requireNonNull(document.get("paths"));
    assertThat(new TreeSet<>(paths.members().keySet()))
        .containsExactly(
            "/api/activity.json",
            "/api/openapi.json",
            "/api/versions.json",
            "/api/{path}/chunks",
            "/api/{path}/map/{zoom}/{column}/{row}.png",
            "/api/{path}/metadata",
            "/api/{path}/slice",
            "/api/{path}/tiles/{level}/{row}/{column}.png",
            "/api/{path}/tree");
    for (String path : paths.members().keySet()) {
      String place =
          path.replaceAll("(tiles|map)/.*", "$1/0/0/0.png?range=0:600").replace("{path}", "g/a");
      int status = path.equals("/api/versions.json") ? 404 : path.contains("/map/") ? 400 : 200;
      assertThat(serving.get(place).statusCode())
          .as("this store has no versions, and the array no place: %s", path)
          .isEqualTo(status);
    }
    String text = text(answer);
    assertThat(text)
        .contains(
            "\"enum\": [\"npy\", \"raw\", \"json\", \"jsonl\", \"csv\", \"png\", \"chunks\"]");
    for (String format :
        List.of(
            "npy",
            "raw",
            "json",
            "jsonl",
            "csv",
            "chunks",
            "png&range=0:600",
            "png&range=0:600&colours=magma")) {
      HttpResponse<byte[]> slice = serving.get("/api/g/a/slice?format=" + format);
      assertThat(slice.statusCode()).isEqualTo(200);
      assertThat(text).contains("\"" + header(slice, "content-type").split(";")[0] + "\"");
    }
    for (int status : new int[] {400, 404, 413, 500, 501, 502, 503}) {
      assertThat(text).contains("\"" + status + "\"");
    }
  }

  @Test
  void without_the_interface_every_path_is_a_key() {
    serving.close();
    serving = new Serving(server -> server.api(false));
    create(serving);
    assertThat(serving.get("/api/g/a/slice").statusCode()).isEqualTo(404);
    serving.put(StoreKey.of("api/tree"), 3);
    assertThat(serving.get("/api/tree").body()).hasSize(3);
  }
}
