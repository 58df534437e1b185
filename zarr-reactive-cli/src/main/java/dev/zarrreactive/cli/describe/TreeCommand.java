package dev.zarrreactive.cli.describe;

import dev.zarrreactive.cli.command.NodeOperation;
import dev.zarrreactive.cli.console.CommandConsole;
import dev.zarrreactive.cli.console.SeenNodes;
import dev.zarrreactive.cli.location.NodePlace;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import reactor.core.publisher.Mono;

/** {@code zarr tree}. */
@Command(
    name = "tree",
    headerHeading = "Example: zarr tree earth.zarr --depth 2%n",
    description = "Draws the groups and arrays below a group.")
public final class TreeCommand extends NodeOperation {
  @Option(
      names = "--depth",
      paramLabel = "N",
      description = "The number of levels to show; all by default.")
  private int depth = Integer.MAX_VALUE;

  @Override
  protected Mono<Void> execute(CommandConsole console) {
    return location().in(options(), place -> draw(place, console));
  }

  private Mono<Void> draw(NodePlace place, CommandConsole console) {
    SeenNodes seen = new SeenNodes(command().warnings());
    return warned(place.open())
        .flatMapMany(
            node ->
                new Tree(console.terminal(), colours().isOn(), seen::see)
                    .lines(subject(), node, depth))
        .publishOn(console.thread())
        .doOnNext(console.out()::println)
        .doOnTerminate(this::printWarnings)
        .then(seen.end());
  }
}
