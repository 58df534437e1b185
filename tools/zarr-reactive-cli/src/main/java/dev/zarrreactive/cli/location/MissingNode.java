package dev.zarrreactive.cli.location;

import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.cli.console.CommandFailure;
import dev.zarrreactive.error.NodeNotFoundException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.ListEntry;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreCapability;
import dev.zarrreactive.store.zip.ZipStore;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Explains that a location has no node. */
final class MissingNode {
  /** The suffix of the documents of an unfinished copy. */
  private static final String PARTIAL = ".partial";

  /** The most directories that are looked into for nodes. */
  private static final int MOST_LOOKED_AT = 200;

  private static final int LOOKED_AT_ONCE = 16;

  private MissingNode() {}

  /**
   * Returns the error for the user, which tells an unfinished copy from a location without a node.
   *
   * @param zarrFormat the only format that was looked for; null for both
   */
  static Mono<CommandFailure> explain(NodeLocation.Missing missing, @Nullable Integer zarrFormat) {
    Store store = missing.place().store();
    NodePath path = missing.path();
    NodeNotFoundException error = missing.error();
    return Flux.just(NodePath.DOCUMENT, NodePath.V2_GROUP, NodePath.V2_ARRAY)
        .map(document -> document + PARTIAL)
        .concatMap(name -> store.get(path.key(name)).map(document -> name), 0)
        .next()
        .onErrorComplete() // the first error tells more
        .map(name -> unfinished(name, error))
        .switchIfEmpty(missing.foreign().map(found -> new CommandFailure(found.sentence(), error)))
        .switchIfEmpty(
            Mono.defer(() -> nodesIn(store, path))
                .map(names -> absent(path, zarrFormat, held(names), error))
                .onErrorResume(StoreException.class, e -> listingError(store, e)))
        .defaultIfEmpty(absent(path, zarrFormat, "", error));
  }

  /** Emits the sorted names of nodes directly below a directory; empty without one. */
  static Mono<List<String>> nodesIn(Store store, NodePath path) {
    if (!store.capabilities().contains(StoreCapability.LIST)) {
      return Mono.empty();
    }
    Flux<StorePrefix> directories =
        store
            .listDir(path.prefix())
            .ofType(ListEntry.Prefix.class)
            .map(ListEntry.Prefix::prefix)
            .take(MOST_LOOKED_AT);
    return Concurrently.mapInOrder(
            directories, LOOKED_AT_ONCE, directory -> nodeIn(store, path, directory))
        .collectSortedList()
        .filter(names -> !names.isEmpty());
  }

  /** Emits the name of a directory if it is a node, or an unfinished one. */
  private static Mono<String> nodeIn(Store store, NodePath above, StorePrefix directory) {
    String name = directory.value().substring(above.prefix().value().length());
    String plain = name.substring(0, name.length() - 1);
    return Flux.just("", PARTIAL)
        .concatMap(
            suffix ->
                Flux.just(NodePath.DOCUMENT, NodePath.V2_GROUP, NodePath.V2_ARRAY)
                    .concatMap(document -> store.get(directory.key(document + suffix)), 0)
                    .next()
                    .map(document -> suffix.isEmpty() ? plain : plain + " (unfinished)"),
            0)
        .next()
        .onErrorResume(StoreException.class, e -> Mono.empty());
  }

  private static String held(List<String> names) {
    return names.size() == 1
        ? "; it holds the node " + names.get(0) + ": name that"
        : "; it holds the nodes " + String.join(", ", names) + ": name one of them";
  }

  /** Emits the error of an archive with entries that have no place; empty for other stores. */
  private static Mono<CommandFailure> listingError(Store store, StoreException error) {
    Store below = store;
    while (below instanceof DelegatingStore decorator) {
      below = decorator.delegate();
    }
    return below instanceof ZipStore
        ? Mono.just(new CommandFailure(error.getMessage(), error))
        : Mono.empty();
  }

  private static CommandFailure unfinished(String document, NodeNotFoundException error) {
    return new CommandFailure(
        "an unfinished copy or import ("
            + document
            + "); the command that began it finishes it with --resume and the options of the first"
            + " run, zarr rm erases it",
        error);
  }

  private static CommandFailure absent(
      NodePath path, @Nullable Integer zarrFormat, String hint, NodeNotFoundException error) {
    String what = path.isRoot() ? notADirectory(zarrFormat) : "no array or group" + of(zarrFormat);
    return new CommandFailure(what + (path.isRoot() ? "" : " at " + path) + hint, error);
  }

  private static String of(@Nullable Integer zarrFormat) {
    return zarrFormat == null ? "" : " of Zarr v" + zarrFormat;
  }

  private static String notADirectory(@Nullable Integer zarrFormat) {
    if (zarrFormat == null) {
      return "not a Zarr directory: no zarr.json, .zarray or .zgroup in it";
    }
    String old = ".zarray or .zgroup";
    boolean isOld = zarrFormat == 2;
    return "not a directory"
        + of(zarrFormat)
        + ": no "
        + (isOld ? old : NodePath.DOCUMENT)
        + " in it, and --zarr-format "
        + zarrFormat
        + " asks for no "
        + (isOld ? NodePath.DOCUMENT : old);
  }
}
