package dev.zarrreactive.cli.statistics;

import dev.zarrreactive.UnreadableNode;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.cli.command.NodeOperation;
import dev.zarrreactive.cli.console.CommandConsole;
import dev.zarrreactive.cli.console.Printable;
import dev.zarrreactive.cli.console.SeenNodes;
import dev.zarrreactive.cli.console.Terminal;
import dev.zarrreactive.cli.describe.TextColumns;
import dev.zarrreactive.cli.location.NodeLocation;
import dev.zarrreactive.cli.location.NodePlace;
import dev.zarrreactive.cli.options.ConcurrencyOption;
import dev.zarrreactive.cli.options.NodeGlobs;
import dev.zarrreactive.cli.options.SelectOption;
import dev.zarrreactive.cli.output.CfOptions;
import dev.zarrreactive.cli.stored.SparseChunks;
import dev.zarrreactive.cli.stream.WorkProgress;
import dev.zarrreactive.dataset.ExactStatistics;
import dev.zarrreactive.internal.context.HierarchyRequests;
import dev.zarrreactive.internal.copying.PathGlobs;
import dev.zarrreactive.internal.planning.SaturatingSize;
import dev.zarrreactive.internal.summary.ArraySummary;
import dev.zarrreactive.internal.summary.DecodedSelection;
import dev.zarrreactive.internal.summary.PassListener;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.observation.ChunkDecoding;
import dev.zarrreactive.observation.ZarrObserver;
import dev.zarrreactive.store.Store;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import reactor.core.publisher.Mono;

/** {@code zarr stats}. */
@Command(
    name = "stats",
    headerHeading =
        "Examples: zarr stats earth.zarr/earth/relief --select 0:90%n"
            + "          zarr stats earth.zarr --percentiles 5,50,95%n",
    description = {
      "Counts elements, and computes min, max, mean and deviation.",
      "The deviation is that of the population. NaN and NaT are left out of it all.",
      "A group has a line for each array below it."
    })
public final class StatsCommand extends NodeOperation {
  private static final int MOST_BINS = 1000;

  @Mixin private final SelectOption select = new SelectOption();
  @Mixin private final CfOptions cf = new CfOptions();
  @Mixin private final NodeGlobs globs = new NodeGlobs();
  @Mixin private final ConcurrencyOption concurrency = new ConcurrencyOption();

  /** The columns that stay on a narrow terminal: array, type, elements, NaN, min and max. */
  private static final int KEPT = 6;

  private static final MathContext SIX_DIGITS = new MathContext(6);

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
    if (cf.areContrary()) {
      throw wrong("--decode and --raw exclude each other");
    }
    NodeLocation hierarchy = locationInHierarchy();
    return location(cf.hasLabels())
        .in(
            concurrency.of(options()).withObserver(decodings),
            place ->
                withWarnings(place.open())
                    .flatMap(
                        node ->
                            node instanceof ZarrGroup group
                                ? reports(place, hierarchy, group, decodings, console)
                                : place
                                    .openArray()
                                    .flatMap(place::forManyChunks)
                                    .flatMap(
                                        array ->
                                            cf.part(place, array, select, hierarchy)
                                                .publishOn(console.thread())
                                                .doOnNext(
                                                    part ->
                                                        part.remark().ifPresent(console::remark))
                                                .flatMap(
                                                    part ->
                                                        report(
                                                            array,
                                                            part,
                                                            HierarchyRequests.of(place.hierarchy()),
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
                        Terminal terminal = console.terminal();
                        new TextColumns(colours().isOn())
                            .fitted(
                                terminal.out() ? rounded(rows) : rows,
                                "",
                                KEPT,
                                terminal.lineLength())
                            .forEach(console.out()::println);
                      }
                      printWarnings();
                    })
                .subscribeOn(console.thread()))
        .then(seen.end());
  }

  /** Returns the rows with numbers of six digits, which a terminal has room for. */
  static List<List<String>> rounded(List<List<String>> rows) {
    return rows.stream()
        .map(
            row ->
                row.stream()
                    .map(
                        text ->
                            text.matches("-?\\d+\\.\\d+(E-?\\d+)?")
                                ? shortest(new BigDecimal(text).round(SIX_DIGITS))
                                : text)
                    .toList())
        .toList();
  }

  private static String shortest(BigDecimal number) {
    BigDecimal plain = number.stripTrailingZeros();
    int exponent = plain.precision() - plain.scale() - 1;
    return exponent < -4 || exponent > 15 ? plain.toString() : plain.toPlainString();
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
    return cf.part(place, array, select, hierarchy)
        .publishOn(console.thread())
        .doOnNext(
            part ->
                part.remark().ifPresent(text -> console.remark(Printable.of(path + ": " + text))))
        .flatMap(
            part ->
                ExactStatistics.exist(part.decoding().dataType())
                    ? place
                        .forManyChunks(array)
                        .flatMap(
                            many ->
                                report(
                                    path,
                                    many,
                                    part,
                                    HierarchyRequests.of(place.hierarchy()),
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
        .map(chunks -> Optional.of(chunks.elements()))
        .defaultIfEmpty(Optional.empty())
        .flatMap(
            sparse -> {
              Passes passes = new Passes(array, chosen.selection(), decodings, console);
              return ArraySummary.read(
                      new DecodedSelection(
                          array, chosen.decoding(), chosen.selection(), sparse.orElse(null)),
                      percentiles,
                      bins,
                      passes)
                  .map(
                      summary ->
                          new StatisticsReport(
                              summary, Math.max(0, summary.chunks() - passes.decoded)));
            });
  }

  /** Shows how far each pass over an array is, and counts the chunks that the first one decodes. */
  private static final class Passes implements PassListener {
    private final ZarrArray array;
    private final Shape selected;
    private final Decodings decodings;
    private final WorkProgress progress;
    private long decoded = -1;

    Passes(ZarrArray array, Selection selection, Decodings decodings, CommandConsole console) {
      this.array = array;
      this.selected = selection.resolve(array.shape()).shape();
      this.decodings = decodings;
      this.progress = new WorkProgress(console, "read", null);
    }

    @Override
    public <T> Mono<T> accompany(Mono<T> pass) {
      return Mono.defer(
          () -> {
            long before = decodings.count.get();
            progress.begin(array.path().value(), SaturatingSize.bytes(selected, array.dataType()));
            return progress
                .beside(pass)
                .doOnSuccess(
                    done -> decoded = decoded < 0 ? decodings.count.get() - before : decoded);
          });
    }

    @Override
    public void read(long elements) {
      progress.add(elements * array.dataType().memorySize());
    }
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec().commandLine(), message);
  }
}
