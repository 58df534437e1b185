package dev.zarrreactive.fuzz;

import com.sun.management.ThreadMXBean;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.testing.Cases;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;

/**
 * Tries a number of cases, or as many as fit into a time that the user names. Case {@code n}
 * depends on the first seed plus {@code n} and on nothing else, so that the seed of a case repeats
 * it. A case ends well, or with a {@link ZarrException} that says where; within the time, and with
 * the memory that its data needs.
 */
final class Fuzzing {
  /** How many seconds to go on for. */
  private static final String SECONDS = "ZARR_FUZZ_SECONDS";

  /** The seed of the first case. */
  private static final String SEED = "ZARR_FUZZ_SEED";

  /** How many cases belong to the tests. */
  private static final int DEFAULT_CASES = Cases.some(1_500, 15_000);

  private static final Duration LONGEST_CASE = Duration.ofSeconds(60);
  private static final long MOST_SURPLUS = 64 << 20;
  private static final int MOST_FINDINGS = 10;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final String name;
  private final Case target;
  private final Duration longestCase;

  /** What went wrong, by what is the same in many cases: the first lines of the stack. */
  private final Map<String, String> findings = new ConcurrentHashMap<>();

  private int accepted;
  private int refused;
  private long mostSurplus;

  private Fuzzing(String name, Case target, Duration longestCase) {
    this.name = name;
    this.target = target;
    this.longestCase = longestCase;
  }

  /** Makes a case of random numbers, and tries it on the thread that calls. */
  @FunctionalInterface
  interface Case {
    void attempt(Random random, Notes notes);
  }

  /** What a case says of itself. */
  static final class Notes {
    /** A case that does not end may still write when others read. */
    private final List<String> lines = new CopyOnWriteArrayList<>();

    private long expected;

    /** For the one who reads of the failure. */
    void say(String line) {
      lines.add(line);
    }

    /** So many bytes are needed by what was asked for. */
    void expect(long bytes) {
      expected += bytes;
    }
  }

  /**
   * Tries 15,000 cases, a tenth of them in a quick run, or for as many seconds as the user named.
   */
  static void run(String name, Case target) {
    long seconds = setting(SECONDS, 0);
    if (seconds == 0) {
      run(name, target, DEFAULT_CASES, LONGEST_CASE);
    } else {
      long end = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
      run(name, target, tried -> System.nanoTime() < end, LONGEST_CASE);
    }
  }

  /** Tries {@code cases} cases; none may take longer than {@code longestCase}. */
  static void run(String name, Case target, int cases, Duration longestCase) {
    run(name, target, tried -> tried < cases, longestCase);
  }

  private static void run(String name, Case target, LongPredicate goesOn, Duration longestCase) {
    Fuzzing fuzzing = new Fuzzing(name, target, longestCase);
    fuzzing.run(goesOn);
    if (!fuzzing.findings.isEmpty()) {
      throw new AssertionError(String.join("\n\n", fuzzing.findings.values()));
    }
  }

  private void run(LongPredicate goesOn) {
    long first = setting(SEED, System.nanoTime());
    ExecutorService worker = Executors.newSingleThreadExecutor(Fuzzing::thread);
    long seed = first;
    boolean hangs = false;
    while (!hangs && goesOn.test(seed - first) && findings.size() < MOST_FINDINGS) {
      hangs = !endsInTime(worker, seed);
      seed++;
    }
    worker.shutdownNow();
    System.out.printf(
        "%s: %,d cases, the first of seed %d: %,d read, %,d refused, at most %,d bytes more than"
            + " expected%n",
        name, seed - first, first, accepted, refused, mostSurplus);
  }

  private static long setting(String setting, long otherwise) {
    String value = System.getProperty(setting, System.getenv(setting));
    return value == null || value.isEmpty() ? otherwise : Long.parseLong(value);
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "fuzz");
    thread.setDaemon(true);
    return thread;
  }

  private boolean endsInTime(ExecutorService worker, long seed) {
    Notes notes = new Notes();
    Thread[] thread = new Thread[1];
    Future<?> result =
        worker.submit(
            () -> {
              thread[0] = Thread.currentThread();
              attempt(seed, notes);
            });
    try {
      result.get(longestCase.toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException e) {
      Thread stuck = thread[0];
      found("it does not end", stuck == null ? null : stackOf(stuck), seed, notes);
      return false;
    } catch (ExecutionException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static Throwable stackOf(Thread thread) {
    Throwable place = new Throwable("where it is");
    place.setStackTrace(thread.getStackTrace());
    return place;
  }

  /** A case that takes too much memory is tried again: the first time may have loaded classes. */
  private void attempt(long seed, Notes notes) {
    long surplus = surplus(seed, notes, true);
    if (surplus > MOST_SURPLUS) {
      Notes again = new Notes();
      surplus = Math.min(surplus, surplus(seed, again, false));
    }
    mostSurplus = Math.max(mostSurplus, surplus);
    if (surplus > MOST_SURPLUS) {
      found(String.format("%,d bytes more than expected", surplus), null, seed, notes);
    }
  }

  private long surplus(long seed, Notes notes, boolean counts) {
    long before = THREADS.getCurrentThreadAllocatedBytes();
    try {
      target.attempt(new Random(seed), notes);
      accepted += counts ? 1 : 0;
    } catch (ZarrException e) {
      refused += counts ? 1 : 0;
      if (!isLocated(e)) {
        found("it does not say where", e, seed, notes);
      }
    } catch (Throwable e) {
      found("not an error of ours", e, seed, notes);
    }
    return THREADS.getCurrentThreadAllocatedBytes() - before - notes.expected;
  }

  private static boolean isLocated(ZarrException e) {
    Location place = e.location();
    return place.nodePath() != null || place.storeKey() != null;
  }

  private void found(String what, Throwable error, long seed, Notes notes) {
    String kind = error == null ? what.replaceAll("[0-9,.]+", "") : error.getClass() + top(error);
    findings.computeIfAbsent(
        kind,
        k ->
            name
                + ": "
                + what
                + ": "
                + error
                + "\n  repeat it with -D"
                + SEED
                + "="
                + seed
                + "\n  "
                + String.join("\n  ", notes.lines)
                + (error == null ? "" : "\n" + stack(error, 12)));
  }

  private static String top(Throwable error) {
    return stack(error, 2);
  }

  private static String stack(Throwable error, int lines) {
    return List.of(error.getStackTrace()).stream()
        .limit(lines)
        .map(line -> "    at " + line)
        .collect(Collectors.joining("\n"));
  }
}
