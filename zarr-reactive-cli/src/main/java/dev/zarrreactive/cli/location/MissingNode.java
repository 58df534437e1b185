package dev.zarrreactive.cli.location;

import dev.zarrreactive.cli.console.CommandFailure;
import dev.zarrreactive.error.NodeNotFoundException;
import dev.zarrreactive.internal.hierarchy.ForeignContent;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.store.Store;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Explains that a location has no node. */
final class MissingNode {
  /** The suffix of the documents of an unfinished copy. */
  private static final String PARTIAL = ".partial";

  private MissingNode() {}

  /**
   * Returns the error for the user, which tells an unfinished copy from a location without a node.
   *
   * @param node the path in the store that the user named; the error may be about another node
   */
  static Mono<CommandFailure> explained(Store store, String node, NodeNotFoundException error) {
    String missing = error.location().nodePath();
    NodePath path = NodePath.of(missing == null ? node : missing);
    return Flux.just(NodePath.DOCUMENT, NodePath.V2_GROUP, NodePath.V2_ARRAY)
        .map(document -> document + PARTIAL)
        .concatMap(name -> store.get(path.key(name)).map(document -> name), 0)
        .next()
        .onErrorComplete() // the first error tells more
        .map(name -> unfinished(name, error))
        .switchIfEmpty(
            Mono.defer(() -> ForeignContent.inDirectory(store, path))
                .map(sentence -> new CommandFailure(sentence, error)))
        .defaultIfEmpty(absent(path, error));
  }

  private static CommandFailure unfinished(String document, NodeNotFoundException error) {
    return new CommandFailure(
        "an unfinished copy or import ("
            + document
            + "); the command that began it finishes it with --resume and the options of the first"
            + " run, zarr rm erases it",
        error);
  }

  private static CommandFailure absent(NodePath path, NodeNotFoundException error) {
    return new CommandFailure(
        path.isRoot()
            ? "not a Zarr directory: no zarr.json, .zarray or .zgroup in it"
            : "no array or group at " + path,
        error);
  }
}
