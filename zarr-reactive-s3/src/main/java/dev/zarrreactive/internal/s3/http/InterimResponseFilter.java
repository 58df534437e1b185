package dev.zarrreactive.internal.s3.http;

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
 * Drops messages of a connection of HTTP/1.1 that the SDK would take for the response. It drops
 * interim responses, such as 103 (RFC 9110, section 15.2), but for a 100 that the request expects.
 * Bytes without a request close the connection: the next request would take them for its response.
 */
final class InterimResponseFilter extends ChannelDuplexHandler {
  /** In place of a status: the codec reads a final response. */
  private static final int FINAL = 0;

  /** The number of requests without a final response. */
  private int due;

  /** The status of the interim response that the codec reads. */
  private int interim = FINAL;

  private boolean expectsContinue;

  InterimResponseFilter() {}

  /** Returns a channel with a filter, which reports a failed connection late. */
  static NioSocketChannel channel() {
    NioSocketChannel channel = new NioSocketChannel();
    channel.pipeline().addLast(new LateConnectFailure());
    channel.pipeline().addLast(new Installer());
    return channel;
  }

  @Override
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
    if (message instanceof HttpRequest request) {
      due++;
      expectsContinue = HttpUtil.is100ContinueExpected(request);
    }
    var unused = context.write(message, promise); // the promise reports a failure
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (due == 0) {
      ReferenceCountUtil.release(message);
      var unused = context.close();
      return;
    }
    if (message instanceof HttpResponse response && isInterim(response)) {
      interim = response.status().code();
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
      context.read(); // the SDK waits for the final response
    }
  }

  private static boolean isInterim(HttpResponse response) {
    return response.decoderResult().isSuccess()
        && response.status().codeClass() == HttpStatusClass.INFORMATIONAL
        && response.status().code() != 101; // which changes the protocol
  }

  /** Adds a filter behind the codec, which the SDK adds before it connects; none over HTTP/2. */
  private static final class Installer extends ChannelInboundHandlerAdapter {
    @Override
    public void channelActive(ChannelHandlerContext context) {
      ChannelHandlerContext codec = context.pipeline().context(HttpClientCodec.class);
      if (codec != null) {
        context.pipeline().addAfter(codec.name(), null, new InterimResponseFilter());
        context.pipeline().addLast(new Unused());
      }
      context.pipeline().remove(this);
      context.fireChannelActive();
    }
  }

  /**
   * Closes a connection without a request at an error. The SDK fires one for a request that was
   * cancelled before it was written, over a closed connection; Netty would log it.
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
