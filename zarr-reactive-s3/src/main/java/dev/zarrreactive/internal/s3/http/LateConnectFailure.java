package dev.zarrreactive.internal.s3.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.util.concurrent.EventExecutor;
import java.net.SocketAddress;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Reports that a connection failed only when each event loop has finished the task that it is in.
 * The first request of a pool of the SDK starts a connection, and then waits for a promise of the
 * pool. A failure in between replaces the promise, so that the request would wait for a promise
 * that nothing completes.
 */
final class LateConnectFailure extends ChannelOutboundHandlerAdapter {
  LateConnectFailure() {}

  @Override
  public void connect(
      ChannelHandlerContext context,
      SocketAddress remote,
      SocketAddress local,
      ChannelPromise promise) {
    ChannelPromise connected = context.newPromise();
    var unused =
        connected.addListener(
            end -> {
              if (end.isSuccess()) {
                promise.trySuccess();
              } else {
                afterEachLoop(context, () -> promise.tryFailure(end.cause()));
              }
            });
    promise.addListener(
        end -> {
          if (end.isCancelled()) {
            connected.cancel(false);
          }
        });
    var unusedToo = context.connect(remote, local, connected);
  }

  private static void afterEachLoop(ChannelHandlerContext context, Runnable report) {
    Iterable<EventExecutor> loops = context.channel().eventLoop().parent();
    AtomicInteger left = new AtomicInteger();
    loops.forEach(loop -> left.incrementAndGet());
    Runnable step =
        () -> {
          if (left.decrementAndGet() == 0) {
            report.run();
          }
        };
    loops.forEach(loop -> loop.execute(step));
  }
}
