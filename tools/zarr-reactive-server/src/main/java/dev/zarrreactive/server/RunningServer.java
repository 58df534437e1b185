package dev.zarrreactive.server;

import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.netty.DisposableServer;
import reactor.netty.resources.LoopResources;

/** A server that listens. Thread-safe. */
public final class RunningServer {
  private final DisposableServer server;
  private final String prefix;
  private final RequestHandler handler;
  private final ClientConnections connections;
  private final LoopResources threads;
  private final Scheduler timer;

  RunningServer(
      DisposableServer server,
      String prefix,
      RequestHandler handler,
      ClientConnections connections,
      LoopResources threads,
      Scheduler timer) {
    this.server = server;
    this.prefix = prefix;
    this.handler = handler;
    this.connections = connections;
    this.threads = threads;
    this.timer = timer;
  }

  /** Returns the URL of the root of the store, without a slash at its end. */
  public URI uri() {
    InetSocketAddress address = (InetSocketAddress) server.address();
    String host = address.getAddress().isAnyLocalAddress() ? "localhost" : address.getHostString();
    return URI.create(
        "http://"
            + (host.indexOf(':') >= 0 ? "[" + host + "]" : host)
            + ":"
            + address.getPort()
            + prefix);
  }

  /** Returns the port, also where the server has chosen it. */
  public int port() {
    return server.port();
  }

  /** Returns the number of open connections; see {@link ServerLimits#connections}. */
  public int connections() {
    return connections.count();
  }

  /** Returns the number of requests that are not answered to their end. */
  public int requestsUnderWay() {
    return handler.underWay();
  }

  /** Returns the bytes of values that responses hold; see {@link ServerLimits#heldBytes}. */
  public long heldBytes() {
    return handler.heldBytes();
  }

  /** Completes when the server has been closed; a cancel changes nothing. */
  public Mono<Void> onClose() {
    return server.onDispose();
  }

  /** Closes the server as {@link #close(Duration)}, with ten seconds for responses. */
  public Mono<Void> close() {
    return close(Duration.ofSeconds(10));
  }

  /**
   * Closes the port. Responses that are under way go on to their end, or for at most {@code
   * patience}; further requests on open connections are answered with 503. Then the connections are
   * closed. The store stays open. A second subscription closes nothing more.
   */
  public Mono<Void> close(Duration patience) {
    return Mono.defer(
            () -> {
              server.dispose();
              return handler.drained();
            })
        .timeout(patience, Mono.empty(), timer)
        .then(connections.close())
        .then(server.onDispose())
        .then(threads.disposeLater(Duration.ZERO, Duration.ofSeconds(2)));
  }

  /** The URL. */
  @Override
  public String toString() {
    return "RunningServer[" + uri() + "]";
  }
}
