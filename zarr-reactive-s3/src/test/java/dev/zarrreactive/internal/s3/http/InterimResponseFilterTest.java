package dev.zarrreactive.internal.s3.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Interim answers, and bytes that no request asked for, on a connection without a network. */
class InterimResponseFilterTest {
  private static final String HINTS = "HTTP/1.1 103 Early Hints\r\nlink: <a>\r\n\r\n";
  private static final String PROCESSING = "HTTP/1.1 102 Processing\r\n\r\n";
  private static final String CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n";

  private final Reader reader = new Reader();
  private final EmbeddedChannel channel =
      new EmbeddedChannel(new HttpClientCodec(), new InterimResponseFilter(), reader);

  /** Stands for the SDK: keeps what it is given, and may close the connection in the middle. */
  private static final class Reader extends ChannelInboundHandlerAdapter {
    private final List<String> seen = new ArrayList<>();
    private boolean closesAtFirstPart;

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      if (message instanceof HttpResponse answer) {
        seen.add(String.valueOf(answer.status().code()));
      }
      if (message instanceof HttpContent part && part.content().isReadable()) {
        seen.add(part.content().toString(StandardCharsets.UTF_8));
        if (closesAtFirstPart) {
          var unused = context.close();
        }
      }
      assertThat(ReferenceCountUtil.refCnt(message)).isNotZero(); // released by nothing before
      ReferenceCountUtil.release(message);
    }
  }

  private static String answer(String body) {
    return "HTTP/1.1 200 OK\r\ncontent-length: " + body.length() + "\r\n\r\n" + body;
  }

  private static String chunked(String... parts) {
    StringBuilder body = new StringBuilder("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n");
    for (String part : parts) {
      body.append(Integer.toHexString(part.length())).append("\r\n").append(part).append("\r\n");
    }
    return body.append("0\r\n\r\n").toString();
  }

  private void ask(boolean expectsContinue) {
    DefaultFullHttpRequest request =
        new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/bucket/key");
    if (expectsContinue) {
      request.headers().set(HttpHeaderNames.EXPECT, "100-continue");
    }
    channel.writeOutbound(request);
    channel.releaseOutbound();
  }

  /** The bytes arrive together; they are released when everything that they were is. */
  private ByteBuf arrive(String bytes) {
    ByteBuf arrived = Unpooled.copiedBuffer(bytes, StandardCharsets.US_ASCII);
    channel.writeInbound(arrived);
    return arrived;
  }

  private void assertReleased(ByteBuf arrived) {
    channel.finishAndReleaseAll();
    channel.checkException(); // such as that of a second release
    assertThat(arrived.refCnt()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {HINTS, PROCESSING, CONTINUE, PROCESSING + HINTS + HINTS})
  void interim_answers_are_dropped_before_the_body(String interim) {
    ask(false);
    ByteBuf arrived = arrive(interim + chunked("one", "two"));
    assertThat(reader.seen).containsExactly("200", "one", "two");
    assertThat(channel.isOpen()).isTrue();
    assertReleased(arrived);
  }

  @Test
  void a_continue_that_is_expected_is_passed_on_once() {
    ask(true);
    ByteBuf arrived = arrive(HINTS + CONTINUE + CONTINUE + answer("value"));
    assertThat(reader.seen).containsExactly("100", "200", "value");
    assertReleased(arrived);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", HINTS, PROCESSING + HINTS})
  void a_body_that_goes_on_after_its_connection_was_closed_is_released_once(String interim) {
    reader.closesAtFirstPart = true;
    ask(false);
    ByteBuf arrived = arrive(interim + chunked("one", "two", "three") + answer("more"));
    assertThat(channel.isOpen()).isFalse();
    assertThat(reader.seen).startsWith("200", "one").doesNotContain("more");
    assertReleased(arrived);
  }

  @Test
  void answers_that_no_request_asked_for_close_the_connection_and_are_released_once() {
    ask(false);
    ByteBuf arrived = arrive(answer("value") + chunked("one", "two") + answer("more"));
    assertThat(channel.isOpen()).isFalse();
    assertThat(reader.seen).containsExactly("200", "value");
    assertReleased(arrived);
  }

  @Test
  void every_request_has_one_answer() {
    ask(false);
    ask(false);
    ByteBuf arrived = arrive(HINTS + answer("first") + HINTS + answer("second"));
    assertThat(reader.seen).containsExactly("200", "first", "200", "second");
    assertThat(channel.isOpen()).isTrue();
    assertReleased(arrived);
  }
}
