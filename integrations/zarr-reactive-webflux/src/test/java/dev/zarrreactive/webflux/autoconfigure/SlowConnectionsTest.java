package dev.zarrreactive.webflux.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.netty.resources.LoopResources;

/** The bounds of connections are options of their sockets. */
class SlowConnectionsTest {
  private static final ChannelOption<Long> UNSENT =
      ChannelOption.valueOf("io.netty.channel.epoll.EpollChannelOption#TCP_NOTSENT_LOWAT");

  /**
   * The options of a connection.
   *
   * @param unsent -1 where the transport has no such option
   */
  private record Options(long unsent, int sendBuffer) {
    static Options of(ChannelConfig config) {
      Long unsent = config.getOptions().containsKey(UNSENT) ? config.getOption(UNSENT) : null;
      return new Options(unsent == null ? -1 : unsent, config.getOption(ChannelOption.SO_SNDBUF));
    }
  }

  private static Options options(int maxUnsent, boolean isNative) throws IOException {
    AtomicReference<Options> seen = new AtomicReference<>();
    HttpServer plain = HttpServer.create().host("127.0.0.1").port(0);
    DisposableServer server =
        new SlowConnections(maxUnsent, Duration.ZERO, 0)
            .on(isNative ? plain : plain.runOn(LoopResources.create("nio"), false))
            .handle(
                (request, response) ->
                    response
                        .withConnection(
                            connection -> seen.set(Options.of(connection.channel().config())))
                        .sendString(Mono.just("a")))
            .bindNow();
    try (InputStream body = URI.create("http://127.0.0.1:" + server.port()).toURL().openStream()) {
      body.readAllBytes();
      return seen.get();
    } finally {
      server.disposeNow();
    }
  }

  @Test
  void unsent_bytes_are_bounded_and_the_send_buffer_grows_with_the_link() throws IOException {
    Options options = options(100_000, true);
    if (options.unsent() >= 0) {
      assertThat(options.unsent()).isEqualTo(100_000);
      assertThat(options.sendBuffer()).isEqualTo(options(0, true).sendBuffer());
    } else {
      assertThat(options.sendBuffer()).isGreaterThanOrEqualTo(200_000);
    }
  }

  @Test
  void the_send_buffer_is_bounded_where_the_transport_has_no_such_option() throws IOException {
    assertThat(options(20_000, false).sendBuffer()).isBetween(40_000, 80_000);
  }

  /** A connection whose client takes bytes when the test says so, at a time that the test says. */
  private static final class Paced extends EmbeddedChannel {
    private static final int SECONDS = 60;
    private long takes;

    Paced(long leastSpeed) {
      super(new SlowConnections.LeastSpeed(Duration.ofSeconds(SECONDS), SECONDS * leastSpeed));
      freezeTime();
    }

    @Override
    protected void doWrite(ChannelOutboundBuffer waiting) {
      while (takes > 0 && waiting.current() instanceof ByteBuf bytes) {
        long taken = Math.min(takes, bytes.readableBytes());
        takes -= taken;
        waiting.removeBytes(taken);
      }
    }

    /** Takes as many bytes in each second of a time. */
    void take(int seconds, long bytesPerSecond) {
      for (int second = 0; second < seconds && isOpen(); second++) {
        takes = bytesPerSecond;
        flush();
        advanceTimeBy(1, TimeUnit.SECONDS);
        runPendingTasks();
      }
    }
  }

  private static Paced paced(long leastSpeed) {
    Paced channel = new Paced(leastSpeed);
    for (int i = 0; i < 100; i++) {
      channel.write(Unpooled.wrappedBuffer(new byte[10_000]));
    }
    return channel;
  }

  @Test
  void a_client_that_takes_fewer_bytes_than_the_least_speed_is_cut_after_a_stall_timeout() {
    Paced channel = paced(1000);
    channel.take(59, 900);
    assertThat(channel.isOpen()).isTrue();
    channel.take(30, 900);
    assertThat(channel.isOpen()).isFalse();
    channel.finishAndReleaseAll();
  }

  @Test
  void a_client_that_takes_the_least_speed_is_never_cut() {
    Paced channel = paced(1000);
    channel.take(900, 1100);
    assertThat(channel.isOpen()).isTrue();
    channel.finishAndReleaseAll();
  }

  @Test
  void a_client_that_waits_for_the_service_is_never_slow() {
    Paced channel = new Paced(1000);
    for (int minute = 0; minute < 60; minute++) {
      channel.write(Unpooled.wrappedBuffer(new byte[10]));
      channel.take(60, 1);
    }
    assertThat(channel.isOpen()).isTrue();
    channel.finishAndReleaseAll();
  }

  @Test
  void zero_leaves_the_choice_to_the_system() throws IOException {
    assertThat(options(0, true)).isNotEqualTo(options(20_000, true));
  }
}
