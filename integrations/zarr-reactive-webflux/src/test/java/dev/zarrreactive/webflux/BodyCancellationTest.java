package dev.zarrreactive.webflux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.encodings.Encodings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.reactivestreams.Publisher;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.ZeroCopyHttpOutputMessage;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.publisher.TestPublisher;

/** A server that refuses a write without a subscription, as reactor-netty does, and others. */
class BodyCancellationTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final DataBufferFactory BUFFERS = DefaultDataBufferFactory.sharedInstance;

  /** The ways in which a service writes a stream. */
  enum Way {
    WITH {
      @Override
      Mono<Void> write(ServerHttpResponse response, Flux<DataBuffer> body) {
        return response.writeWith(body);
      }
    },
    AND_FLUSH_EACH {
      @Override
      Mono<Void> write(ServerHttpResponse response, Flux<DataBuffer> body) {
        return response.writeAndFlushWith(body.map(Mono::just));
      }
    },
    AND_FLUSH_WINDOWS {
      @Override
      Mono<Void> write(ServerHttpResponse response, Flux<DataBuffer> body) {
        return response.writeAndFlushWith(body.window(3));
      }
    },
    AND_FLUSH_CHANGED_WINDOWS {
      @Override
      Mono<Void> write(ServerHttpResponse response, Flux<DataBuffer> body) {
        return response.writeAndFlushWith(body.window(3).map(window -> window.map(x -> x)));
      }
    };

    abstract Mono<Void> write(ServerHttpResponse response, Flux<DataBuffer> body);
  }

  /** A server that does {@code sends} with the body behind the first buffer. */
  private static MockServerWebExchange server(Function<Flux<DataBuffer>, Mono<Void>> sends) {
    MockServerWebExchange exchange = MockServerWebExchange.from(MockServerHttpRequest.get("/"));
    exchange.getResponse().setWriteHandler(sends);
    return exchange;
  }

  private static Mono<Void> answered(
      ServerWebExchange exchange, Function<ServerHttpResponse, Mono<Void>> handler) {
    return ZarrWebFlux.cancellation()
        .filter(exchange, filtered -> handler.apply(filtered.getResponse()));
  }

  private static DataBuffer buffer(String text) {
    return BUFFERS.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @EnumSource
  void a_write_that_the_server_refuses_cancels_its_body(Way way) {
    TestPublisher<DataBuffer> body = TestPublisher.create();
    MockServerWebExchange gone = server(ignored -> Mono.error(new IOException("gone")));
    Disposable write =
        answered(gone, response -> way.write(response, body.flux())).onErrorComplete().subscribe();
    body.assertWasNotCancelled();
    body.next(buffer("a"));
    body.assertCancelled();
    assertThat(write.isDisposed()).as("the write has ended").isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void a_write_that_ends_early_cancels_its_body(Way way) {
    TestPublisher<DataBuffer> body = TestPublisher.create();
    MockServerWebExchange satisfied = server(ignored -> Mono.empty());
    answered(satisfied, response -> way.write(response, body.flux())).subscribe();
    body.next(buffer("a"));
    body.assertCancelled();
  }

  @ParameterizedTest
  @EnumSource
  void a_write_that_is_cancelled_cancels_its_body(Way way) {
    for (List<String> before : List.of(List.<String>of(), List.of("a"))) {
      TestPublisher<DataBuffer> body = TestPublisher.create();
      MockServerWebExchange silent = server(ignored -> Mono.never());
      Disposable write = answered(silent, response -> way.write(response, body.flux())).subscribe();
      before.forEach(text -> body.next(buffer(text)));
      write.dispose();
      body.assertCancelled();
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_body_is_written_whole(Way way) {
    MockServerWebExchange exchange = MockServerWebExchange.from(MockServerHttpRequest.get("/"));
    Flux<DataBuffer> body = Flux.just("a", "b", "c", "d").map(BodyCancellationTest::buffer);
    answered(exchange, response -> way.write(response, body)).block(PATIENCE);
    assertThat(exchange.getResponse().getBodyAsString().block(PATIENCE)).isEqualTo("abcd");
  }

  @Test
  void bytes_of_a_hierarchy_are_free_after_a_refused_write() {
    ZarrHierarchy zarr = Zarr.hierarchy(new GeneratedStore());
    ArraySlice slice = ArraySlice.open(zarr, "t2m", "...").block(PATIENCE);
    for (int i = 0; i < 20; i++) {
      MockServerWebExchange gone = server(ignored -> Mono.error(new IOException("gone")));
      answered(gone, response -> response.writeWith(slice.buffers(Encodings.npy(), BUFFERS)))
          .onErrorComplete()
          .block(PATIENCE);
    }
    dev.zarrreactive.testing.Waiting.eventually(
        "nothing is in flight", () -> zarr.bytesInFlight() == 0);
  }

  /** A response of a server that sends files by itself. */
  private static final class FileResponse extends ServerHttpResponseDecorator
      implements ZeroCopyHttpOutputMessage {
    FileResponse(ServerHttpResponse response) {
      super(response);
    }

    @Override
    public Mono<Void> writeWith(Path file, long position, long count) {
      return getDelegate()
          .writeWith(Mono.just(buffer(file + " from " + position + ", " + count + " bytes")));
    }
  }

  @Test
  void a_server_that_sends_files_without_reading_them_still_does() {
    MockServerWebExchange exchange = MockServerWebExchange.from(MockServerHttpRequest.get("/"));
    ServerWebExchange files =
        exchange.mutate().response(new FileResponse(exchange.getResponse())).build();
    answered(
            files,
            response -> ((ZeroCopyHttpOutputMessage) response).writeWith(Path.of("a.png"), 3, 7))
        .block(PATIENCE);
    assertThat(exchange.getResponse().getBodyAsString().block(PATIENCE))
        .isEqualTo("a.png from 3, 7 bytes");
  }

  @Test
  void a_single_buffer_stays_a_single_one_for_the_server() {
    Mono<DataBuffer> one = Mono.just(buffer("a"));
    Publisher<?>[] written = new Publisher<?>[1];
    MockServerWebExchange exchange = MockServerWebExchange.from(MockServerHttpRequest.get("/"));
    ServerWebExchange watched =
        exchange
            .mutate()
            .response(
                new ServerHttpResponseDecorator(exchange.getResponse()) {
                  @Override
                  public Mono<Void> writeWith(Publisher<? extends DataBuffer> body) {
                    written[0] = body;
                    return super.writeWith(body);
                  }
                })
            .build();
    answered(watched, response -> response.writeWith(one)).block(PATIENCE);
    assertThat(written[0]).isSameAs(one);
  }
}
