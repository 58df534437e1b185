package dev.zarrreactive.service;

import static dev.zarrreactive.testing.Waiting.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testkit.InstrumentedStore;
import io.rsocket.Payload;
import io.rsocket.RSocket;
import io.rsocket.SocketAcceptor;
import io.rsocket.core.RSocketConnector;
import io.rsocket.core.RSocketServer;
import io.rsocket.transport.netty.client.TcpClientTransport;
import io.rsocket.transport.netty.server.CloseableChannel;
import io.rsocket.transport.netty.server.TcpServerTransport;
import io.rsocket.util.DefaultPayload;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Mono;

/** The sample of docs/rsocket.md. */
class RSocketSamplesTest {
  private static final int CHUNKS = 500;
  private static final int AHEAD = 8;

  private final InstrumentedStore store = InstrumentedStore.of(MemoryStore.create());

  /** Writes chunks of ten elements, which are the number of the chunk. */
  private ZarrArray written() {
    int[] values = IntStream.range(0, 10 * CHUNKS).map(i -> i / 10).toArray();
    Shape shape = Shape.of(values.length);
    ZarrHierarchy hierarchy =
        Zarr.hierarchy(store, ZarrOptions.defaults().withMaxConcurrency(AHEAD));
    return hierarchy
        .createArray("a", ArrayMetadata.v3(shape, DataTypes.INT32).chunkShape(10).build())
        .delayUntil(
            array -> array.write(Selection.all(), NdArray.ofInts(DataTypes.INT32, shape, values)))
        .block();
  }

  @Test
  void the_demand_of_the_client_reaches_the_store() {
    ZarrArray array = written();
    int port = 0;
    // docs: rsocket
    SocketAcceptor chunks =
        SocketAcceptor.forRequestStream(
            request ->
                array
                    .chunksInOrder(Selection.parse(request.getDataUtf8()))
                    .map(
                        chunk ->
                            DefaultPayload.create(
                                chunk.data().asByteBuffer(),
                                DefaultPayload.create(Arrays.toString(chunk.index())).getData())));
    Mono<CloseableChannel> server =
        RSocketServer.create(chunks).bind(TcpServerTransport.create("127.0.0.1", port));
    // docs: end
    CloseableChannel bound = server.block();
    store.counts().reset();
    // docs: rsocket-client
    RSocket client =
        RSocketConnector.create().connect(TcpClientTransport.create(bound.address())).block();
    var received = client.requestStream(DefaultPayload.create("..."));
    // docs: end
    List<String> indexes = new CopyOnWriteArrayList<>();
    BaseSubscriber<Payload> subscriber =
        new BaseSubscriber<>() {
          @Override
          protected void hookOnSubscribe(org.reactivestreams.Subscription subscription) {
            request(2);
          }

          @Override
          protected void hookOnNext(Payload payload) {
            int first = payload.getData().order(java.nio.ByteOrder.LITTLE_ENDIAN).getInt();
            indexes.add(payload.getMetadataUtf8() + first);
            payload.release();
          }
        };
    received.subscribe(subscriber);
    eventually("two chunks have come", () -> indexes.size() == 2);
    assertThat(store.counts().total()).isLessThanOrEqualTo(2 + AHEAD);
    subscriber.request(10);
    eventually("ten more have come", () -> indexes.size() == 12);
    assertThat(store.counts().total()).isLessThanOrEqualTo(12 + AHEAD);
    assertThat(indexes).startsWith("[0]0", "[1]1").endsWith("[11]11");
    subscriber.cancel();
    eventually("no read runs", () -> store.counts().inFlight() == 0);
    client.dispose();
    bound.dispose();
  }
}
