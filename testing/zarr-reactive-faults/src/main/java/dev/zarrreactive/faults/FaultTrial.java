package dev.zarrreactive.faults;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.faults.FaultRow.Cell;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.decorator.RetryOptions;
import dev.zarrreactive.store.decorator.Stores;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** One trial of the matrix, with a server and a store of its own. */
final class FaultTrial {
  /** The stall timeout of a trial that stalls many times, in each of its attempts. */
  private static final Duration SOON = Duration.ofMillis(1200);

  /** The stall timeout of a trial that has one attempt: nothing else may take so long. */
  private static final Duration LATER = Duration.ofSeconds(4);

  /** The stall timeout of every other trial: longer than a trial waits for anything. */
  private static final Duration LATE = Duration.ofMinutes(10);

  /**
   * The time for a request that another thread sends at the moment of a cancel; shorter than a
   * back-off.
   */
  private static final int SETTLING_MILLIS = 100;

  private static final int BACKOFF_MILLIS = 200;

  private static final RetryOptions RETRIES =
      RetryOptions.defaults()
          .withBackoff(Duration.ofMillis(BACKOFF_MILLIS), Duration.ofMillis(BACKOFF_MILLIS))
          .withDeadline(Duration.ofMinutes(1));

  private final FaultMatrix matrix;
  private final Cell cell;
  private final Outcome outcome;
  private final MatrixArray array;
  private final Duration patience;

  FaultTrial(FaultMatrix matrix, Cell cell, Outcome outcome) {
    this.matrix = matrix;
    this.cell = cell;
    this.outcome = outcome;
    this.array = matrix.seeded(cell);
    this.patience = matrix.patience();
  }

  /** Runs the trial; fails where its outcome is wrong or a resource remains. Blocks. */
  void run() {
    try (FaultyServer server = matrix.serve()) {
      try (Connected connected = matrix.connect(server, stallTimeout())) {
        FaultScene scene = new FaultScene(matrix, server, cell, array);
        boolean comesBack = cell.occurrence() == Occurrence.TWICE;
        MonitoredStore requests =
            new MonitoredStore(connected.store(), () -> comesBack && scene.isRefused(), server);
        Supplier<String> state = () -> state(server, connected, requests);
        Mono<NdArray> read = read(scene, store(requests), state);
        if (cell.occurrence() == Occurrence.CANCELLED) {
          cancel(requests, scene, read);
        } else {
          check(scene, read, state);
        }
        eventually("requests under way", patience, () -> server.underWay() == 0);
        eventually("busy connections", patience, () -> connected.busyConnections() == 0);
      }
      eventually("open connections", patience, () -> server.connections() == 0);
    }
  }

  private Duration stallTimeout() {
    if (!cell.row().stalls() || cell.occurrence() == Occurrence.CANCELLED) {
      return LATE;
    }
    return cell.occurrence() == Occurrence.ONCE ? LATER : SOON;
  }

  /** Returns the store of the trial; {@code requests} sees every attempt. */
  private Store store(MonitoredStore requests) {
    return switch (cell.occurrence()) {
      case ONCE -> requests;
      case ALWAYS -> Stores.retrying(requests, RETRIES.withAttempts(2));
      case TWICE, CANCELLED -> Stores.retrying(requests, RETRIES.withAttempts(4));
    };
  }

  /**
   * Reads all before the place of the trial, begins the fault, and returns the read of the place.
   */
  private Mono<NdArray> read(FaultScene scene, Store store, Supplier<String> state) {
    Mono<ZarrArray> opening = Zarr.hierarchy(store).openArray(array.path());
    if (cell.place() == Place.METADATA) {
      scene.strike();
      return opening.flatMap(opened -> opened.read(MatrixArray.selection(cell.place())));
    }
    ZarrArray opened = await(opening.retry(3), state);
    if (cell.place() == Place.INNER_CHUNK) {
      await(opened.read(MatrixArray.another()).retry(3), state); // the index is known
    }
    scene.strike();
    return opened.read(MatrixArray.selection(cell.place()));
  }

  private void check(FaultScene scene, Mono<NdArray> read, Supplier<String> state) {
    NdArray values;
    try {
      values = await(read, state);
    } catch (ZarrException e) {
      outcome.check(e, scene.array(), cell.place(), scene.keys());
      return;
    }
    outcome.check(values, scene.array(), cell.place());
  }

  private void cancel(MonitoredStore requests, FaultScene scene, Mono<NdArray> read) {
    AtomicBoolean ended = new AtomicBoolean();
    Disposable reading =
        read.subscribeOn(Schedulers.parallel())
            .doOnTerminate(() -> ended.set(true))
            .onErrorComplete()
            .subscribe();
    eventually("requests", patience, () -> scene.strikes() > 0 || scene.isRefused() || ended.get());
    sleep(Math.floorMod(cell.hashCode(), 30));
    reading.dispose();
    sleep(SETTLING_MILLIS);
    int made = requests.made();
    sleep(2 * BACKOFF_MILLIS);
    assertThat(requests.made()).as("requests after the cancel").isEqualTo(made);
  }

  /** Returns the result; a read without an end fails with the state of both sides. */
  private <T> T await(Mono<T> result, Supplier<String> state) {
    return result
        .subscribeOn(Schedulers.parallel())
        .timeout(patience, Mono.empty())
        .blockOptional()
        .orElseThrow(() -> new AssertionError("no result after " + patience + ": " + state.get()));
  }

  /** Says whether the store, its client or the server holds a read without an end. */
  private static String state(FaultyServer server, Connected connected, MonitoredStore requests) {
    return requests.made()
        + " requests of the read, "
        + connected.busyConnections()
        + " busy connections; the server has "
        + server.connections()
        + " connections, "
        + server.underWay()
        + " requests in flight, and received\n"
        + server.requests().stream()
            .map(asked -> asked.method() + " " + asked.uri() + " " + asked.header("range"))
            .collect(joining("\n"));
  }

  static void eventually(String what, Duration patience, BooleanSupplier none) {
    long end = System.nanoTime() + patience.toNanos();
    while (!none.getAsBoolean()) {
      assertThat(System.nanoTime()).as("%s after %s", what, patience).isLessThan(end);
      sleep(1);
    }
  }

  private static void sleep(int millis) {
    try {
      TimeUnit.MILLISECONDS.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("the matrix was given up", e);
    }
  }
}
