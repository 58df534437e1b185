package dev.zarrreactive.cli.describe;

import dev.zarrreactive.cli.command.NodeOperation;
import dev.zarrreactive.cli.console.CommandConsole;
import dev.zarrreactive.cli.console.SeenNodes;
import dev.zarrreactive.cli.console.Terminal;
import dev.zarrreactive.cli.location.NodePlace;
import dev.zarrreactive.cli.options.NodeGlobs;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import reactor.core.publisher.Mono;

/** {@code zarr header}. */
@Command(
    name = "header",
    headerHeading = "Example: zarr header earth.zarr%n",
    description = {
      "Shows all arrays with dimensions, units, chunks and attributes.",
      "An attribute that is longer than a line of the terminal is cut."
    })
public final class HeaderCommand extends NodeOperation {
  @Mixin private final NodeGlobs globs = new NodeGlobs();

  @Override
  protected Mono<Void> execute(CommandConsole console) {
    return location().in(options(), place -> show(place, console));
  }

  private Mono<Void> show(NodePlace place, CommandConsole console) {
    SeenNodes seen = new SeenNodes(command().warnings());
    Terminal terminal = console.terminal();
    int columns = terminal.out() ? terminal.columns() : Integer.MAX_VALUE;
    HierarchyHeader header =
        new HierarchyHeader(colours().isOn(), columns, globs.choice(), seen::see);
    return withWarnings(place.openOrDirectory())
        .flatMapMany(node -> header.lines(subject(), node))
        .publishOn(console.thread())
        .doOnNext(console.out()::println)
        .doOnTerminate(this::printWarnings)
        .then(seen.end());
  }
}
