package dev.zarrreactive.server;

import static dev.zarrreactive.testing.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.encodings.ColourMap;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.GroupMetadata;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tiles of planes, images and maps. */
class TileApiTest {
  private final Serving serving = new Serving();

  @BeforeEach
  void write() {
    ZarrHierarchy written = Zarr.hierarchy(serving.values);
    await(written.createGroup(""));
    NdArray cube =
        NdArray.ofInts(
            DataTypes.INT32, Shape.of(2, 300, 400), IntStream.range(0, 240_000).toArray());
    store(written, "cube", cube.cast(DataTypes.FLOAT32), 1, 100, 100);
    byte[] colours = new byte[5 * 6 * 3];
    for (int i = 0; i < colours.length; i++) {
      colours[i] = (byte) i;
    }
    store(written, "rgb", NdArray.ofBytes(DataTypes.UINT8, Shape.of(5, 6, 3), colours), 2, 2, 3);
    await(
        written.createGroup(
            "image",
            GroupMetadata.of(
                json(
                    """
                    {"ome": {"version": "0.5",
                      "omero": {"channels": [
                        {"color": "FF0000", "window": {"start": 0, "end": 100, "min": 0, "max": 1}},
                        {"color": "0000FF", "window": {"start": 0, "end": 100, "min": 0, "max": 1}}]},
                      "multiscales": [{"axes": [{"name": "c", "type": "channel"},
                        {"name": "y", "type": "space"}, {"name": "x", "type": "space"}],
                        "datasets": [{"path": "0", "coordinateTransformations":
                          [{"type": "scale", "scale": [1, 1, 1]}]}]}]}}
                    """))));
    store(
        written,
        "image/0",
        NdArray.ofInts(DataTypes.INT32, Shape.of(2, 3, 4), IntStream.range(0, 24).toArray())
            .cast(DataTypes.UINT16),
        1,
        2,
        2);
    await(
        written.createGroup(
            "maps",
            GroupMetadata.of(
                json(
                    "{\"proj:code\": \"EPSG:4326\","
                        + " \"spatial:transform\": [90, 0, -180, 0, -90, 90]}"))));
    NdArray globe =
        NdArray.ofInts(DataTypes.INT32, Shape.of(3, 2, 4), IntStream.range(0, 24).toArray());
    await(
        written
            .createArray(
                "maps/t",
                ArrayMetadata.v3(globe.shape(), DataTypes.INT32)
                    .dimensionNames("time", "y", "x")
                    .chunkShape(1, 2, 2)
                    .build())
            .flatMap(array -> array.write("...", globe)));
  }

  @AfterEach
  void stop() {
    serving.close();
  }

  private static JsonObject json(String text) {
    return JsonDocument.parse(
            ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)), Location.UNKNOWN)
        .object();
  }

  private static void store(ZarrHierarchy to, String path, NdArray data, long... chunks) {
    await(
        to.createArray(
                path, ArrayMetadata.v3(data.shape(), data.dataType()).chunkShape(chunks).build())
            .flatMap(array -> array.write("...", data)));
  }

  private static String text(HttpResponse<byte[]> answer) {
    return new String(answer.body(), StandardCharsets.UTF_8);
  }

  private BufferedImage tile(String path) throws IOException {
    HttpResponse<byte[]> answer = serving.get(path);
    assertThat(answer.statusCode()).as(text(answer)).isEqualTo(200);
    assertThat(answer.headers().firstValue("content-type")).hasValue("image/png");
    return ImageIO.read(new ByteArrayInputStream(answer.body()));
  }

  @Test
  void a_tile_of_a_plane_is_whole_at_the_edge() throws IOException {
    BufferedImage tile = tile("/api/cube/tiles/0/1/1.png?select=1,...&range=0:240000");
    assertThat(tile.getWidth()).isEqualTo(256);
    assertThat(tile.getHeight()).isEqualTo(256);
    for (int row = 0; row < 256; row += 3) {
      for (int column = 0; column < 256; column += 5) {
        int value = 120_000 + (256 + row) * 400 + 256 + column;
        boolean isIn = row < 300 - 256 && column < 400 - 256;
        int expected = isIn ? 0xff000000 | ColourMap.VIRIDIS.colour(value / 240_000.0) : 0;
        assertThat(tile.getRGB(column, row)).isEqualTo(expected);
      }
    }
    BufferedImage stepped =
        tile("/api/cube/tiles/0/1/0.png?select=0,::2,::4&size=100&range=0:240000&colours=magma");
    assertThat(stepped.getRGB(3, 2))
        .isEqualTo(0xff000000 | ColourMap.MAGMA.colour((204 * 400 + 12) / 240_000.0));
  }

  @Test
  void a_picture_of_a_size_shows_every_nth_element() throws IOException {
    BufferedImage picture =
        tile("/api/cube/slice?select=1,:,:&format=png&range=0:240000&colours=magma&size=100");
    assertThat(picture.getWidth()).isEqualTo(100);
    assertThat(picture.getHeight()).isEqualTo(100);
    assertThat(picture.getRGB(7, 5))
        .isEqualTo(0xff000000 | ColourMap.MAGMA.colour((120_000 + 15 * 400 + 28) / 240_000.0));
    BufferedImage rgb = tile("/api/rgb/slice?format=png&size=4");
    assertThat(rgb.getWidth()).isEqualTo(3);
    assertThat(rgb.getRGB(1, 1)).isEqualTo(0xff000000 | 42 << 16 | 43 << 8 | 44);
    assertThat(serving.get("/api/cube/slice?select=1,[2,4],:&format=png&size=9").statusCode())
        .isEqualTo(400);
  }

  @ParameterizedTest
  @CsvSource({
    "/api/cube/tiles/0/2/0.png?select=0&range=0:1, 404, nothing is here",
    "/api/cube/tiles/0/0/2.png?select=0&range=0:1, 404, nothing is here",
    "/api/cube/tiles/1/0/0.png?select=0&range=0:1, 404, nothing is here",
    "/api/cube/tiles/0/999999999999999999/0.png?select=0&range=0:1, 404, nothing is here",
    "/api/none/tiles/0/0/0.png, 404, is here",
    "/api/image/tiles/1/0/0.png, 404, nothing is here",
    "/api/image/tiles/0/0/1.png, 404, nothing is here",
    "/api/maps/none/map/0/0/0.png?range=0:1, 404, nothing is here",
    "/api/maps/t/map/1/2/0.png?range=0:1&at=time:0, 404, nothing is here",
    "/api/maps/t/map/99999/0/0.png?range=0:1&at=time:0, 404, nothing is here",
    "/api/cube/tiles/0/0/0.png?select=0, 400, needs range=LEAST:GREATEST",
    "/api/cube/tiles/0/0/0.png?range=0:1, 400, a tile is of a plane of two dimensions",
    "/api/cube/tiles/0/0/0.png?select=0&range=1:1, 400, two different numbers",
    "/api/cube/tiles/0/0/0.png?select=0&range=0:1&colours=jet, 400, the colours are one of",
    "/api/cube/tiles/0/0/0.png?select=0&range=0:1&size=5000, 400, from 1 to 1024",
    "/api/cube/tiles/0/0/0.png?select=7&range=0:1, 400, index 7",
    "/api/cube/tiles/0/0/0.png?at=x:1, 400, the parameters are",
    "/api/image/tiles/0/0/0.png?at=q:1, 400, and none named q",
    "/api/image/tiles/0/0/0.png?at=c, 400, at is NAME:INDEX",
    "/api/rgb/tiles/0/0/0.png?range=0:1, 400, no range of values",
    "/api/maps/t/map/0/0/0.png?at=time:0, 400, needs range=LEAST:GREATEST",
    "/api/maps/t/map/0/0/0.png?range=0:1, 400, a tile shows two dimensions",
    "/api/maps/t/map/0/0/0.png?range=0:1&at=time:9, 400, 9",
    "/api/maps/t/map/0/0/0.png?range=0:1&at=time:0&warp=cubic, 400, warp is nearest or bilinear",
    "/api/map/0/0/0.png?range=0:1, 400, a group is at the root",
    "/api/cube/map/0/0/0.png?range=0:1&at=x:0, 400, dimension"
  })
  void what_is_no_tile_is_missing_or_told(String path, int status, String message) {
    HttpResponse<byte[]> answer = serving.get(path);
    assertThat(answer.statusCode()).as(text(answer)).isEqualTo(status);
    assertThat(text(answer)).contains(message);
  }

  @Test
  void a_plane_with_colours_has_its_own() throws IOException {
    BufferedImage tile = tile("/api/rgb/tiles/0/1/1.png?size=4");
    assertThat(tile.getRGB(0, 0)).isEqualTo(0xff000000 | 84 << 16 | 85 << 8 | 86);
    assertThat(tile.getRGB(2, 0)).isZero();
    assertThat(tile.getRGB(0, 1)).isZero();
  }

  @Test
  void a_tile_of_an_image_has_the_colours_of_its_channels() throws IOException {
    BufferedImage tile = tile("/api/image/tiles/0/0/0.png?size=8");
    assertThat(tile.getRGB(1, 2))
        .isEqualTo(0xff000000 | Math.round(2.55f * 9) << 16 | Math.round(2.55f * 21));
    assertThat(tile.getRGB(4, 0)).isZero();
    BufferedImage one = tile("/api/image/tiles/0/0/0.png?size=8&at=c:1");
    assertThat(one.getRGB(1, 2)).isEqualTo(0xff000000 | Math.round(2.55f * 21));
  }

  @Test
  void a_tile_of_a_map_is_warped() throws IOException {
    BufferedImage tile = tile("/api/maps/t/map/0/0/0.png?range=8:15&at=time:1&colours=grey");
    for (int[] each : new int[][] {{10, 10, 8}, {100, 100, 9}, {250, 10, 11}, {10, 200, 12}}) {
      int grey = Math.round(255 * (each[2] - 8) / 7f);
      assertThat(tile.getRGB(each[0], each[1]))
          .isEqualTo(0xff000000 | grey << 16 | grey << 8 | grey);
    }
    assertThat(tile("/api/maps/t/map/0/0/0.png?range=8:15&at=time:1&warp=bilinear").getWidth())
        .isEqualTo(256);
  }

  @ParameterizedTest
  @CsvSource({
    "/api/cube/tiles/0/0/0.png?select=0&range=0:1, cube/c/0/0/0, cube/c/1/0/0",
    "/api/image/tiles/0/0/0.png?size=2, image/0/c/1/0/0, image/0/c/0/1/0",
    "/api/maps/t/map/1/0/0.png?range=0:1&at=time:2, maps/t/c/2/0/0, maps/t/c/1/0/0"
  })
  void a_tile_that_the_client_has_is_neither_read_nor_sent(String path, String read, String other) {
    HttpResponse<byte[]> first = serving.get(path);
    String tag = first.headers().firstValue("etag").orElseThrow();
    assertThat(tag).matches("\"r-[0-9a-f]{32}\"");
    HttpResponse<byte[]> again = serving.get(path, "If-None-Match", tag);
    assertThat(again.statusCode()).isEqualTo(304);
    assertThat(again.body()).isEmpty();
    assertThat(again.headers().firstValue("etag")).hasValue(tag);
    assertThat(serving.send("HEAD", path).headers().firstValue("etag")).hasValue(tag);
    rewrite(other);
    assertThat(serving.get(path, "If-None-Match", tag).statusCode()).isEqualTo(304);
    rewrite(read);
    HttpResponse<byte[]> changed = serving.get(path, "If-None-Match", tag);
    assertThat(changed.statusCode()).isEqualTo(200);
    assertThat(changed.headers().firstValue("etag")).isPresent().isNotEqualTo(tag);
    assertThat(serving.get(path, "If-Match", tag).statusCode()).isEqualTo(412);
  }

  /** Stores the same bytes again, which is another version. */
  private void rewrite(String key) {
    StoreKey place = StoreKey.of(key);
    await(serving.values.get(place).flatMap(bytes -> serving.values.set(place, bytes)));
  }

  @Test
  void another_form_of_a_tile_has_another_tag() {
    String path = "/api/cube/tiles/0/0/0.png?select=0&range=0:1";
    String tag = serving.get(path).headers().firstValue("etag").orElseThrow();
    for (String other : new String[] {path + "&colours=magma", path + "&size=255", path + "0"}) {
      assertThat(serving.get(other).headers().firstValue("etag")).isPresent().isNotEqualTo(tag);
    }
  }

  @Test
  void no_chunk_is_decoded_for_a_tile_that_the_client_has() {
    String path = "/api/cube/tiles/0/0/0.png?select=0&range=0:1";
    String tag = serving.get(path).headers().firstValue("etag").orElseThrow();
    serving.put(StoreKey.of("cube/c/0/0/0"), 7); // no chunk of this array
    HttpResponse<byte[]> broken = serving.get(path);
    assertThat(broken.statusCode()).isEqualTo(500);
    String known = serving.send("HEAD", path).headers().firstValue("etag").orElseThrow();
    assertThat(known).isNotEqualTo(tag);
    assertThat(serving.get(path, "If-None-Match", known).statusCode()).isEqualTo(304);
  }
}
