package dev.zarrreactive.internal.hierarchy;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.internal.pipeline.Concurrently;
import dev.zarrreactive.metadata.Drafts;
import dev.zarrreactive.metadata.MetadataReader;
import dev.zarrreactive.metadata.NodeMetadata;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.store.Bytes;
import dev.zarrreactive.store.Store;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Signal;
import reactor.core.scheduler.Scheduler;

/**
 * Fetches the documents of nodes of either format. Where the format is unknown, all that a node may
 * have are asked for at once, so that it takes one round trip; a {@code zarr.json} that is there
 * wins, and the other requests are cancelled.
 */
final class NodeDocuments {
  private static final List<String> V2_DOCUMENTS =
      List.of(NodePath.V2_ARRAY, NodePath.V2_GROUP, NodePath.V2_ATTRIBUTES);

  private final Store store;
  private final Scheduler parser;
  private final Drafts drafts;

  NodeDocuments(Store store, Scheduler parser, Drafts drafts) {
    this.store = store;
    this.parser = parser;
    this.drafts = drafts;
  }

  /** The node of any format at {@code path}; empty where there is none. */
  Mono<FoundNode> any(NodePath path) {
    Mono<Supplier<NodeMetadata>> version3 = version3(path);
    Mono<Supplier<NodeMetadata>> version2 = version2(path);
    return parsed(path, firstOf(List.of(version3, version2)));
  }

  /** The node of Zarr v3 at {@code path}, for one request; empty where there is none. */
  Mono<FoundNode> onlyVersion3(NodePath path) {
    return parsed(path, version3(path));
  }

  private Mono<FoundNode> parsed(NodePath path, Mono<Supplier<NodeMetadata>> documents) {
    return documents
        .publishOn(parser)
        .map(documentsOfNode -> new FoundNode(path, documentsOfNode.get()));
  }

  private Mono<Supplier<NodeMetadata>> version3(NodePath path) {
    return store
        .get(path.documentKey())
        .map(document -> () -> MetadataReader.read(document, path, drafts));
  }

  private Mono<Supplier<NodeMetadata>> version2(NodePath path) {
    return Concurrently.mapInOrder(
            Flux.fromIterable(V2_DOCUMENTS), V2_DOCUMENTS.size(), name -> optional(path, name))
        .collectList()
        .filter(documents -> documents.get(0).isPresent() || documents.get(1).isPresent())
        .map(
            documents ->
                () ->
                    version2(
                        path,
                        documents.get(0).orElse(null),
                        documents.get(1).orElse(null),
                        documents.get(2).orElse(null)));
  }

  private Mono<Optional<Bytes>> optional(NodePath path, String name) {
    return store.get(path.key(name)).map(Optional::of).defaultIfEmpty(Optional.empty());
  }

  private static NodeMetadata version2(
      NodePath path, @Nullable Bytes array, @Nullable Bytes group, @Nullable Bytes attributes) {
    if (array != null && group != null) {
      throw new MetadataException(
          "there are both a .zarray and a .zgroup, so that it is unclear what the node is",
          Location.ofNode(path.value()).key(path.key(NodePath.V2_ARRAY).value()).pointer(""));
    }
    if (array != null) {
      return MetadataReader.readV2Array(array, attributes, path);
    }
    if (group != null) {
      return MetadataReader.readV2Group(group, attributes, path);
    }
    throw new IllegalArgumentException("neither a .zarray nor a .zgroup");
  }

  /** True where a node of any format is at {@code path}. */
  Mono<Boolean> exists(NodePath path) {
    return firstOf(
            List.of(
                store.get(path.documentKey()),
                store.get(path.key(NodePath.V2_ARRAY)),
                store.get(path.key(NodePath.V2_GROUP))))
        .hasElement();
  }

  /**
   * What the first of {@code sources} gives that is not empty, a value or an error. All are asked
   * at once; what goes wrong with a later one is nobody's business then.
   */
  private static <T> Mono<T> firstOf(List<Mono<T>> sources) {
    return Concurrently.mapInOrder(
            Flux.fromIterable(sources), sources.size(), source -> source.materialize())
        .filter(signal -> !signal.isOnComplete())
        .next()
        .switchIfEmpty(Mono.fromSupplier(Signal::complete))
        .dematerialize();
  }
}
