package dev.zarrreactive.cli;

import dev.zarrreactive.cli.console.CommandConsole;
import dev.zarrreactive.cli.describe.Tree;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import reactor.core.publisher.Mono;

/** {@code zarr tree}. */
@Command(name = "tree", description = "Draws the groups and arrays below a group.")
final class TreeCommand extends NodeOperation {
  @Option(
      names = "--depth",
      paramLabel = "N",
      description = "How many levels to show; all where it is not given.")
  private int depth = Integer.MAX_VALUE;

  @Override
  Mono<Void> execute(CommandConsole console) {
    return location().in(options(), place -> draw(place, console));
  }

  private Mono<Void> draw(NodePlace place, CommandConsole console) {
    return warned(place.open())
        .flatMapMany(
            node ->
                new Tree(console.terminal(), colours().isOn(), command().warnings()::see)
                    .lines(subject(), node, depth))
        .publishOn(console.thread())
        .doOnNext(console.out()::println)
        .doOnTerminate(this::printWarnings)
        .then();
  }
}
