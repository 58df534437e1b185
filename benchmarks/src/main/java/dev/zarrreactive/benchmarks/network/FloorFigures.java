package dev.zarrreactive.benchmarks.network;

import dev.zarrreactive.benchmarks.latency.Figure;
import dev.zarrreactive.benchmarks.latency.Stopwatch;
import dev.zarrreactive.faults.server.Fault;
import dev.zarrreactive.store.Store;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * A read beside what nothing can be below: the round trips, or the bytes at the bandwidth of a
 * client that does nothing with them. The server takes its part of the same cores from both.
 */
final class FloorFigures {
  private static final int CHUNKS = 256;
  private static final int CHUNK_BYTES = 512 << 10;

  /** The client of S3 takes some ten thousand requests until its code is compiled. */
  private static final int NEAR_WARM_UP = 100;

  /** And some thousand more, when answers come late, in turns. */
  private static final int FAR_WARM_UP = 30;

  private final Transport transport;
  private final int times;

  FloorFigures(Transport transport, int times) {
    this.transport = transport;
    this.times = times;
  }

  List<Figure> all() {
    double[] taken = new double[times];
    double[] plainNear = new double[times];
    double[] plainFar = new double[times];
    try (ServedArray array = new ServedArray(transport, CHUNKS, CHUNK_BYTES);
        PlainClient plain = new PlainClient(array.server.uri(), transport.connections())) {
      Store store = array.opened();
      warmUp(array, plain, store, Fault.NONE, NEAR_WARM_UP);
      warmUp(array, plain, store, ServedArray.FAR, FAR_WARM_UP);
      for (int turn = 0; turn < times; turn++) {
        plainNear[turn] = fetched(array, plain, Fault.NONE);
        plainFar[turn] = fetched(array, plain, ServedArray.FAR);
        taken[turn] = array.read(ServedArray.FAR, store);
      }
      store.close().block();
    }
    double bytes = (double) CHUNKS * CHUNK_BYTES;
    double near = Stopwatch.median(plainNear);
    double roundTrips = (double) CHUNKS / transport.connections() * ServedArray.MILLIS;
    double floor = Math.max(near, roundTrips);
    double read = Stopwatch.median(taken);
    String beside =
        String.format(
            Locale.ROOT,
            "%,.0f ms; %d connections, %d round trips %,.0f ms, all bytes at 0 ms (%,.0f MB/s) %,.0f ms; a plain"
                + " client at 50 ms %,.0f ms",
            read,
            transport.connections(),
            CHUNKS / transport.connections(),
            roundTrips,
            bytes / near / 1000,
            near,
            Stopwatch.median(plainFar));
    return List.of(
        new Figure(
            transport.name() + ": 134 MB in 256 chunks at 50 ms, ÷ floor",
            "",
            read / floor,
            1,
            1.3,
            beside));
  }

  private static void warmUp(
      ServedArray array, PlainClient plain, Store store, Fault fault, int times) {
    for (int turn = 0; turn < times; turn++) {
      fetched(array, plain, fault);
      array.read(fault, store);
    }
  }

  private static double fetched(ServedArray array, PlainClient plain, Fault fault) {
    array.server.misbehave(fault);
    long[] came = new long[1];
    double taken =
        Stopwatch.once(
            plain.fetch(array.chunks).doOnNext(bytes -> came[0] = Objects.requireNonNull(bytes)));
    if (came[0] != array.bytes()) {
      throw new IllegalStateException(came[0] + " bytes came instead of " + array.bytes());
    }
    return taken;
  }
}
