package dev.zarrreactive.webflux;

import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.metadata.NodeMetadata;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.core.ResolvableType;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.codec.EncoderHttpMessageWriter;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import reactor.core.publisher.Mono;

/**
 * Writes metadata and JSON values; a single one with an {@code ETag} of its text, and as 304 where
 * the client has it.
 */
final class DocumentWriter extends EncoderHttpMessageWriter<Object> {
  DocumentWriter() {
    super(new DocumentEncoder());
  }

  @Override
  public Mono<Void> write(
      Publisher<?> values,
      ResolvableType actualType,
      ResolvableType elementType,
      @Nullable MediaType mediaType,
      ServerHttpRequest request,
      ServerHttpResponse response,
      Map<String, Object> hints) {
    HttpHeaders headers = response.getHeaders();
    boolean isRead =
        request.getMethod().equals(HttpMethod.GET) || request.getMethod().equals(HttpMethod.HEAD);
    if (!(values instanceof Mono<?> value) || headers.getETag() != null) {
      return super.write(values, actualType, elementType, mediaType, request, response, hints);
    }
    return value
        .singleOptional()
        .flatMap(
            found -> {
              found.ifPresent(document -> headers.setETag(tag(document)));
              RequestConditions.Outcome outcome =
                  isRead
                      ? RequestConditions.of(request.getHeaders()).check(headers.getETag())
                      : RequestConditions.Outcome.SEND;
              return switch (outcome) {
                case NOT_MODIFIED -> notModified(response);
                case FAILED -> Mono.error(RequestConditions.failed());
                default ->
                    super.write(
                        Mono.justOrEmpty(found),
                        actualType,
                        elementType,
                        mediaType,
                        request,
                        response,
                        hints);
              };
            });
  }

  private static String tag(Object document) {
    return document instanceof NodeMetadata metadata
        ? RequestConditions.tag(metadata)
        : RequestConditions.tag((JsonValue) document);
  }

  /** Ends a response whose body the client has. */
  static Mono<Void> notModified(ServerHttpResponse response) {
    response.setStatusCode(HttpStatus.NOT_MODIFIED);
    response.getHeaders().clearContentHeaders();
    return response.setComplete();
  }
}
