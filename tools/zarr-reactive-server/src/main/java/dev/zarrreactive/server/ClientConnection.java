package dev.zarrreactive.server;

import dev.zarrreactive.internal.threads.Environment;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.channel.ServerChannel;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2RemoteFlowController;
import io.netty.util.AttributeKey;
import io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A connection of a client. It closes where the client sends no request for the idle timeout, or
 * half a head for the head timeout. It closes, too, where bytes wait for the client through a stall
 * timeout and it takes fewer than the least speed. A connection that waits for the store stays
 * open.
 *
 * <p>All methods but {@link #close} run on the event loop of the connection. One timer at a time
 * checks for requests, and one for bytes, so that neither a request nor a write sets a timer.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a close cannot fail
final class ClientConnection extends ChannelDuplexHandler {
  private static final AttributeKey<ClientConnection> KEY =
      AttributeKey.valueOf(ClientConnection.class, "connection");

  /** The option of netty's epoll, by its name: netty makes one option of a name. */
  private static final ChannelOption<Long> UNSENT =
      ChannelOption.valueOf("io.netty.channel.epoll.EpollChannelOption#TCP_NOTSENT_LOWAT");

  /** The checks of bytes in a stall timeout. */
  private static final int CHECKS = 4;

  private final Channel channel;
  private final ServerLimits limits;
  private final ClientConnections connections;
  private int requests;

  /** The time by which a request must be there. */
  private long deadline;

  /** A byte has come since the last request. */
  private boolean hasBegun;

  /** The codec of HTTP/2; null where the connection speaks HTTP/1.1, or has said nothing. */
  private @Nullable Http2FrameCodec frames;

  private @Nullable ScheduledFuture<?> requestCheck;
  private @Nullable ScheduledFuture<?> speedCheck;

  /** The bytes that were given to the connection. */
  private long given;

  private long writes;

  /** The bytes that the client had taken at the last checks, the oldest one first. */
  private final long[] taken = new long[CHECKS];

  /** The checks in a row before which bytes have waited at all times. */
  private int slowChecks;

  /** A write has found all bytes taken: the client waits for the server. */
  private boolean hasCaughtUp;

  ClientConnection(Channel channel, ServerLimits limits, ClientConnections connections) {
    this.channel = channel;
    this.limits = limits;
    this.connections = connections;
  }

  /** Watches the connection, and bounds the bytes that the operating system takes for it. */
  void watch() {
    int unsent = limits.unsentBytes();
    if (unsent > 0 && !channel.config().setOption(UNSENT, (long) unsent)) {
      channel.config().setOption(ChannelOption.SO_SNDBUF, 2 * unsent);
    }
    channel.attr(KEY).set(this);
    channel.pipeline().addFirst("zarr.client", this);
    channel.closeFuture().addListener(closed -> ended());
  }

  private void ended() {
    connections.remove(this);
    cancel(requestCheck);
    cancel(speedCheck);
  }

  private static void cancel(@Nullable ScheduledFuture<?> check) {
    if (check != null) {
      check.cancel(false);
    }
  }

  ChannelFuture close() {
    return channel.close();
  }

  /** Notes that a request has begun; {@code channel} may be a stream of HTTP/2. */
  static void begin(Channel channel) {
    ClientConnection connection = of(channel);
    if (connection != null && connection.requests++ == 0) {
      connection.connections.begin(connection);
      if (connection.frames != null) {
        connection.watchSpeed();
      }
    }
  }

  /** Notes that a request of {@link #begin} has been answered. */
  static void end(Channel channel) {
    ClientConnection connection = of(channel); // a stream is closed by now
    if (connection != null && --connection.requests == 0 && connection.channel.isOpen()) {
      connection.connections.end(connection);
      connection.await();
    }
  }

  private static @Nullable ClientConnection of(Channel channel) {
    Channel parent = channel.parent();
    Channel connection = parent == null || parent instanceof ServerChannel ? channel : parent;
    return connection.attr(KEY).get();
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    await();
    context.fireChannelActive();
  }

  /** Awaits a request from now on. */
  private void await() {
    hasBegun = false;
    awaitFor(limits.idleTimeout());
  }

  private void awaitFor(Duration time) {
    deadline = now() + time.toNanos();
    ScheduledFuture<?> check = requestCheck;
    if (check == null || check.getDelay(TimeUnit.NANOSECONDS) > time.toNanos()) {
      cancel(check);
      checkRequestIn(time.toNanos());
    }
  }

  private void checkRequestIn(long nanos) {
    requestCheck = channel.eventLoop().schedule(this::checkRequest, nanos, TimeUnit.NANOSECONDS);
  }

  private void checkRequest() {
    requestCheck = null;
    if (requests > 0 || !channel.isOpen()) {
      return; // its end awaits the next one
    }
    long rest = deadline - now();
    if (rest > 0) {
      checkRequestIn(rest);
    } else {
      channel.close();
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object bytes) {
    if (requests == 0 && !hasBegun && frames == null) {
      hasBegun = true;
      awaitFor(limits.headTimeout());
    }
    context.fireChannelRead(bytes);
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    if (frames == null) {
      Http2FrameCodec codec = context.pipeline().get(Http2FrameCodec.class);
      if (codec != null) {
        frames = codec;
        codec
            .decoder()
            .frameListener(new FrameLimit(codec.decoder().frameListener(), () -> writes));
        if (requests > 0) {
          watchSpeed();
        }
      }
    }
    context.fireChannelReadComplete();
  }

  @Override
  public void write(ChannelHandlerContext context, Object bytes, ChannelPromise promise) {
    long before = waiting();
    hasCaughtUp |= before == 0;
    context.write(bytes, promise);
    given += waiting() - before;
    writes++;
    watchSpeed();
  }

  /** Returns the bytes that the client has yet to take, without those behind a window of HTTP/2. */
  private long waiting() {
    ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
    return buffer == null ? 0 : buffer.totalPendingWriteBytes();
  }

  /** Returns true where bytes wait for the client to open the window of a stream. */
  private boolean isHeldByWindow() {
    Http2FrameCodec codec = frames;
    if (codec == null) {
      return false;
    }
    Http2RemoteFlowController flow = codec.connection().remote().flowController();
    try {
      return codec.connection().forEachActiveStream(stream -> !flow.hasFlowControlled(stream))
          != null;
    } catch (Http2Exception e) {
      return false; // no visitor throws one
    }
  }

  private void watchSpeed() {
    if (speedCheck == null) {
      hasCaughtUp = false;
      slowChecks = 0;
      checkSpeedLater();
    }
  }

  private void checkSpeedLater() {
    long nanos = limits.stallTimeout().toNanos() / CHECKS;
    speedCheck = channel.eventLoop().schedule(this::checkSpeed, nanos, TimeUnit.NANOSECONDS);
  }

  /** Closes a connection with bytes that have waited through as many checks as make a timeout. */
  private void checkSpeed() {
    speedCheck = null;
    boolean isHeld = isHeldByWindow();
    long bytes = waiting();
    boolean isIdle = bytes == 0 && !isHeld && (frames == null || requests == 0);
    if (isIdle || !channel.isOpen()) {
      return;
    }
    long now = given - bytes;
    boolean hasWaited = isHeld || (bytes > 0 && !hasCaughtUp);
    slowChecks = hasWaited ? slowChecks + 1 : 0;
    hasCaughtUp = false;
    if (slowChecks > CHECKS && now - taken[slowChecks % CHECKS] < leastBytes()) {
      channel.close();
      return;
    }
    taken[slowChecks % CHECKS] = now;
    checkSpeedLater();
  }

  private long leastBytes() {
    return Math.max(1, (long) (limits.leastSpeed() * (limits.stallTimeout().toNanos() / 1e9)));
  }

  private static long now() {
    return Environment.current().nanoTime();
  }
}
