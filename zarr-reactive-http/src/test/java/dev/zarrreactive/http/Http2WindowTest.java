package dev.zarrreactive.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.faults.FaultyServer;
import dev.zarrreactive.faults.NoLeaks;
import dev.zarrreactive.store.Bytes;
import dev.zarrreactive.store.MemoryStore;
import dev.zarrreactive.store.StoreKey;
import java.net.URI;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.NettyInbound;
import reactor.netty.NettyOutbound;
import reactor.netty.tcp.TcpClient;
import reactor.netty.tcp.TcpServer;

/** Windows of HTTP/2 are wide enough for a link that is long. */
@ExtendWith(NoLeaks.class)
class Http2WindowTest {
  private static final Duration ONE_WAY = Duration.ofMillis(25);
  private static final int SIZE = 2 << 20;
  private static final int VALUES = 8;

  /** Every byte arrives later, and as many may be under way as there are. */
  private static Publisher<Void> late(NettyInbound from, NettyOutbound to) {
    Flux<byte[]> late =
        from.receive()
            .asByteArray()
            .flatMapSequential(part -> Mono.delay(ONE_WAY).thenReturn(part), 1 << 20, 1);
    return to.sendByteArray(late);
  }

  @Test
  void sixteen_mebibytes_over_a_link_of_fifty_milliseconds_take_a_few_round_trips() {
    MemoryStore values = MemoryStore.create();
    for (int i = 0; i < VALUES; i++) {
      values.set(StoreKey.of("" + i), Bytes.wrap(new byte[SIZE])).block();
    }
    FaultyServer server = FaultyServer.of(values);
    DisposableServer link =
        TcpServer.create()
            .host("127.0.0.1")
            .handle(
                (in, out) ->
                    TcpClient.create()
                        .host("127.0.0.1")
                        .port(server.port())
                        .handle((farIn, farOut) -> Flux.merge(late(in, farOut), late(farIn, out)))
                        .connect()
                        .flatMap(connection -> connection.onDispose()))
            .bindNow();
    HttpStore store =
        HttpStore.at(URI.create("http://127.0.0.1:" + link.port())).http2(true).build();
    Flux<Bytes> all = Flux.range(0, VALUES).flatMap(i -> store.get(StoreKey.of("" + i)));
    long start = System.nanoTime();
    long bytes =
        Objects.requireNonNull(
            all.map(Bytes::size).reduce(0L, Long::sum).block(Duration.ofSeconds(60)));
    Duration took = Duration.ofNanos(System.nanoTime() - start);
    assertThat(bytes).isEqualTo((long) VALUES * SIZE);
    // 64 KiB for each round trip would be 256 of them, or 12.8 s
    assertThat(took).isLessThan(Duration.ofSeconds(5));
    store.close().block();
    link.disposeNow();
    server.close();
  }
}
