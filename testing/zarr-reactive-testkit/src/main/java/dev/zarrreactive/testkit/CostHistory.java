package dev.zarrreactive.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;

/**
 * Counts that a test compares with those of a file, such as requests, bytes and operators of a
 * read. Counts do not depend on the load of a machine, as times do. One that is larger than in the
 * file by more than a fifth fails, as does one without a line.
 *
 * <p>{@code -Dzarr.costs.write=true} writes the counts to the file instead. Blocking; for one
 * thread.
 */
public final class CostHistory {
  private static final double WORSE = 1.2;
  private static final String HOOK = CostHistory.class.getName();

  private final Path file;
  private final Map<String, Double> known = new TreeMap<>();

  private CostHistory(Path file) {
    this.file = file;
  }

  /** Reads the file of a module: lines of a count, a space and its name. */
  public static CostHistory of(Path file) {
    CostHistory history = new CostHistory(file);
    if (Files.exists(file)) {
      for (String line : history.lines()) {
        String[] parts = line.split(" ", 2);
        history.known.put(parts[1], Double.parseDouble(parts[0]));
      }
    }
    return history;
  }

  /** Returns the number of operators that Reactor assembles for {@code work}, also within it. */
  public static long operators(Mono<?> work) {
    LongAdder operators = new LongAdder();
    Hooks.onEachOperator(
        HOOK,
        each -> {
          operators.increment();
          return each;
        });
    try {
      work.block();
    } finally {
      Hooks.resetOnEachOperator(HOOK);
    }
    return operators.sum();
  }

  /**
   * Compares a count with that of the file.
   *
   * @throws AssertionError where it is larger by more than a fifth, or has no line
   */
  public void check(String name, double count) {
    if (Boolean.getBoolean("zarr.costs.write")) {
      known.put(name, count);
      write();
      return;
    }
    Double before = known.get(name);
    if (before == null || count > WORSE * before) {
      throw new AssertionError(
          String.format(
              Locale.ROOT,
              "%s: %.2f, where %s has %s. Make it less, or write the file anew with"
                  + " -Dzarr.costs.write=true and say why",
              name,
              count,
              file,
              before == null ? "no line" : before));
    }
  }

  private List<String> lines() {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void write() {
    List<String> lines = new ArrayList<>();
    known.forEach((name, count) -> lines.add(String.format(Locale.ROOT, "%.2f %s", count, name)));
    try {
      Files.write(file, lines);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
