package dev.zarrreactive.copy;

import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.chunkkey.ChunkKeyEncoding;
import dev.zarrreactive.copy.CopyPlan.NodeCopy;
import dev.zarrreactive.copy.CopyProgress.Step;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.internal.context.HierarchyRequests;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.NodeMetadata;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreCapability;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The keys below the source of a copy that belong to no node, for example files of another program.
 * Counting them takes a listing, which costs one request for many keys; copying the chunks costs at
 * least one for each.
 */
final class ForeignFiles {
  /** The most files that are copied at a time: their sizes are unknown. */
  private static final int CONCURRENCY = 4;

  /** The number of files between two reports of progress. */
  private static final int STEP = 1_000;

  private final Store source;
  private final NodePath from;
  private final Store destination;
  private final NodePath to;
  private final KnownKeys ofSource = new KnownKeys();
  private final KnownKeys ofCopy = new KnownKeys();
  private final List<NodePath> omitted;
  private final boolean known;

  ForeignFiles(
      ZarrHierarchy source, NodePath from, ZarrHierarchy destination, NodePath to, CopyPlan plan) {
    List<NodeCopy> nodes = plan.nodes();
    this.omitted = plan.omitted();
    this.source = HierarchyRequests.of(source);
    this.from = from;
    this.destination = HierarchyRequests.of(destination);
    this.to = to;
    for (NodeCopy node : nodes) {
      ofSource.add(node.source().path(), node.source().metadata());
      ofCopy.add(node.path(), node.metadata());
    }
    this.known =
        this.source.capabilities().contains(StoreCapability.LIST)
            && nodes.stream().noneMatch(node -> node.source().metadata().draft() != null);
  }

  /**
   * Counts the files.
   *
   * @param copies whether they are copied, too, except keys with another meaning in the copy
   */
  Flux<Step> steps(boolean copies) {
    Flux<Step> unknown = Flux.just(Step.ofForeign(to, CopyReport.UNKNOWN, 0, List.of()));
    if (!known) {
      return unknown;
    }
    // The copy goes on if a store that can be read refuses to be listed.
    return copies ? list(true) : list(false).onErrorResume(StoreException.class, e -> unknown);
  }

  private Flux<Step> list(boolean copies) {
    return Concurrently.map(
            source.listPrefix(from.prefix()).filter(this::isForeign),
            CONCURRENCY,
            key -> (copies ? copy(key) : Mono.just(false)).map(copied -> step(key, copied)))
        .window(STEP)
        .concatMap(files -> files.reduce(Step::plusForeign));
  }

  private Step step(StoreKey key, boolean copied) {
    return copied
        ? Step.ofForeign(to, 1, 1, List.of())
        : Step.ofForeign(to, 1, 0, NodePath.ofDocument(key).stream().toList());
  }

  /** Returns whether a key belongs to no node. Keys below a node that is left out do not count. */
  private boolean isForeign(StoreKey key) {
    return !ofSource.has(key.value())
        && omitted.stream().noneMatch(node -> node.prefix().contains(key));
  }

  /** Copies a value, and emits whether it was there: it may have been removed since the listing. */
  private Mono<Boolean> copy(StoreKey key) {
    String relative = key.value().substring(from.prefix().value().length());
    StoreKey target = StoreKey.of(to.prefix().value() + relative);
    return ofCopy.has(target.value())
        ? Mono.just(false)
        : source
            .get(key)
            .flatMap(value -> destination.set(target, value).thenReturn(true))
            .defaultIfEmpty(false);
  }

  /** Tells the keys that belong to nodes from those of other programs. */
  private static final class KnownKeys {
    private static final Set<String> DOCUMENTS =
        Set.of(
            NodePath.DOCUMENT,
            NodePath.V2_ARRAY,
            NodePath.V2_GROUP,
            NodePath.V2_ATTRIBUTES,
            NodePath.V2_CONSOLIDATED);

    private final Map<String, NodeMetadata> nodes = new HashMap<>();

    /** Adds a node; its path is the prefix of its keys, without a leading slash. */
    void add(NodePath path, NodeMetadata metadata) {
      nodes.put(path.value().substring(1), metadata);
    }

    /** Returns whether a key is a metadata document of a node, or could be a chunk of an array. */
    boolean has(String key) {
      int end = key.lastIndexOf('/');
      String parent = key.substring(0, Math.max(0, end));
      if (nodes.containsKey(parent) && isDocument(key.substring(end + 1))) {
        return true;
      }
      for (String path = parent; ; path = path.substring(0, Math.max(0, path.lastIndexOf('/')))) {
        if (nodes.get(path) instanceof ArrayMetadata array) {
          return isChunk(array, key.substring(path.isEmpty() ? 0 : path.length() + 1));
        }
        if (path.isEmpty()) {
          return false;
        }
      }
    }

    private static boolean isDocument(String name) {
      return DOCUMENTS.contains(name)
          || (name.endsWith(UnfinishedNodes.SUFFIX)
              && DOCUMENTS.contains(
                  name.substring(0, name.length() - UnfinishedNodes.SUFFIX.length())));
    }

    /**
     * Returns whether a name is that of a chunk, also outside the array: the array may have been
     * longer.
     */
    private static boolean isChunk(ArrayMetadata array, String name) {
      return ChunkKeyEncoding.of(array.chunkKeyEncoding()).decode(name, array.shape().rank())
          != null;
    }
  }
}
