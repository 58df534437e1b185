package dev.zarrreactive.cli;

import dev.zarrreactive.UnreadableNode;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.cli.console.CommandConsole;
import dev.zarrreactive.cli.console.CommandFailure;
import dev.zarrreactive.cli.console.Quantities;
import dev.zarrreactive.cli.describe.Tree;
import dev.zarrreactive.cli.location.NodePlace;
import java.util.concurrent.atomic.AtomicLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import reactor.core.publisher.Mono;

/** {@code zarr tree}. */
@Command(
    name = "tree",
    headerHeading = "Example: zarr tree earth.zarr --depth 2%n",
    description = "Draws the groups and arrays below a group.")
final class TreeCommand extends NodeOperation {
  @Option(
      names = "--depth",
      paramLabel = "N",
      description = "The number of levels to show; all by default.")
  private int depth = Integer.MAX_VALUE;

  @Override
  Mono<Void> execute(CommandConsole console) {
    return location().in(options(), place -> draw(place, console));
  }

  private Mono<Void> draw(NodePlace place, CommandConsole console) {
    AtomicLong unreadable = new AtomicLong();
    return warned(place.open())
        .flatMapMany(
            node ->
                new Tree(console.terminal(), colours().isOn(), each -> see(each, unreadable))
                    .lines(subject(), node, depth))
        .publishOn(console.thread())
        .doOnNext(console.out()::println)
        .doOnTerminate(this::printWarnings)
        .then(Mono.defer(() -> unreadable.get() == 0 ? Mono.empty() : failure(unreadable.get())));
  }

  private void see(ZarrNode node, AtomicLong unreadable) {
    command().warnings().see(node);
    if (node instanceof UnreadableNode) {
      unreadable.incrementAndGet();
    }
  }

  /** Returns the failure for a drawn tree with nodes that cannot be opened. */
  private static Mono<Void> failure(long unreadable) {
    return Mono.error(
        new CommandFailure(Quantities.plural(unreadable, "node") + " cannot be opened"));
  }
}
