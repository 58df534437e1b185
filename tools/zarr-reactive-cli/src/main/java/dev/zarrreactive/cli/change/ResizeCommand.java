package dev.zarrreactive.cli.change;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.chunkgrid.ShrinkMode;
import dev.zarrreactive.cli.command.NodeOperation;
import dev.zarrreactive.cli.console.CommandConsole;
import dev.zarrreactive.cli.console.CommandFailure;
import dev.zarrreactive.cli.location.NodePlace;
import dev.zarrreactive.cli.options.CommitOption;
import dev.zarrreactive.cli.options.ExtentsConverter;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import reactor.core.publisher.Mono;

/** {@code zarr resize}. */
@Command(
    name = "resize",
    headerHeading = "Example: zarr resize earth.zarr/earth/lat 720%n",
    description = {
      "Gives an array another shape; new elements have the fill value.",
      "Elements outside of a smaller shape are lost, unless they are kept."
    })
public final class ResizeCommand extends NodeOperation {
  @Parameters(
      index = "1",
      paramLabel = "SHAPE",
      converter = ExtentsConverter.class,
      description = "The new extents, as 720,360.")
  private Shape shape;

  @Option(
      names = "--outside",
      paramLabel = "HOW",
      description = "${COMPLETION-CANDIDATES}: what becomes of elements outside.")
  private ShrinkMode outside = ShrinkMode.TRIM;

  @Option(names = "--dry-run", description = "Only say what would change.")
  private boolean dryRun;

  @Mixin private final CommitOption commit = new CommitOption();

  @Override
  protected String adviceAfterInterrupt() {
    return "the array has its old or its new shape; zarr info shows it";
  }

  @Override
  protected CommitOption commit() {
    return commit;
  }

  @Override
  protected Mono<Void> execute(CommandConsole console) {
    return locationInHierarchy().in(options(), place -> resize(place, console));
  }

  private Mono<Void> resize(NodePlace place, CommandConsole console) {
    place.checkWritable();
    return consolidatedGroupsAbove(place)
        .flatMap(
            groups ->
                withWarnings(place.openArray())
                    .flatMap(
                        array ->
                            dryRun
                                ? forecast(array, console)
                                : array
                                    .resize(shape, outside)
                                    .delayUntil(
                                        resized -> new AppendMark(resized, subject()).forget())
                                    .publishOn(console.thread())
                                    .doOnNext(
                                        resized ->
                                            report(
                                                array.shape(), resized.shape(), groups, console)))
                    .then());
  }

  private Mono<ZarrArray> forecast(ZarrArray array, CommandConsole console) {
    Shape before = array.shape();
    if (shape.rank() != before.rank()) {
      throw new CommandFailure(
          "an array of shape " + before + " cannot be resized to " + shape + ": keep the rank");
    }
    return Mono.fromRunnable(
        () -> console.out().println("Would resize from " + before + " to " + shape + "."));
  }

  private static void report(
      Shape before, Shape after, List<String> groups, CommandConsole console) {
    console.note("Resized from " + before + " to " + after + ".");
    reportRemoved(groups, console);
  }
}
