package dev.zarrreactive.server;

import static dev.zarrreactive.testing.Waiting.await;
import static dev.zarrreactive.testing.Waiting.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.testkit.HeldRequests;
import io.netty.channel.ChannelOption;
import java.io.IOException;
import java.net.ConnectException;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** A server that is closed while it answers: responses end, and nothing of it stays. */
class ServerCloseTest {
  private static final int LARGE = 16 << 20;

  private final Set<Thread> before = threads();
  private final Serving serving =
      new Serving(
          server ->
              server.customize(netty -> netty.childOption(ChannelOption.SO_SNDBUF, 64 << 10)));

  private static Set<Thread> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().matches("zarr-server-(?!setup).*"))
        .collect(Collectors.toSet());
  }

  private void assertNothingStays() {
    assertThat(serving.server.requestsUnderWay()).isZero();
    eventually("nothing is held", () -> serving.server.heldBytes() == 0);
    eventually("no read is in flight", () -> serving.store.counts().inFlight() == 0);
    assertThatThrownBy(() -> new Socket("127.0.0.1", serving.server.port()).close())
        .isInstanceOf(ConnectException.class);
    eventually(
        "its threads end",
        () -> {
          Set<Thread> more = new HashSet<>(threads());
          more.removeAll(before);
          return more.isEmpty();
        });
    await(serving.server.onClose());
  }

  @Test
  void a_slice_that_waits_for_the_store_is_answered_whole() {
    Shape shape = Shape.of(1000);
    await(
        Zarr.hierarchy(serving.values)
            .createArray("a", ArrayMetadata.v3(shape, DataTypes.FLOAT64).build())
            .flatMap(
                array -> array.write(Selection.all(), NdArray.ofDoubles(shape, new double[1000]))));
    HeldRequests held = serving.store.hold(request -> request.target().startsWith("a/c/"));
    CompletableFuture<HttpResponse<byte[]>> slice =
        CompletableFuture.supplyAsync(() -> serving.get("/api/a/slice?format=raw&select=1:"));
    eventually("the store is asked", () -> held.waiting() == 1);
    CompletableFuture<Void> closed = serving.server.close(Duration.ofMinutes(1)).toFuture();
    eventually("the port is closed", () -> !accepts());
    assertThat(closed).isNotDone();
    held.release();
    assertThat(slice.join().body()).hasSize(8 * 999);
    closed.join();
    assertNothingStays();
  }

  private boolean accepts() {
    try {
      new Socket("127.0.0.1", serving.server.port()).close();
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void a_client_that_does_not_read_is_cut_after_the_grace_time() throws IOException {
    serving.put(StoreKey.of("large"), LARGE);
    try (RawConnection client = new RawConnection(serving.server.port())) {
      client.get("/large");
      assertThat(serving.server.requestsUnderWay()).isOne();
      await(serving.server.close(Duration.ofMillis(50)));
      eventually("it has ended", () -> serving.server.requestsUnderWay() == 0);
      assertNothingStays();
      client.read(Long.MAX_VALUE);
      assertThat(client.received()).isLessThan(LARGE);
    }
  }

  @Test
  void a_store_that_does_not_answer_is_not_waited_for() throws Exception {
    serving.put(Serving.KEY, 10);
    HeldRequests held = serving.store.hold(request -> true);
    try (RawConnection client = new RawConnection(serving.server.port())) {
      CompletableFuture<Void> asking =
          CompletableFuture.runAsync(
              () -> {
                try {
                  client.get("/" + Serving.KEY.value());
                } catch (IOException e) {
                  // the server closes the connection
                }
              });
      eventually("the store is asked", () -> held.waiting() == 1);
      await(serving.server.close(Duration.ofMillis(50)));
      eventually("the request is cancelled", () -> held.waiting() == 0);
      eventually("it has ended", () -> serving.server.requestsUnderWay() == 0);
      assertNothingStays();
      asking.join();
    }
  }
}
