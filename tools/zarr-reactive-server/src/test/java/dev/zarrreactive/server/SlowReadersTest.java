package dev.zarrreactive.server;

import static dev.zarrreactive.testing.Waiting.await;
import static dev.zarrreactive.testing.Waiting.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.observation.InFlightBytes;
import dev.zarrreactive.observation.ZarrObserver;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.VersionedBytes;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.Slow;
import dev.zarrreactive.testing.SlowAndQuickClients;
import dev.zarrreactive.testkit.HeldRequests;
import io.netty.channel.ChannelOption;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** Clients that read slowly, stop, or leave. */
class SlowReadersTest {
  private static final int CLIENTS = 100;
  private static final int SIZE = 16 << 20;

  /** A stall timeout that is longer than a test, however long its clients make each other wait. */
  private static final Duration LATE = Duration.ofMinutes(10);

  /** The pieces in the queue, the reads on both sides of it, and the buffers of the two sockets. */
  private static final int AHEAD = (256 << 10) + 2 * Serving.MOST + (256 << 10);

  private final Serving serving =
      new Serving(
          server ->
              server
                  .limits(
                      ServerLimits.defaults()
                          .withReadBytes(Serving.MOST)
                          .withCacheBytes(0)
                          .withStallTimeout(LATE))
                  .customize(netty -> netty.childOption(ChannelOption.SO_SNDBUF, 64 << 10)));
  private final List<RawConnection> clients = new ArrayList<>();

  @AfterEach
  void stop() throws IOException {
    for (RawConnection client : clients) {
      client.close();
    }
    serving.close();
  }

  /** Clients and server share a heap of 256 MiB. */
  @Test
  @Slow
  void each_of_200_slow_readers_is_served_or_told_to_come_later_and_20_quick_ones_are_served() {
    SlowAndQuickClients.assertEachIsServedOrToldToComeLater(FairServerFigures.class);
  }

  private void open(int count) throws IOException {
    for (int i = 0; i < count; i++) {
      RawConnection client = new RawConnection(serving.server.port());
      clients.add(client);
      assertThat(client.get("/large")).endsWith(" 200 OK");
    }
  }

  private String activity() {
    return new String(serving.get("/api/activity.json").body(), StandardCharsets.UTF_8);
  }

  private long taken() {
    return clients.stream().mapToLong(RawConnection::received).sum();
  }

  @Test
  void the_store_is_asked_for_little_more_than_a_hundred_clients_take() throws IOException {
    Bytes value = serving.put(StoreKey.of("large"), SIZE);
    CRC32 expected = new CRC32();
    expected.update(value.asByteBuffer());
    open(CLIENTS);
    for (int i = 0; i < CLIENTS; i++) {
      clients.get(i).read(1000L * i);
    }
    for (RawConnection client : clients.subList(0, 5)) {
      client.read(SIZE);
      assertThat(client.received()).isEqualTo(SIZE);
      assertThat(client.checksum()).isEqualTo(expected.getValue());
    }
    assertThat(serving.store.counts().bytesRead())
        .isLessThanOrEqualTo(taken() + (long) CLIENTS * AHEAD);
    assertThat(serving.failures).isEmpty();

    for (RawConnection client : clients) {
      client.close();
    }
    eventually("no request is under way", () -> serving.server.requestsUnderWay() == 0);
    int requests = serving.store.counts().total();
    eventually("nothing is held", () -> serving.server.heldBytes() == 0);
    eventually("no read is in flight", () -> serving.store.counts().inFlight() == 0);
    assertThat(serving.store.counts().total()).isEqualTo(requests);
    assertThat(serving.failures).isEmpty();
  }

  @Test
  void a_small_value_passes_large_ones_and_a_large_one_is_refused_after_its_longest_wait()
      throws IOException {
    try (Serving crowded =
        new Serving(
            server ->
                server
                    .limits(
                        ServerLimits.defaults()
                            .withReadBytes(1 << 20)
                            .withHeldBytes(8 << 20)
                            .withCacheBytes(0)
                            .withMaxWait(Duration.ofSeconds(1))
                            .withRetryAfter(Duration.ofSeconds(7))
                            .withStallTimeout(LATE))
                    .customize(netty -> netty.childOption(ChannelOption.SO_SNDBUF, 64 << 10)))) {
      crowded.put(StoreKey.of("large"), SIZE);
      Bytes small = crowded.put(StoreKey.of("small"), 1000);
      String refused = "";
      while (refused.isEmpty()) {
        assertThat(clients).as("clients that stop exhaust the memory").hasSizeLessThan(CLIENTS);
        RawConnection client = new RawConnection(crowded.server.port());
        clients.add(client);
        String status = client.get("/large");
        refused = status.endsWith(" 200 OK") ? "" : status;
      }
      assertThat(refused).contains(" 503 ");
      for (int i = 0; i < 50; i++) {
        assertThat(crowded.get("/small").body()).isEqualTo(small.toByteArray());
      }
      HttpResponse<byte[]> large = crowded.get("/large");
      assertThat(large.statusCode()).isEqualTo(503);
      assertThat(large.headers().firstValue("retry-after")).hasValue("7");
      for (RawConnection client : clients) {
        client.close();
      }
      eventually("nothing is held", () -> crowded.server.heldBytes() == 0);
      assertThat(crowded.get("/large").body()).hasSize(SIZE);
    }
  }

  @Test
  void the_most_slices_follow_from_the_memory() {
    long mebibytes = Runtime.getRuntime().maxMemory() / 4 >> 20;
    assertThat((long) ServerLimits.defaults().slices())
        .isEqualTo(Math.min(256, Math.max(16, mebibytes)));
  }

  private static long number(String activity, String name) {
    Matcher found = Pattern.compile("\"" + name + "\":(\\d+)").matcher(activity);
    assertThat(found.find()).as(name + " in " + activity).isTrue();
    return Long.parseLong(found.group(1));
  }

  @Test
  void a_small_slice_passes_large_ones_and_a_large_one_is_refused_after_its_longest_wait()
      throws IOException {
    int chunk = 1 << 20;
    int chunks = 16;
    try (Serving crowded =
        new Serving(
            server ->
                server
                    .options(ZarrOptions.defaults().withMaxInFlightBytes(16 << 20))
                    .limits(
                        ServerLimits.defaults()
                            .withCacheBytes(0)
                            .withSlices(CLIENTS, 1 << 30)
                            .withMaxWait(Duration.ofSeconds(1))
                            .withStallTimeout(LATE))
                    .customize(netty -> netty.childOption(ChannelOption.SO_SNDBUF, 64 << 10)))) {
      await(
          Zarr.hierarchy(crowded.values)
              .createArray(
                  "a",
                  ArrayMetadata.v3(Shape.of(chunks, chunk), DataTypes.UINT8)
                      .chunkShape(1, chunk)
                      .compressors()
                      .build())
              .flatMap(array -> array.write(Selection.all(), 7)));
      String refused = "";
      while (refused.isEmpty()) {
        assertThat(clients).as("clients that stop exhaust the memory").hasSizeLessThan(CLIENTS);
        RawConnection client = new RawConnection(crowded.server.port());
        clients.add(client);
        String status = client.get("/api/a/slice?format=raw");
        refused = status.endsWith(" 200 OK") ? "" : status;
      }
      assertThat(refused).contains(" 503 ");
      String told = new String(crowded.get("/api/activity.json").body(), StandardCharsets.UTF_8);
      assertThat(number(told, "unavailable")).isOne();
      assertThat(number(told, "waits")).isPositive();
      assertThat(number(told, "longest_wait_millis")).isPositive();
      assertThat(number(told, "oldest_request_millis")).isPositive();
      assertThat(number(told, "in_flight_bytes")).isPositive();
      assertThat(number(told, "in_flight_bytes_limit")).isEqualTo(16 << 20);
      for (int i = 0; i < chunks; i++) {
        HttpResponse<byte[]> small = crowded.get("/api/a/slice?format=raw&select=" + i + ",7:1007");
        assertThat(small.statusCode()).isEqualTo(200);
        assertThat(small.body()).hasSize(1000).containsOnly(7);
      }
    }
  }

  @Test
  void slices_are_read_little_further_than_their_clients_take() throws IOException {
    int chunk = 64 << 10;
    int chunks = 512;
    long inFlight = 4 << 20;
    try (Serving slices =
        new Serving(
            server ->
                server
                    .options(ZarrOptions.defaults().withMaxInFlightBytes(inFlight))
                    .limits(ServerLimits.defaults().withCacheBytes(0).withStallTimeout(LATE))
                    .customize(netty -> netty.childOption(ChannelOption.SO_SNDBUF, 64 << 10)))) {
      await(
          Zarr.hierarchy(slices.values)
              .createArray(
                  "a",
                  ArrayMetadata.v3(Shape.of(chunks, chunk), DataTypes.UINT8)
                      .chunkShape(1, chunk)
                      .compressors()
                      .build())
              .flatMap(array -> array.write(Selection.all(), 7)));
      for (int i = 0; i < 10; i++) {
        RawConnection client = new RawConnection(slices.server.port());
        clients.add(client);
        assertThat(client.get("/api/a/slice?format=raw")).endsWith(" 200 OK");
        client.read(1000L);
      }
      clients.get(0).read(Long.MAX_VALUE);
      assertThat(clients.get(0).received()).isEqualTo((long) chunk * chunks);
      long aheadOfEach = 1600 << 10; // the queue, the sockets, and a chunk beyond the bound
      assertThat(slices.store.counts().bytesRead() - taken())
          .isLessThanOrEqualTo(2 * inFlight + 10 * aheadOfEach);
      for (RawConnection client : clients) {
        client.close();
      }
      eventually("no request is under way", () -> slices.server.requestsUnderWay() == 0);
      eventually("no read is in flight", () -> slices.store.counts().inFlight() == 0);
    }
  }

  @Test
  void clients_that_all_stop_hold_a_quarter_beyond_the_bound_at_most() throws Exception {
    long bound = 1 << 20;
    AtomicReference<InFlightBytes> inFlight = new AtomicReference<>();
    AtomicLong most = new AtomicLong();
    ZarrObserver observer =
        new ZarrObserver() {
          @Override
          public void onOpen(InFlightBytes bytes) {
            inFlight.set(bytes);
          }
        };
    MemoryStore values = MemoryStore.create();
    Store seen =
        new DelegatingStore(values) {
          @Override
          public Mono<VersionedBytes> getVersioned(
              StoreKey key, ByteRange range, ReadCondition condition) {
            InFlightBytes bytes = inFlight.get();
            most.accumulateAndGet(bytes == null ? 0 : bytes.held(), Math::max);
            return super.getVersioned(key, range, condition);
          }
        };
    try (Serving slices =
        new Serving(
            seen,
            server ->
                server
                    .options(
                        ZarrOptions.defaults().withMaxInFlightBytes(bound).withObserver(observer))
                    .limits(
                        ServerLimits.defaults()
                            .withCacheBytes(0)
                            .withSlices(40, 64 << 20)
                            .withStallTimeout(LATE))
                    .customize(netty -> netty.childOption(ChannelOption.SO_SNDBUF, 16 << 10)))) {
      await(
          Zarr.hierarchy(values)
              .createArray(
                  "a",
                  ArrayMetadata.v3(Shape.of(64, 64 << 10), DataTypes.UINT8)
                      .chunkShape(1, 64 << 10)
                      .compressors()
                      .build())
              .flatMap(array -> array.write(Selection.all(), 7)));
      for (int i = 0; i < 40; i++) {
        RawConnection client = new RawConnection(slices.server.port());
        clients.add(client);
        client.ask("/api/a/slice?format=raw");
      }
      eventually("the bound is exceeded", () -> most.get() > bound);
      Thread.sleep(1000); // a faulty server goes on, by a read each 50 ms
      for (int left = clients.size() - 1; left >= 0; left--) {
        clients.get(left).close();
        int others = left;
        eventually("the others go on", () -> slices.server.requestsUnderWay() <= others);
      }
      // or one larger lease: the elements of a band, an eighth of the bound, and its encoded chunks
      long lease = bound / 8 + bound / 8 + bound / 64;
      assertThat(most.get()).isLessThanOrEqualTo(bound + lease);
    }
  }

  @Test
  void a_hundred_requests_for_a_cold_value_are_one_read_of_the_store() throws Exception {
    Bytes value = serving.put(Serving.KEY, 1000);
    HeldRequests held = serving.store.hold(any -> true);
    List<CompletableFuture<byte[]>> bodies = new ArrayList<>();
    ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
    for (int i = 0; i < CLIENTS; i++) {
      bodies.add(
          CompletableFuture.supplyAsync(
              () -> serving.get("/" + Serving.KEY.value()).body(), threads));
    }
    String shared = "\"cache_hits\":" + (CLIENTS - 1) + ",";
    eventually(() -> "all share one read: " + activity(), () -> activity().contains(shared));
    held.release();
    for (CompletableFuture<byte[]> body : bodies) {
      assertThat(Bytes.wrap(body.join())).isEqualTo(value);
    }
    assertThat(serving.store.counts().total()).isOne();
    threads.shutdown();
  }

  @Test
  void a_client_that_leaves_while_the_store_works_ends_its_request() throws IOException {
    serving.put(StoreKey.of("large"), 10);
    serving.store.hold(any -> true);
    RawConnection client = new RawConnection(serving.server.port());
    clients.add(client);
    Thread asking =
        new Thread(
            () -> {
              try {
                client.get("/large");
              } catch (IOException e) {
                // the socket is closed under the read
              }
            });
    asking.start();
    eventually("the store is asked", () -> serving.store.counts().inFlight() == 1);
    client.close();
    eventually("the request is cancelled", () -> serving.store.counts().cancelled() == 1);
    eventually("nothing is held", () -> serving.server.heldBytes() == 0);
  }

  @Test
  void little_memory_is_shared_by_many() throws IOException {
    serving.close();
    try (Serving scarce =
        new Serving(
            server ->
                server.limits(
                    ServerLimits.defaults()
                        .withReadBytes(Serving.MOST)
                        .withHeldBytes(4 * Serving.MOST)))) {
      Bytes value = scarce.put(StoreKey.of("v"), 20 * Serving.MOST);
      List<Thread> readers = new ArrayList<>();
      List<byte[]> bodies = java.util.Collections.synchronizedList(new ArrayList<>());
      for (int i = 0; i < 20; i++) {
        Thread reader = new Thread(() -> bodies.add(scarce.get("/v").body()));
        readers.add(reader);
        reader.start();
      }
      for (Thread reader : readers) {
        join(reader);
      }
      assertThat(bodies).hasSize(20).allMatch(body -> Bytes.wrap(body).equals(value));
      eventually("nothing is held", () -> scarce.server.heldBytes() == 0);
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void a_client_that_takes_no_byte_is_disconnected() throws IOException {
    try (Serving impatient =
        new Serving(
            server ->
                server
                    .limits(
                        ServerLimits.defaults()
                            .withReadBytes(Serving.MOST)
                            .withStallTimeout(Duration.ofMillis(200)))
                    .customize(netty -> netty.childOption(ChannelOption.SO_SNDBUF, 64 << 10)))) {
      impatient.put(StoreKey.of("large"), SIZE);
      try (RawConnection client = new RawConnection(impatient.server.port())) {
        client.get("/large");
        eventually("it is disconnected", () -> impatient.server.requestsUnderWay() == 0);
        eventually("nothing is held", () -> impatient.server.heldBytes() == 0);
        client.read(Long.MAX_VALUE);
        assertThat(client.received()).isLessThan(SIZE);
      }
    }
  }

  @Test
  void a_close_lets_responses_end() throws Exception {
    Bytes value = serving.put(StoreKey.of("large"), SIZE);
    open(1);
    Thread closing = new Thread(serving::close);
    closing.start();
    RawConnection client = clients.get(0);
    client.read(SIZE);
    assertThat(client.received()).isEqualTo(value.size());
    closing.join();
  }
}
