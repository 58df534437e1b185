package dev.zarrreactive.cli.change;

import dev.zarrreactive.array.Shape;
import dev.zarrreactive.chunkgrid.Outside;
import dev.zarrreactive.cli.command.NodeOperation;
import dev.zarrreactive.cli.console.CommandConsole;
import dev.zarrreactive.cli.location.NodePlace;
import dev.zarrreactive.cli.options.ExtentsConverter;
import java.util.List;
import picocli.CommandLine.Command;
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
  private Outside outside = Outside.TRIM;

  @Override
  protected Mono<Void> execute(CommandConsole console) {
    return locationInHierarchy().in(options(), place -> resize(place, console));
  }

  private Mono<Void> resize(NodePlace place, CommandConsole console) {
    place.checkWritable();
    return consolidatedAbove(place)
        .flatMap(
            groups ->
                warned(place.openArray())
                    .flatMap(
                        array ->
                            array
                                .resize(shape, outside)
                                .publishOn(console.thread())
                                .doOnNext(
                                    resized ->
                                        report(array.shape(), resized.shape(), groups, console)))
                    .then());
  }

  private static void report(
      Shape before, Shape after, List<String> groups, CommandConsole console) {
    console.out().println("Resized from " + before + " to " + after + ".");
    reportRemoved(groups, console);
  }
}
