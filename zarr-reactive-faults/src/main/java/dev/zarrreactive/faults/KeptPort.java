package dev.zarrreactive.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * A port of this machine that nobody listens at, and that nobody else is given: whoever connects is
 * refused. It is a socket that is bound and does not listen. Blocks.
 */
final class KeptPort implements AutoCloseable {
  private final SocketChannel bound;

  private KeptPort(SocketChannel bound) {
    this.bound = bound;
  }

  /** Keeps a port that nobody listens at any more; where an old connection is in the way, too. */
  static KeptPort of(int port) {
    try {
      SocketChannel alone = bound(port, false);
      SocketChannel bound = alone == null ? bound(port, true) : alone;
      if (bound == null) {
        throw new IllegalStateException("the port " + port + " cannot be kept");
      }
      return new KeptPort(bound);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static @Nullable SocketChannel bound(int port, boolean shared) throws IOException {
    SocketChannel socket = SocketChannel.open();
    try {
      socket.setOption(StandardSocketOptions.SO_REUSEADDR, shared);
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      socket.setOption(StandardSocketOptions.SO_REUSEADDR, false); // from now on for nobody
      return socket;
    } catch (BindException e) {
      socket.close();
      return null;
    }
  }

  @Override
  public void close() {
    try {
      bound.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
