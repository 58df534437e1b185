package dev.zarrreactive.cli.stream;

import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.cli.console.CommandConsole;
import dev.zarrreactive.cli.console.Quantities;
import dev.zarrreactive.internal.text.Durations;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.time.Duration;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A stream of chunks, shown line by line as they arrive. */
public final class ChunkStream {
  private final Flux<Chunk> chunks;
  private final BigInteger elementsInAll;
  private final Traffic traffic;
  private final Duration delay;
  private final boolean json;

  private BigInteger elementsDone = BigInteger.ZERO;
  private BigInteger bytesDone = BigInteger.ZERO;

  /**
   * Creates a stream, to be shown once.
   *
   * @param elementsInAll the number of elements of all chunks
   * @param traffic the observer of the store
   * @param delay the time that the consumer takes for a chunk
   * @param json whether each line is a JSON object
   */
  public ChunkStream(
      Flux<Chunk> chunks, BigInteger elementsInAll, Traffic traffic, Duration delay, boolean json) {
    this.chunks = chunks;
    this.elementsInAll = elementsInAll;
    this.traffic = traffic;
    this.delay = delay;
    this.json = json;
  }

  /** Writes the chunks, each on a line, and a summary. */
  public Mono<Void> writeTo(CommandConsole console) {
    ProgressBar bar = new ProgressBar(console);
    return Mono.defer(
        () -> {
          long start = System.nanoTime();
          return traffic
              .watch(chunks)
              .concatMap( // asks for one chunk after the one before
                  chunk ->
                      Mono.delay(delay, console.thread())
                          .doOnNext(now -> show(chunk, console, bar)),
                  0)
              .then(
                  Mono.<Void>fromRunnable(() -> finish(console, bar, System.nanoTime() - start))
                      .subscribeOn(console.thread()))
              .doFinally(signal -> bar.clear());
        });
  }

  private void show(Chunk chunk, CommandConsole console, ProgressBar bar) {
    BigInteger count = chunk.data().shape().elementCount();
    elementsDone = elementsDone.add(count);
    int size = chunk.data().dataType().memorySize();
    bytesDone = bytesDone.add(count.multiply(BigInteger.valueOf(size)));
    bar.clear();
    console.out().println(json ? ChunkLine.json(chunk).toString() : ChunkLine.of(chunk));
    console.out().flush();
    Traffic.Numbers now = traffic.now();
    bar.draw(
        share(),
        Quantities.plural(now.delivered(), "chunk")
            + ", "
            + now.inFlight()
            + " in flight, "
            + now.waiting()
            + " waiting");
  }

  private double share() {
    return elementsInAll.signum() == 0
        ? 1
        : new BigDecimal(elementsDone)
            .divide(new BigDecimal(elementsInAll), MathContext.DECIMAL32)
            .doubleValue();
  }

  private void finish(CommandConsole console, ProgressBar bar, long nanos) {
    bar.clear();
    Traffic.Numbers end = traffic.now();
    console.remark(
        Quantities.plural(end.delivered(), "chunk")
            + ", "
            + Quantities.bytes(bytesDone)
            + " of elements from "
            + Quantities.bytes(end.bytes())
            + " in the store, in "
            + Durations.rounded(Duration.ofNanos(nanos)));
    console.remark(
        Quantities.plural(end.requested(), "request")
            + ", at most "
            + end.mostInFlight()
            + " in flight at a time, never more than "
            + end.mostAhead()
            + " ahead of the consumer");
  }
}
