package dev.zarrreactive.internal.hierarchy;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.error.ValueTooLargeException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.Drafts;
import dev.zarrreactive.metadata.GroupMetadata;
import dev.zarrreactive.metadata.NodeMetadata;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.metadata.UnreadableMetadata;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Signal;
import reactor.core.scheduler.Scheduler;

/**
 * Fetches the documents of nodes of either format. Of an unknown format, three documents are
 * requested at once: a node of Zarr v3 takes one round trip. An existing {@code zarr.json} wins,
 * and the other requests are ended as {@link NodeRequests} says. A node of Zarr v2 takes another
 * round trip for its attributes. Once one was found they are requested with the others. A format
 * that the caller names saves the documents of the other.
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

  /** Whether nodes of Zarr v2 were found in the store. */
  private volatile boolean older;

  /**
   * Creates a fetcher of documents.
   *
   * @param zarrFormat the format of all nodes, 2 or 3; null if it is unknown
   */
  NodeDocuments(Documents stored, Scheduler parser, Drafts drafts, @Nullable Integer zarrFormat) {
    this.stored = stored;
    this.parser = parser;
    this.drafts = drafts;
    this.zarrFormat = zarrFormat;
    this.older = Integer.valueOf(2).equals(zarrFormat);
  }

  /**
   * Emits the node of any format at {@code path}, or completes empty. A node of Zarr v2 takes a
   * second round trip, for its attributes.
   *
   * @param below whether consolidated metadata are fetched, too
   */
  Mono<NodeMetadata> node(NodePath path, boolean below) {
    return search(
        requests -> {
          List<String> first = older ? OF_EITHER : KINDS;
          return nodes(requests, path, first, below);
        });
  }

  /** The documents of one node, as far as they are fetched. */
  private static final class Fetched {
    private final NodePath path;
    private final Map<String, Bytes> byName = new ConcurrentHashMap<>();

    /** The error of a document over the limit, which makes the node unreadable. */
    private volatile @Nullable ZarrException tooLarge;

    /** The error of consolidated metadata over the limit, which are not used. */
    private volatile @Nullable MetadataException consolidatedTooLarge;

    Fetched(NodePath path) {
      this.path = path;
    }

    /** Returns the documents of a node of Zarr v2 that are missing, after {@code asked}. */
    List<String> rest(List<String> asked, boolean below) {
      boolean isArray = byName.containsKey(NodePath.V2_ARRAY);
      boolean isGroup = byName.containsKey(NodePath.V2_GROUP) && !isArray;
      List<String> rest = new ArrayList<>();
      if ((isArray || isGroup) && !asked.contains(NodePath.V2_ATTRIBUTES)) {
        rest.add(NodePath.V2_ATTRIBUTES);
      }
      if (isGroup && below && !asked.contains(NodePath.V2_CONSOLIDATED)) {
        rest.add(NodePath.V2_CONSOLIDATED);
      }
      return rest;
    }

    /** Emits these documents, or completes empty if they are of no node. */
    Mono<Fetched> ifNode() {
      return Mono.fromSupplier(
          () ->
              byName.containsKey(NodePath.DOCUMENT)
                      || byName.containsKey(NodePath.V2_ARRAY)
                      || byName.containsKey(NodePath.V2_GROUP)
                  ? this
                  : null);
    }
  }

  /**
   * Emits the array of any format at {@code path}, or completes empty, also if a group is there.
   */
  Mono<NodeMetadata> array(NodePath path) {
    return search(requests -> nodes(requests, path, OF_AN_ARRAY, false));
  }

  /**
   * Emits the group of any format at {@code path}, or completes empty, also if an array is there.
   * The consolidated metadata of Zarr v2 take another round trip, until a node of v2 was found.
   *
   * @param below whether consolidated metadata are fetched, too
   */
  Mono<NodeMetadata> group(NodePath path, boolean below) {
    return search(
        requests ->
            nodes(requests, path, older && below ? OF_A_GROUP_AND_BELOW : OF_A_GROUP, below));
  }

  /** Does the same as {@link #node} in one round trip, with more requests. */
  Mono<NodeMetadata> nodeAtOnce(NodePath path) {
    return search(requests -> nodes(requests, path, OF_EITHER, false));
  }

  /**
   * Reads the document of an array of the same format as {@code known}, on the thread of the
   * caller. The attributes of Zarr v2, which are in another document, are those of {@code known}.
   */
  ArrayMetadata array(NodePath path, ArrayMetadata known, Bytes document) {
    if (known.zarrFormat() == 2) {
      return ArrayMetadata.parseV2(document, null, path, stored.limits())
          .withAttributes(known.attributes());
    }
    if (NodeMetadata.parse(document, path, drafts, stored.limits()) instanceof ArrayMetadata now) {
      return now;
    }
    throw new MetadataException(
        "expected an array, found a group in its place",
        Location.ofNode(path.value()).pointer("/node_type"));
  }

  /** Emits the node of Zarr v3 at {@code path} for one request, or completes empty. */
  Mono<NodeMetadata> onlyVersion3(NodePath path) {
    return search(requests -> version3(requests, path));
  }

  private Mono<NodeMetadata> search(Function<NodeRequests, Mono<Fetched>> search) {
    return NodeRequests.of(stored, search).publishOn(parser).map(this::parse);
  }

  /**
   * Finds the documents of the node of the known format, or of either.
   *
   * @param first the documents of Zarr v2 that are requested first
   */
  private Mono<Fetched> nodes(
      NodeRequests requests, NodePath path, List<String> first, boolean below) {
    Mono<Fetched> version2 =
        Mono.defer(
            () -> {
              Fetched node = new Fetched(path);
              Mono<Void> rest = Mono.defer(() -> fetch(requests, node, node.rest(first, below)));
              return orTooLarge(node, fetch(requests, node, first).then(rest));
            });
    if (zarrFormat == null) {
      return firstOf(List.of(version3(requests, path), version2));
    }
    return zarrFormat == 2 ? version2 : version3(requests, path);
  }

  private static Mono<Fetched> version3(NodeRequests requests, NodePath path) {
    return Mono.defer(
        () -> {
          Fetched node = new Fetched(path);
          return orTooLarge(node, fetch(requests, node, List.of(NodePath.DOCUMENT)));
        });
  }

  /** Emits the node if it has documents; also one that is over the limit. */
  private static Mono<Fetched> orTooLarge(Fetched node, Mono<Void> fetch) {
    return fetch
        .then(node.ifNode())
        .onErrorResume(
            ValueTooLargeException.class,
            e -> {
              node.tooLarge = e.at(Location.ofNode(node.path.value()));
              return Mono.just(node);
            });
  }

  private static Mono<Void> fetch(NodeRequests requests, Fetched node, List<String> names) {
    return names.isEmpty()
        ? Mono.empty()
        : Concurrently.mapInOrder(
                Flux.fromIterable(names),
                names.size(),
                name ->
                    document(requests, node, name)
                        .doOnNext(document -> node.byName.put(name, document)))
            .then();
  }

  /** Emits the document; one over the limit exists, and is emitted empty. */
  private static Mono<Bytes> document(NodeRequests requests, Fetched node, String name) {
    StoreKey key = node.path.key(name);
    Mono<Bytes> document = requests.get(key);
    return name.equals(NodePath.V2_CONSOLIDATED)
        ? document.onErrorResume(
            ValueTooLargeException.class,
            e -> {
              Location place = Location.ofNode(node.path.value()).key(key.value());
              node.consolidatedTooLarge =
                  new MetadataException(e.statement(), place.pointer(""), e);
              return Mono.empty();
            })
        : document.doOnError(ValueTooLargeException.class, e -> node.byName.put(name, Bytes.EMPTY));
  }

  private NodeMetadata parse(Fetched node) {
    ZarrException tooLarge = node.tooLarge;
    if (tooLarge != null) {
      return unreadable(node, tooLarge);
    }
    return Documents.read(
        node.path,
        node.byName.values().stream().mapToLong(Bytes::size).sum(),
        () -> {
          Bytes version3 = node.byName.get(NodePath.DOCUMENT);
          return version3 == null
              ? parseVersion2(node)
              : NodeMetadata.parse(version3, node.path, drafts, stored.limits());
        },
        error -> unreadable(node, error));
  }

  private static NodeMetadata unreadable(Fetched node, ZarrException error) {
    Bytes version3 = node.byName.get(NodePath.DOCUMENT);
    return version3 == null
        ? UnreadableMetadata.ofV2(node.byName, error)
        : UnreadableMetadata.of(version3, error);
  }

  private NodeMetadata parseVersion2(Fetched node) {
    older = true;
    NodePath path = node.path;
    Bytes array = node.byName.get(NodePath.V2_ARRAY);
    Bytes group = node.byName.get(NodePath.V2_GROUP);
    Bytes attributes = node.byName.get(NodePath.V2_ATTRIBUTES);
    if (array != null) {
      return ArrayMetadata.parseV2(array, attributes, group != null, path, stored.limits());
    }
    Bytes consolidated = node.byName.get(NodePath.V2_CONSOLIDATED);
    GroupMetadata read =
        GroupMetadata.parseV2(
            Objects.requireNonNull(group), attributes, consolidated, path, stored.limits());
    MetadataException problem = node.consolidatedTooLarge;
    return problem == null ? read : read.withConsolidatedProblem(problem);
  }

  /** Returns the message for a path at which the search found no document. */
  String absence() {
    if (zarrFormat == null) {
      return "no array or group here: expected a zarr.json, .zarray or .zgroup";
    }
    return "no array or group of Zarr v"
        + zarrFormat
        + " here: expected a "
        + (zarrFormat == 3 ? NodePath.DOCUMENT : ".zarray or .zgroup");
  }

  /** Emits whether a node of any format is at {@code path}. */
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
   * Emits the value or error of the first of {@code sources} that is not empty. All are requested
   * at once; an error of a later one is dropped then.
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
