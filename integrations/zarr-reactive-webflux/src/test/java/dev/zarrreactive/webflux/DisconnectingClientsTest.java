package dev.zarrreactive.webflux;

import static dev.zarrreactive.testing.Waiting.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.store.AbstractStore;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreCapability;
import dev.zarrreactive.testing.Cases;
import dev.zarrreactive.testing.Sampled;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/** Clients that leave, and a store that is down. */
class DisconnectingClientsTest {
  private static final String SECRET = "s3://bucket?token=s3cret";

  @Configuration(proxyBeanMethods = false)
  static class Generated {
    @Bean
    GeneratedStore store() {
      return new GeneratedStore();
    }

    @Bean
    RequestsUnderWay requestsUnderWay() {
      return new RequestsUnderWay();
    }
  }

  /** Counts the requests that are not answered to their end. */
  static final class RequestsUnderWay implements WebFilter {
    private final AtomicInteger count = new AtomicInteger();

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
      return chain
          .filter(exchange)
          .doOnSubscribe(begun -> count.incrementAndGet())
          .doFinally(ended -> count.decrementAndGet());
    }
  }

  /** A store that does not answer, and says when it is closed. */
  static class DownStore extends AbstractStore {
    private final AtomicBoolean isClosed = new AtomicBoolean();

    @Override
    public Set<StoreCapability> capabilities() {
      return Set.of(StoreCapability.READ);
    }

    @Override
    public Mono<Bytes> get(StoreKey key) {
      return Mono.error(
          () ->
              new TransientStoreException(
                  "no answer from " + SECRET,
                  Location.ofKey(key.value()),
                  Duration.ofMillis(6_500)));
    }

    @Override
    public Mono<Void> close() {
      return Mono.delay(Duration.ofMillis(50)).doOnNext(late -> isClosed.set(true)).then();
    }

    @Override
    public String toString() {
      return "a store that is down";
    }
  }

  /** A store whose chunks do not come. */
  @Configuration(proxyBeanMethods = false)
  static class WithoutChunks {
    @Bean
    Store store() {
      return new DelegatingStore(new GeneratedStore()) {
        @Override
        public Mono<Bytes> get(StoreKey key) {
          return key.value().contains("/c/") ? new DownStore().get(key) : super.get(key);
        }

        @Override
        public Mono<Bytes> get(StoreKey key, ByteRange range) {
          return key.value().contains("/c/") ? new DownStore().get(key) : super.get(key, range);
        }
      };
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "bytes=5-9"})
  void a_failed_first_chunk_has_a_status_and_no_header_of_a_slice(String range) {
    try (ConfigurableApplicationContext service =
        SliceService.start(Map.of(), WithoutChunks.class)) {
      SliceService.client(service)
          .get()
          .uri("/arrays/t2m?select=...")
          .header("Accept", "application/octet-stream")
          .header("Range", range)
          .exchange()
          .expectStatus()
          .isEqualTo(503)
          .expectHeader()
          .contentType("application/problem+json")
          .expectHeader()
          .doesNotExist("Content-Range")
          .expectBody(String.class)
          .consumeWith(
              result ->
                  assertThat(result.getResponseBody())
                      .contains("\"status\":503", "may succeed later")
                      .doesNotContain("s3"));
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class Down {
    @Bean
    Store store() {
      return new DownStore();
    }
  }

  @Test
  void a_client_that_leaves_cancels_what_is_in_flight() throws Exception {
    try (ConfigurableApplicationContext service =
        SliceService.start(Map.of("zarr.max-in-flight", "64MB"), Generated.class)) {
      ZarrHierarchy zarr = service.getBean(ZarrHierarchy.class);
      GeneratedStore store = service.getBean(GeneratedStore.class);
      int port = SliceService.port(service);
      try (RawClient client = new RawClient(port, "/arrays/t2m?select=...")) {
        client.read(100_000);
        eventually("bytes are in flight", () -> zarr.bytesInFlight() > 0);
      }
      AtomicInteger underWay = service.getBean(RequestsUnderWay.class).count;
      eventually("the request is cancelled", () -> underWay.get() == 0);
      eventually("nothing is in flight", () -> zarr.bytesInFlight() == 0);
      long requests = store.requests();
      assertThat(requests).isLessThan(GeneratedStore.CHUNKS);
      try (RawClient another = new RawClient(port, "/arrays/t2m?select=0,:8")) {
        another.read(Long.MAX_VALUE);
      }
      assertThat(store.requests()).isEqualTo(requests + 1);
    }
  }

  /** Small chunks, of which many are left when a client leaves. */
  @Configuration(proxyBeanMethods = false)
  static class Small {
    @Bean
    GeneratedStore store() {
      return new GeneratedStore(1 << 10, 16 << 10);
    }

    @Bean
    RequestsUnderWay requestsUnderWay() {
      return new RequestsUnderWay();
    }
  }

  /** Asks, reads this number of bytes, and leaves: by a reset, or by an end. */
  private static void leave(int port, String path, String accept, int bytes, boolean byReset)
      throws Exception {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(60_000);
      socket.setSoLinger(byReset, 0);
      String request = "GET %s HTTP/1.1\r\nHost: localhost\r\nAccept: %s\r\n\r\n";
      socket
          .getOutputStream()
          .write(request.formatted(path, accept).getBytes(StandardCharsets.US_ASCII));
      assertThat(socket.getInputStream().readNBytes(bytes)).hasSize(bytes);
    }
  }

  @Sampled
  @ParameterizedTest
  @CsvSource({
    "/arrays/t2m?select=..., */*",
    "/arrays/t2m?select=..., application/json",
    "/functional/t2m, */*",
    "/chunks/t2m, application/x-ndjson",
    "/rows/t2m, */*",
  })
  void clients_that_leave_at_every_byte_leave_nothing(String path, String accept) throws Exception {
    int most = 8;
    try (ConfigurableApplicationContext service =
        SliceService.start(Map.of("zarr.max-slices", most), Small.class)) {
      ZarrHierarchy zarr = service.getBean(ZarrHierarchy.class);
      AtomicInteger underWay = service.getBean(RequestsUnderWay.class).count;
      int port = SliceService.port(service);
      int left = 0;
      for (int i = 0; i < 300; i += Cases.some(5, 1)) {
        leave(port, path, accept, i < 60 ? 0 : i - 60, i % 2 == 0);
        if (++left % most == 0) {
          eventually("the requests have ended", () -> underWay.get() == 0);
        }
      }
      eventually("the requests have ended", () -> underWay.get() == 0);
      eventually("nothing is in flight", () -> zarr.bytesInFlight() == 0);
      List<RawClient> rest = new ArrayList<>();
      for (int i = 0; i < most; i++) {
        rest.add(new RawClient(port, "/arrays/t2m?select=...").read(1));
      }
      for (RawClient client : rest) {
        client.close();
      }
    }
  }

  @Test
  void a_client_that_takes_nothing_is_disconnected() throws Exception {
    try (ConfigurableApplicationContext service =
        SliceService.start(Map.of("zarr.stall-timeout", "200ms"), Generated.class)) {
      AtomicInteger underWay = service.getBean(RequestsUnderWay.class).count;
      int port = SliceService.port(service);
      try (RawClient client = new RawClient(port, "/arrays/t2m?select=...")) {
        client.read(100_000);
        eventually("it is disconnected", () -> underWay.get() == 0);
        ZarrHierarchy zarr = service.getBean(ZarrHierarchy.class);
        eventually("nothing is in flight", () -> zarr.bytesInFlight() == 0);
      }
    }
  }

  @Test
  void one_slice_too_many_is_503_until_another_one_ends() throws Exception {
    try (ConfigurableApplicationContext service =
        SliceService.start(Map.of("zarr.max-slices", "1"), Generated.class)) {
      int port = SliceService.port(service);
      String small = "/arrays/t2m?select=0,:8";
      String large = "/arrays/t2m?select=:8,:";
      try (RawClient client = new RawClient(port, "/arrays/t2m?select=...")) {
        client.read(100_000);
        SliceService.client(service).get().uri(small).exchange().expectStatus().isOk();
        SliceService.client(service)
            .get()
            .uri(large)
            .exchange()
            .expectStatus()
            .isEqualTo(503)
            .expectHeader()
            .valueEquals("Retry-After", "5");
      }
      AtomicInteger underWay = service.getBean(RequestsUnderWay.class).count;
      eventually("the slice has ended", () -> underWay.get() == 0);
      SliceService.client(service).get().uri(large).exchange().expectStatus().isOk();
    }
  }

  @Test
  void a_store_that_is_down_is_503_and_shows_no_secret() {
    Store store;
    try (ConfigurableApplicationContext service =
        SliceService.start(
            Map.of("management.endpoint.health.show-details", "always"), Down.class)) {
      store = service.getBean(Store.class);
      SliceService.client(service)
          .get()
          .uri("/arrays/t2m?select=...")
          .exchange()
          .expectStatus()
          .isEqualTo(503)
          .expectHeader()
          .valueEquals("Retry-After", "7")
          .expectBody(String.class)
          .consumeWith(
              result ->
                  assertThat(result.getResponseBody())
                      .contains("may succeed later")
                      .doesNotContain("s3"));
      SliceService.client(service)
          .get()
          .uri("/actuator/health")
          .exchange()
          .expectStatus()
          .isEqualTo(503)
          .expectBody(String.class)
          .consumeWith(
              result ->
                  assertThat(result.getResponseBody())
                      .contains("a store that is down", "may succeed later")
                      .doesNotContain("s3"));
    }
    assertThat(((DownStore) store).isClosed).as("Spring waits for the close").isTrue();
  }

  /** A store whose errors name what the client has asked for. */
  @Configuration(proxyBeanMethods = false)
  static class Failing {
    @Bean
    Store store() {
      return new DownStore() {
        @Override
        public Mono<Bytes> get(StoreKey key) {
          return Mono.error(
              () -> new StoreException("no\nanswer\u202e", Location.ofKey(key.value())));
        }
      };
    }
  }

  @Test
  void a_failure_is_one_line_of_the_log() {
    List<LogRecord> records = new CopyOnWriteArrayList<>();
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord line) {
            records.add(line);
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    try (ConfigurableApplicationContext service = SliceService.start(Map.of(), Failing.class)) {
      Logger log = Logger.getLogger(ProblemHandler.class.getName());
      log.addHandler(handler);
      SliceService.client(service)
          .get()
          .uri("/arrays/t2m?select=...")
          .exchange()
          .expectStatus()
          .isEqualTo(502);
      log.removeHandler(handler);
    }
    assertThat(records).hasSize(1);
    assertThat(records.get(0).getThrown()).isNull();
    assertThat(records.get(0).getMessage())
        .contains("/arrays/t2m: 502, no\\u000aanswer\\u202e (", "t2m/zarr.json")
        .doesNotContain("\n", "\u202e");
  }

  @Test
  void a_service_without_a_location_has_no_hierarchy() {
    try (ConfigurableApplicationContext service =
        new org.springframework.boot.SpringApplication(Nothing.class)
            .run("--server.port=0", "--spring.main.banner-mode=off")) {
      assertThat(service.getBeansOfType(ZarrHierarchy.class)).isEmpty();
      assertThat(service.getBeansOfType(ZarrWebFlux.class)).hasSize(1);
    }
  }

  @Configuration(proxyBeanMethods = false)
  @org.springframework.boot.autoconfigure.EnableAutoConfiguration
  static class Nothing {}
}
