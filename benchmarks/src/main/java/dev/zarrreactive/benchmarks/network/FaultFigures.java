package dev.zarrreactive.benchmarks.network;

import static dev.zarrreactive.benchmarks.network.ServedArray.FAR;
import static dev.zarrreactive.benchmarks.network.ServedArray.MILLIS;
import static dev.zarrreactive.benchmarks.network.ServedArray.NEVER;

import dev.zarrreactive.benchmarks.latency.Figure;
import dev.zarrreactive.benchmarks.latency.Stopwatch;
import dev.zarrreactive.faults.server.Behaviour.Ending;
import dev.zarrreactive.faults.server.Fault;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.decorator.HedgeOptions;
import dev.zarrreactive.store.decorator.RetryOptions;
import dev.zarrreactive.store.decorator.Stores;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Reads with a fault beside the same without it, in turns; each by a client of its own. */
final class FaultFigures {
  private static final double SHARE = 0.05;
  private static final Duration LATE = Duration.ofSeconds(1);
  private static final Duration STALL = Duration.ofSeconds(2);
  private static final int LATE_CHUNKS = 10_000;
  private static final int PATIENCE_MILLIS = 1000;
  private static final int CUT_TURNS = 21;

  private final Transport transport;
  private final int times;
  private final List<Figure> figures = new ArrayList<>();

  FaultFigures(Transport transport, int times) {
    this.transport = transport;
    this.times = times;
  }

  List<Figure> all() {
    try (ServedArray array = new ServedArray(transport, 1024, 4 << 10)) {
      array.read(FAR, NEVER, FaultFigures::hedged); // warms up
    }
    late();
    cut();
    silent();
    return figures;
  }

  /**
   * Measures reads with late answers. The last of them may be late twice, or find no second request
   * left. The array therefore has so large a number of chunks that these seconds do not dominate.
   */
  private void late() {
    int turns = Math.max(1, times / 2);
    double[] ratios = new double[turns];
    double[] alone = new double[turns];
    double[] more = new double[turns];
    double[] usual = new double[turns];
    try (ServedArray array = new ServedArray(transport, LATE_CHUNKS, 4 << 10)) {
      for (int i = 0; i < turns; i++) {
        usual[i] = array.read(FAR, NEVER, FaultFigures::hedged);
        ratios[i] = array.read(lateAnswers(i), NEVER, FaultFigures::hedged) / usual[i];
        more[i] = 100.0 * (array.server.requests().size() - array.chunks) / array.chunks;
        alone[i] = array.read(lateAnswers(i), NEVER, FaultFigures::retrying) / usual[i];
      }
    }
    String beside =
        String.format(
            Locale.ROOT,
            "%,.0f ms without; %.2f without second requests",
            Stopwatch.median(usual),
            Stopwatch.median(alone));
    String name = String.format(Locale.ROOT, "%,d chunks, 5 %% of answers take 1 s", LATE_CHUNKS);
    figures.add(
        new Figure(name(name + ", ÷ without"), "", Stopwatch.median(ratios), 1, 1.6, beside));
    figures.add(new Figure(name("of which requests more"), "%", Stopwatch.median(more), 0, 5, ""));
  }

  private static Fault lateAnswers(int seed) {
    return FAR.and(Fault.delay(LATE).withProbability(SHARE, seed));
  }

  private static Store retrying(Store store) {
    return Stores.retrying(store, RetryOptions.defaults());
  }

  private static Store hedged(Store store) {
    return retrying(Stores.hedged(store, HedgeOptions.defaults()));
  }

  /**
   * About every second time a rest is cut that nothing else waits beside: then it is one round trip
   * more. So it is the average that says something.
   */
  private void cut() {
    double[] longer = new double[CUT_TURNS];
    double[] more = new double[CUT_TURNS];
    double[] again = new double[CUT_TURNS];
    try (ServedArray array = new ServedArray(transport, 256, 64 << 10)) {
      Fault half = Faults.half(Ending.CUT, array.chunkBytes);
      for (int i = 0; i < CUT_TURNS; i++) {
        double usual = array.read(FAR, NEVER, store -> store);
        Fault cut = FAR.and(half.withProbability(SHARE, i));
        longer[i] = (array.read(cut, NEVER, store -> store) - usual) / MILLIS;
        more[i] = 100.0 * (array.server.sentBytes() - array.bytes()) / array.bytes();
        again[i] = array.server.requests().size() - array.chunks;
      }
    }
    figures.add(
        new Figure(
            name("256 chunks, 5 % of bodies cut in half, more than without"),
            "round trips",
            Stopwatch.mean(longer),
            0,
            2,
            String.format(
                Locale.ROOT,
                "%.0f requests more; the one in the middle of %d takes %.2f",
                Stopwatch.mean(again),
                CUT_TURNS,
                Stopwatch.median(longer))));
    figures.add(new Figure(name("of which bytes more"), "%", Stopwatch.mean(more), 0, 2, ""));
  }

  private void silent() {
    try (ServedArray array = new ServedArray(transport, 256, 64 << 10)) {
      Fault half = Faults.half(Ending.STALL, array.chunkBytes);
      recovered(array, "two answers never come", Fault.silence());
      recovered(array, "two bodies stop in the middle", half);
    }
  }

  private void recovered(ServedArray array, String what, Fault fault) {
    double[] taken = new double[times];
    double[] usual = new double[times];
    for (int i = 0; i < times; i++) {
      usual[i] = array.read(FAR, STALL, FaultFigures::retrying);
      Fault two = fault.withProbability(SHARE / 2, i).times(2);
      taken[i] = array.read(FAR.and(two), STALL, FaultFigures::retrying);
    }
    figures.add(
        new Figure(
            name("256 chunks, " + what + ", stall timeout 2 s"),
            "ms",
            Stopwatch.median(taken),
            STALL.toMillis(),
            STALL.toMillis() + PATIENCE_MILLIS,
            String.format(Locale.ROOT, "%,.0f ms without", Stopwatch.median(usual))));
  }

  private String name(String what) {
    return transport.name() + ": " + what;
  }
}
