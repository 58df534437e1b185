package dev.zarrreactive.cli.describe;

import dev.zarrreactive.UnreadableNode;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.cli.command.NodeOperation;
import dev.zarrreactive.cli.console.CommandConsole;
import dev.zarrreactive.cli.console.SeenNodes;
import dev.zarrreactive.cli.location.NodePlace;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonObject;
import java.util.Comparator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import reactor.core.publisher.Flux;
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

  @Option(names = "--json", description = "Print each node as a JSON object on a line.")
  private boolean json;

  @Override
  protected Mono<Void> execute(CommandConsole console) {
    return location().in(options(), place -> draw(place, console));
  }

  private Mono<Void> draw(NodePlace place, CommandConsole console) {
    SeenNodes seen = new SeenNodes(command().warnings());
    return withWarnings(place.openOrDirectory())
        .flatMapMany(
            node ->
                json
                    ? objects(node, depth).doOnNext(seen::see).map(TreeCommand::object)
                    : new Tree(console.terminal(), colours().isOn(), seen::see)
                        .lines(subject(), node, depth))
        .publishOn(console.thread())
        .doOnNext(console.out()::println)
        .doOnTerminate(this::printWarnings)
        .then(seen.end());
  }

  /** Emits a node and those below it, depth first, the children of a group by name. */
  private static Flux<ZarrNode> objects(ZarrNode node, int levels) {
    return node instanceof ZarrGroup group && levels > 0
        ? group
            .children()
            .collectSortedList(Comparator.comparing(ZarrNode::path))
            .flatMapIterable(children -> children)
            .concatMap(child -> objects(child, levels - 1), 0)
            .startWith(node)
        : Flux.just(node);
  }

  private static String object(ZarrNode node) {
    JsonObject object = JsonObject.EMPTY.with("path", node.path().value());
    if (node instanceof UnreadableNode unreadable) {
      return object.with("error", unreadable.error().statement()).toString();
    }
    object = object.with("node_type", node instanceof ZarrArray ? "array" : "group");
    if (node instanceof ZarrArray array) {
      object = object.with("data_type", array.dataType().toString());
      object = object.with("shape", JsonArray.ofIntegers(array.shape().toArray()));
    }
    return object.toString();
  }
}
