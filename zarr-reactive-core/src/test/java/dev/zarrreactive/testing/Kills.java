package dev.zarrreactive.testing;

import static dev.zarrreactive.testing.Waiting.await;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.store.LeftoverStore;
import dev.zarrreactive.store.LeftoverStore.Leftover;
import dev.zarrreactive.store.Store;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Kills a {@link JournaledWriter} at random moments, and starts another one. {@code
 * -Dzarr.kills=200} kills more often than the tests do.
 */
public final class Kills {
  private static final int NUMBERS = 1_000_000;

  private Kills() {}

  /**
   * Kills writers, and checks after each kill what is stored and, where the store can tell, what is
   * left.
   *
   * @param starter starts the process whose first change has that number
   */
  public static void run(Store store, int kills, IntFunction<ChildProcess> starter) {
    int count = Integer.getInteger("zarr.kills", kills);
    Random random = new Random(count);
    JournaledWriter.create(store);
    WriterJournal journal = new WriterJournal();
    long left = 0;
    long bytes = 0;
    for (int kill = 1; kill <= count; kill++) {
      try (ChildProcess writer = starter.apply(kill * NUMBERS)) {
        killed(writer, journal, random);
      }
      journal.check(store);
      if (store instanceof LeftoverStore telling) {
        List<Leftover> leftovers = await(telling.leftovers(Duration.ZERO));
        long removed = requireNonNull(await(telling.clean(Duration.ZERO)));
        assertThat(removed).isEqualTo(leftovers.size());
        assertThat(await(telling.leftovers(Duration.ZERO))).isEmpty();
        left += removed;
        bytes += leftovers.stream().mapToLong(Leftover::size).sum();
        journal.check(store);
      }
    }
    System.out.printf(
        "%s: %d kills, %d changes stored, %d leftovers of %d bytes removed%n",
        store, count, journal.changes(), left, bytes);
  }

  /** Kills the process some changes and a moment after it has begun. */
  private static void killed(ChildProcess writer, WriterJournal journal, Random random) {
    int changes = random.nextInt(60);
    for (int ended = 0; ended <= changes; ) {
      String line = requireNonNull(writer.line(), "the writer has ended by itself");
      ended += journal.add(line) ? 1 : 0;
    }
    LockSupport.parkNanos(random.nextInt(5_000_000));
    writer.kill();
    for (@Nullable String line = writer.line(); line != null; line = writer.line()) {
      journal.add(line);
    }
  }
}
