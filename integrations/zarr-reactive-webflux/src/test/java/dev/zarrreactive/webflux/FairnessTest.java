package dev.zarrreactive.webflux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.testing.SlowAndQuickClients;
import dev.zarrreactive.testing.Waiting;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Clients of large slices that stop, until the service has no memory for a further one. */
class FairnessTest {
  private static final int MOST_CLIENTS = 100;
  private static final int CHUNKS = 12;
  private static final int CHUNK_BYTES = 4 << 20;

  private final ConfigurableApplicationContext service =
      SliceService.start(
          Map.of(
              "zarr.max-in-flight", "64MB",
              "zarr.max-slices", "1000",
              "zarr.max-wait", "3s",
              "zarr.retry-after", "7s",
              "zarr.stall-timeout", "10m"),
          Generated.class);
  private final HttpClient client = HttpClient.newHttpClient();
  private final List<InputStream> open = new ArrayList<>();

  /** A store of chunks that are larger than what Reactor Netty queues for a connection. */
  @Configuration(proxyBeanMethods = false)
  static class Generated {
    @Bean
    GeneratedStore store() {
      return new GeneratedStore(CHUNKS, CHUNK_BYTES);
    }
  }

  @AfterEach
  void stop() throws IOException {
    leave();
    service.close();
  }

  private void leave() throws IOException {
    for (InputStream body : open) {
      body.close();
    }
    open.clear();
  }

  private HttpResponse<InputStream> get(String select) throws IOException, InterruptedException {
    URI uri =
        URI.create(
            "http://127.0.0.1:" + SliceService.port(service) + "/arrays/t2m?select=" + select);
    HttpRequest request =
        HttpRequest.newBuilder(uri).header("Accept", "application/octet-stream").build();
    return client.send(request, BodyHandlers.ofInputStream());
  }

  @Test
  void a_small_slice_passes_large_ones_and_a_large_one_is_refused_after_its_longest_wait()
      throws Exception {
    HttpResponse<InputStream> refused = get("...");
    while (refused.statusCode() == 200) {
      open.add(refused.body());
      assertThat(open).as("clients that stop exhaust the memory").hasSizeLessThan(MOST_CLIENTS);
      refused = get("...");
    }
    assertThat(refused.statusCode()).isEqualTo(503);
    assertThat(refused.headers().firstValue("Retry-After")).hasValue("7");
    assertThat(new String(refused.body().readAllBytes(), StandardCharsets.UTF_8))
        .contains("no memory for this now");

    for (int chunk = 0; chunk < CHUNKS; chunk++) {
      HttpResponse<InputStream> small = get(chunk + ",7:1007");
      assertThat(small.statusCode()).isEqualTo(200);
      byte[] expected = GeneratedStore.chunk(chunk);
      assertThat(small.body().readAllBytes()).isEqualTo(Arrays.copyOfRange(expected, 7, 1007));
    }

    leave();
    Waiting.eventually("nothing is held", () -> bean(ZarrHierarchy.class).bytesInFlight() == 0);
    Waiting.eventually("no slice is sent", () -> bean(ZarrWebFlux.class).slices() == 0);
    HttpResponse<InputStream> whole = get("...");
    assertThat(whole.statusCode()).isEqualTo(200);
    assertThat(whole.body().readAllBytes()).hasSize(CHUNKS * CHUNK_BYTES);
  }

  /** Clients and service share a heap of 256 MiB. */
  @Test
  void each_of_200_slow_readers_is_served_or_told_to_come_later_and_20_quick_ones_are_served() {
    SlowAndQuickClients.assertEachIsServedOrToldToComeLater(FairnessFigures.class);
  }

  private <T> T bean(Class<T> type) {
    return service.getBean(type);
  }
}
