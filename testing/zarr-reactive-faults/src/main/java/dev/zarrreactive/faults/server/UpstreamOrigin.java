package dev.zarrreactive.faults.server;

import dev.zarrreactive.base.Bytes;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpMethod;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;

/** Passes requests to another server, with the same host header, so that signatures stay valid. */
final class UpstreamOrigin {
  private final HttpClient client;
  private final URI upstream;

  UpstreamOrigin(URI upstream) {
    this.upstream = upstream;
    this.client = HttpClient.create().compress(false);
  }

  Mono<ServerResponse> answer(ReceivedRequest asked, byte[] body) {
    return client
        .headers(
            headers ->
                asked
                    .headers()
                    .forEach(
                        (name, value) -> {
                          if (!name.equals("transfer-encoding")
                              && !name.equals("connection")
                              && !name.equals("expect")) {
                            headers.set(name, value);
                          }
                        }))
        .request(HttpMethod.valueOf(asked.method()))
        .uri(upstream.resolve("/") + asked.uri().substring(1))
        .send(Mono.fromSupplier(() -> Unpooled.wrappedBuffer(body)))
        .responseSingle(
            (response, content) ->
                content
                    .asByteArray()
                    .defaultIfEmpty(new byte[0])
                    .map(
                        bytes -> {
                          Map<String, String> headers = new LinkedHashMap<>();
                          response
                              .responseHeaders()
                              .forEach(
                                  header ->
                                      headers.putIfAbsent(
                                          header.getKey().toLowerCase(Locale.ROOT),
                                          header.getValue()));
                          headers.remove("transfer-encoding");
                          headers.remove("connection");
                          return new ServerResponse(
                              response.status().code(), headers, Bytes.wrap(bytes));
                        }))
        .single()
        .cache(); // so that no cancel reaches it: half a body would be a lost buffer
  }
}
