package dev.zarrreactive.benchmarks.compare;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A proxy that makes a link with latency before a server on this machine: bytes to the server are
 * late, bytes from it are not. It counts the requests of HTTP/1.1 and the bytes of the responses
 * with their heads. Opening and closing block.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failed write or close ends the connection
final class LatencyProxy implements AutoCloseable {
  private static final byte[] REQUEST = " HTTP/1.1\r\n".getBytes(StandardCharsets.US_ASCII);

  private final EventLoopGroup loop = new NioEventLoopGroup(1);
  private final AtomicLong requests = new AtomicLong();
  private final AtomicLong bytes = new AtomicLong();
  private final int upstream;
  private final Channel listening;
  private volatile long delayNanos;

  LatencyProxy(int upstream) {
    this.upstream = upstream;
    this.listening =
        new ServerBootstrap()
            .group(loop)
            .channel(NioServerSocketChannel.class)
            .option(ChannelOption.SO_BACKLOG, 1024)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(ChannelOption.AUTO_READ, false)
            .childHandler(
                new ChannelInitializer<SocketChannel>() {
                  @Override
                  protected void initChannel(SocketChannel client) {
                    connect(client);
                  }
                })
            .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .syncUninterruptibly()
            .channel();
  }

  int port() {
    return ((InetSocketAddress) listening.localAddress()).getPort();
  }

  /** Sets the latency of all later requests. */
  void delay(long millis) {
    delayNanos = TimeUnit.MILLISECONDS.toNanos(millis);
  }

  long requests() {
    return requests.get();
  }

  long bytes() {
    return bytes.get();
  }

  @Override
  public void close() {
    listening.close().syncUninterruptibly();
    loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
  }

  private void connect(SocketChannel client) {
    new Bootstrap()
        .group(client.eventLoop())
        .channel(NioSocketChannel.class)
        .option(ChannelOption.TCP_NODELAY, true)
        .option(ChannelOption.AUTO_READ, false)
        .handler(new Forward(client, false))
        .connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), upstream))
        .addListener(
            (ChannelFutureListener)
                connected -> {
                  if (connected.isSuccess()) {
                    client.pipeline().addLast(new Forward(connected.channel(), true));
                    client.read();
                    connected.channel().read();
                  } else {
                    client.close();
                  }
                });
  }

  /** Passes bytes on to another connection, and reads on when they are written. */
  private final class Forward extends ChannelInboundHandlerAdapter {
    private final Channel other;
    private final boolean toServer;
    private int matched; // bytes of the end of a request line

    Forward(Channel other, boolean toServer) {
      this.other = other;
      this.toServer = toServer;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      ByteBuf part = (ByteBuf) message;
      if (!toServer) {
        bytes.addAndGet(part.readableBytes());
        pass(context, part);
        return;
      }
      count(part);
      if (delayNanos == 0) {
        pass(context, part);
      } else {
        context.read(); // requests behind each other are as late as the first
        context
            .executor()
            .schedule(() -> other.writeAndFlush(part), delayNanos, TimeUnit.NANOSECONDS);
      }
    }

    private void pass(ChannelHandlerContext context, ByteBuf part) {
      other
          .writeAndFlush(part)
          .addListener(
              written -> {
                if (written.isSuccess()) {
                  context.read();
                } else {
                  context.close();
                }
              });
    }

    private void count(ByteBuf part) {
      part.forEachByte(
          value -> {
            matched = value == REQUEST[matched] ? matched + 1 : value == REQUEST[0] ? 1 : 0;
            if (matched == REQUEST.length) {
              requests.incrementAndGet();
              matched = 0;
            }
            return true;
          });
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
      if (toServer && delayNanos > 0) {
        context.executor().schedule(() -> other.close(), delayNanos, TimeUnit.NANOSECONDS);
      } else {
        other.close();
      }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      context.close();
    }
  }
}
