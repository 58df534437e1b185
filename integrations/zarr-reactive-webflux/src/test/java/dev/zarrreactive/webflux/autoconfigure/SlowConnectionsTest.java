package dev.zarrreactive.webflux.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelOption;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.netty.resources.LoopResources;

/** The bounds of connections are options of their sockets. */
class SlowConnectionsTest {
  private static final int BODY = 16 << 20;
  private static final int PIECE = 64 << 10;

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

  /** Returns the bytes of a body that a client gets who takes 64 KiB every ten milliseconds. */
  private static long taken(long leastSpeed) throws IOException, InterruptedException {
    HttpServer plain = HttpServer.create().host("127.0.0.1").port(0);
    DisposableServer server =
        new SlowConnections(20_000, Duration.ofMillis(200), leastSpeed)
            .on(plain)
            .handle(
                (request, response) ->
                    response.sendByteArray(Flux.range(0, BODY / PIECE).map(i -> new byte[PIECE])))
            .bindNow();
    long taken = 0;
    try (Socket socket = new Socket()) {
      socket.setReceiveBufferSize(PIECE);
      socket.connect(server.address());
      socket.getOutputStream().write("GET / HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      byte[] piece = new byte[PIECE];
      for (int read = socket.getInputStream().read(piece);
          read >= 0;
          read = socket.getInputStream().read(piece)) {
        taken += read;
        Thread.sleep(10);
      }
    } catch (SocketException e) {
      return taken; // reset
    } finally {
      server.disposeNow();
    }
    return taken;
  }

  @Test
  void a_client_that_takes_fewer_bytes_than_the_least_speed_is_cut() throws Exception {
    assertThat(taken(10L << 30)).isLessThan(BODY);
  }

  @Test
  void a_client_that_takes_the_least_speed_gets_everything() throws Exception {
    assertThat(taken(1)).isGreaterThanOrEqualTo(BODY);
  }

  @Test
  void zero_leaves_the_choice_to_the_system() throws IOException {
    assertThat(options(0, true)).isNotEqualTo(options(20_000, true));
  }
}
