package dev.zarrreactive.cli.copy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.cli.CommandRun;
import dev.zarrreactive.cli.console.CommandConsole;
import dev.zarrreactive.cli.console.Terminal;
import dev.zarrreactive.cli.stream.ReadBytes;
import dev.zarrreactive.copy.CopyProgress;
import dev.zarrreactive.copy.CopyReport;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.observation.StoreOperation;
import dev.zarrreactive.observation.StoreOutcome;
import dev.zarrreactive.observation.StoreRequest;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;

class CopySummaryTest {
  /** A terminal that waits for a text. */
  private static final class Screen extends OutputStream {
    private final ByteArrayOutputStream shown = new ByteArrayOutputStream();
    private final String awaited;
    private final CountDownLatch seen = new CountDownLatch(1);

    Screen(String awaited) {
      this.awaited = awaited;
    }

    @Override
    public synchronized void write(int b) {
      shown.write(b);
      if (shown.toString(StandardCharsets.UTF_8).contains(awaited)) {
        seen.countDown();
      }
    }
  }

  @Test
  void the_bar_shows_what_is_read_while_no_chunk_is_finished() throws InterruptedException {
    ReadBytes read = new ReadBytes();
    CopySummary summary = new CopySummary(read, CopySummary.Ending.SENTENCE);
    CopyProgress first =
        new CopyProgress(
            NodePath.of("a"),
            0,
            1,
            1,
            4,
            100,
            400,
            0,
            new CopyReport(List.of(), 0, CopyReport.UNKNOWN, 0, List.of(), List.of()));
    Screen screen = new Screen("25 %  100 bytes of 400 bytes, 2.0 KiB read");
    CommandConsole console =
        new CommandConsole(OutputStream.nullOutputStream(), screen, CommandRun.TERMINAL);
    Disposable copy = summary.of(Flux.just(first).concatWith(Flux.never()), console).subscribe();
    read.onEnd(
        new StoreRequest(1, StoreOperation.GET, "a/c/0", null),
        new StoreOutcome(StoreOutcome.Kind.COMPLETED, 2048, 1, Duration.ZERO, null));
    assertThat(screen.seen.await(30, TimeUnit.SECONDS)).isTrue();
    copy.dispose();
  }

  @Test
  void in_a_pipe_a_line_at_times_has_the_rate_and_the_time_left() throws InterruptedException {
    AtomicLong nanos = new AtomicLong();
    ReadBytes read = new ReadBytes();
    CopySummary summary = new CopySummary(read, CopySummary.Ending.SENTENCE, nanos::get);
    CopyReport report = new CopyReport(List.of(), 0, 0, 0, List.of(), List.of());
    CopyProgress first =
        new CopyProgress(NodePath.of("a"), 0, 1, 1, 4, 1 << 20, 4 << 20, 0, report);
    Screen screen =
        new Screen("25 % copied, 1.0 MiB of 4.0 MiB, 204 bytes/s read, 30.0 s left, /a\n");
    CommandConsole console =
        new CommandConsole(OutputStream.nullOutputStream(), screen, Terminal.NONE);
    read.onEnd(
        new StoreRequest(1, StoreOperation.GET, "a/c/0", null),
        new StoreOutcome(StoreOutcome.Kind.COMPLETED, 2048, 1, Duration.ZERO, null));
    Disposable copy =
        summary
            .of(
                Flux.just(first)
                    .doOnComplete(() -> nanos.set(10_000_000_000L))
                    .concatWith(Flux.never()),
                console)
            .subscribe();
    assertThat(screen.seen.await(30, TimeUnit.SECONDS)).isTrue();
    copy.dispose();
  }
}
