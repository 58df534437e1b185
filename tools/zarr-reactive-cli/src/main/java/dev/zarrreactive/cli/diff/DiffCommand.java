package dev.zarrreactive.cli.diff;

import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.cli.command.Subcommand;
import dev.zarrreactive.cli.console.CommandConsole;
import dev.zarrreactive.cli.console.CommandFailure;
import dev.zarrreactive.cli.console.Printable;
import dev.zarrreactive.cli.describe.TextColumns;
import dev.zarrreactive.cli.location.LocationText;
import dev.zarrreactive.cli.location.NodeLocation;
import dev.zarrreactive.cli.location.NodePlace;
import dev.zarrreactive.cli.options.ConcurrencyOption;
import dev.zarrreactive.cli.options.NodeGlobs;
import dev.zarrreactive.cli.options.StoreSettings;
import dev.zarrreactive.cli.process.ExitCode;
import dev.zarrreactive.cli.stream.ReadBytes;
import dev.zarrreactive.cli.stream.WorkProgress;
import dev.zarrreactive.json.JsonObject;
import java.util.concurrent.atomic.AtomicBoolean;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import reactor.core.publisher.Mono;

/** {@code zarr diff}. */
@Command(
    name = "diff",
    headerHeading = "Example: zarr diff earth.zarr copy.zarr --tolerance 1e-6%n",
    description = {
      "Compares two arrays or groups: metadata and elements.",
      "Chunks, codecs and formats may differ. The exit code is 1 with differences."
    })
public final class DiffCommand extends Subcommand {
  @Parameters(
      index = "0",
      paramLabel = "A",
      description = "A directory, archive, URL, or path into one.")
  private String first;

  @Parameters(index = "1", paramLabel = "B", description = "The same.")
  private String second;

  @Option(
      names = "--tolerance",
      paramLabel = "T",
      description = "Numbers are equal that differ by at most T.")
  private double tolerance;

  @Option(
      names = "--bits",
      description =
          "Compare bit by bit, and attributes and fill values as stored, not as xarray sees them.")
  private boolean bits;

  @Option(names = "--metadata", description = "Compare metadata alone.")
  private boolean metadata;

  @Option(names = "--storage", description = "Compare format, chunks and codecs, too.")
  private boolean storage;

  @Mixin private final NodeGlobs globs = new NodeGlobs();
  @Mixin private final ConcurrencyOption concurrency = new ConcurrencyOption();

  @Option(names = "--json", description = "Print each difference as a JSON object on a line.")
  private boolean json;

  private final AtomicBoolean isDifferent = new AtomicBoolean();

  @Override
  protected String subject() {
    return LocationText.shown(first) + " and " + LocationText.shown(second);
  }

  @Override
  protected int exitCode() {
    return isDifferent.get() ? ExitCode.FAILURE : ExitCode.SUCCESS;
  }

  @Override
  protected String adviceAfterInterrupt() {
    return "the rest was not compared";
  }

  @Override
  protected Mono<Void> execute(CommandConsole console) {
    if (!(tolerance >= 0)) {
      throw new ParameterException(spec().commandLine(), "--tolerance may not be negative");
    }
    if (bits && tolerance > 0) {
      throw new ParameterException(
          spec().commandLine(), "--bits and --tolerance exclude each other");
    }
    StoreSettings settings = command().storeSettings(spec()).checkedFor(first, second);
    ZarrOptions each = concurrency.of(options());
    ZarrOptions half = each.withMaxInFlightBytes(Math.max(1, each.maxInFlightBytes() / 2));
    ReadBytes read = new ReadBytes();
    WorkProgress progress = new WorkProgress(console, "compared", read);
    NodeLocation left = located(first, settings).observedBy(read);
    NodeLocation right = located(second, settings).observedBy(read);
    return left.in(
            half,
            one ->
                right
                    .in(
                        half,
                        other ->
                            progress
                                .beside(compare(one, other, progress, console))
                                .onErrorMap(error -> CommandFailure.about(subject(), error)))
                    .onErrorMap(this::ofSecond))
        .onErrorMap(this::ofFirst);
  }

  /** Returns the location of one of the two; an error names it. */
  private NodeLocation located(String path, StoreSettings settings) {
    try {
      return location(path, settings.of(path));
    } catch (CommandFailure | IllegalArgumentException e) {
      throw CommandFailure.of(LocationText.shown(path), e);
    }
  }

  private Throwable ofFirst(Throwable error) {
    return CommandFailure.about(LocationText.shown(first), error);
  }

  private Throwable ofSecond(Throwable error) {
    return CommandFailure.about(LocationText.shown(second), error);
  }

  private Mono<Void> compare(
      NodePlace one, NodePlace other, WorkProgress progress, CommandConsole console) {
    HierarchyDifference difference =
        new HierarchyDifference(
            new HierarchyDifference.Options(tolerance, !metadata, bits, storage, globs.choice()),
            new HierarchyDifference.Sides(one, other, this::ofFirst, this::ofSecond),
            command().warnings()::see,
            progress);
    return Mono.zip(one.open().onErrorMap(this::ofFirst), other.open().onErrorMap(this::ofSecond))
        .flatMapMany(nodes -> difference.lines(nodes.getT1(), nodes.getT2()))
        .publishOn(console.thread())
        .doOnNext(
            line -> {
              isDifferent.set(true);
              progress.clear();
              if (json) {
                console.out().println(JsonObject.EMPTY.with("difference", line).toString());
              } else if (!console.isQuiet()) {
                TextColumns.wrapped(Printable.of(line), "  ", console.terminal().lineLength())
                    .forEach(console.out()::println);
              }
            })
        .doOnTerminate(this::printWarnings)
        .then();
  }
}
