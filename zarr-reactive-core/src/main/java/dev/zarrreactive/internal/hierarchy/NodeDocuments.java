package dev.zarrreactive.internal.hierarchy;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.pipeline.Concurrently;
import dev.zarrreactive.metadata.Drafts;
import dev.zarrreactive.metadata.MetadataReader;
import dev.zarrreactive.metadata.NodeMetadata;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.metadata.UnreadableMetadata;
import dev.zarrreactive.store.Bytes;
import dev.zarrreactive.store.Store;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
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

  private static final List<String> V2_DOCUMENTS_AND_THOSE_BELOW =
      List.of(
          NodePath.V2_ARRAY, NodePath.V2_GROUP, NodePath.V2_ATTRIBUTES, NodePath.V2_CONSOLIDATED);

  private final Store store;
  private final Scheduler parser;
  private final Drafts drafts;

  NodeDocuments(Store store, Scheduler parser, Drafts drafts) {
    this.store = store;
    this.parser = parser;
    this.drafts = drafts;
  }

  /** The node of any format at {@code path}; empty where there is none. */
  Mono<NodeMetadata> any(NodePath path) {
    return any(path, V2_DOCUMENTS);
  }

  /** As {@link #any}; of a group of Zarr v2 with its consolidated metadata. */
  Mono<NodeMetadata> anyConsolidated(NodePath path) {
    return any(path, V2_DOCUMENTS_AND_THOSE_BELOW);
  }

  private Mono<NodeMetadata> any(NodePath path, List<String> v2Documents) {
    return parsed(firstOf(List.of(version3(path), version2(path, v2Documents))));
  }

  /** The node of Zarr v3 at {@code path}, for one request; empty where there is none. */
  Mono<NodeMetadata> onlyVersion3(NodePath path) {
    return parsed(version3(path));
  }

  private Mono<NodeMetadata> parsed(Mono<Supplier<NodeMetadata>> documents) {
    return documents.publishOn(parser).map(Supplier::get);
  }

  private Mono<Supplier<NodeMetadata>> version3(NodePath path) {
    return store
        .get(path.documentKey())
        .map(
            document ->
                reading(
                    path,
                    () -> MetadataReader.read(document, path, drafts),
                    error -> UnreadableMetadata.of(document, error)));
  }

  private Mono<Supplier<NodeMetadata>> version2(NodePath path, List<String> names) {
    return Concurrently.mapInOrder(
            Flux.fromIterable(names),
            names.size(),
            name -> store.get(path.key(name)).map(document -> Map.entry(name, document)))
        .collectMap(Map.Entry::getKey, Map.Entry::getValue)
        .filter(
            documents ->
                documents.containsKey(NodePath.V2_ARRAY)
                    || documents.containsKey(NodePath.V2_GROUP))
        .map(
            documents ->
                reading(
                    path,
                    () -> version2(path, documents),
                    error -> UnreadableMetadata.ofV2(documents, error)));
  }

  private static NodeMetadata version2(NodePath path, Map<String, Bytes> documents) {
    Bytes array = documents.get(NodePath.V2_ARRAY);
    Bytes group = documents.get(NodePath.V2_GROUP);
    Bytes attributes = documents.get(NodePath.V2_ATTRIBUTES);
    if (array != null && group != null) {
      throw new MetadataException(
          "there are both a .zarray and a .zgroup, so that it is unclear what the node is",
          Location.ofNode(path.value()).key(path.key(NodePath.V2_ARRAY).value()).pointer(""));
    }
    if (array != null) {
      return MetadataReader.readV2Array(array, attributes, path);
    }
    if (group != null) {
      return MetadataReader.readV2Group(
          group, attributes, documents.get(NodePath.V2_CONSOLIDATED), path);
    }
    throw new IllegalArgumentException("neither a .zarray nor a .zgroup");
  }

  /** What is wrong with a document is a property of the node, not of the looking. */
  private static Supplier<NodeMetadata> reading(
      NodePath path,
      Supplier<NodeMetadata> reading,
      Function<ZarrException, NodeMetadata> unreadable) {
    return () -> {
      try {
        return reading.get();
      } catch (ZarrException e) {
        return unreadable.apply(e.at(Location.ofNode(path.value())));
      }
    };
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
