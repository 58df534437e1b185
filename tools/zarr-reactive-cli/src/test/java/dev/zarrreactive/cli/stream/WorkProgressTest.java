package dev.zarrreactive.cli.stream;

import static dev.zarrreactive.testing.Waiting.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.cli.CommandRun;
import dev.zarrreactive.cli.console.Colours;
import dev.zarrreactive.cli.console.CommandConsole;
import dev.zarrreactive.cli.console.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

class WorkProgressTest {
  private static final Terminal TERMINAL =
      new Terminal(true, true, true, 100, 24, Colours.NONE, false, StandardCharsets.UTF_8);

  private final AtomicLong nanos = new AtomicLong();
  private final ByteArrayOutputStream screen = new ByteArrayOutputStream();

  private WorkProgress progress(Terminal terminal, boolean quietly) {
    CommandConsole console = new CommandConsole(OutputStream.nullOutputStream(), screen, terminal);
    CommandConsole chosen = quietly ? console.quietly() : console;
    return new WorkProgress(chosen, "read", null, !chosen.isQuiet(), nanos::get);
  }

  private String shown() {
    return screen.toString(StandardCharsets.UTF_8);
  }

  @Test
  void a_bar_has_the_bytes_the_rate_and_the_time_left_of_each_part() {
    WorkProgress progress = progress(TERMINAL, false);
    Disposable work = progress.beside(Mono.never()).subscribe();
    progress.begin("/a", 400);
    progress.add(100);
    nanos.set(2_000_000_000L);
    eventually(
        "the bar",
        () -> shown().contains("] 25 %  100 bytes of 400 bytes, 50 bytes/s, 6.0 s left, /a"));
    progress.begin("/b", 10);
    eventually("the next part", () -> shown().contains("] 0 %  0 bytes of 10 bytes, /b"));
    work.dispose();
    eventually("the bar goes", () -> shown().endsWith("\r\u001b[K"));
  }

  @Test
  void on_eighty_columns_the_bar_is_short_and_the_time_left_is_shown() {
    WorkProgress progress = progress(CommandRun.TERMINAL, false);
    Disposable work = progress.beside(Mono.never()).subscribe();
    long mebibyte = 1 << 20;
    progress.begin("/temperature", 4800 * mebibyte);
    progress.add(1200 * mebibyte);
    nanos.set(32_000_000_000L);
    String line = "[###---------] 25 %  1.2 GiB of 4.7 GiB, 37.5 MiB/s, 1 minute 36 s left";
    eventually("the bar", () -> shown().contains("\u001b[K" + line));
    work.dispose();
    assertThat(shown().split("\r\u001b\\[K"))
        .allSatisfy(drawn -> assertThat(drawn).hasSizeLessThan(80));
  }

  @Test
  void work_without_a_known_end_has_no_bar() {
    WorkProgress progress = progress(TERMINAL, false);
    Disposable work = progress.beside(Mono.never()).subscribe();
    progress.begin("x.csv", -1);
    progress.add(100);
    eventually("the bytes", () -> shown().contains("\u001b[K100 bytes read, x.csv"));
    work.dispose();
  }

  @Test
  void in_a_pipe_a_line_comes_every_ten_seconds_and_none_when_quiet() {
    WorkProgress silent = progress(Terminal.NONE, true);
    WorkProgress progress = progress(Terminal.NONE, false);
    Disposable quiet = silent.beside(Mono.never()).subscribe();
    Disposable work = progress.beside(Mono.never()).subscribe();
    silent.begin("/silent", 400);
    progress.begin("/a", 400);
    silent.add(100);
    progress.add(100);
    nanos.set(10_000_000_000L);
    eventually("a line", () -> shown().endsWith("\n"));
    assertThat(shown())
        .isEqualTo("25 % read, 100 bytes of 400 bytes, 10 bytes/s, 30.0 s left, /a\n");
    work.dispose();
    quiet.dispose();
  }
}
