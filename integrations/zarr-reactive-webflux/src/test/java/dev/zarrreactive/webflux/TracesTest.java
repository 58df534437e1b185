package dev.zarrreactive.webflux;

import static dev.zarrreactive.testing.Waiting.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.memory.MemoryStore;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.handler.DefaultTracingObservationHandler;
import io.micrometer.tracing.test.simple.SimpleSpan;
import io.micrometer.tracing.test.simple.SimpleTracer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A service with a tracer, and no line of code for spans. */
class TracesTest {
  /** A tracer, as an application gets one from its starter, and an array. */
  @Configuration(proxyBeanMethods = false)
  static class Traced {
    @Bean
    SimpleTracer tracer() {
      return new SimpleTracer();
    }

    @Bean
    DefaultTracingObservationHandler spans(SimpleTracer tracer) {
      return new DefaultTracingObservationHandler(tracer);
    }

    @Bean
    Store store() {
      Store store = MemoryStore.create();
      ArrayMetadata metadata = ArrayMetadata.v3(Shape.of(4), DataTypes.UINT8).chunkShape(2).build();
      Zarr.hierarchy(store)
          .createArray("a", metadata)
          .flatMap(array -> array.write(Selection.all(), 7))
          .block();
      return store;
    }
  }

  private static List<SimpleSpan> spans(SimpleTracer tracer, String name) {
    return List.copyOf(tracer.getSpans()).stream()
        .filter(span -> name.equals(span.getName()))
        .toList();
  }

  private static void read(ConfigurableApplicationContext service) {
    SliceService.client(service)
        .get()
        .uri("/arrays/a?select=0:4")
        .exchange()
        .expectStatus()
        .isOk()
        .expectBody()
        .returnResult();
  }

  @Test
  void a_slice_and_the_requests_for_it_are_spans_of_the_http_request() {
    try (var service = SliceService.start(Map.of(), Traced.class)) {
      SimpleTracer tracer = service.getBean(SimpleTracer.class);
      read(service);
      eventually(
          "the request has ended", () -> !spans(tracer, "http get /arrays/{*path}").isEmpty());
      SimpleSpan http = spans(tracer, "http get /arrays/{*path}").get(0);
      SimpleSpan slice = spans(tracer, "zarr read-bytes").get(0);
      assertThat(slice.context().parentId()).isEqualTo(http.context().spanId());
      assertThat(slice.getTags())
          .containsEntry("zarr.path", "/a")
          .containsEntry("outcome", "completed");
      List<SimpleSpan> requests =
          spans(tracer, "zarr store get").stream()
              .filter(span -> slice.context().spanId().equals(span.context().parentId()))
              .toList();
      assertThat(requests)
          .extracting(span -> span.getTags().get("zarr.store.target"))
          .containsExactlyInAnyOrder("a/c/0", "a/c/1");
      assertThat(requests)
          .allMatch(span -> span.context().traceId().equals(http.context().traceId()));
    }
  }

  @Test
  void a_service_turns_them_off_by_the_property_of_its_observations() {
    try (var service =
        SliceService.start(Map.of("management.observations.enable.zarr", "false"), Traced.class)) {
      assertThat(service.getBean(ObservationRegistry.class).isNoop()).isFalse();
      SimpleTracer tracer = service.getBean(SimpleTracer.class);
      read(service);
      eventually(
          "the request has ended", () -> !spans(tracer, "http get /arrays/{*path}").isEmpty());
      assertThat(tracer.getSpans()).noneMatch(span -> span.getName().startsWith("zarr"));
    }
  }
}
