package dev.zarrreactive.webflux;

import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.error.InvalidInputException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.http.HttpProblem;
import dev.zarrreactive.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;
import reactor.core.publisher.Mono;

/**
 * Answers errors of this library with a problem document (RFC 9457), and leaves every other error
 * to the next handler. Failures of the service, 5xx and a store that denies access, are a line of
 * the log each, with the names of the store that the client does not see; the level DEBUG has their
 * stack traces.
 */
final class ProblemHandler implements WebExceptionHandler, Ordered {
  /** Before the handler of Spring Boot, which is at -1 and answers every error. */
  private static final int ORDER = -2;

  private static final System.Logger LOG = System.getLogger(ProblemHandler.class.getName());

  /** Control characters, and those that change the order of others. */
  private static final Pattern UNSEEN = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]");

  private final Duration retryAfter;

  /**
   * Creates a handler.
   *
   * @param retryAfter for errors that ask for no delay of their own
   */
  ProblemHandler(Duration retryAfter) {
    this.retryAfter = retryAfter;
  }

  @Override
  public int getOrder() {
    return ORDER;
  }

  @Override
  public Mono<Void> handle(ServerWebExchange exchange, Throwable error) {
    HttpProblem problem = problem(error);
    ServerHttpResponse response = exchange.getResponse();
    if (problem == null) {
      return Mono.error(error);
    }
    boolean hasBegun = response.isCommitted();
    String path = LinkFilter.shown(exchange.getRequest().getPath().value());
    if (problem.status() >= HttpStatus.INTERNAL_SERVER_ERROR.value()
        || error instanceof AccessDeniedException) {
      String place = exchange.getLogPrefix() + path;
      String end = hasBegun ? "cut after its beginning" : String.valueOf(problem.status());
      LOG.log(System.Logger.Level.WARNING, () -> line(place, end, error));
      LOG.log(System.Logger.Level.DEBUG, () -> place, error);
    }
    if (hasBegun) {
      return Mono.error(error); // so that the connection closes
    }
    response.setRawStatusCode(problem.status());
    byte[] body = body(problem, path);
    headers(problem, body.length, response.getHeaders());
    return response.writeWith(
        Mono.<DataBuffer>fromSupplier(() -> response.bufferFactory().wrap(body)));
  }

  /** Returns a failure on one line, in which names of the store cannot play tricks. */
  private static String line(String place, String end, Throwable error) {
    String text = place + ": " + end + ", " + error.getMessage();
    return UNSEEN
        .matcher(text)
        .replaceAll(
            found -> Matcher.quoteReplacement("\\u%04x".formatted(found.group().codePointAt(0))));
  }

  private static @Nullable HttpProblem problem(Throwable error) {
    if (error instanceof ZarrException known) {
      return HttpProblem.of(known);
    } else if (error instanceof InvalidInputException wrong) {
      return HttpProblem.of(wrong);
    }
    return error instanceof RefusedSliceException refused
        ? new HttpProblem(refused.status(), String.valueOf(refused.getMessage()), null)
        : null;
  }

  private void headers(HttpProblem problem, int length, HttpHeaders headers) {
    headers.clearContentHeaders();
    headers.setContentType(MediaType.APPLICATION_PROBLEM_JSON);
    headers.setContentLength(length);
    headers.setCacheControl("no-store");
    if (problem.isTemporary()) {
      Duration asked = problem.retryAfter();
      Duration delay = asked == null ? retryAfter : asked;
      long seconds = Math.max(1, delay.plusMillis(999).toSeconds());
      headers.set(HttpHeaders.RETRY_AFTER, Long.toString(seconds));
    }
  }

  private static byte[] body(HttpProblem problem, String path) {
    HttpStatus status = HttpStatus.resolve(problem.status());
    JsonObject document =
        JsonObject.EMPTY
            .with("title", status == null ? "Error" : status.getReasonPhrase())
            .with("status", problem.status())
            .with("detail", problem.detail())
            .with("instance", path);
    return document.toString().getBytes(StandardCharsets.UTF_8);
  }
}
