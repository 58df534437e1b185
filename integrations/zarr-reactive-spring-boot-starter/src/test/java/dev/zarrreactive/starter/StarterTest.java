package dev.zarrreactive.starter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.webflux.ArraySlice;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** A service that has the starter and nothing else, with the oldest line of Spring Boot. */
class StarterTest {
  @SpringBootConfiguration
  @EnableAutoConfiguration
  @RestController
  static class Service {
    private final ZarrHierarchy zarr;

    Service(ZarrHierarchy zarr) {
      this.zarr = zarr;
    }

    @GetMapping("/t")
    Mono<ArraySlice> slice(@RequestParam String select) {
      return ArraySlice.open(zarr, "t", select);
    }
  }

  @Test
  void a_service_has_slices_health_the_endpoint_and_meters(@TempDir Path directory)
      throws IOException, InterruptedException {
    Shape shape = Shape.of(2, 3);
    NdArray values = NdArray.ofInts(DataTypes.INT32, shape, 1, 2, 3, 4, 5, 6);
    try (ConfigurableApplicationContext context =
        SpringApplication.run(
            Service.class,
            "--server.port=0",
            "--spring.main.banner-mode=off",
            "--logging.level.root=warn",
            "--management.endpoint.health.show-details=always",
            "--management.endpoints.web.exposure.include=health,zarr,metrics",
            "--zarr.location=" + directory)) {
      context
          .getBean(ZarrHierarchy.class)
          .createArray("t", ArrayMetadata.v3(shape, DataTypes.INT32).build())
          .flatMap(array -> array.write(Selection.all(), values))
          .block();
      String service =
          "http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port");
      assertThat(get(service + "/t?select=1,::2").strip()).isEqualTo("[4,6]");
      assertThat(get(service + "/actuator/health/zarr")).contains("\"UP\"");
      assertThat(get(service + "/actuator/zarr")).contains("slices");
      assertThat(get(service + "/actuator/metrics/zarr.operations")).contains("\"read");
    }
  }

  /** The body of the answer 200 to a GET that asks for JSON. */
  private static String get(String url) throws IOException, InterruptedException {
    var answer =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(URI.create(url))
                    .header("Accept", "application/json")
                    .build(),
                BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return answer.body();
  }
}
