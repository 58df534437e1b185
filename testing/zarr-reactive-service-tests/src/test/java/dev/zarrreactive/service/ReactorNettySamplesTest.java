package dev.zarrreactive.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.encodings.Encodings;
import dev.zarrreactive.server.ZarrServer;
import dev.zarrreactive.store.Store;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;

/** The sample of docs/reactor-netty.md. */
class ReactorNettySamplesTest {
  @Test
  void a_mounted_store_and_a_route_of_the_application() throws Exception {
    Store store = Earth.store();
    ZarrArray array =
        Objects.requireNonNull(Zarr.hierarchy(store).openArray("earth/relief").block());
    // docs: netty-service
    var data = ZarrServer.of(store).path("/data").handler(); // values, slices and the page
    Selection europe = Selection.parse("80:120, 350:440");
    HttpServer server =
        HttpServer.create()
            .route(
                routes ->
                    routes
                        .route(request -> request.uri().startsWith("/data/"), data)
                        .get(
                            "/europe.csv",
                            (request, response) ->
                                response
                                    .header("Content-Type", Encodings.csv().mediaType())
                                    .send(
                                        array
                                            .encode(europe, Encodings.csv(), 16 << 10)
                                            .map(
                                                piece ->
                                                    Unpooled.wrappedBuffer(
                                                        piece.asByteBuffer())))));
    // docs: end
    DisposableServer bound = server.host("127.0.0.1").port(0).bindNow();
    try {
      HttpResponse<String> csv = get(bound, "/europe.csv");
      assertThat(csv.headers().firstValue("content-type").orElse("")).startsWith("text/csv");
      assertThat(csv.body().lines().count()).isBetween(40L * 90, 40L * 90 + 1);
      String slice =
          get(bound, "/data/api/earth/relief/slice?format=csv&select=80:120,350:440").body();
      assertThat(csv.body()).isEqualTo(slice);
      assertThat(get(bound, "/data/api/").body()).startsWith("<!DOCTYPE html>");
      assertThat(get(bound, "/data/earth/relief/zarr.json").body()).contains("chunk_grid");
    } finally {
      bound.disposeNow();
    }
  }

  private static HttpResponse<String> get(DisposableServer server, String path)
      throws IOException, InterruptedException {
    URI uri = URI.create("http://127.0.0.1:" + server.port() + path);
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(uri).build(),
            HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
  }
}
