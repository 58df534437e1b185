package dev.zarrreactive.faults.server;

import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelOption;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.time.Duration;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;

/** A running server with all its connections. Start and end block. */
final class Listening {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** Closes each connection that arrives after its own close. */
  private final ChannelGroup connections =
      new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);

  private final DisposableServer port;
  private volatile boolean ended;

  Listening(HttpServer server) {
    this.port =
        server.doOnChannelInit((observer, channel, remote) -> letIn(channel)).bindNow(PATIENCE);
  }

  int port() {
    return port.port();
  }

  int connections() {
    return connections.size();
  }

  /**
   * Closes the port first, against new connections, and then the connections by a reset: a
   * connection in TIME_WAIT would keep the port from a new socket.
   */
  void end() {
    ended = true;
    port.disposeNow(PATIENCE);
    connections.forEach(Listening::silence);
    connections.close().awaitUninterruptibly(PATIENCE.toMillis());
  }

  private void letIn(Channel connection) {
    if (ended) {
      silence(connection);
    }
    connections.add(connection);
  }

  private static void silence(Channel connection) {
    try {
      connection.config().setOption(ChannelOption.SO_LINGER, 0);
    } catch (ChannelException e) {
      // it is closed already
    }
  }
}
