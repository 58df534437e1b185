package dev.zarrreactive.benchmarks.serving;

import dev.zarrreactive.benchmarks.latency.Figure;
import dev.zarrreactive.server.RunningServer;
import dev.zarrreactive.server.ServerLimits;
import dev.zarrreactive.server.ZarrServer;
import dev.zarrreactive.testkit.Distance;
import dev.zarrreactive.testkit.DistantStore;
import io.netty.channel.ChannelOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import reactor.core.scheduler.Schedulers;

/**
 * Prints what 100 slow clients and 20 fast ones cost a server of an array of 4 GiB, whose store is
 * 20 ms away; ends with 1 where a bound does not hold. For a JVM with {@code -Xmx256m}, clients and
 * server together.
 */
public final class ServingFigures {
  private static final int SLOW = 100;
  private static final int FAST = 20;
  private static final long SLOW_BYTES = 200_000;
  private static final long SECONDS = 20;

  /** The queue of a response, the sockets, and a chunk of which the client has taken a part. */
  private static final long AHEAD = (512 << 10) + (512 << 10) + PatternStore.ROW_BYTES;

  private ServingFigures() {}

  /** Runs them; the argument is the size of the server's send buffers in KiB. */
  public static void main(String[] arguments) throws InterruptedException {
    int sendBuffer = arguments.length > 0 ? Integer.parseInt(arguments[0]) << 10 : 0;
    PatternStore store = new PatternStore();
    DistantStore far =
        DistantStore.of(
            store, Distance.of(Duration.ofMillis(20)), Schedulers.newSingle("link", true));
    AtomicInteger failures = new AtomicInteger();
    RunningServer server =
        Objects.requireNonNull(
            ZarrServer.of(far)
                .port(0)
                .customize(
                    http ->
                        sendBuffer == 0
                            ? http
                            : http.childOption(ChannelOption.SO_SNDBUF, sendBuffer))
                .limits(ServerLimits.defaults().withSlices(SLOW + FAST, 8L << 30))
                .onFailure((path, error) -> failures.incrementAndGet())
                .start()
                .block());
    AtomicLong taken = new AtomicLong();
    AtomicLong takenByFast = new AtomicLong();
    AtomicInteger errors = new AtomicInteger();
    List<SliceClient> clients = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < SLOW + FAST; i++) {
      boolean isSlow = i < SLOW;
      SliceClient client =
          new SliceClient(
              server.port(), i * 30, isSlow ? SLOW_BYTES : 0, isSlow ? taken : takenByFast, errors);
      Thread thread = new Thread(null, client, "client-" + i, 256 << 10);
      clients.add(client);
      threads.add(thread);
      thread.start();
    }
    Thread.sleep(Duration.ofSeconds(SECONDS).toMillis());
    clients.forEach(SliceClient::leave);
    for (Thread thread : threads) {
      thread.join();
    }
    Thread.sleep(200);
    long read = store.chunks();
    int underWay = server.requestsUnderWay();
    Thread.sleep(1000);
    long later = store.chunks() - read;
    long all = taken.get() + takenByFast.get();
    long bound = ((SLOW + FAST) * AHEAD + Runtime.getRuntime().maxMemory() / 4) >> 20;
    List<Figure> figures =
        List.of(
            new Figure(
                "errors, wrong bytes, failures", "", errors.get() + failures.get(), 0, 0, ""),
            new Figure(
                "MiB read from the store ahead of the clients",
                "MiB",
                read - (double) (all >> 20),
                0,
                bound,
                (all >> 20) + " MiB taken, " + (taken.get() >> 20) + " by the slow ones"),
            new Figure("requests under way 200 ms after all have left", "", underWay, 0, 0, ""),
            new Figure("requests to the store after that", "", later, 0, 0, ""),
            new Figure(
                "share of their speed that slow clients lack",
                "",
                1 - taken.get() / (double) (SLOW * SLOW_BYTES * SECONDS),
                0,
                0.5,
                ""));
    System.out.println(Figure.HEAD);
    figures.forEach(figure -> System.out.println(figure.row()));
    server.close().block();
    System.exit(figures.stream().allMatch(Figure::holds) ? 0 : 1);
  }
}
