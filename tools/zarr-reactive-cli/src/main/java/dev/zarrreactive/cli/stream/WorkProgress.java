package dev.zarrreactive.cli.stream;

import dev.zarrreactive.cli.console.CommandConsole;
import dev.zarrreactive.cli.console.Printable;
import dev.zarrreactive.cli.console.Quantities;
import dev.zarrreactive.internal.text.Durations;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/**
 * How far long work is, in bytes, with the rate and the time left: a bar on a terminal, a line
 * every ten seconds elsewhere, nothing after {@code --quiet}. Work may have parts, one after the
 * other, such as arrays; each is counted alone. Counting is thread-safe.
 */
public final class WorkProgress {
  /** The milliseconds between two looks at the numbers. */
  private static final long REFRESH = 250;

  /** The time between two lines of progress where standard error is no terminal. */
  private static final long LINE_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** The time after which the rate and the time left are told. */
  private static final long STEADY_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final CommandConsole console;
  private final String done;
  private final @Nullable ReadBytes read;
  private final boolean inLines;
  private final LongSupplier nanos;
  private final ProgressBar bar;
  private final long begun;
  private long lineAt;
  private long looked;
  private volatile @Nullable Part part;

  private static final class Part {
    private final String place;
    private final long total;
    private final long begun;
    private final AtomicLong done;

    Part(String place, long done, long total, long begun) {
      this.place = place;
      this.done = new AtomicLong(done);
      this.total = total;
      this.begun = begun;
    }

    /** Returns the share that is done, from 0 to 1; 0 where the end is unknown. */
    double share() {
      return total < 0 ? 0 : total == 0 ? 1 : Math.min(1, (double) done.get() / total);
    }
  }

  /**
   * Creates the progress of work that begins now.
   *
   * @param done the word for a share of the work that is done, such as {@code read}
   * @param read counts what a store delivers, for the rate; null for the rate of what is done
   */
  public WorkProgress(CommandConsole console, String done, @Nullable ReadBytes read) {
    this(console, done, read, !console.isQuiet(), System::nanoTime);
  }

  /**
   * Creates the progress of work that begins now; otherwise as the other constructor.
   *
   * @param inLines whether lines are printed where standard error is no terminal
   */
  public WorkProgress(
      CommandConsole console,
      String done,
      @Nullable ReadBytes read,
      boolean inLines,
      LongSupplier nanos) {
    this.console = console;
    this.done = done;
    this.read = read;
    this.inLines = inLines && !console.terminal().err();
    this.nanos = nanos;
    this.bar = new ProgressBar(console);
    this.begun = nanos.getAsLong();
    this.lineAt = begun + LINE_NANOS;
    this.looked = begun;
  }

  /** Begins a part of the work with this place, for people, and bytes, negative if unknown. */
  public void begin(String place, long bytes) {
    part = new Part(place, 0, bytes, nanos.getAsLong());
  }

  /** Counts bytes of the part as done. */
  public void add(long bytes) {
    Part now = part;
    if (now != null) {
      now.done.addAndGet(bytes);
    }
  }

  /**
   * Counts bytes of the part as done, on the console's thread. Work that keeps this thread busy
   * leaves no time for other looks at the numbers.
   */
  public void addHere(long bytes) {
    add(bytes);
    if (nanos.getAsLong() - looked >= TimeUnit.MILLISECONDS.toNanos(REFRESH)) {
      refresh();
    }
  }

  /** Sets how far the work as a whole is. */
  public void at(String place, long bytes, long total) {
    part = new Part(place, bytes, total, begun);
  }

  /** Shows the progress while the work runs. */
  public <T> Mono<T> beside(Mono<T> work) {
    return Mono.using(
        () ->
            console
                .thread()
                .schedulePeriodically(this::refresh, REFRESH, REFRESH, TimeUnit.MILLISECONDS),
        refresh -> work.publishOn(console.thread()).doFinally(end -> end()),
        Disposable::dispose);
  }

  /** Removes the bar, so that a line can be written in its place; on the console's thread. */
  public void clear() {
    bar.clear();
  }

  private void end() {
    Part now = part;
    if (now != null && now.share() == 1) {
      draw(now);
    }
    bar.clear();
  }

  private void refresh() {
    looked = nanos.getAsLong();
    Part now = part;
    if (now == null || now.share() == 1) {
      return;
    }
    draw(now);
    if (inLines && nanos.getAsLong() >= lineAt) {
      lineAt += LINE_NANOS;
      console
          .err()
          .println(
              now.total < 0
                  ? text(now)
                  : Math.round(now.share() * 100) + " % " + done + ", " + text(now));
      console.err().flush();
    }
  }

  private void draw(Part now) {
    if (now.total < 0) {
      bar.draw(text(now));
    } else {
      bar.draw(now.share(), text(now));
    }
  }

  /** Returns the bytes, the rate and the time left. */
  private String text(Part now) {
    long time = nanos.getAsLong();
    long bytes = read == null ? now.done.get() : read.bytes();
    long elapsed = time - (read == null ? now.begun : begun);
    StringBuilder text = new StringBuilder();
    text.append(Quantities.bytes(now.done.get()));
    text.append(now.total < 0 ? " " + done : " of " + Quantities.bytes(now.total));
    if (elapsed >= STEADY_NANOS) {
      text.append(", ").append(Quantities.bytes((long) (bytes / seconds(elapsed)))).append("/s");
      text.append(read == null ? "" : " read");
      double share = now.share();
      if (share > 0 && share < 1) {
        long left = Math.round(seconds(time - now.begun) / share * (1 - share));
        text.append(", ").append(Durations.rounded(Duration.ofSeconds(left))).append(" left");
      }
    } else if (read != null) {
      text.append(", ").append(Quantities.bytes(bytes)).append(" read");
    }
    return text.append(", ").append(Printable.of(now.place)).toString();
  }

  private static double seconds(long nanos) {
    return (double) nanos / TimeUnit.SECONDS.toNanos(1);
  }
}
