package dev.zarrreactive.internal.hierarchy;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.error.ValueTooLargeException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.metadata.Drafts;
import dev.zarrreactive.metadata.MetadataReader;
import dev.zarrreactive.metadata.NodeMetadata;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.metadata.UnreadableMetadata;
import dev.zarrreactive.store.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Signal;
import reactor.core.scheduler.Scheduler;

/**
 * Fetches the documents of nodes of either format. Where the format is unknown, the three that tell
 * it are asked for at once: a node of Zarr v3 takes one round trip. A {@code zarr.json} that is
 * there wins, and the other requests are waited for as {@link NodeRequests} says. A node of Zarr v2
 * takes another round trip for its attributes, until one was found: then they are asked for
 * together with the rest. Where the caller names the format, no document of the other one is asked
 * for.
 */
final class NodeDocuments {
  private static final List<String> KINDS = List.of(NodePath.V2_ARRAY, NodePath.V2_GROUP);

  private static final List<String> OF_AN_ARRAY =
      List.of(NodePath.V2_ARRAY, NodePath.V2_ATTRIBUTES);

  private static final List<String> OF_A_GROUP = List.of(NodePath.V2_GROUP, NodePath.V2_ATTRIBUTES);

  private static final List<String> OF_A_GROUP_AND_BELOW =
      List.of(NodePath.V2_GROUP, NodePath.V2_ATTRIBUTES, NodePath.V2_CONSOLIDATED);

  private static final List<String> OF_EITHER =
      List.of(NodePath.V2_ARRAY, NodePath.V2_GROUP, NodePath.V2_ATTRIBUTES);

  private final Documents stored;
  private final Scheduler parser;
  private final Drafts drafts;
  private final @Nullable Integer zarrFormat;

  /** There are nodes of Zarr v2 in the store. */
  private volatile boolean older;

  /**
   * The documents in a store.
   *
   * @param zarrFormat the format of all nodes, 2 or 3; null where it is unknown
   */
  NodeDocuments(Documents stored, Scheduler parser, Drafts drafts, @Nullable Integer zarrFormat) {
    this.stored = stored;
    this.parser = parser;
    this.drafts = drafts;
    this.zarrFormat = zarrFormat;
    this.older = Integer.valueOf(2).equals(zarrFormat);
  }

  /**
   * The node of any format at {@code path}; empty where there is none. One of Zarr v2 takes a
   * second round trip, for its attributes.
   *
   * @param below true for what is consolidated of the nodes below, too
   */
  Mono<NodeMetadata> node(NodePath path, boolean below) {
    return search(
        requests -> {
          List<String> first = older ? OF_EITHER : KINDS;
          return nodes(requests, path, first, below);
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
    if (isGroup && below && !asked.contains(NodePath.V2_CONSOLIDATED)) {
      rest.add(NodePath.V2_CONSOLIDATED);
    }
    return rest;
  }

  /** The array of any format at {@code path}; empty where there is none, but perhaps a group. */
  Mono<NodeMetadata> array(NodePath path) {
    return search(requests -> nodes(requests, path, OF_AN_ARRAY, false));
  }

  /**
   * The group of any format at {@code path}; empty where there is none, but perhaps an array. Of
   * Zarr v2, what is consolidated takes another round trip, until a node of v2 was found.
   *
   * @param below true for what is consolidated of the nodes below, too
   */
  Mono<NodeMetadata> group(NodePath path, boolean below) {
    return search(
        requests ->
            nodes(requests, path, older && below ? OF_A_GROUP_AND_BELOW : OF_A_GROUP, below));
  }

  /** As {@link #node}, but in one round trip whatever it is, for more requests. */
  Mono<NodeMetadata> nodeAtOnce(NodePath path) {
    return search(requests -> nodes(requests, path, OF_EITHER, false));
  }

  /** The node of Zarr v3 at {@code path}, for one request; empty where there is none. */
  Mono<NodeMetadata> onlyVersion3(NodePath path) {
    return search(requests -> version3(requests, path));
  }

  private Mono<NodeMetadata> search(Function<NodeRequests, Mono<Supplier<NodeMetadata>>> search) {
    return parsed(NodeRequests.of(stored, search));
  }

  /**
   * The node of the format that is known, or of either.
   *
   * @param first the documents of Zarr v2 that are asked for at first
   */
  private Mono<Supplier<NodeMetadata>> nodes(
      NodeRequests requests, NodePath path, List<String> first, boolean below) {
    Mono<Supplier<NodeMetadata>> old =
        Mono.defer(
            () -> {
              Map<String, Bytes> documents = new ConcurrentHashMap<>();
              Mono<Supplier<NodeMetadata>> found =
                  fetched(requests, path, documents, first)
                      .then(
                          Mono.defer(
                              () -> {
                                List<String> rest = rest(documents, first, below);
                                return version2(requests, path, documents, rest);
                              }));
              return orTooLarge(path, documents, found);
            });
    if (zarrFormat == null) {
      return firstOf(List.of(version3(requests, path), old));
    }
    return zarrFormat == 2 ? old : version3(requests, path);
  }

  private Mono<NodeMetadata> parsed(Mono<Supplier<NodeMetadata>> documents) {
    return documents.publishOn(parser).map(Supplier::get);
  }

  private Mono<Supplier<NodeMetadata>> version3(NodeRequests requests, NodePath path) {
    return requests
        .get(path.documentKey())
        .map(
            document ->
                reading(
                    path,
                    document.size(),
                    () -> MetadataReader.read(document, path, drafts, stored.limits()),
                    error -> UnreadableMetadata.of(document, error)))
        .onErrorResume(
            ValueTooLargeException.class,
            e -> Mono.just(() -> UnreadableMetadata.of(Bytes.EMPTY, at(path, e))));
  }

  private static ZarrException at(NodePath path, ZarrException error) {
    return error.at(Location.ofNode(path.value()));
  }

  /**
   * The node of Zarr v2 by the documents that are here already, and some more.
   *
   * @param documents those that are here, by name; the others are added
   */
  private Mono<Supplier<NodeMetadata>> version2(
      NodeRequests requests, NodePath path, Map<String, Bytes> documents, List<String> more) {
    return fetched(requests, path, documents, more)
        .then(
            Mono.fromSupplier(
                () ->
                    documents.containsKey(NodePath.V2_ARRAY)
                            || documents.containsKey(NodePath.V2_GROUP)
                        ? reading(
                            path,
                            documents.values().stream().mapToLong(Bytes::size).sum(),
                            () -> version2(path, documents),
                            error -> UnreadableMetadata.ofV2(documents, error))
                        : null));
  }

  /** A document that is too large is a property of the node, too. */
  private static Mono<Supplier<NodeMetadata>> orTooLarge(
      NodePath path, Map<String, Bytes> documents, Mono<Supplier<NodeMetadata>> old) {
    return old.onErrorResume(
        ValueTooLargeException.class,
        e -> Mono.just(() -> UnreadableMetadata.ofV2(documents, at(path, e))));
  }

  private static Mono<Void> fetched(
      NodeRequests requests, NodePath path, Map<String, Bytes> documents, List<String> names) {
    return names.isEmpty()
        ? Mono.empty()
        : Concurrently.mapInOrder(
                Flux.fromIterable(names),
                names.size(),
                name ->
                    document(requests, path, name, documents)
                        .doOnNext(found -> documents.put(name, found)))
            .then();
  }

  /** The document; where it is too large it is there all the same, and empty. */
  private static Mono<Bytes> document(
      NodeRequests requests, NodePath path, String name, Map<String, Bytes> documents) {
    Mono<Bytes> document = requests.get(path.key(name));
    return name.equals(NodePath.V2_CONSOLIDATED)
        ? document.onErrorResume(ValueTooLargeException.class, e -> Mono.empty()) // not used then
        : document.doOnError(ValueTooLargeException.class, e -> documents.put(name, Bytes.EMPTY));
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
      return MetadataReader.readV2Array(array, attributes, path, stored.limits());
    }
    if (group != null) {
      return MetadataReader.readV2Group(
          group, attributes, documents.get(NodePath.V2_CONSOLIDATED), path, stored.limits());
    }
    throw new IllegalArgumentException("neither a .zarray nor a .zgroup");
  }

  /** The nodes that are looked for, for people. */
  String sought() {
    return "array or group" + (zarrFormat == null ? "" : " of Zarr v" + zarrFormat);
  }

  private static Supplier<NodeMetadata> reading(
      NodePath path,
      long size,
      Supplier<NodeMetadata> reading,
      Function<ZarrException, NodeMetadata> unreadable) {
    return () -> Documents.read(path, size, reading, unreadable);
  }

  /** True where a node of any format is at {@code path}. */
  Mono<Boolean> exists(NodePath path) {
    List<String> names = new ArrayList<>();
    if (zarrFormat == null || zarrFormat == 3) {
      names.add(NodePath.DOCUMENT);
    }
    if (zarrFormat == null || zarrFormat == 2) {
      names.addAll(KINDS);
    }
    return NodeRequests.of(
            stored,
            requests -> firstOf(names.stream().map(name -> requests.get(path.key(name))).toList()))
        .hasElement()
        .onErrorReturn(ValueTooLargeException.class, true);
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
