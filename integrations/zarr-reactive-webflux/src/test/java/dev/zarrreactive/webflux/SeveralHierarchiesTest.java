package dev.zarrreactive.webflux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.file.FileSystemStore;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.webflux.autoconfigure.ZarrAutoConfiguration;
import dev.zarrreactive.webflux.autoconfigure.ZarrConnectionDetails;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.io.support.SpringFactoriesLoader;

/** A service over several hierarchies, which properties and beans name. */
class SeveralHierarchiesTest {
  @TempDir static Path directory;

  @BeforeAll
  static void write() {
    for (String name : List.of("main", "era5", "tiles")) {
      ArrayMetadata metadata = ArrayMetadata.v3(Shape.of(4), DataTypes.UINT8).chunkShape(2).build();
      ZarrHierarchy hierarchy = Zarr.hierarchy(FileSystemStore.open(directory.resolve(name)));
      hierarchy.createGroup("").block();
      hierarchy
          .createArray("a", metadata)
          .flatMap(array -> array.write(Selection.all(), name.length()))
          .block();
    }
  }

  private static String at(String name) {
    return directory.resolve(name).toString();
  }

  private static Map<String, Object> all() {
    return Map.of(
        "zarr.location", at("main"),
        "zarr.stores.era5.location", at("era5"),
        "zarr.stores.tiles.location", at("tiles"));
  }

  private static String json(ConfigurableApplicationContext service, String path) {
    return Objects.requireNonNull(
            SliceService.client(service)
                .get()
                .uri(path)
                .header("Accept", "application/json")
                .exchange()
                .expectBody(String.class)
                .returnResult()
                .getResponseBody())
        .strip();
  }

  @Test
  void each_is_injected_by_its_name_and_the_one_without_a_name_where_none_is_said() {
    try (var service = SliceService.start(all(), ArchiveController.class)) {
      assertThat(json(service, "/arrays/a?select=0")).isEqualTo("4");
      assertThat(json(service, "/era5/a?select=0:2")).isEqualTo("[4,4]");
      assertThat(json(service, "/tiles/a?select=0")).isEqualTo("5");
      assertThat(service.getBean(ZarrHierarchy.class))
          .isSameAs(service.getBean("zarrHierarchy"))
          .isNotSameAs(service.getBean("era5"));
    }
  }

  /** Names in the place of qualifiers. */
  record ByParameters(ZarrHierarchy era5, ZarrHierarchy tiles) {}

  @Test
  void the_name_of_a_parameter_is_enough_where_all_have_names() {
    try (var service = new AnnotationConfigApplicationContext()) {
      Map<String, Object> named = new HashMap<>(all());
      named.remove("zarr.location");
      service.getEnvironment().getPropertySources().addFirst(new MapPropertySource("test", named));
      service.register(ZarrAutoConfiguration.class, ByParameters.class);
      service.refresh();
      ByParameters injected = service.getBean(ByParameters.class);
      assertThat(injected.era5()).isSameAs(service.getBean("era5"));
      assertThat(injected.tiles()).isSameAs(service.getBean("tiles"));
    }
  }

  @Test
  void each_has_an_equal_share_of_the_bytes_in_flight_unless_it_has_a_bound_of_its_own() {
    Map<String, Object> properties = new HashMap<>(all());
    properties.put("zarr.max-in-flight", "9MB");
    properties.put("zarr.stores.tiles.max-in-flight", "5MB");
    properties.put("zarr.stores.tiles.decoded-chunk-cache", "1MB");
    try (var service = SliceService.start(properties)) {
      assertThat(most(service, "zarrHierarchy")).isEqualTo(3 << 20);
      assertThat(most(service, "era5")).isEqualTo(3 << 20);
      assertThat(most(service, "tiles")).isEqualTo(5 << 20);
      assertThat(service.getBean("tiles", ZarrHierarchy.class).options().decodedChunkCache())
          .isEqualTo(1 << 20);
      assertThat(service.getBean("era5", ZarrHierarchy.class).options().decodedChunkCache())
          .isZero();
    }
  }

  private static long most(ConfigurableApplicationContext service, String name) {
    return service.getBean(name, ZarrHierarchy.class).options().maxInFlightBytes();
  }

  @Test
  void each_has_meters_and_a_health_of_its_name() {
    Map<String, Object> properties = new HashMap<>(all());
    properties.put("management.endpoint.health.show-components", "always");
    properties.put("zarr.stores.empty.location", at("nothing"));
    try (var service = SliceService.start(properties, ArchiveController.class)) {
      json(service, "/era5/a?select=0:2");
      MeterRegistry meters = service.getBean(MeterRegistry.class);
      assertThat(
              meters.get("zarr.operations").tags("store", "era5", "outcome", "completed").timers())
          .isNotEmpty();
      assertThat(meters.find("zarr.operations").tag("store", "tiles").timers()).isEmpty();
      assertThat(meters.get("zarr.inflight").tag("store", "tiles").gauge().value()).isZero();
      String health = json(service, "/actuator/health/zarr");
      assertThat(health)
          .contains("\"era5\":{\"status\":\"UP\"}", "\"tiles\":{\"status\":\"UP\"")
          .contains("\"zarrHierarchy\":{\"status\":\"UP\"")
          .contains("\"empty\":{\"status\":\"DOWN\"");
    }
  }

  @Test
  void a_health_has_the_rules_of_its_hierarchy() {
    Map<String, Object> properties = new HashMap<>(all());
    properties.put("zarr.stores.empty.location", at("nothing"));
    properties.put("zarr.stores.empty.root-required", "false");
    try (var service = SliceService.start(properties)) {
      assertThat(json(service, "/actuator/health")).contains("\"status\":\"UP\"");
    }
  }

  @Test
  void their_stores_are_beans_which_are_closed_when_the_service_stops() {
    Map<String, Object> properties = new HashMap<>(all());
    properties.put("zarr.stores.closed.location", "closing://here");
    Store store;
    try (var service = SliceService.start(properties)) {
      store = service.getBean("closedStore", Store.class);
      assertThat(service.getBean("closed", ZarrHierarchy.class).store()).isSameAs(store);
      assertThat(ClosingStoreProvider.closed(store)).isFalse();
    }
    assertThat(ClosingStoreProvider.closed(store)).isTrue();
  }

  /** What a test says of a container. */
  @Configuration(proxyBeanMethods = false)
  static class Containers {
    // docs: webflux-connection-details
    @Bean
    ZarrConnectionDetails era5Connection() {
      return new ZarrConnectionDetails() {
        @Override
        public String store() {
          return "era5"; // without this method it is for zarr.location
        }

        @Override
        public String location() {
          return at("tiles"); // such as "s3://bucket/era5.zarr" of a container
        }

        @Override
        public Map<String, String> options() {
          return Map.of(); // such as the endpoint of the container
        }
      };
    }
    // docs: end
  }

  @Test
  void a_bean_says_where_a_hierarchy_is_in_place_of_its_property() {
    try (var service = SliceService.start(all(), Containers.class, ArchiveController.class)) {
      assertThat(json(service, "/era5/a?select=0")).isEqualTo("5");
      assertThat(json(service, "/arrays/a?select=0")).isEqualTo("4");
    }
  }

  /** The only place of a service. */
  @Configuration(proxyBeanMethods = false)
  static class Alone {
    @Bean
    ZarrConnectionDetails connection() {
      return () -> at("tiles");
    }
  }

  @Test
  void a_bean_is_enough_where_no_property_names_a_hierarchy() {
    try (var service = SliceService.start(Map.of(), Alone.class)) {
      assertThat(json(service, "/arrays/a?select=0")).isEqualTo("5");
    }
  }

  @Test
  void the_only_one_needs_no_name_where_it_is_injected() {
    try (var service = SliceService.start(Map.of("zarr.stores.era5.location", at("era5")))) {
      assertThat(json(service, "/arrays/a?select=0")).isEqualTo("4");
      assertThat(service.getBeansOfType(ZarrHierarchy.class)).containsOnlyKeys("era5");
    }
  }

  /** A hierarchy of the service's own. */
  @Configuration(proxyBeanMethods = false)
  static class Own {
    @Bean
    ZarrHierarchy own() {
      ZarrHierarchy own = Zarr.hierarchy(MemoryStore.create());
      own.createGroup("").block();
      return own;
    }
  }

  @Test
  void a_hierarchy_of_the_service_is_the_one_without_a_name() {
    try (var service =
        SliceService.start(Map.of("zarr.stores.era5.location", at("era5")), Own.class)) {
      assertThat(service.getBeansOfType(ZarrHierarchy.class)).containsOnlyKeys("own", "era5");
      assertThat(service.getBean(ZarrHierarchy.class)).isSameAs(service.getBean("own"));
    }
  }

  private static FailureAnalysis analysis(Map<String, Object> properties, Class<?>... more) {
    Throwable failure = catchThrowable(() -> SliceService.start(properties, more));
    return SpringFactoriesLoader.forDefaultResourceLocation()
        .load(
            FailureAnalyzer.class,
            SpringFactoriesLoader.FailureHandler.handleMessage((message, error) -> {}))
        .stream()
        .map(analyzer -> analyzer.analyze(failure))
        .filter(Objects::nonNull)
        .findFirst()
        .orElseThrow(() -> new AssertionError("no analysis", failure));
  }

  @Test
  void what_is_wrong_with_one_is_told_with_its_name() {
    FailureAnalysis wrong =
        analysis(Map.of("zarr.location", at("main"), "zarr.stores.era5.location", "nosuch://a"));
    assertThat(wrong.getDescription()).contains("zarr.stores.era5.*", "nosuch");
    assertThat(wrong.getAction()).contains("zarr.stores.era5.location");
    FailureAnalysis nowhere =
        analysis(Map.of("zarr.location", at("main"), "zarr.stores.era5.max-concurrency", "2"));
    assertThat(nowhere.getDescription()).contains("zarr.stores.era5.*", "it has no location");
    FailureAnalysis taken =
        analysis(Map.of("zarr.location", at("main"), "zarr.stores.zarrOptions.location", "a"));
    assertThat(taken.getDescription()).contains("another bean", "zarrOptions");
    FailureAnalysis unknown = analysis(Map.of("zarr.location", at("main")), Containers.class);
    assertThat(unknown.getDescription()).contains("\"era5\"", "no property zarr.stores");
    FailureAnalysis bundle =
        analysis(Map.of("zarr.location", at("main"), "zarr.ssl.bundle", "archive"));
    assertThat(bundle.getDescription()).contains("no SSL bundle \"archive\"");
  }
}
