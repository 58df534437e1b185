package dev.zarrreactive.server;

import io.netty.channel.ChannelHandlerContext;
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
  StalledClients(Duration timeout) {
    super(true, 0, timeout.toNanos(), 0, TimeUnit.NANOSECONDS);
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
