package dev.zarrreactive.benchmarks.latency;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.decorator.RequestLimit;
import dev.zarrreactive.store.decorator.Stores;
import dev.zarrreactive.testkit.Distance;
import dev.zarrreactive.testkit.DistantStore;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import reactor.core.publisher.Mono;

/** Measures the time and the cost of reads over links of different latency. */
final class ReadFigures {
  private static final int CHUNKS = 256;
  private static final int ELEMENTS = 4096;
  private static final int TIMES = 7;

  private final Store row = FarArrays.row(CHUNKS, ELEMENTS);
  private final Store square = FarArrays.square(32);
  private final List<Figure> figures = new ArrayList<>();

  /** Everything, in the order of the README. */
  List<Figure> all() {
    timer();
    for (int millis : new int[] {0, 20, 50, 100}) {
      chunks(millis);
    }
    for (int millis : new int[] {20, 50, 100}) {
      innerChunks(millis);
    }
    for (int millis : new int[] {20, 50, 100}) {
      opened(millis, "Zarr v3", row);
      opened(millis, "Zarr v2", FarArrays.zarr2());
    }
    refusing();
    adaptiveOnFastServer();
    return figures;
  }

  private static DistantStore far(Store store, Distance distance) {
    return DistantStore.of(store, distance.withConnections(Server.CONNECTIONS), Server.TIME);
  }

  private static Distance distance(int millis) {
    return Distance.of(Duration.ofMillis(millis));
  }

  private static ZarrArray array(Store store) {
    return Objects.requireNonNull(Zarr.hierarchy(store).openArray(FarArrays.PATH).block());
  }

  private void timer() {
    double taken = Stopwatch.median(21, Mono.delay(Duration.ofMillis(20), Server.TIME));
    figures.add(new Figure("the server's 20 ms", "ms", taken, 20, 21, ""));
  }

  private void chunks(int millis) {
    DistantStore server = far(row, distance(millis).withBytesPerSecond(Server.BYTES_PER_SECOND));
    ZarrArray array = array(server);
    double taken = Stopwatch.median(TIMES, array.read(Selection.all()));
    figures.add(
        new Figure(
            CHUNKS + " chunks at " + millis + " ms",
            "ms",
            taken,
            4 * millis,
            4 * millis + 100,
            server.mostInFlight() + " in flight"));
  }

  /** Each time by a hierarchy that knows nothing of the shard. */
  private void innerChunks(int millis) {
    DistantStore server = far(square, distance(millis).withBytesPerSecond(Server.BYTES_PER_SECOND));
    double[] taken = new double[TIMES];
    for (int i = 0; i < TIMES; i++) {
      ZarrArray array = array(server);
      server.reset();
      taken[i] = Stopwatch.once(array.read(Selection.parse("128:256,128:256")));
    }
    figures.add(
        new Figure(
            "4 × 4 inner chunks of a shard, cold, at " + millis + " ms",
            "round trips",
            Stopwatch.median(taken) / millis,
            2,
            2.2,
            server.requests() + " requests, " + server.bytes() / 1024 + " KiB"));
  }

  private void opened(int millis, String format, Store store) {
    DistantStore server = far(store, distance(millis));
    double taken =
        Stopwatch.median(TIMES, Mono.defer(() -> Zarr.hierarchy(server).openArray(FarArrays.PATH)));
    figures.add(
        new Figure(
            "open at " + millis + " ms, format unknown, " + format,
            "round trips",
            taken / millis,
            1,
            1.3,
            server.requests() / TIMES + " requests"));
  }

  /** Each time by a limit that knows nothing of the server. */
  private void refusing() {
    DistantStore server = far(row, distance(50).withCapacity(16));
    double[] taken = new double[TIMES];
    int refusals = 0;
    for (int i = 0; i < TIMES; i++) {
      Store client = new Retrying(Stores.limited(server, RequestLimit.adaptive()));
      ZarrArray array = array(client);
      server.reset();
      taken[i] = Stopwatch.once(array.read(Selection.all()));
      refusals = Math.max(refusals, server.refusals());
    }
    figures.add(
        new Figure(
            CHUNKS + " chunks at 50 ms, 503 above 16",
            "ms",
            Stopwatch.median(taken),
            800,
            1000,
            ""));
    figures.add(new Figure("of which refused, at most", "", refusals, 0, 16, ""));
  }

  private void adaptiveOnFastServer() {
    DistantStore server = far(row, distance(100));
    double[] taken = new double[TIMES];
    for (int i = 0; i < TIMES; i++) {
      ZarrArray array = array(Stores.limited(server, RequestLimit.adaptive()));
      taken[i] = Stopwatch.once(array.read(Selection.all()));
    }
    figures.add(
        new Figure(
            CHUNKS + " chunks at 100 ms, adaptive limit",
            "ms",
            Stopwatch.median(taken),
            400,
            600,
            ""));
  }

  /** To be measured before anything else has made a thread. */
  static Figure threads() {
    int cores = Runtime.getRuntime().availableProcessors();
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    threads.resetPeakThreadCount();
    int before = threads.getThreadCount();
    ZarrArray array = array(far(FarArrays.row(10_000, 16), distance(50)));
    double taken = Stopwatch.once(array.read(Selection.all()));
    return new Figure(
        "threads that a read of 10,000 chunks at 50 ms adds",
        "",
        threads.getPeakThreadCount() - before,
        0,
        cores + 4,
        String.format(Locale.ROOT, "%,.0f ms", taken));
  }
}
