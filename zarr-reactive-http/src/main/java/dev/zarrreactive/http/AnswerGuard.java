package dev.zarrreactive.http;

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
 * Lets one answer through for each request, on the event loop of its connection.
 *
 * <p>Interim answers such as 100, 102 and 103 are dropped (RFC 9110, section 15.2). Bytes behind
 * the end of an answer close the connection, for the next request would take them for its answer:
 * the end is handed on when all bytes that came with it were looked at. An answer that has begun
 * and goes on more slowly than the least speed is given up as one that stalls.
 */
@SuppressWarnings("FutureReturnValueIgnored") // the promise tells; a close has no failure to tell
final class AnswerGuard extends ChannelDuplexHandler {
  private static final String NAME = "zarr.answers";
  private static final String BYTES = "zarr.bytes";

  private final long patienceNanos;
  private final long leastBytes;

  private boolean due;
  private boolean interim;

  /** The codec is looking at bytes that have just come. */
  private boolean reading;

  /** The codec keeps bytes of which it has not made anything yet. */
  private boolean kept;

  /** The end of an answer, until all bytes that came with it were looked at. */
  private @Nullable LastHttpContent end;

  /** More came than an answer. */
  private boolean tooMuch;

  private long arrived;
  private @Nullable Future<?> check;

  private AnswerGuard(Duration patience, int leastSpeed) {
    this.patienceNanos = patience.toNanos();
    this.leastBytes = (long) (leastSpeed * (patienceNanos / 1e9));
  }

  /** Guards the connection, or the stream of HTTP/2, unless it is guarded already. */
  static void on(Channel channel, HttpSettings settings) {
    ChannelPipeline pipeline = channel.pipeline();
    if (pipeline.get(NAME) != null || pipeline.get(NettyPipeline.ReactiveBridge) == null) {
      return;
    }
    AnswerGuard guard = new AnswerGuard(settings.stallTimeout(), settings.leastSpeed());
    pipeline.addBefore(NettyPipeline.ReactiveBridge, NAME, guard);
    if (pipeline.get(NettyPipeline.HttpCodec) != null) {
      pipeline.addBefore(NettyPipeline.HttpCodec, BYTES, guard.new BytesBelow());
    }
  }

  @Override
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
    if (message instanceof HttpRequest) {
      due = true;
      arrived = 0;
    }
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
    if (message instanceof HttpResponse answer) {
      interim = isInterim(answer.status());
    }
    if (interim) {
      ReferenceCountUtil.release(message);
      context.read(); // the client has asked for an answer, and that is still to come
      return;
    }
    watch(context);
    if (message instanceof HttpContent content) {
      arrived += content.content().readableBytes();
    }
    if (message instanceof LastHttpContent last) {
      ended();
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

  /** From the first byte of an answer on: before, the time-out of the client does it. */
  private void watch(ChannelHandlerContext context) {
    if (check == null && leastBytes > 0) {
      arrived = 0;
      check =
          context.executor().schedule(() -> check(context), patienceNanos, TimeUnit.NANOSECONDS);
    }
  }

  private void check(ChannelHandlerContext context) {
    check = null;
    if (!due) {
      return;
    }
    if (arrived < leastBytes) {
      context.fireExceptionCaught(ReadTimeoutException.INSTANCE);
      context.close();
    } else {
      watch(context);
    }
  }

  /** All bytes that came were looked at. */
  private void looked(ChannelHandlerContext context, boolean more) {
    LastHttpContent last = end;
    if (last == null) {
      return;
    }
    end = null;
    if (more || tooMuch) {
      tooMuch = true;
      Connection.from(context.channel()).markPersistent(false); // closed, not given back
    }
    ChannelHandlerContext guard = context.pipeline().context(NAME);
    if (guard == null) { // the connection was closed meanwhile
      last.release();
    } else {
      guard.fireChannelRead(last);
    }
  }

  /** Sees the bytes before the codec does. */
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
      looked(context, kept || uncertain);
    }
  }
}
