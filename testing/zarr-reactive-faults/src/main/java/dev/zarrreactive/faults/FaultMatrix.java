package dev.zarrreactive.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.faults.FaultRow.Cell;
import dev.zarrreactive.faults.server.Fault;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.testing.Cases;
import dev.zarrreactive.testing.Sampled;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests every fault at every place. A read ends with the right values, or with an error of the
 * right kind and location; never with fill value for a failure. No request, busy connection or
 * buffer remains. {@link FaultTable} has the right outcomes. Extend this class in the tests of a
 * store over a network.
 *
 * <p>Trials run in parallel, each with a server and a store of its own; the test of each waits for
 * its result. The tests find lost buffers where {@code META-INF/services} names {@link LeakWatch}.
 */
@ExtendWith(NoLeaks.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class FaultMatrix {
  private static final int AT_A_TIME = 12;

  private final Map<String, Future<?>> trials = new ConcurrentHashMap<>();
  private final Map<MatrixArray, MatrixArray> seeded = new ConcurrentHashMap<>();
  private final AtomicInteger numbers = new AtomicInteger();
  private @Nullable ExecutorService threads;

  /** For subclasses. */
  protected FaultMatrix() {}

  /** Stores a value for {@link #serve}. Blocks; called by several threads. */
  protected abstract void seed(String key, Bytes value);

  /** Starts a new server of the stored values. */
  protected abstract FaultyServer serve();

  /**
   * Returns a store over a server with the stall timeout and three resumes of a body that was cut.
   */
  protected abstract Connected connect(FaultyServer server, Duration stallTimeout);

  /** Returns the patience of a trial with each wait: long, for the machine may be busy. */
  protected Duration patience() {
    return Duration.ofMinutes(1);
  }

  /**
   * Returns the response of this kind of server with a status, where that is more than the status.
   */
  protected Fault status(int status, @Nullable String retryAfter) {
    return Fault.status(status, retryAfter);
  }

  /** Returns the right outcome of a trial. An override says why this kind of server differs. */
  protected Outcome outcome(String fault, Place place, Occurrence occurrence, Outcome usual) {
    return usual;
  }

  @BeforeAll
  final void begin() {
    ExecutorService executor = Executors.newFixedThreadPool(AT_A_TIME);
    threads = executor;
    for (Place place : Place.values()) {
      check("delay", place, Occurrence.ALWAYS); // the first time, everything takes longer
    }
    cells()
        .sorted(Comparator.comparing(cell -> !cell.row().stalls())) // the longest trials first
        .forEach(cell -> trials.put(cell.toString(), executor.submit(() -> check(cell))));
  }

  @AfterAll
  final void end() throws InterruptedException {
    ExecutorService executor = threads;
    if (executor != null) {
      executor.shutdownNow();
      assertThat(executor.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
    }
  }

  /** Returns the trials; of each fault a third of them in a quick run, others for each fault. */
  final Stream<Cell> cells() {
    List<FaultRow> rows = FaultTable.rows();
    return IntStream.range(0, rows.size())
        .boxed()
        .flatMap(row -> Cases.everyOther(3, row % 3, rows.get(row).cells().toList()).stream());
  }

  @Sampled
  @ParameterizedTest(name = "{0}")
  @MethodSource("cells")
  final void ends_right_or_in_a_located_error_and_leaves_nothing(Cell cell) throws Exception {
    Future<?> trial = Objects.requireNonNull(trials.get(cell.toString()));
    try {
      trial.get(20, TimeUnit.MINUTES);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof AssertionError failed) {
        throw failed;
      }
      throw e;
    }
  }

  /**
   * Runs one trial; fails where it fails.
   *
   * @param fault its name in the table
   * @throws IllegalArgumentException where the table has no such trial
   */
  public final void check(String fault, Place place, Occurrence occurrence) {
    List<Cell> wanted =
        FaultTable.rows().stream()
            .flatMap(FaultRow::cells)
            .filter(cell -> cell.row().name().equals(fault))
            .filter(cell -> cell.place() == place && cell.occurrence() == occurrence)
            .toList();
    if (wanted.size() != 1) {
      throw new IllegalArgumentException(fault + " is there " + wanted.size() + " times");
    }
    check(wanted.get(0));
  }

  private void check(Cell cell) {
    Outcome outcome = outcome(cell.row().name(), cell.place(), cell.occurrence(), cell.outcome());
    try {
      new FaultTrial(this, cell, outcome).run();
    } catch (AssertionError e) {
      throw new AssertionError(cell + ": " + e.getMessage(), e);
    }
  }

  /** Returns a stored array that no other trial changes. */
  MatrixArray seeded(Cell cell) {
    boolean sharded = cell.place().isInShard();
    MatrixArray.Kind kind = cell.row().kind();
    String number = cell.row().replaces() ? "-" + numbers.incrementAndGet() : "";
    String name =
        (sharded ? "sharded-" : "chunked-") + kind.name().toLowerCase(Locale.ROOT) + number;
    return seeded.computeIfAbsent(
        new MatrixArray("matrix/" + name, sharded, kind, 0),
        array -> {
          array.values().forEach(this::seed);
          return array;
        });
  }
}
