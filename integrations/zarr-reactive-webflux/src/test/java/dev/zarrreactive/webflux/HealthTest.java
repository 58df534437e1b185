package dev.zarrreactive.webflux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.store.AbstractStore;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreCapability;
import dev.zarrreactive.store.decorator.RetryOptions;
import dev.zarrreactive.store.decorator.Stores;
import dev.zarrreactive.store.memory.MemoryStore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.support.SpringFactoriesLoader;
import reactor.core.publisher.Mono;

/** What a service says of its store: when it is asked, and when it does not start. */
class HealthTest {
  /** Leaves out the analyzers that need a context. */
  private static final SpringFactoriesLoader.FailureHandler WITHOUT_A_CONTEXT =
      SpringFactoriesLoader.FailureHandler.handleMessage((message, failure) -> {});

  private record Health(int status, String body) {
    static Health of(Map<String, Object> properties, Class<?> store) {
      Map<String, Object> all = new HashMap<>(properties);
      all.put("management.endpoint.health.show-details", "always");
      try (ConfigurableApplicationContext service = SliceService.start(all, store)) {
        var result =
            SliceService.client(service)
                .get()
                .uri("/actuator/health")
                .exchange()
                .expectBody(String.class)
                .returnResult();
        return new Health(
            result.getStatus().value(), Objects.requireNonNull(result.getResponseBody()));
      }
    }
  }

  /** A store without a node at the root. */
  @Configuration(proxyBeanMethods = false)
  static class Empty {
    @Bean
    Store store() {
      return MemoryStore.create();
    }
  }

  @Test
  void a_root_that_is_not_there_is_down() {
    Health health = Health.of(Map.of(), Empty.class);
    assertThat(health.status()).isEqualTo(503);
    assertThat(health.body()).contains("\"root\":\"no node\"", "\"status\":\"DOWN\"");
  }

  @Test
  void a_root_that_is_not_there_is_up_where_the_service_needs_none() {
    Health health = Health.of(Map.of("zarr.root-required", "false"), Empty.class);
    assertThat(health.status()).isEqualTo(200);
    assertThat(health.body()).contains("\"root\":\"no node\"");
  }

  /** A group. */
  @Configuration(proxyBeanMethods = false)
  static class Group {
    @Bean
    Store store() {
      Store store = MemoryStore.create();
      Zarr.hierarchy(store).createGroup("").block();
      return store;
    }
  }

  @Test
  void the_budget_and_the_slices_are_shown() {
    Health health =
        Health.of(Map.of("zarr.max-in-flight", "3MB", "zarr.max-slices", "7"), Group.class);
    assertThat(health.status()).isEqualTo(200);
    assertThat(health.body())
        .contains("\"bytesInFlight\":0", "\"maxBytesInFlight\":3145728")
        .contains("\"slices\":0", "\"maxSlices\":7", "\"root\":\"array or group\"");
  }

  private abstract static class Reading extends AbstractStore {
    @Override
    public Set<StoreCapability> capabilities() {
      return Set.of(StoreCapability.READ);
    }
  }

  /** A store that does not answer. */
  @Configuration(proxyBeanMethods = false)
  static class Silent {
    @Bean
    Store store() {
      return new Reading() {
        @Override
        public Mono<Bytes> get(StoreKey key) {
          return Mono.never();
        }
      };
    }
  }

  @Test
  void a_store_that_does_not_answer_is_down_after_a_second() {
    Health health = Health.of(Map.of(), Silent.class);
    assertThat(health.status()).isEqualTo(503);
    assertThat(health.body()).contains("the store has not answered within 1000 ms");
  }

  /** A store that is down, below one that repeats requests for an hour. */
  @Configuration(proxyBeanMethods = false)
  static class Retried {
    static final AtomicInteger REQUESTS = new AtomicInteger();

    @Bean
    Store store() {
      return Stores.retrying(
          new Reading() {
            @Override
            public Mono<Bytes> get(StoreKey key) {
              REQUESTS.incrementAndGet();
              return Mono.error(new TransientStoreException("down", Location.ofKey(key.value())));
            }
          },
          RetryOptions.defaults());
    }
  }

  @Test
  void a_store_that_is_down_is_asked_once() {
    Health health = Health.of(Map.of("zarr.health-timeout", "10m"), Retried.class);
    assertThat(health.status()).isEqualTo(503);
    assertThat(health.body()).contains("may succeed later");
    assertThat(Retried.REQUESTS).hasValueLessThanOrEqualTo(3); // the documents of both formats
  }

  @ParameterizedTest
  @CsvSource({
    "zarr.location, nosuch://place/a, nosuch",
    "zarr.max-concurrency, 0, maxConcurrency must be at least 1",
    "zarr.max-wait, -1s, maxWait must be positive"
  })
  void a_wrong_property_is_told_without_a_stack_trace(String name, String value, String told) {
    Map<String, Object> properties = new HashMap<>(Map.of("zarr.location", "target/none"));
    properties.put(name, value);
    Throwable failure = catchThrowable(() -> SliceService.start(properties));
    List<FailureAnalysis> analyses =
        SpringFactoriesLoader.forDefaultResourceLocation()
            .load(FailureAnalyzer.class, WITHOUT_A_CONTEXT)
            .stream()
            .map(analyzer -> analyzer.analyze(failure))
            .filter(Objects::nonNull)
            .toList();
    assertThat(analyses).isNotEmpty();
    assertThat(analyses.get(0).getDescription()).contains(told);
    assertThat(analyses.get(0).getAction()).contains("zarr.location", "zarr.store.*");
  }
}
