package dev.zarrreactive.server;

import dev.zarrreactive.internal.threads.Environment;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Flags;
import io.netty.handler.codec.http2.Http2FrameListener;
import io.netty.handler.codec.http2.Http2FrameListenerDecorator;
import io.netty.handler.codec.http2.Http2Settings;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Ends a connection of HTTP/2 with {@code ENHANCE_YOUR_CALM} whose client sends frames that ask for
 * nothing, faster than any client has reason to: PING, SETTINGS, GOAWAY, PRIORITY and unknown ones,
 * and WINDOW_UPDATE beyond the bytes that it has taken. Netty does so for RST_STREAM, CONTINUATION
 * and empty DATA.
 */
final class FrameLimit extends Http2FrameListenerDecorator {
  /** The most frames in 30 seconds. A client that measures sends a PING a round trip. */
  static final int MOST = 2_000;

  private static final long NANOS = TimeUnit.SECONDS.toNanos(30);

  /** A client opens the windows of the stream and of the connection, and may do so by halves. */
  private static final int UPDATES_OF_A_WRITE = 4;

  private final LongSupplier writes;
  private int frames;
  private long begun = Environment.current().nanoTime();
  private long updates;

  /**
   * Creates a limit.
   *
   * @param writes the writes to the client so far
   */
  FrameLimit(Http2FrameListener listener, LongSupplier writes) {
    super(listener);
    this.writes = writes;
  }

  private void count(String kind) throws Http2Exception {
    if (++frames <= MOST) {
      return;
    }
    long now = Environment.current().nanoTime();
    if (now - begun < NANOS) {
      throw flood(kind);
    }
    begun = now;
    frames = 1;
  }

  private static Http2Exception flood(String kind) {
    return Http2Exception.connectionError(
        Http2Error.ENHANCE_YOUR_CALM, "more %s frames than a client has reason to send", kind);
  }

  @Override
  public void onPingRead(ChannelHandlerContext context, long data) throws Http2Exception {
    count("PING");
    super.onPingRead(context, data);
  }

  @Override
  public void onPingAckRead(ChannelHandlerContext context, long data) throws Http2Exception {
    count("PING");
    super.onPingAckRead(context, data);
  }

  @Override
  public void onSettingsRead(ChannelHandlerContext context, Http2Settings settings)
      throws Http2Exception {
    count("SETTINGS");
    super.onSettingsRead(context, settings);
  }

  @Override
  public void onSettingsAckRead(ChannelHandlerContext context) throws Http2Exception {
    count("SETTINGS");
    super.onSettingsAckRead(context);
  }

  @Override
  public void onGoAwayRead(
      ChannelHandlerContext context, int lastStream, long errorCode, ByteBuf debugData)
      throws Http2Exception {
    count("GOAWAY");
    super.onGoAwayRead(context, lastStream, errorCode, debugData);
  }

  @Override
  public void onPriorityRead(
      ChannelHandlerContext context, int stream, int parent, short weight, boolean isExclusive)
      throws Http2Exception {
    count("PRIORITY");
    super.onPriorityRead(context, stream, parent, weight, isExclusive);
  }

  @Override
  public void onUnknownFrame(
      ChannelHandlerContext context, byte type, int stream, Http2Flags flags, ByteBuf payload)
      throws Http2Exception {
    count("unknown");
    super.onUnknownFrame(context, type, stream, flags, payload);
  }

  @Override
  public void onWindowUpdateRead(ChannelHandlerContext context, int stream, int bytes)
      throws Http2Exception {
    if (++updates > MOST + UPDATES_OF_A_WRITE * writes.getAsLong()) {
      throw flood("WINDOW_UPDATE");
    }
    super.onWindowUpdateRead(context, stream, bytes);
  }
}
