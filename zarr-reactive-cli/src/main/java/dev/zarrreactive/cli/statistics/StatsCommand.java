package dev.zarrreactive.cli.statistics;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.cli.command.NodeOperation;
import dev.zarrreactive.cli.console.CommandConsole;
import dev.zarrreactive.cli.console.Quantities;
import dev.zarrreactive.cli.location.NodePlace;
import dev.zarrreactive.cli.options.SelectionConverter;
import dev.zarrreactive.cli.stream.ProgressBar;
import dev.zarrreactive.observation.ChunkDecoding;
import dev.zarrreactive.observation.ZarrObserver;
import java.util.concurrent.atomic.AtomicLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import reactor.core.publisher.Mono;

/** {@code zarr stats}. */
@Command(
    name = "stats",
    headerHeading = "Example: zarr stats earth.zarr/earth/relief --select 0:90%n",
    description = {
      "Counts elements, and computes min, max, mean and deviation.",
      "The deviation is that of the population. NaN and NaT are left out of it all."
    })
public final class StatsCommand extends NodeOperation {
  private static final long REDRAW_NANOS = 50_000_000;

  @Option(
      names = "--select",
      paramLabel = "SELECTION",
      converter = SelectionConverter.class,
      description = "In NumPy notation: 0:10,::2,5; all by default.")
  private Selection selection = Selection.all();

  @Option(names = "--json", description = "Print them as JSON.")
  private boolean json;

  /** Counts the chunks that are decoded: any other chunk is missing. */
  private static final class Decodings implements ZarrObserver {
    private final AtomicLong count = new AtomicLong();

    @Override
    public void onDecode(ChunkDecoding decoding) {
      if (decoding.error() == null) {
        count.incrementAndGet();
      }
    }
  }

  @Override
  protected Mono<Void> execute(CommandConsole console) {
    Decodings decodings = new Decodings();
    return location()
        .in(options().withObserver(decodings), place -> report(place, decodings, console))
        .publishOn(console.thread())
        .doOnNext(
            report ->
                console.out().print(json ? report.json() + "\n" : report.text(colours().isOn())))
        .then();
  }

  private Mono<StatisticsReport> report(
      NodePlace place, Decodings decodings, CommandConsole console) {
    return warned(place.openArray()).flatMap(array -> report(array, decodings, console));
  }

  private Mono<StatisticsReport> report(
      ZarrArray array, Decodings decodings, CommandConsole console) {
    Statistics statistics = Statistics.of(array.dataType(), array.fillValue());
    double all = selection.resolve(array.shape()).shape().elementCount().doubleValue();
    ProgressBar bar = new ProgressBar(console.err(), console.terminal().err());
    AtomicLong drawn = new AtomicLong(System.nanoTime());
    return array
        .chunks(selection)
        .publishOn(console.thread(), 1)
        .doOnNext(
            chunk -> {
              statistics.add(chunk.data());
              long now = System.nanoTime();
              if (now - drawn.get() >= REDRAW_NANOS) {
                drawn.set(now);
                bar.draw(
                    statistics.count() / all, Quantities.plural(statistics.count(), "element"));
              }
            })
        .count()
        .doFinally(signal -> bar.clear())
        .map(
            chunks ->
                new StatisticsReport(
                    array.dataType(),
                    statistics,
                    chunks,
                    Math.max(0, chunks - decodings.count.get())));
  }
}
