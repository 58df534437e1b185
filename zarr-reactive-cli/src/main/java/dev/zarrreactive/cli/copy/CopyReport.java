package dev.zarrreactive.cli.copy;

import dev.zarrreactive.cli.console.CommandConsole;
import dev.zarrreactive.cli.console.Printable;
import dev.zarrreactive.cli.console.Quantities;
import dev.zarrreactive.cli.stream.ProgressBar;
import dev.zarrreactive.copy.CopyProgress;
import dev.zarrreactive.json.JsonObject;
import java.math.BigInteger;
import java.time.Duration;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Shows how far a copy is, and in the end what it took. */
public final class CopyReport {
  private static final long REDRAW_NANOS = 50_000_000;

  private final ReadBytes read;
  private final Ending ending;
  private long drawn = Long.MIN_VALUE;

  /** What is said in the end. */
  public enum Ending {
    /** A sentence on standard error. */
    SENTENCE,
    /** A JSON object on standard output. */
    JSON,
    /** Nothing. */
    NOTHING
  }

  /**
   * To be shown once.
   *
   * @param read the observer of the source
   */
  public CopyReport(ReadBytes read, Ending ending) {
    this.read = read;
    this.ending = ending;
  }

  /** Does the copy, with a bar where standard error is a terminal. */
  public Mono<CopyProgress> of(Flux<CopyProgress> copy, CommandConsole console) {
    ProgressBar bar =
        new ProgressBar(console.err(), console.terminal().err() && ending != Ending.NOTHING);
    return copy.publishOn(console.thread(), 1)
        .doOnNext(progress -> draw(progress, bar))
        .doFinally(signal -> bar.clear())
        .last();
  }

  private void draw(CopyProgress progress, ProgressBar bar) {
    long now = System.nanoTime();
    if (drawn == Long.MIN_VALUE || now - drawn >= REDRAW_NANOS || progress.share() == 1) {
      drawn = now;
      bar.draw(
          progress.share(),
          Quantities.plural(progress.chunks(), "chunk")
              + ", "
              + Quantities.bytes(read.bytes())
              + " read, "
              + Printable.of(progress.node().value()));
    }
  }

  /** Says what the copy took. */
  public Mono<Void> finish(CopyProgress end, Duration duration, CommandConsole console) {
    return Mono.<Void>fromRunnable(() -> print(end, duration, console))
        .subscribeOn(console.thread());
  }

  private void print(CopyProgress end, Duration duration, CommandConsole console) {
    switch (ending) {
      case SENTENCE -> console.err().println(sentence(end, duration));
      case JSON -> console.out().println(json(end).toString());
      case NOTHING -> {}
    }
  }

  private String sentence(CopyProgress end, Duration duration) {
    String skipped =
        end.chunksSkipped() == 0
            ? ""
            : " ("
                + Quantities.number(BigInteger.valueOf(end.chunksSkipped()))
                + " of them there already)";
    return Quantities.plural(end.nodes(), "node")
        + " with "
        + Quantities.plural(end.chunks(), "chunk")
        + skipped
        + " copied, "
        + Quantities.bytes(read.bytes())
        + " read, in "
        + Quantities.duration(duration);
  }

  private JsonObject json(CopyProgress end) {
    return JsonObject.EMPTY
        .with("nodes", end.nodes())
        .with("chunks", end.chunks())
        .with("chunks_skipped", end.chunksSkipped())
        .with("bytes_read", read.bytes());
  }
}
