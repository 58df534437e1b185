package dev.zarrreactive.webflux.autoconfigure;

import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.handler.timeout.IdleStateHandler;
import io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import reactor.netty.http.server.HttpServer;

/**
 * Bounds the memory of connections whose clients are slow. The operating system takes up to 4 MiB
 * for a connection, and takes more the longer the client reads. A bound on unsent bytes ({@code
 * TCP_NOTSENT_LOWAT}, Linux with netty's epoll) leaves fast clients far away alone, since bytes
 * under way do not count. Elsewhere the send buffer is set to twice the bound.
 *
 * @param maxUnsent 0 for the system's own choice
 * @param stallTimeout the time after which a connection is closed that has bytes to send and whose
 *     client takes none; zero for never
 * @param leastSpeed the least bytes per second of a client for which bytes wait through a whole
 *     stall timeout; 0 for any
 */
record SlowConnections(int maxUnsent, Duration stallTimeout, long leastSpeed) {
  /** The option of netty's epoll, by its name: netty makes one option of a name. */
  private static final ChannelOption<Long> UNSENT =
      ChannelOption.valueOf("io.netty.channel.epoll.EpollChannelOption#TCP_NOTSENT_LOWAT");

  /** Returns the server with these bounds for each connection. */
  HttpServer on(HttpServer server) {
    return server.doOnChannelInit((observer, channel, remote) -> bound(channel));
  }

  private void bound(Channel channel) {
    if (!(channel instanceof SocketChannel)) {
      return; // a stream of HTTP/2
    }
    if (maxUnsent > 0 && !channel.config().setOption(UNSENT, (long) maxUnsent)) {
      channel.config().setOption(ChannelOption.SO_SNDBUF, 2 * maxUnsent);
    }
    if (!stallTimeout.isZero()) {
      channel.pipeline().addFirst("zarr.stall", new Stall(stallTimeout));
      if (leastSpeed > 0) {
        double least = leastSpeed * (stallTimeout.toNanos() / 1e9);
        channel
            .pipeline()
            .addFirst("zarr.speed", new LeastSpeed(stallTimeout, Math.max(1, (long) least)));
      }
    }
  }

  /**
   * Closes a connection whose client takes too few bytes in a stall timeout in which bytes wait for
   * it at all times. One timer at a time looks at the bytes, so that a write sets none.
   */
  static final class LeastSpeed extends ChannelDuplexHandler {
    /** The checks of bytes in a stall timeout. */
    private static final int CHECKS = 4;

    private final long checkNanos;
    private final long leastBytes;

    /** The bytes that the client had taken at the last checks, the oldest one first. */
    private final long[] taken = new long[CHECKS];

    private long given;
    private int slowChecks; // in a row, before which bytes have waited at all times
    private boolean hasCaughtUp; // a write has found all bytes taken: the client waits
    private @Nullable ScheduledFuture<?> check;

    LeastSpeed(Duration stallTimeout, long leastBytes) {
      this.checkNanos = stallTimeout.toNanos() / CHECKS;
      this.leastBytes = leastBytes;
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // the promise tells of the write
    public void write(ChannelHandlerContext context, Object bytes, ChannelPromise promise) {
      long before = waiting(context);
      hasCaughtUp |= before == 0;
      context.write(bytes, promise);
      given += waiting(context) - before;
      if (check == null) {
        hasCaughtUp = false;
        slowChecks = 0;
        checkLater(context);
      }
    }

    private static long waiting(ChannelHandlerContext context) {
      ChannelOutboundBuffer buffer = context.channel().unsafe().outboundBuffer();
      return buffer == null ? 0 : buffer.totalPendingWriteBytes();
    }

    private void checkLater(ChannelHandlerContext context) {
      check = context.executor().schedule(() -> check(context), checkNanos, TimeUnit.NANOSECONDS);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // a close cannot fail
    private void check(ChannelHandlerContext context) {
      check = null;
      long bytes = waiting(context);
      if (bytes == 0) {
        return; // the next write looks again
      }
      slowChecks = hasCaughtUp ? 0 : slowChecks + 1;
      hasCaughtUp = false;
      long now = given - bytes;
      if (slowChecks > CHECKS && now - taken[slowChecks % CHECKS] < leastBytes) {
        context.close();
        return;
      }
      taken[slowChecks % CHECKS] = now;
      checkLater(context);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
      if (check != null) {
        check.cancel(false);
      }
    }
  }

  private static final class Stall extends IdleStateHandler {
    Stall(Duration timeout) {
      super(true, 0, timeout.toNanos(), 0, TimeUnit.NANOSECONDS);
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // a close cannot fail
    protected void channelIdle(ChannelHandlerContext context, IdleStateEvent idle) {
      ChannelOutboundBuffer waiting = context.channel().unsafe().outboundBuffer();
      if (waiting != null && waiting.size() > 0) {
        context.close();
      }
    }
  }
}
