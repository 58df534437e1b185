package dev.zarrreactive.webflux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.encodings.ColourMap;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.GroupMetadata;
import dev.zarrreactive.store.Store;
import java.io.ByteArrayInputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import org.springframework.test.web.reactive.server.WebTestClient;

/** Tiles of a map in a service of Spring Boot, which a client asks for again, and a link. */
class TileServiceTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir Path directory;

  private void write() {
    Store store = Zarr.at(directory.toString()).store().block(PATIENCE);
    ZarrHierarchy written = Zarr.hierarchy(store);
    String attributes =
        "{\"proj:code\": \"EPSG:4326\", \"spatial:transform\": [90, 0, -180, 0, -90, 90]}";
    byte[] json = attributes.getBytes(StandardCharsets.UTF_8);
    written
        .createGroup(
            "maps",
            GroupMetadata.of(JsonDocument.parse(ByteBuffer.wrap(json), Location.UNKNOWN).object()))
        .block(PATIENCE);
    float[] kelvin = {250, 310, 250, 310, 310, 250, 310, 250};
    NdArray data = NdArray.ofFloats(DataTypes.FLOAT32, Shape.of(2, 4), kelvin);
    written
        .createArray(
            "maps/t2m",
            ArrayMetadata.v3(data.shape(), DataTypes.FLOAT32).dimensionNames("y", "x").build())
        .flatMap(array -> array.write("...", data))
        .block(PATIENCE);
    store.close().block(PATIENCE);
  }

  private static EntityExchangeResult<byte[]> get(
      WebTestClient client, String path, String... headers) {
    WebTestClient.RequestHeadersSpec<?> request = client.get().uri(path);
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    return request.exchange().expectBody().returnResult();
  }

  @Test
  void a_tile_is_drawn_once_and_confirmed_afterwards_until_its_chunk_changes() throws Exception {
    write();
    try (ConfigurableApplicationContext service =
        SliceService.start(
            Map.of(
                "zarr.location",
                directory.toString(),
                "zarr.links.keys",
                "k1:abcdefghijklmnopqrstuvwxyz012345"),
            TileController.class)) {
      WebTestClient client = SliceService.client(service);
      EntityExchangeResult<byte[]> tile = get(client, "/maps/1/0/0.png");
      assertThat(tile.getStatus().value()).isEqualTo(200);
      assertThat(tile.getResponseHeaders().getContentType()).hasToString("image/png");
      var picture = ImageIO.read(new ByteArrayInputStream(tile.getResponseBody()));
      assertThat(picture.getRGB(0, 0)).isEqualTo(0xff000000 | ColourMap.VIRIDIS.colour(0));
      assertThat(picture.getRGB(255, 0)).isNotEqualTo(picture.getRGB(0, 0));
      String tag = tile.getResponseHeaders().getETag();
      EntityExchangeResult<byte[]> again = get(client, "/maps/1/0/0.png", "If-None-Match", tag);
      assertThat(again.getStatus().value()).isEqualTo(304);
      assertThat(again.getResponseBody()).isNull();
      assertThat(get(client, "/maps/1/2/0.png").getStatus().value()).isEqualTo(404);
      Path chunk = directory.resolve("maps/t2m/c/0/0");
      Files.write(chunk, new byte[3]); // no chunk of this array
      assertThat(get(client, "/maps/1/0/0.png", "If-None-Match", tag).getStatus().value())
          .isEqualTo(500);
      String link = new String(get(client, "/maps/link").getResponseBody(), StandardCharsets.UTF_8);
      assertThat(get(client, link + "/zarr.json").getStatus().value()).isEqualTo(200);
    }
  }
}
