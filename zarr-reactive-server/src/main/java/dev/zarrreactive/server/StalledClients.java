package dev.zarrreactive.server;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.handler.timeout.IdleState;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.handler.timeout.IdleStateHandler;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Closes a connection that has bytes to send and whose client takes none of them for some time. A
 * connection that waits for the store stays open, and so does one whose client is slow.
 */
final class StalledClients extends IdleStateHandler {
  /** The option of netty's epoll, by its name: netty makes one option of a name. */
  private static final ChannelOption<Long> UNSENT =
      ChannelOption.valueOf("io.netty.channel.epoll.EpollChannelOption#TCP_NOTSENT_LOWAT");

  private StalledClients(Duration timeout) {
    super(true, 0, timeout.toNanos(), 0, TimeUnit.NANOSECONDS);
  }

  /** Watches a connection, and bounds the bytes that the operating system takes for it. */
  static void watch(Channel connection, ServerLimits limits) {
    int unsent = limits.unsentBytes();
    if (unsent > 0 && !connection.config().setOption(UNSENT, (long) unsent)) {
      connection.config().setOption(ChannelOption.SO_SNDBUF, 2 * unsent);
    }
    connection.pipeline().addFirst("zarr.stall", new StalledClients(limits.stallTimeout()));
  }

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // a close cannot fail
  protected void channelIdle(ChannelHandlerContext context, IdleStateEvent idle) throws Exception {
    ChannelOutboundBuffer waiting = context.channel().unsafe().outboundBuffer();
    if (idle.state() == IdleState.WRITER_IDLE && waiting != null && waiting.size() > 0) {
      context.close();
    }
  }
}
