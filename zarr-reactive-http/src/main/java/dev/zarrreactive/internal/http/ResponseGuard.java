package dev.zarrreactive.internal.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.timeout.ReadTimeoutException;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import reactor.netty.Connection;
import reactor.netty.NettyPipeline;

/**
 * Passes one response for each request, on the event loop of its connection.
 *
 * <p>It drops interim responses such as 100, 102 and 103 (RFC 9110, section 15.2). Bytes behind the
 * end of a response close the connection: the next request would take them for its response. So the
 * end of a response waits here until the codec has parsed all bytes that came with it.
 *
 * <p>A request without a byte of its response for the stall timeout after its last part fails, as
 * does a response that goes on more slowly than the least speed. One timer of the connection checks
 * both now and then, so that neither a request nor a part that arrives sets a timer.
 */
@SuppressWarnings(
    "FutureReturnValueIgnored") // the promise reports a failed write; a close cannot fail
final class ResponseGuard extends ChannelDuplexHandler {
  private static final String NAME = "zarr.responses";
  private static final String BYTES = "zarr.bytes";

  private final long patienceNanos;
  private final long leastBytes;

  private boolean due;
  private boolean interim;

  /** The codec is parsing bytes that have just arrived. */
  private boolean reading;

  /** The codec holds bytes of an unfinished message. */
  private boolean kept;

  /** The end of a response, until the codec has parsed all bytes that came with it. */
  private @Nullable LastHttpContent end;

  /** Bytes have arrived behind the response. */
  private boolean tooMuch;

  /** The time of the last byte of the response, or of the last part of the request. */
  private long lastHeard;

  /** The bytes of the response since {@link #countedFrom}. */
  private long arrived;

  /** The time from which on the speed counts: at first that of the first byte. */
  private long countedFrom;

  private boolean begun;
  private @Nullable Future<?> check;

  private ResponseGuard(Duration patience, int leastSpeed) {
    this.patienceNanos = patience.toNanos();
    this.leastBytes = (long) (leastSpeed * (patienceNanos / 1e9));
  }

  /** Adds a guard to a connection, or a stream of HTTP/2, without one. */
  static void on(Channel channel, Duration stallTimeout, int leastSpeed) {
    ChannelPipeline pipeline = channel.pipeline();
    if (pipeline.get(NAME) != null || pipeline.get(NettyPipeline.ReactiveBridge) == null) {
      return;
    }
    ResponseGuard guard = new ResponseGuard(stallTimeout, leastSpeed);
    pipeline.addBefore(NettyPipeline.ReactiveBridge, NAME, guard);
    if (pipeline.get(NettyPipeline.HttpCodec) != null) {
      pipeline.addBefore(NettyPipeline.HttpCodec, BYTES, guard.new BytesBelow());
    }
  }

  @Override
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
    if (message instanceof HttpRequest) {
      due = true;
      begun = false;
      if (check == null) {
        checkIn(context, patienceNanos);
      }
    }
    lastHeard = System.nanoTime(); // a part of a body goes on when the connection has taken others
    context.write(message, promise);
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (!due) {
      ReferenceCountUtil.release(message);
      tooMuch = true;
      if (end == null) {
        context.close();
      }
      return;
    }
    lastHeard = System.nanoTime();
    if (message instanceof HttpResponse response) {
      interim = isInterim(response.status());
    }
    if (interim) {
      ReferenceCountUtil.release(message);
      context.read(); // the client waits for the final response
      return;
    }
    if (!begun) {
      begun = true;
      countedFrom = lastHeard;
      arrived = 0;
    }
    if (message instanceof HttpContent content) {
      arrived += content.content().readableBytes();
    }
    if (message instanceof LastHttpContent last) {
      due = false;
      if (reading) {
        end = last;
        return;
      }
    }
    context.fireChannelRead(message);
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    ended();
    context.fireChannelInactive();
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    ended();
    ReferenceCountUtil.release(end);
    end = null;
  }

  private static boolean isInterim(HttpResponseStatus status) {
    return status.codeClass() == HttpStatusClass.INFORMATIONAL
        && !status.equals(HttpResponseStatus.SWITCHING_PROTOCOLS);
  }

  private void ended() {
    due = false;
    if (check != null) {
      check.cancel(false);
      check = null;
    }
  }

  private void checkIn(ChannelHandlerContext context, long nanos) {
    check = context.executor().schedule(() -> check(context), nanos, TimeUnit.NANOSECONDS);
  }

  /** Fails a request that stalls. An idle connection has no timer: its next request sets one. */
  private void check(ChannelHandlerContext context) {
    check = null;
    if (!due) {
      return;
    }
    long now = System.nanoTime();
    long left = lastHeard + patienceNanos - now;
    if (left > 0 && begun && leastBytes > 0) {
      if (now - countedFrom >= patienceNanos) {
        left = arrived < leastBytes ? 0 : left;
        countedFrom = now;
        arrived = 0;
      }
      left = Math.min(left, countedFrom + patienceNanos - now);
    }
    if (left > 0) {
      checkIn(context, left);
    } else {
      context.fireExceptionCaught(ReadTimeoutException.INSTANCE);
      context.close();
    }
  }

  /** Passes the end of the response, after the codec has parsed all bytes that came with it. */
  private void parsed(ChannelHandlerContext context, boolean more) {
    LastHttpContent last = end;
    if (last == null) {
      return;
    }
    end = null;
    if (more || tooMuch) {
      tooMuch = true;
      Connection.from(context.channel()).markPersistent(false); // closed, not returned to the pool
    }
    ChannelHandlerContext guard = context.pipeline().context(NAME);
    if (guard == null) { // the connection has closed
      last.release();
    } else {
      guard.fireChannelRead(last);
    }
  }

  /** Sees bytes before the codec parses them. */
  private final class BytesBelow extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      if (!due && !(message instanceof ByteBuf bytes && !bytes.isReadable())) {
        ReferenceCountUtil.release(message);
        context.close();
        return;
      }
      boolean uncertain = kept;
      reading = true;
      context.fireChannelRead(message);
      reading = false;
      kept = message instanceof ByteBuf bytes && bytes.refCnt() > 0 && bytes.isReadable();
      parsed(context, kept || uncertain);
    }
  }
}
