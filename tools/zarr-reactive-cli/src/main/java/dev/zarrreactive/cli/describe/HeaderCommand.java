package dev.zarrreactive.cli.describe;

import dev.zarrreactive.UnreadableNode;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.cli.command.NodeOperation;
import dev.zarrreactive.cli.console.CommandConsole;
import dev.zarrreactive.cli.console.SeenNodes;
import dev.zarrreactive.cli.location.NodePlace;
import dev.zarrreactive.cli.options.NodeGlobs;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonNull;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.metadata.DimensionNames;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import reactor.core.publisher.Flux;
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

  @Option(names = "--json", description = "Print each node as a JSON object on a line.")
  private boolean json;

  @Override
  protected Mono<Void> execute(CommandConsole console) {
    return location().in(options(), place -> show(place, console));
  }

  private Mono<Void> show(NodePlace place, CommandConsole console) {
    SeenNodes seen = new SeenNodes(command().warnings());
    HierarchyHeader header =
        new HierarchyHeader(
            colours().isOn(), console.terminal().lineLength(), globs.choice(), seen::see);
    return withWarnings(place.openOrDirectory())
        .flatMapMany(
            node ->
                json
                    ? objects(node).doOnNext(seen::see).map(each -> object(node, each))
                    : header.lines(subject(), node))
        .publishOn(console.thread())
        .doOnNext(console.out()::println)
        .doOnTerminate(this::printWarnings)
        .then(seen.end());
  }

  /** Emits a node and those below it that are chosen, by path. */
  private Flux<ZarrNode> objects(ZarrNode root) {
    return root instanceof ZarrGroup group
        ? group
            .tree()
            .filter(
                node ->
                    node instanceof ZarrGroup
                        || globs.choice().accepts(root.path().relativize(node.path())))
            .collectSortedList(Comparator.comparing(ZarrNode::path))
            .flatMapIterable(nodes -> nodes)
            .startWith(root)
        : Flux.just(root);
  }

  private static String object(ZarrNode root, ZarrNode node) {
    JsonObject object = JsonObject.EMPTY.with("path", "/" + root.path().relativize(node.path()));
    if (node instanceof UnreadableNode unreadable) {
      return object.with("error", unreadable.error().statement()).toString();
    }
    object = object.with("node_type", node instanceof ZarrArray ? "array" : "group");
    if (node instanceof ZarrArray array) {
      ChunkLayout chunks = ChunkLayout.of(array);
      object =
          object
              .with("data_type", array.dataType().toString())
              .with("shape", JsonArray.ofIntegers(array.shape().toArray()))
              .with("dimensions", names(array))
              .with("chunks", JsonArray.ofIntegers(chunks.innermost().toArray()));
      object =
          chunks.isSharded()
              ? object.with("shards", JsonArray.ofIntegers(chunks.outer().toArray()))
              : object;
    }
    return object.with("attributes", node.attributes()).toString();
  }

  private static JsonArray names(ZarrArray array) {
    List<JsonValue> names = new ArrayList<>();
    for (String name : DimensionNames.of(array.metadata()).names()) {
      names.add(name == null ? JsonNull.NULL : new JsonString(name));
    }
    return new JsonArray(names);
  }
}
