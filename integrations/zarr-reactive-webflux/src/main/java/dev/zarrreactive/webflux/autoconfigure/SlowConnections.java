package dev.zarrreactive.webflux.autoconfigure;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.handler.timeout.IdleStateHandler;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
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
 */
record SlowConnections(int maxUnsent, Duration stallTimeout) {
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
