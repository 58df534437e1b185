package dev.zarrreactive.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.faults.NoLeaks;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.store.memory.MemoryStore;
import java.net.URI;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.netty.DisposableServer;
import reactor.netty.NettyInbound;
import reactor.netty.tcp.TcpClient;
import reactor.netty.tcp.TcpServer;

/** Windows of HTTP/2 are wide enough for a link that is long. */
@ExtendWith(NoLeaks.class)
class Http2WindowTest {
  private static final int SIZE = 3 << 20;

  /** The windows of HTTP/2 where a client asks for no others. */
  private static final int USUAL_WINDOW = 64 << 10;

  /** More bytes than a server sends to a client with usual windows that does not respond. */
  private static final int MANY_WINDOWS = 32 * USUAL_WINDOW;

  @Test
  void two_mebibytes_come_while_nothing_that_the_client_says_arrives() {
    MemoryStore values = MemoryStore.create();
    StoreKey key = StoreKey.of("large");
    Bytes value = Bytes.wrap(new byte[SIZE]);
    values.set(key, value).block();
    FaultyServer server = FaultyServer.of(values);
    AtomicLong received = new AtomicLong();
    Sinks.Empty<Void> opened = Sinks.empty();
    DisposableServer link =
        TcpServer.create()
            .host("127.0.0.1")
            .handle(
                (in, out) ->
                    TcpClient.create()
                        .host("127.0.0.1")
                        .port(server.port())
                        .handle(
                            (farIn, farOut) ->
                                Flux.merge(
                                    farOut.sendByteArray(heldBack(in, received, opened)),
                                    out.sendByteArray(counted(farIn, received))))
                        .connect()
                        .flatMap(connection -> connection.onDispose()))
            .bindNow();
    HttpStore store =
        HttpStore.at(URI.create("http://127.0.0.1:" + link.port())).http2(true).open();
    CompletableFuture<Bytes> read = store.get(key).toFuture();
    HttpCancelTest.eventually(() -> received.get() >= MANY_WINDOWS);
    opened.tryEmitEmpty();
    assertThat(read.join()).isEqualTo(value);
    store.close().block();
    link.disposeNow();
    server.close();
  }

  /** The server's bytes, counted as they pass. */
  private static Flux<byte[]> counted(NettyInbound from, AtomicLong received) {
    return from.receive().asByteArray().doOnNext(part -> received.addAndGet(part.length));
  }

  /** The client's bytes: once the body has begun to come, they wait until the link is opened. */
  private static Flux<byte[]> heldBack(
      NettyInbound from, AtomicLong received, Sinks.Empty<Void> opened) {
    return from.receive()
        .asByteArray()
        .concatMap(
            part ->
                received.get() < USUAL_WINDOW / 2
                    ? Mono.just(part)
                    : opened.asMono().thenReturn(part));
  }
}
