package dev.zarrreactive.faults.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A port of this machine without a listener, and kept from other programs: a connection to it is
 * refused. It is a socket that is bound and does not listen. Blocks.
 */
public final class KeptPort implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final SocketChannel bound;

  private KeptPort(SocketChannel bound) {
    this.bound = bound;
  }

  /**
   * Keeps a port without a listener. Where an outgoing connection of another program has the port,
   * waits until it ends.
   *
   * @param port 0 for any free port
   */
  public static KeptPort of(int port) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    try {
      while (true) {
        SocketChannel alone = bound(port, false);
        SocketChannel bound = alone == null ? bound(port, true) : alone;
        if (bound != null) {
          return new KeptPort(bound);
        }
        if (System.nanoTime() > deadline) {
          throw new IllegalStateException("the port " + port + " cannot be kept");
        }
        Thread.sleep(10);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted while the port " + port + " was taken", e);
    }
  }

  private static @Nullable SocketChannel bound(int port, boolean shared) throws IOException {
    SocketChannel socket = SocketChannel.open();
    try {
      socket.setOption(StandardSocketOptions.SO_REUSEADDR, shared);
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      socket.setOption(StandardSocketOptions.SO_REUSEADDR, false); // from now on for no other
      return socket;
    } catch (BindException e) {
      socket.close();
      return null;
    }
  }

  /** Returns the kept port. */
  public int port() {
    return bound.socket().getLocalPort();
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
