package dev.zarrreactive.server;

import io.netty.channel.Channel;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.FutureMono;

/**
 * The open connections of a server, as many as its limits allow. A further one takes the place of
 * the one that has waited longest for a request, so that idle connections keep no client out.
 * Thread-safe.
 */
final class ClientConnections {
  private final ServerLimits limits;
  private final Set<ClientConnection> all = new LinkedHashSet<>();

  /** The connections that wait for a request; the first one has waited longest. */
  private final Set<ClientConnection> waiting = new LinkedHashSet<>();

  private boolean isClosed;

  ClientConnections(ServerLimits limits) {
    this.limits = limits;
  }

  /** Watches a new connection, or closes it. */
  @SuppressWarnings("FutureReturnValueIgnored") // a close cannot fail
  void open(Channel channel) {
    ClientConnection connection = new ClientConnection(channel, limits, this);
    ClientConnection surplus = add(connection);
    connection.watch();
    if (surplus != null) {
      surplus.close();
    }
  }

  private synchronized @Nullable ClientConnection add(ClientConnection connection) {
    all.add(connection);
    waiting.add(connection);
    if (isClosed) {
      return connection;
    }
    if (all.size() <= limits.connections()) {
      return null;
    }
    ClientConnection longest = waiting.iterator().next();
    all.remove(longest);
    waiting.remove(longest);
    return longest;
  }

  synchronized void remove(ClientConnection connection) {
    all.remove(connection);
    waiting.remove(connection);
  }

  /** Notes that a connection has a request under way. */
  synchronized void begin(ClientConnection connection) {
    waiting.remove(connection);
  }

  /** Notes that a connection has no request under way. */
  synchronized void end(ClientConnection connection) {
    if (all.contains(connection)) {
      waiting.add(connection);
    }
  }

  /** Returns the number of connections. */
  synchronized int count() {
    return all.size();
  }

  private synchronized List<ClientConnection> toClose() {
    isClosed = true;
    return new ArrayList<>(all);
  }

  /** Closes all connections, and those that come later. */
  Mono<Void> close() {
    return Flux.defer(
            () -> Flux.fromIterable(toClose().stream().map(ClientConnection::close).toList()))
        .concatMap(closed -> FutureMono.from(closed).onErrorComplete(), 1)
        .then();
  }
}
