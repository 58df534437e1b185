package dev.zarrreactive.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;

/** A response whose body fails before the first byte is not seen by its client. */
class ReplyTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static Reply failing(boolean isPeeked) {
    Reply reply =
        Reply.of(206)
            .withLength(30_382)
            .with(HttpHeaderNames.ETAG, "\"1\"")
            .with(HttpHeaderNames.CONTENT_RANGE, "bytes 0-30381/40000");
    IllegalStateException error = new IllegalStateException("no memory");
    return isPeeked ? reply.withPeeked(Flux.error(error)) : reply.with(Mono.error(error));
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
}
