package dev.zarrreactive.credentials;

import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.internal.http.ConnectionErrors;
import dev.zarrreactive.internal.http.ConnectionSettings;
import dev.zarrreactive.internal.http.HttpConnections;
import dev.zarrreactive.internal.http.SentRequest;
import dev.zarrreactive.internal.http.Url;
import dev.zarrreactive.internal.transfer.ResponseErrors;
import dev.zarrreactive.internal.transfer.TransferSettings;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.netty.ByteBufFlux;
import reactor.netty.http.client.HttpClientResponse;

/**
 * A service that gives out credentials as JSON. Its redirects lead to a page for a person who logs
 * in, so that one is a refusal. No error shows what it has answered.
 */
final class TokenService {
  private static final int MOST_BYTES = 1 << 20;

  private TokenService() {}

  static Mono<JsonObject> ask(HttpMethod method, URI service, Map<String, String> headers) {
    return Mono.defer(
        () -> {
          Url url = Url.of(service);
          return Holder.CONNECTIONS
              .client()
              .flatMap(
                  client ->
                      SentRequest.of(
                          client.headers(
                              all -> {
                                all.set(HttpHeaderNames.ACCEPT, "application/json");
                                headers.forEach(all::set);
                              }),
                          method,
                          url.forClient(),
                          (response, body) -> answer(url, response, body),
                          e -> ConnectionErrors.of(e, Location.UNKNOWN, url.toString(), false)));
        });
  }

  /** Returns the error of a refusal with what helps. */
  static Throwable advised(Throwable error, String advice) {
    return error instanceof AccessDeniedException refusal
        ? new AccessDeniedException(refusal.statement() + "; " + advice, Location.UNKNOWN, error)
        : error;
  }

  private static Publisher<JsonObject> answer(
      Url url, HttpClientResponse response, ByteBufFlux body) {
    int status = response.status().code();
    if (status == 200 || status == 201) {
      return body.collect(ByteArrayOutputStream::new, (all, part) -> add(url, all, part))
          .map(all -> json(url, all.toString(StandardCharsets.UTF_8)));
    }
    String shown = url + " answered " + HttpResponseStatus.valueOf(status);
    StoreException refusal =
        status == 404
            ? new AccessDeniedException(shown, Location.UNKNOWN)
            : status >= 300 && status < 400
                ? new AccessDeniedException(
                    shown + ", which asks a person to log in", Location.UNKNOWN)
                : ResponseErrors.of(
                    status,
                    shown,
                    Location.UNKNOWN,
                    ResponseErrors.retryAfter(
                        response.responseHeaders().get(HttpHeaderNames.RETRY_AFTER)));
    return SentRequest.drain(body).then(Mono.error(refusal));
  }

  private static void add(Url url, ByteArrayOutputStream all, ByteBuf part) {
    if (all.size() + part.readableBytes() > MOST_BYTES) {
      throw new StoreException(
          url + " answered with more than " + MOST_BYTES + " bytes", Location.UNKNOWN);
    }
    byte[] bytes = new byte[part.readableBytes()];
    part.getBytes(part.readerIndex(), bytes);
    all.writeBytes(bytes);
  }

  private static JsonObject json(Url url, String text) {
    try {
      if (JsonValue.parse(text) instanceof JsonObject object) {
        return object;
      }
    } catch (RuntimeException e) {
      // its message may hold a part of the answer
    }
    throw new StoreException(url + " answered without a JSON object", Location.UNKNOWN);
  }

  /**
   * Returns a member of an answer.
   *
   * @throws StoreException where the answer has no such text
   */
  static String text(JsonObject answer, URI service, String name) {
    if (answer.get(name) instanceof JsonString text && !text.value().isEmpty()) {
      return text.value();
    }
    throw new StoreException(
        Url.of(service) + " answered without \"" + name + "\"", Location.UNKNOWN);
  }

  /** Idle connections close by themselves. */
  private static final class Holder {
    static final HttpConnections CONNECTIONS =
        new HttpConnections(new ConnectionSettings(new TransferSettings()), true, 0);
  }
}
