package dev.zarrreactive.s3;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;

/**
 * Takes what is no answer out of a connection of HTTP/1.1, where the SDK would take it for one.
 * Interim answers, such as 103, are dropped (RFC 9110, section 15.2), but for a 100 that the
 * request expects. Bytes that come when no answer is due close the connection: the next request
 * would take them for its answer.
 */
final class InterimAnswers extends ChannelDuplexHandler {
  /** Instead of a status: what is being read is no interim answer. */
  private static final int FINAL = 0;

  /** How many requests are still to be answered. */
  private int due;

  /** The status of the interim answer that is being read. */
  private int interim = FINAL;

  private boolean expectsContinue;

  InterimAnswers() {}

  /** Returns a connection that has this. */
  static NioSocketChannel channel() {
    NioSocketChannel channel = new NioSocketChannel();
    channel.pipeline().addLast(new Installer());
    return channel;
  }

  @Override
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
    if (message instanceof HttpRequest request) {
      due++;
      expectsContinue = HttpUtil.is100ContinueExpected(request);
    }
    var unused = context.write(message, promise); // the promise is looked at
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (due == 0) {
      ReferenceCountUtil.release(message);
      var unused = context.close();
      return;
    }
    if (message instanceof HttpResponse answer && isInterim(answer)) {
      interim = answer.status().code();
    }
    int within = interim;
    if (message instanceof LastHttpContent) {
      due -= within == FINAL ? 1 : 0;
      interim = FINAL;
    }
    if (within == FINAL || (within == 100 && expectsContinue)) {
      expectsContinue &= within == FINAL || interim != FINAL; // one is enough
      context.fireChannelRead(message);
    } else {
      ReferenceCountUtil.release(message);
      context.read(); // the SDK asks for one answer, and that is still to come
    }
  }

  private static boolean isInterim(HttpResponse answer) {
    return answer.decoderResult().isSuccess()
        && answer.status().codeClass() == HttpStatusClass.INFORMATIONAL
        && answer.status().code() != 101; // which changes the protocol
  }

  /** Puts it behind the codec, which the SDK adds before it connects; not over HTTP/2. */
  private static final class Installer extends ChannelInboundHandlerAdapter {
    @Override
    public void channelActive(ChannelHandlerContext context) {
      ChannelHandlerContext codec = context.pipeline().context(HttpClientCodec.class);
      if (codec != null) {
        context.pipeline().addAfter(codec.name(), null, new InterimAnswers());
        context.pipeline().addLast(new Unused());
      }
      context.pipeline().remove(this);
      context.fireChannelActive();
    }
  }

  /**
   * Ends errors of a connection without a request. The SDK fires one more for a request that was
   * cancelled before it was written, when the connection is closed already; it would be logged.
   */
  private static final class Unused extends ChannelInboundHandlerAdapter {
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable error) {
      if (context.pipeline().last() == this) {
        var unused = context.close();
      } else {
        context.fireExceptionCaught(error);
      }
    }
  }
}
