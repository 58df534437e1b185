package dev.zarrreactive.cli.statistics;

import dev.zarrreactive.UnreadableNode;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.cli.command.NodeOperation;
import dev.zarrreactive.cli.console.CommandConsole;
import dev.zarrreactive.cli.console.SeenNodes;
import dev.zarrreactive.cli.describe.TextColumns;
import dev.zarrreactive.cli.location.NodeLocation;
import dev.zarrreactive.cli.location.NodePlace;
import dev.zarrreactive.cli.options.ConcurrencyOption;
import dev.zarrreactive.cli.options.NodeGlobs;
import dev.zarrreactive.cli.options.SelectOption;
import dev.zarrreactive.cli.output.CfOptions;
import dev.zarrreactive.cli.stored.SparseChunks;
import dev.zarrreactive.cli.stream.WorkProgress;
import dev.zarrreactive.dataset.cf.CfDecoding;
import dev.zarrreactive.dataset.cf.TimeCoding;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.internal.planning.SaturatingSize;
import dev.zarrreactive.internal.text.PathGlobs;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.observation.ChunkDecoding;
import dev.zarrreactive.observation.ZarrObserver;
import dev.zarrreactive.store.Store;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** {@code zarr stats}. */
@Command(
    name = "stats",
    headerHeading = "Example: zarr stats earth.zarr/earth/relief --select 0:90%n",
    description = {
      "Counts elements, and computes min, max, mean and deviation.",
      "The deviation is that of the population. NaN and NaT are left out of it all.",
      "A group has a line for each array below it."
    })
public final class StatsCommand extends NodeOperation {
  private static final int MOST_BINS = 1000;
  private static final int CONCURRENCY = 16;

  @Mixin private final SelectOption select = new SelectOption();
  @Mixin private final CfOptions cf = new CfOptions();
  @Mixin private final NodeGlobs globs = new NodeGlobs();
  @Mixin private final ConcurrencyOption concurrency = new ConcurrencyOption();

  @Option(
      names = "--percentiles",
      paramLabel = "LIST",
      split = ",",
      description = "As 5,50,95, exact; large arrays are read 2 to 4 times.")
  private List<Double> percentiles = List.of();

  @Option(
      names = "--histogram",
      paramLabel = "N",
      description = "Count the elements in N ranges between min and max.")
  private int bins;

  @Option(names = "--json", description = "Print them as JSON, each array on one line.")
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
  protected String adviceAfterInterrupt() {
    return "statistics need every element; none are printed";
  }

  @Override
  protected Mono<Void> execute(CommandConsole console) {
    if (percentiles.stream().anyMatch(percentile -> !(percentile >= 0 && percentile <= 100))) {
      throw wrong("--percentiles are numbers from 0 to 100");
    }
    if (bins < 0 || bins > MOST_BINS) {
      throw wrong("--histogram is a number from 1 to " + MOST_BINS);
    }
    Decodings decodings = new Decodings();
    NodeLocation hierarchy = location(cf.isGiven());
    return location(cf.hasLabels())
        .in(
            concurrency.of(options()).withObserver(decodings),
            place ->
                warned(place.open())
                    .flatMap(
                        node ->
                            node instanceof ZarrGroup group
                                ? reports(place, hierarchy, group, decodings, console)
                                : place
                                    .openArray()
                                    .flatMap(place::forManyChunks)
                                    .flatMap(
                                        array ->
                                            cf.part(place, array, select.orAll(), hierarchy)
                                                .flatMap(
                                                    part ->
                                                        report(
                                                            array,
                                                            part,
                                                            place.hierarchy().requests(),
                                                            decodings,
                                                            console)))
                                    .publishOn(console.thread())
                                    .doOnNext(report -> print(report, console))
                                    .then()));
  }

  private void print(StatisticsReport report, CommandConsole console) {
    console.out().print(json ? report.json() + "\n" : report.text(colours().isOn()));
  }

  private Mono<Void> reports(
      NodePlace place,
      NodeLocation hierarchy,
      ZarrGroup group,
      Decodings decodings,
      CommandConsole console) {
    if (bins > 0 && !json) {
      throw wrong("--histogram of a group needs --json");
    }
    if (cf.hasLabels()) {
      throw wrong("--sel selects of one array; name an array of the group");
    }
    List<List<String>> rows = new ArrayList<>();
    rows.add(StatisticsReport.titles(percentiles));
    SeenNodes seen = new SeenNodes(command().warnings());
    PathGlobs choice = globs.choice();
    return group
        .tree()
        .doOnNext(seen::see)
        .filter(node -> !(node instanceof ZarrGroup))
        .filter(node -> choice.accepts(group.path().relativize(node.path())))
        .collectSortedList(Comparator.comparing(ZarrNode::path))
        .flatMapIterable(nodes -> nodes)
        .concatMap(node -> report(place, hierarchy, node, rows, decodings, console), 0)
        .then(
            Mono.<Void>fromRunnable(
                    () -> {
                      if (!json) {
                        new TextColumns(colours().isOn())
                            .lines(rows, "")
                            .forEach(console.out()::println);
                      }
                      printWarnings();
                    })
                .subscribeOn(console.thread()))
        .then(seen.end());
  }

  private Mono<Void> report(
      NodePlace place,
      NodeLocation hierarchy,
      ZarrNode node,
      List<List<String>> rows,
      Decodings decodings,
      CommandConsole console) {
    String path = node.path().value();
    if (!(node instanceof ZarrArray array)) {
      String reason = node instanceof UnreadableNode broken ? broken.error().statement() : "";
      return without(path, "cannot be opened: " + reason, rows, console);
    }
    return cf.part(place, array, select.orAll(), hierarchy)
        .flatMap(
            part ->
                Statistics.exist(part.decoding().dataType())
                    ? place
                        .forManyChunks(array)
                        .flatMap(
                            many ->
                                report(
                                    path,
                                    many,
                                    part,
                                    place.hierarchy().requests(),
                                    rows,
                                    decodings,
                                    console))
                    : without(
                        path, "no statistics of " + part.decoding().dataType(), rows, console));
  }

  private Mono<Void> report(
      String path,
      ZarrArray array,
      CfOptions.Part part,
      Store requests,
      List<List<String>> rows,
      Decodings decodings,
      CommandConsole console) {
    return report(array, part, requests, decodings, console)
        .publishOn(console.thread())
        .doOnNext(
            report -> {
              if (json) {
                console.out().println(report.json(path).toString());
              }
              rows.add(report.row(path));
            })
        .then();
  }

  private Mono<Void> without(
      String path, String reason, List<List<String>> rows, CommandConsole console) {
    return Mono.<Void>fromRunnable(
            () -> {
              rows.add(List.of(path, reason));
              if (json) {
                console
                    .out()
                    .println(JsonObject.EMPTY.with("path", path).with("error", reason).toString());
              }
            })
        .subscribeOn(console.thread());
  }

  private Mono<StatisticsReport> report(
      ZarrArray array,
      CfOptions.Part chosen,
      Store requests,
      Decodings decodings,
      CommandConsole console) {
    return SparseChunks.of(array, chosen.selection(), requests)
        .filter(SparseChunks::areCountable)
        .map(Optional::of)
        .defaultIfEmpty(Optional.empty())
        .flatMap(sparse -> report(array, chosen, sparse.orElse(null), decodings, console));
  }

  private Mono<StatisticsReport> report(
      ZarrArray array,
      CfOptions.Part part,
      @Nullable SparseChunks sparse,
      Decodings decodings,
      CommandConsole console) {
    CfDecoding decoding = part.decoding();
    TimeCoding calendar =
        decoding.times().filter(times -> times.dataType().equals(DataTypes.INT64)).orElse(null);
    DataType type =
        calendar == null ? decoding.dataType() : DataTypes.datetime64(calendar.unit(), 1);
    Statistics statistics = Statistics.of(type, decoding.isIdentity() ? array.fillValue() : null);
    Distribution distribution = new Distribution(type, percentiles, bins);
    boolean hasDistribution = bins > 0 || !percentiles.isEmpty();
    long before = decodings.count.get();
    return pass(
            array,
            part,
            sparse,
            (data, times) -> {
              if (times == 1) {
                statistics.add(data);
              } else {
                statistics.add(data, times);
              }
              if (hasDistribution) {
                distribution.add(data, times);
              }
            },
            console)
        .map(
            chunks ->
                new StatisticsReport(
                    type,
                    calendar,
                    statistics,
                    chunks,
                    Math.max(0, chunks - (decodings.count.get() - before)),
                    distribution))
        .delayUntil(
            report ->
                hasDistribution
                    ? passes(array, part, sparse, distribution, console)
                    : Mono.empty());
  }

  /** Reads the array again, until the distribution is known. */
  private Mono<Void> passes(
      ZarrArray array,
      CfOptions.Part part,
      @Nullable SparseChunks sparse,
      Distribution distribution,
      CommandConsole console) {
    return Mono.defer(
        () ->
            distribution.endPass()
                ? pass(array, part, sparse, distribution::add, console)
                    .then(passes(array, part, sparse, distribution, console))
                : Mono.empty());
  }

  /** Is told the elements of a chunk, and how often they are. */
  private interface Elements {
    void add(NdArray data, long times);
  }

  /** Tells the elements of every chunk, and emits the number of chunks. */
  private Mono<Long> pass(
      ZarrArray array,
      CfOptions.Part part,
      @Nullable SparseChunks sparse,
      Elements elements,
      CommandConsole console) {
    Shape selected = part.selection().resolve(array.shape()).shape();
    WorkProgress progress = new WorkProgress(console, "read", null);
    progress.begin(array.path().value(), SaturatingSize.bytes(selected, array.dataType()));
    Flux<Chunk> chunks =
        sparse == null
            ? part.decoding().chunks(array, part.selection())
            : Concurrently.map(
                Flux.fromIterable(sparse.stored()),
                CONCURRENCY,
                chunk -> part.decoding().chunks(array, sparse.selection(chunk)));
    return progress.beside(
        chunks
            .publishOn(console.thread(), 1)
            .doOnNext(
                chunk -> {
                  elements.add(chunk.data(), 1);
                  progress.addHere(SaturatingSize.bytes(chunk.data().shape(), array.dataType()));
                })
            .count()
            .map(
                count -> {
                  if (sparse == null) {
                    return count;
                  }
                  NdArray fill = NdArray.filled(Shape.of(1), array.fillValue());
                  elements.add(part.decoding().decode(fill), sparse.missingElements());
                  return sparse.units();
                }));
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec().commandLine(), message);
  }
}
