package dev.zarrreactive.internal.s3.http;

import static dev.zarrreactive.testing.Waiting.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.faults.server.KeptPort;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.EventLoop;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The order of a failed connection and the tasks of the event loops. */
class LateConnectFailureTest {
  @Test
  void a_refused_connection_fails_when_each_loop_has_ended_its_task() {
    NioEventLoopGroup loops = new NioEventLoopGroup(2);
    AtomicBoolean ends = new AtomicBoolean();
    AtomicLong spins = new AtomicLong();
    AtomicBoolean refused = new AtomicBoolean();
    try (KeptPort port = KeptPort.of(0)) {
      NioSocketChannel channel = InterimResponseFilter.channel();
      channel
          .pipeline()
          .addFirst(
              new ChannelOutboundHandlerAdapter() {
                @Override
                public void connect(
                    ChannelHandlerContext context,
                    SocketAddress remote,
                    SocketAddress local,
                    ChannelPromise promise) {
                  promise.addListener(end -> refused.set(!end.isSuccess()));
                  context.connect(remote, local, promise);
                }
              });
      EventLoop busy = loops.next();
      busy.execute(
          () -> {
            while (!ends.get()) { // BlockHound refuses to wait here
              spins.incrementAndGet();
            }
          });
      loops.next().register(channel).syncUninterruptibly();
      ChannelFuture connected =
          channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port.port()));
      eventually("the connection is refused", refused::get);
      assertThat(connected.isDone()).isFalse();
      ends.set(true);
      assertThat(connected.awaitUninterruptibly().cause()).isInstanceOf(ConnectException.class);
    } finally {
      ends.set(true);
      loops.shutdownGracefully();
    }
  }
}
