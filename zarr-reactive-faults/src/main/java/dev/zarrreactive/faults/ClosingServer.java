package dev.zarrreactive.faults;

import java.net.URI;
import java.util.concurrent.atomic.AtomicInteger;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;

/** A server that closes connections before any answer; then each request gets {@link #VALUE}. */
public final class ClosingServer implements AutoCloseable {
  /** What it answers. */
  public static final String VALUE = "value";

  private final AtomicInteger requests = new AtomicInteger();
  private volatile int closing;
  private final DisposableServer server =
      HttpServer.create()
          .host("127.0.0.1")
          .port(0)
          .handle(
              (request, response) -> {
                if (requests.incrementAndGet() > closing) {
                  return response
                      .header("content-length", String.valueOf(VALUE.length()))
                      .header("etag", "\"1\"")
                      .sendString(Mono.just(VALUE));
                }
                response.withConnection(
                    connection -> {
                      var unused = connection.channel().close();
                    });
                return Mono.never();
              })
          .bindNow();

  /** Closes the connections of so many requests. */
  public void closeFirst(int first) {
    closing = first;
  }

  /** The URL of the server, without a slash at its end. */
  public URI uri() {
    return URI.create("http://127.0.0.1:" + server.port());
  }

  /** How many requests came. */
  public int requests() {
    return requests.get();
  }

  @Override
  public void close() {
    server.disposeNow();
  }
}
