package dev.zarrreactive.benchmarks.compare;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Asks the clients for the same work in turns, at one place. Blocking. */
final class Contest implements AutoCloseable {
  private static final double SLOW_MILLIS = 3000;
  private static final int SLOW_ROUNDS = 3;

  private final String place;
  private final String location;
  private final @Nullable LatencyProxy link;
  private final File log;
  private final List<Runner> runners;
  private boolean isWrong;

  /**
   * Starts the clients.
   *
   * @param place as the table has it
   * @param location of the arrays: a directory or a URL
   * @param link between the clients and the server; null for files
   */
  Contest(String place, String location, @Nullable LatencyProxy link, List<Peer> peers, File log) {
    this.place = place;
    this.location = location;
    this.link = link;
    this.log = log;
    this.runners = new ArrayList<>(peers.stream().map(Runner::new).toList());
  }

  /** A client with its process, which is started again after it has ended. */
  private final class Runner {
    private final Peer peer;
    private PeerProcess process;
    private Measured measured = new Measured();
    private double lastMillis;

    Runner(Peer peer) {
      this.peer = peer;
      this.process = peer.start(log);
    }

    void begin() {
      if (!process.isAlive()) {
        process = peer.start(log);
      }
      measured = new Measured();
      lastMillis = 0;
      process.forgetPeak();
    }

    /** A client that takes seconds skips the rounds of warm-up, and ends after three others. */
    private boolean isSlow(boolean counts) {
      return lastMillis > SLOW_MILLIS && (!counts || measured.rounds() >= SLOW_ROUNDS);
    }

    /** Returns the checksum; null where it takes no part. */
    @Nullable Long run(Workload workload, boolean counts) {
      if (measured.refusal() != null || isSlow(counts)) {
        return null;
      }
      long begun = System.nanoTime();
      boolean isCold = workload.kind() == Workload.Kind.COLD;
      if (isCold) {
        process.close();
        process = peer.start(log);
      }
      double cpu = isCold ? 0 : process.cpuSeconds();
      long requests = link == null ? 0 : link.requests();
      long bytes = link == null ? 0 : link.bytes();
      PeerProcess.Answer answer = process.ask(workload, location);
      if (answer instanceof PeerProcess.Refused refused) {
        measured.refuse((refused.isFailure() ? "failed: " : "") + refused.reason());
        isWrong |= peer.name().equals(Peer.OURS);
        return null;
      }
      PeerProcess.Done done = (PeerProcess.Done) answer;
      lastMillis = (isCold ? System.nanoTime() - begun : done.nanos()) / 1e6;
      if (counts) {
        measured.add(
            lastMillis,
            process.cpuSeconds() - cpu,
            link == null ? 0 : link.requests() - requests,
            link == null ? 0 : link.bytes() - bytes);
      }
      return done.checksum();
    }
  }

  /** Returns true where two clients read different values, or this one failed. */
  boolean isWrong() {
    return isWrong;
  }

  /**
   * Runs a workload.
   *
   * @param warm the rounds before those that count
   */
  Comparison run(Workload workload, int warm, int rounds) throws IOException {
    runners.forEach(Runner::begin);
    List<Runner> order = new ArrayList<>(runners);
    Long expected = null;
    for (int round = -warm; round < rounds; round++) {
      for (Runner runner : order) {
        erase(workload);
        Long checksum = runner.run(workload, round >= 0);
        expected = expected == null ? checksum : expected;
        if (checksum != null && !checksum.equals(expected)) {
          isWrong = true;
          runner.measured.refuse("WRONG: " + checksum + " instead of " + expected);
        }
      }
      Collections.rotate(order, 1);
    }
    erase(workload);
    List<Comparison.Entry> entries = new ArrayList<>();
    for (Runner runner : runners) {
      runner.measured.ended(runner.process.peakMebibytes(), runner.process.threads());
      entries.add(new Comparison.Entry(runner.peer.name(), runner.measured));
    }
    return new Comparison(place, workload.name(), entries);
  }

  /** Removes what the client before has written. */
  private void erase(Workload workload) throws IOException {
    Path written = Path.of(location, workload.array());
    if (workload.writes() && Files.exists(written)) {
      try (Stream<Path> below = Files.walk(written)) {
        for (Path each : below.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(each);
        }
      }
    }
  }

  @Override
  public void close() {
    runners.forEach(runner -> runner.process.close());
  }
}
