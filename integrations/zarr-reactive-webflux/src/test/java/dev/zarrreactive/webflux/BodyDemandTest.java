package dev.zarrreactive.webflux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.UnfinishedWriteException;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.observation.StoreOperation;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testkit.HeldRequests;
import dev.zarrreactive.testkit.InstrumentedStore;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.NettyDataBufferFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** What is demanded of a client while the store is slow, and what becomes of its buffers. */
class BodyDemandTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int ROWS = 1000;
  private static final int ROW = 64 << 10;

  /** A quarter of the budget is gathered and written: 16 rows. */
  private static final long BUDGET = 4L << 20;

  /** Those, as many that wait for their turn, and a few in the operators between. */
  private static final int MOST = 40;

  private final InstrumentedStore store = InstrumentedStore.of(MemoryStore.create());
  private final List<ByteBuf> sent = new CopyOnWriteArrayList<>();

  private ZarrArray array() {
    ZarrHierarchy hierarchy =
        Zarr.hierarchy(store, ZarrOptions.defaults().withMaxInFlightBytes(BUDGET));
    return hierarchy
        .createArray(
            "a", ArrayMetadata.v3(Shape.of(ROWS, ROW), DataTypes.UINT8).chunkShape(1, ROW).build())
        .block(PATIENCE);
  }

  /** The buffers of a client, each with half a row. */
  private Flux<DataBuffer> buffers(int rows) {
    NettyDataBufferFactory factory = new NettyDataBufferFactory(PooledByteBufAllocator.DEFAULT);
    return Flux.range(0, 2 * rows)
        .map(
            number -> {
              ByteBuf half = PooledByteBufAllocator.DEFAULT.buffer(ROW / 2);
              half.writeZero(ROW / 2).setByte(0, number / 2 % 250 + 1);
              sent.add(half);
              return factory.wrap(half);
            });
  }

  private static ArrayBody body(Flux<DataBuffer> buffers) {
    HttpHeaders headers = new HttpHeaders();
    headers.setContentType(MediaType.APPLICATION_OCTET_STREAM);
    return new ArrayBody(buffers, headers, 256 << 10);
  }

  private void assertReleased() {
    assertThat(sent).allSatisfy(buffer -> assertThat(buffer.refCnt()).isZero());
  }

  @Test
  void a_store_that_does_not_answer_stops_the_demand_of_the_body() throws InterruptedException {
    ZarrArray array = array();
    HeldRequests held = store.hold(request -> request.operation() == StoreOperation.SET);
    CountDownLatch ended = new CountDownLatch(1);
    Mono<Void> write =
        body(buffers(ROWS)).writeTo(array, "...").doFinally(end -> ended.countDown());
    write.subscribe();
    while (held.waiting() == 0) {
      Thread.onSpinWait();
    }
    assertThat(sent).hasSizeLessThan(2 * MOST);
    store.behave();
    held.release();
    assertThat(ended.await(60, TimeUnit.SECONDS)).isTrue();
    assertThat(sent).hasSize(2 * ROWS);
    assertReleased();
    assertThat(array.read("999,0").block(PATIENCE).getLong()).isEqualTo(999 % 250 + 1);
  }

  @Test
  void a_client_that_leaves_ends_the_write_and_frees_its_buffers() {
    ZarrArray array = array();
    HeldRequests held = store.hold(request -> request.operation() == StoreOperation.SET);
    Disposable write = body(buffers(ROWS)).writeTo(array, "...").subscribe();
    while (held.waiting() == 0) {
      Thread.onSpinWait();
    }
    write.dispose();
    int atTheEnd = sent.size();
    while (sent.stream().anyMatch(buffer -> buffer.refCnt() > 0)) {
      Thread.onSpinWait();
    }
    assertThat(sent.size()).isLessThan(2 * MOST).isLessThanOrEqualTo(atTheEnd + 2);
    held.release();
  }

  @Test
  void a_connection_that_breaks_tells_how_many_rows_are_stored_and_frees_its_buffers() {
    ZarrArray array = array();
    Flux<DataBuffer> broken =
        Flux.concat(List.of(buffers(100), Mono.error(new IOException("reset"))));
    assertThatThrownBy(() -> body(broken).writeTo(array, "...").block(PATIENCE))
        .isInstanceOf(UnfinishedWriteException.class)
        .hasMessageMatching(
            "(?s).*the first (99|100) of 1000 rows.*"); // the last one may be under way
    assertReleased();
  }

  @Test
  void a_row_beyond_a_quarter_of_the_bytes_in_flight_is_refused_before_it_is_read() {
    ZarrHierarchy hierarchy =
        Zarr.hierarchy(store, ZarrOptions.defaults().withMaxInFlightBytes(BUDGET));
    ZarrArray wide =
        hierarchy
            .createArray(
                "wide",
                ArrayMetadata.v3(Shape.of(2, 2 << 20), DataTypes.UINT8)
                    .chunkShape(1, 1 << 20)
                    .build())
            .block(PATIENCE);
    assertThatThrownBy(() -> body(buffers(64)).writeTo(wide, "...").block(PATIENCE))
        .isInstanceOf(RefusedSliceException.class)
        .hasMessageContaining("a row of the body has 2097152 bytes");
    assertThat(sent).isEmpty();
  }

  @Test
  void the_socket_of_a_client_waits_for_the_store() throws IOException {
    array();
    HeldRequests held = store.hold(request -> request.operation() == StoreOperation.SET);
    long size = (long) ROWS * ROW;
    try (ConfigurableApplicationContext service =
            SliceService.start(store, Map.of("zarr.max-in-flight", "4MB"), WriteController.class);
        SocketChannel client =
            SocketChannel.open(new InetSocketAddress("127.0.0.1", SliceService.port(service)))) {
      client.write(
          ByteBuffer.wrap(
              ("PUT /arrays/a HTTP/1.1\r\nHost: here\r\nConnection: close\r\nContent-Type:"
                      + " application/octet-stream\r\nContent-Length: "
                      + size
                      + "\r\n\r\n")
                  .getBytes(StandardCharsets.US_ASCII)));
      client.configureBlocking(false);
      ByteBuffer ones = ByteBuffer.allocate(ROW);
      Arrays.fill(ones.array(), (byte) 1); // zeros would be no chunks to store
      long taken = 0;
      for (int waits = 0; waits < 300 && taken < size; ) {
        ones.clear().limit((int) Math.min(ROW, size - taken));
        int now = client.write(ones);
        taken += now;
        waits = now > 0 ? 0 : waits + 1;
        LockSupport.parkNanos(now > 0 ? 0 : 1_000_000);
      }
      assertThat(taken).isLessThan(size / 2);
      store.behave();
      held.release();
      client.configureBlocking(true);
      while (taken < size) {
        ones.clear().limit((int) Math.min(ROW, size - taken));
        taken += client.write(ones);
      }
      ByteBuffer answer = ByteBuffer.allocate(1 << 12);
      while (answer.hasRemaining() && client.read(answer) >= 0) {
        // until the server closes the connection
      }
      assertThat(new String(answer.array(), StandardCharsets.US_ASCII)).startsWith("HTTP/1.1 200");
    }
  }
}
