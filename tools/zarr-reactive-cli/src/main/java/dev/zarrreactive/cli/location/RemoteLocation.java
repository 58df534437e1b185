package dev.zarrreactive.cli.location;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.cli.console.CommandFailure;
import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.error.NodeNotFoundException;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.internal.hierarchy.ForeignContent;
import dev.zarrreactive.internal.text.ArchiveNames;
import dev.zarrreactive.internal.text.ForeignFile;
import dev.zarrreactive.metadata.Draft;
import dev.zarrreactive.metadata.Drafts;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreCapability;
import dev.zarrreactive.store.StoreOptions;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A URL, cut into the URL of a store and a path in it.
 *
 * @param store the URL of the store, with the query of the whole
 * @param node the node's path there
 */
record RemoteLocation(String store, String node) {
  /** The number of levels above a node that are looked at at a time. */
  private static final int LEVELS = 4;

  private static final StoreKey HIERARCHY_OF_2022 = StoreKey.of("zarr.json");

  /** Opens the store of a URL, which may lead into a zip archive. */
  static Mono<NodeLocation.Opened> of(URI uri, Drafts drafts, StoreOptions options) {
    List<RemoteLocation> cuts = cuts(uri);
    RemoteLocation whole = cuts.get(0);
    for (RemoteLocation cut : cuts) {
      if (cut.isArchive(uri)) {
        return cut.open(options);
      }
    }
    return drafts.accepts(Draft.OF_2022)
        ? Flux.fromIterable(cuts)
            .concatMap(cut -> cut.ifHierarchy(options), 0)
            .next()
            .onErrorComplete() // URLs above may be forbidden
            .defaultIfEmpty(whole)
            .flatMap(cut -> cut.open(options))
        : whole.open(cuts.subList(1, cuts.size()), options);
  }

  /**
   * Opens the store of the highest node above a URL, or of the one directly above where nothing can
   * be written; otherwise as {@link #of}.
   */
  static Mono<NodeLocation.Opened> inHierarchy(URI uri, Drafts drafts, StoreOptions options) {
    return Mono.usingWhen(
            Zarr.at(uri.toString()).withStoreOptions(options).store(),
            store -> Mono.just(store.capabilities().contains(StoreCapability.WRITE)),
            Store::close)
        .flatMap(
            isWritable ->
                isWritable
                    ? hierarchyAbove(uri, options).flatMap(cut -> cut.open(options))
                    : groupAbove(uri, options))
        .switchIfEmpty(Mono.defer(() -> of(uri, drafts, options)));
  }

  /** Opens the store of the URL directly above, if it is a node and in no archive. */
  private static Mono<NodeLocation.Opened> groupAbove(URI uri, StoreOptions options) {
    List<RemoteLocation> cuts = cuts(uri);
    return cuts.size() < 2 || cuts.stream().anyMatch(cut -> cut.isArchive(uri))
        ? Mono.empty()
        : cuts.get(1)
            .ifNode(options)
            .flatMap(cut -> cut.open(cuts.subList(2, cuts.size()), options));
  }

  /** Emits the location seen from the highest URL above that is a node, or completes empty. */
  static Mono<RemoteLocation> hierarchyAbove(URI uri, StoreOptions options) {
    List<RemoteLocation> above = new ArrayList<>(cuts(uri));
    above.remove(0);
    Collections.reverse(above);
    return Concurrently.mapInOrder(
            Flux.fromIterable(above).filter(cut -> !cut.node.isEmpty()),
            LEVELS,
            cut -> cut.ifNode(options))
        .next();
  }

  /**
   * Emits the location of a new node as one below the root of a new hierarchy: the highest URL
   * above that ends in {@code .zarr}, or the URL above an array if nothing else is there. Completes
   * empty where the node is a root.
   */
  static Mono<RemoteLocation> newHierarchy(URI uri, Mono<Boolean> isArray, StoreOptions options) {
    List<RemoteLocation> cuts = cuts(uri);
    for (int i = cuts.size() - 1; i > 0; i--) {
      if (!cuts.get(i).node().isEmpty() && cuts.get(i).isCalledZarr(uri)) {
        return Mono.just(cuts.get(i));
      }
    }
    return cuts.size() < 3 || cuts.get(0).isCalledZarr(uri)
        ? Mono.empty()
        : isArray
            .filter(array -> array)
            .filterWhen(array -> cuts.get(0).ifNode(options).hasElement().map(is -> !is))
            .flatMap(array -> cuts.get(1).ifNew(options));
  }

  /** Emits this location if its store has no keys but those of the node. */
  private Mono<RemoteLocation> ifNew(StoreOptions options) {
    return Mono.usingWhen(
            Zarr.at(store).withStoreOptions(options).store(),
            opened ->
                opened.capabilities().contains(StoreCapability.LIST)
                    ? opened.listDir(StorePrefix.ROOT).all(entry -> entry.name().equals(node))
                    : Mono.just(false),
            Store::close)
        .filter(isNew -> isNew)
        .map(isNew -> this)
        .onErrorResume(AccessDeniedException.class, forbidden -> Mono.empty());
  }

  private boolean isCalledZarr(URI uri) {
    return path(uri).endsWith(LocalLocation.SUFFIX);
  }

  /**
   * Emits this location if the store has the document of a node. A forbidden URL counts as none.
   */
  private Mono<RemoteLocation> ifNode(StoreOptions options) {
    return Mono.usingWhen(
            Zarr.at(store).withStoreOptions(options).store(),
            opened ->
                Flux.just(NodePath.DOCUMENT, NodePath.V2_GROUP, NodePath.V2_ARRAY)
                    .concatMap(document -> opened.get(StoreKey.of(document)), 0)
                    .next(),
            Store::close)
        .map(document -> this)
        .onErrorResume(AccessDeniedException.class, forbidden -> Mono.empty());
  }

  /**
   * Emits what a command finds instead of a node at the URL: the archive that lies there under
   * another name, or an error that names another kind of file; empty where it is unknown.
   */
  static Mono<NodeLocation.Opened> findInstead(
      URI uri, StoreOptions options, NodeNotFoundException error) {
    List<RemoteLocation> cuts = cuts(uri);
    if (cuts.size() < 2 || cuts.stream().anyMatch(cut -> cut.isArchive(uri))) {
      return Mono.empty();
    }
    String name = cuts.get(1).node();
    return name.isEmpty()
        ? Mono.empty()
        : Zarr.at(cuts.get(1).store())
            .withStoreOptions(options)
            .store()
            .flatMap(
                above ->
                    ForeignContent.open(
                        above,
                        StoreKey.of(name),
                        options,
                        kind -> new CommandFailure(kind.sentence(), error)))
            .map(
                found ->
                    new NodeLocation.Opened(
                        found.store(),
                        "",
                        found.kind() == ForeignFile.ZIP
                            ? null
                            : "opened as |" + found.kind().adapter() + ":"));
  }

  private Mono<NodeLocation.Opened> open(StoreOptions options) {
    return Zarr.at(store)
        .withStoreOptions(options)
        .store()
        .map(opened -> new NodeLocation.Opened(opened, node));
  }

  /** Opens the store, which is told by URLs above what is below if it cannot list. */
  private Mono<NodeLocation.Opened> open(List<RemoteLocation> above, StoreOptions options) {
    int cut = node.isEmpty() ? 0 : node.length() + 1;
    List<RemoteLocation> seen =
        above.stream()
            .map(
                other ->
                    new RemoteLocation(
                        other.store,
                        other.node.substring(0, Math.max(0, other.node.length() - cut))))
            .toList();
    return open(options)
        .map(
            opened ->
                opened.store().capabilities().contains(StoreCapability.LIST)
                    ? opened
                    : new NodeLocation.Opened(
                        new ConsolidatedAbove(
                            opened.store(),
                            seen,
                            other -> Zarr.at(other.store).withStoreOptions(options).store()),
                        opened.node()));
  }

  /** Emits this location if the store may be that of a hierarchy of the 2022 draft. */
  private Mono<RemoteLocation> ifHierarchy(StoreOptions options) {
    return Mono.usingWhen(
            Zarr.at(store).withStoreOptions(options).store(),
            opened -> opened.get(HIERARCHY_OF_2022),
            Store::close)
        .map(document -> this);
  }

  private boolean isArchive(URI uri) {
    return ArchiveNames.isArchive(path(uri));
  }

  /** Returns the URL of the store without the query. */
  private String path(URI uri) {
    String end = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
    return store.substring(0, store.length() - end.length());
  }

  /** Returns all cuts of a URL at a slash of its path, the longest URL first. */
  private static List<RemoteLocation> cuts(URI uri) {
    String text = uri.toString();
    String path = uri.isOpaque() ? "" : String.valueOf(uri.getRawPath());
    String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
    String before = text.substring(0, text.length() - query.length() - path.length());
    String trimmed = path.replaceAll("/+$", "");
    List<RemoteLocation> cuts = new ArrayList<>();
    for (int at = trimmed.length(); at >= 0; at = trimmed.lastIndexOf('/', at - 1)) {
      cuts.add(
          new RemoteLocation(
              before + trimmed.substring(0, at) + query, decoded(trimmed.substring(at))));
      if (at == 0) {
        break;
      }
    }
    return cuts;
  }

  private static String decoded(String rawPath) {
    String path = rawPath.replaceAll("^/+", "");
    return path.isEmpty() ? "" : URI.create("/" + path).getPath().substring(1);
  }
}
