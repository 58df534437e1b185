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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Signal;
import reactor.core.scheduler.Scheduler;

/**
 * Fetches the documents of nodes of either format. Where the format is unknown, the three that tell
 * it are asked for at once: a node of Zarr v3 takes one round trip. A {@code zarr.json} that is
 * there wins, and the other requests are cancelled. One of Zarr v2 takes another for its
 * attributes, until one was found: then they are asked for together with the rest.
 */
final class NodeDocuments {
  private static final List<String> KINDS = List.of(NodePath.V2_ARRAY, NodePath.V2_GROUP);

  private static final List<String> OF_AN_ARRAY =
      List.of(NodePath.V2_ARRAY, NodePath.V2_ATTRIBUTES);

  private static final List<String> OF_EITHER =
      List.of(NodePath.V2_ARRAY, NodePath.V2_GROUP, NodePath.V2_ATTRIBUTES);

  private static final List<String> OF_EITHER_AND_THOSE_BELOW =
      List.of(
          NodePath.V2_ARRAY, NodePath.V2_GROUP, NodePath.V2_ATTRIBUTES, NodePath.V2_CONSOLIDATED);

  private final Store store;
  private final Scheduler parser;
  private final Drafts drafts;

  /** There are nodes of Zarr v2 in the store. */
  private volatile boolean older;

  NodeDocuments(Store store, Scheduler parser, Drafts drafts) {
    this.store = store;
    this.parser = parser;
    this.drafts = drafts;
  }

  /**
   * The node of any format at {@code path}; empty where there is none. One of Zarr v2 takes a
   * second round trip, for its attributes.
   *
   * @param below true for what is consolidated of the nodes below, too
   */
  Mono<NodeMetadata> node(NodePath path, boolean below) {
    return Mono.defer(
        () -> {
          Map<String, Bytes> documents = new ConcurrentHashMap<>();
          List<String> first = older ? OF_EITHER : KINDS;
          Mono<Supplier<NodeMetadata>> old =
              fetched(path, documents, first)
                  .then(Mono.defer(() -> version2(path, documents, rest(documents, first, below))));
          return parsed(firstOf(List.of(version3(path), old)));
        });
  }

  private static List<String> rest(
      Map<String, Bytes> documents, List<String> asked, boolean below) {
    boolean isArray = documents.containsKey(NodePath.V2_ARRAY);
    boolean isGroup = documents.containsKey(NodePath.V2_GROUP);
    List<String> rest = new ArrayList<>();
    if ((isArray || isGroup) && !asked.contains(NodePath.V2_ATTRIBUTES)) {
      rest.add(NodePath.V2_ATTRIBUTES);
    }
    if (isGroup && below) {
      rest.add(NodePath.V2_CONSOLIDATED);
    }
    return rest;
  }

  /** The array of any format at {@code path}; empty where there is none, but perhaps a group. */
  Mono<NodeMetadata> array(NodePath path) {
    return atOnce(path, OF_AN_ARRAY);
  }

  /**
   * As {@link #node}, but in one round trip whatever it is, for more requests.
   *
   * @param below true for what is consolidated of the nodes below, too
   */
  Mono<NodeMetadata> nodeAtOnce(NodePath path, boolean below) {
    return atOnce(path, below ? OF_EITHER_AND_THOSE_BELOW : OF_EITHER);
  }

  private Mono<NodeMetadata> atOnce(NodePath path, List<String> names) {
    return Mono.defer(
        () ->
            parsed(
                firstOf(
                    List.of(version3(path), version2(path, new ConcurrentHashMap<>(), names)))));
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

  /**
   * The node of Zarr v2 by the documents that are here already, and some more.
   *
   * @param documents those that are here, by name; the others are added
   */
  private Mono<Supplier<NodeMetadata>> version2(
      NodePath path, Map<String, Bytes> documents, List<String> more) {
    return fetched(path, documents, more)
        .then(
            Mono.fromSupplier(
                () ->
                    documents.containsKey(NodePath.V2_ARRAY)
                            || documents.containsKey(NodePath.V2_GROUP)
                        ? reading(
                            path,
                            () -> version2(path, documents),
                            error -> UnreadableMetadata.ofV2(documents, error))
                        : null));
  }

  private Mono<Void> fetched(NodePath path, Map<String, Bytes> documents, List<String> names) {
    return names.isEmpty()
        ? Mono.empty()
        : Concurrently.mapInOrder(
                Flux.fromIterable(names),
                names.size(),
                name -> store.get(path.key(name)).doOnNext(found -> documents.put(name, found)))
            .then();
  }

  private NodeMetadata version2(NodePath path, Map<String, Bytes> documents) {
    Bytes array = documents.get(NodePath.V2_ARRAY);
    Bytes group = documents.get(NodePath.V2_GROUP);
    Bytes attributes = documents.get(NodePath.V2_ATTRIBUTES);
    if (array != null && group != null) {
      throw new MetadataException(
          "there are both a .zarray and a .zgroup, so that it is unclear what the node is",
          Location.ofNode(path.value()).key(path.key(NodePath.V2_ARRAY).value()).pointer(""));
    }
    older |= array != null || group != null;
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
