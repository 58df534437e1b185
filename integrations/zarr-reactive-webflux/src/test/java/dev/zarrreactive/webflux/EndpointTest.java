package dev.zarrreactive.webflux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.memory.MemoryStore;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;

/** {@code /actuator/zarr}: what the service holds, and a way to empty its caches. */
class EndpointTest {
  /** Two arrays in groups. */
  @Configuration(proxyBeanMethods = false)
  static class Arrays {
    @Bean
    Store store() {
      Store store = MemoryStore.create();
      ZarrHierarchy hierarchy = Zarr.hierarchy(store);
      hierarchy.createGroup("").block();
      hierarchy.createGroup("g").block();
      for (String path : new String[] {"g/t2m", "g/tp"}) {
        ArrayMetadata metadata =
            ArrayMetadata.v3(Shape.of(4), DataTypes.UINT8)
                .chunkShape(2)
                .dimensionNames("time")
                .build();
        hierarchy
            .createArray(path, metadata)
            .flatMap(array -> array.write(Selection.all(), 7))
            .block();
      }
      return store;
    }
  }

  private static ConfigurableApplicationContext start(String... properties) {
    Map<String, Object> all = new HashMap<>(Map.of("zarr.decoded-chunk-cache", "1MB"));
    for (int i = 0; i < properties.length; i += 2) {
      all.put(properties[i], properties[i + 1]);
    }
    return SliceService.start(all, Arrays.class);
  }

  private record Answer(int status, String body) {
    static Answer of(ConfigurableApplicationContext service, HttpMethod method, String path) {
      var result =
          SliceService.client(service)
              .method(method)
              .uri(path)
              .exchange()
              .expectBody(String.class)
              .returnResult();
      return new Answer(result.getStatus().value(), String.valueOf(result.getResponseBody()));
    }
  }

  private static final String INCLUDE = "management.endpoints.web.exposure.include";

  @Test
  void it_is_not_reached_before_the_service_exposes_it() {
    try (var service = start()) {
      assertThat(Answer.of(service, HttpMethod.GET, "/actuator/zarr").status()).isEqualTo(404);
      assertThat(Answer.of(service, HttpMethod.DELETE, "/actuator/zarr").status()).isEqualTo(404);
    }
  }

  @Test
  void it_tells_budget_slices_and_caches_and_empties_them() {
    try (var service = start(INCLUDE, "health,zarr")) {
      ZarrHierarchy zarr = service.getBean(ZarrHierarchy.class);
      zarr.openArray("g/t2m").flatMap(array -> array.read(Selection.all())).block();
      zarr.openArray("g/tp").flatMap(array -> array.read(Selection.all())).block();
      Answer all = Answer.of(service, HttpMethod.GET, "/actuator/zarr");
      assertThat(all.status()).isEqualTo(200);
      assertThat(all.body())
          .contains("\"zarrHierarchy\":{\"store\":\"", "\"bytesInFlight\":0", "\"maxSlices\":")
          .contains("\"chunks\":{\"entries\":4,\"bytes\":");
      Answer part = Answer.of(service, HttpMethod.DELETE, "/actuator/zarr/zarrHierarchy/g/tp");
      assertThat(part.status()).isEqualTo(200);
      assertThat(zarr.decodedChunkCounts().entries()).isEqualTo(2);
      assertThat(Answer.of(service, HttpMethod.DELETE, "/actuator/zarr").status()).isEqualTo(204);
      assertThat(zarr.decodedChunkCounts().entries()).isZero();
    }
  }

  @Test
  void it_lists_the_arrays_of_a_hierarchy() {
    try (var service = start(INCLUDE, "*")) {
      Answer all = Answer.of(service, HttpMethod.GET, "/actuator/zarr/zarrHierarchy");
      assertThat(all.body())
          .contains("{\"path\":\"/g/t2m\",\"shape\":[4],\"dataType\":\"uint8\"")
          .contains("\"dimensions\":[\"time\"]", "\"/g/tp\"", "\"isComplete\":true");
      Answer one = Answer.of(service, HttpMethod.GET, "/actuator/zarr/zarrHierarchy/g/tp");
      assertThat(one.body()).contains("\"/g/tp\"").containsOnlyOnce("\"path\"");
      Answer none = Answer.of(service, HttpMethod.GET, "/actuator/zarr/zarrHierarchy/g/nope");
      assertThat(none.status()).isEqualTo(404);
      for (HttpMethod method : new HttpMethod[] {HttpMethod.GET, HttpMethod.DELETE}) {
        assertThat(Answer.of(service, method, "/actuator/zarr/nope").status()).isEqualTo(400);
      }
    }
  }

  @Test
  void a_service_that_allows_reads_alone_keeps_its_caches() {
    try (var service = start(INCLUDE, "zarr", "management.endpoint.zarr.access", "read-only")) {
      assertThat(Answer.of(service, HttpMethod.GET, "/actuator/zarr").status()).isEqualTo(200);
      assertThat(Answer.of(service, HttpMethod.DELETE, "/actuator/zarr").status()).isEqualTo(405);
    }
  }

  @Test
  void it_shows_no_secret() {
    try (var service =
        start(
            INCLUDE,
            "zarr",
            "zarr.stores.far.location",
            "http://127.0.0.1:1/a.zarr?sig=s3cret",
            "zarr.stores.far.credentials.bearer-token",
            "s3cret")) {
      Answer all = Answer.of(service, HttpMethod.GET, "/actuator/zarr");
      assertThat(all.body()).contains("\"far\"", "a.zarr").doesNotContain("s3cret");
      Answer far = Answer.of(service, HttpMethod.GET, "/actuator/zarr/far");
      assertThat(far.body()).doesNotContain("s3cret");
    }
  }
}
