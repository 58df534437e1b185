package dev.zarrreactive.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.Bytes;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.Connection;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;

/** A response that ends before its first byte leaves nothing behind. */
class ReplyTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static Reply failing(boolean isPeeked) {
    Reply reply =
        Reply.of(206)
            .withLength(30_382)
            .with(HttpHeaderNames.ETAG, "\"1\"")
            .with(HttpHeaderNames.CONTENT_RANGE, "bytes 0-30381/40000");
    IllegalStateException error = new IllegalStateException("no memory");
    return isPeeked
        ? reply.withPeeked(Flux.<ByteBuf>error(error), pieces -> pieces)
        : reply.with(Mono.error(error));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void the_response_about_an_error_has_its_own_headers_alone(boolean isPeeked) throws Exception {
    DisposableServer server =
        HttpServer.create()
            .host("127.0.0.1")
            .port(0)
            .handle(
                (request, response) ->
                    failing(isPeeked)
                        .send(HttpMethod.GET, response)
                        .onErrorResume(
                            error ->
                                Problem.of(500, "a/c/0", "an internal error")
                                    .send(HttpMethod.GET, response)))
            .bindNow(PATIENCE);
    try {
      HttpResponse<String> answer =
          HttpClient.newHttpClient()
              .send(
                  HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/"))
                      .timeout(PATIENCE)
                      .build(),
                  HttpResponse.BodyHandlers.ofString());
      assertThat(answer.statusCode()).isEqualTo(500);
      assertThat(answer.body()).contains("an internal error");
      assertThat(answer.headers().allValues("content-length"))
          .containsExactly(Integer.toString(answer.body().length()));
      assertThat(answer.headers().map()).doesNotContainKeys("etag", "content-range");
    } finally {
      server.disposeNow(PATIENCE);
    }
  }

  @Test
  void a_client_that_leaves_before_the_first_piece_is_sent_costs_no_buffer() throws Exception {
    AtomicInteger held = new AtomicInteger();
    QueueWindow.Piece piece =
        released -> {
          held.incrementAndGet();
          return QueueWindow.copied(
              Bytes.wrap(new byte[100]),
              () -> {
                held.decrementAndGet();
                released.run();
              });
        };
    CompletableFuture<Integer> heldAtTheEnd = new CompletableFuture<>();
    DisposableServer server =
        HttpServer.create()
            .host("127.0.0.1")
            .port(0)
            .handle(
                (request, response) -> {
                  response.withConnection(Connection::dispose);
                  Reply.of(200)
                      .withPeeked(Flux.just(piece), pieces -> QueueWindow.of(pieces, 1))
                      .send(HttpMethod.GET, response)
                      .onErrorComplete()
                      .doFinally(end -> heldAtTheEnd.complete(held.get()))
                      .subscribe();
                  return Mono.empty();
                })
            .bindNow(PATIENCE);
    try (Socket client = new Socket("127.0.0.1", server.port())) {
      client.getOutputStream().write("GET / HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(US_ASCII));
      assertThat(heldAtTheEnd.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isZero();
    } finally {
      server.disposeNow(PATIENCE);
    }
  }
}
