package dev.zarrreactive.faults.server;

import dev.zarrreactive.base.Bytes;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.http.server.HttpServerResponse;

/** Sends a response in parts, at the speed and with the ending of its behaviour. */
final class ResponseSender {
  /** The size of a part, which bounds the error of the count of sent bytes. */
  private static final int SLOW_PART = 8 << 10;

  private static final int PART = 64 << 10;

  private final ReceivedRequest asked;
  private final Behaviour behaviour;
  private final HttpServerResponse response;
  private final AtomicLong sent;

  /**
   * A sender for one request.
   *
   * @param sent counts the bytes of bodies
   */
  ResponseSender(
      ReceivedRequest asked, Behaviour behaviour, HttpServerResponse response, AtomicLong sent) {
    this.asked = asked;
    this.behaviour = behaviour;
    this.response = response;
    this.sent = sent;
  }

  /** Sends a response, or none. */
  Publisher<Void> send(ServerResponse answer) {
    if (behaviour.isWithoutAnswer()) {
      return end();
    }
    response.status(answer.status());
    answer.headers().forEach(response::header);
    boolean bodiless = asked.method().equals("HEAD") || answer.status() == 304;
    if (behaviour.knowsLength()
        && answer.status() != 304
        && !answer.headers().containsKey("content-length")) {
      response.header("content-length", String.valueOf(answer.body().size()));
    }
    if (bodiless) {
      return response.send();
    }
    long count = Math.min(answer.body().size(), behaviour.endingAfter());
    return response.send(parts(answer.body(), (int) count), part -> true).then().then(end());
  }

  private Flux<ByteBuf> parts(Bytes body, int count) {
    boolean slow = behaviour.bytesPerSecond() > 0;
    int most = slow ? SLOW_PART : PART;
    Flux<ByteBuf> parts =
        Flux.range(0, (count + most - 1) / most)
            .map(
                index -> {
                  int size = Math.min(most, count - index * most);
                  sent.addAndGet(size);
                  return Unpooled.wrappedBuffer(body.slice(index * most, size).asByteBuffer());
                });
    return slow
        ? parts.delayElements(Duration.ofNanos(most * 1_000_000_000L / behaviour.bytesPerSecond()))
        : parts;
  }

  /** Ends the connection or, over HTTP/2, the stream; a reset takes the whole connection. */
  private Mono<Void> end() {
    return switch (behaviour.ending()) {
      case WHOLE -> Mono.empty();
      case STALL -> Mono.never();
      case CUT -> ended(false);
      case RESET -> ended(true);
    };
  }

  private Mono<Void> ended(boolean reset) {
    return Mono.<Void>fromRunnable(
            () -> response.withConnection(connection -> end(connection.channel(), reset)))
        .then(Mono.never());
  }

  @SuppressWarnings("FutureReturnValueIgnored") // no code waits for the end
  private static void end(Channel stream, boolean reset) {
    Channel whole = stream.parent(); // of a stream its socket, of a socket the port
    boolean multiplexed = whole != null && whole.parent() != null;
    Channel ended = reset && multiplexed ? whole : stream;
    if (reset) {
      ended.config().setOption(ChannelOption.SO_LINGER, 0);
    }
    ended.close();
  }
}
