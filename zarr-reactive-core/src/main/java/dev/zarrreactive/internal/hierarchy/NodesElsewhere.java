package dev.zarrreactive.internal.hierarchy;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.Draft;
import dev.zarrreactive.metadata.Drafts;
import dev.zarrreactive.metadata.EntryPoint;
import dev.zarrreactive.metadata.GroupMetadata;
import dev.zarrreactive.metadata.NodeMetadata;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.store.ListEntry;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreCapability;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Finds nodes that only the drafts of Zarr v3 have, for callers that accept them: documents in
 * other places, and groups without a document. Any other node costs no further request.
 */
final class NodesElsewhere {
  private static final Set<String> VERSION_2 = Set.of(NodePath.V2_ARRAY, NodePath.V2_GROUP);

  private final Documents stored;
  private final Store store;
  private final Scheduler parser;
  private final Drafts drafts;
  private final NodeDocuments documents;

  NodesElsewhere(Documents stored, Scheduler parser, Drafts drafts, NodeDocuments documents) {
    this.stored = stored;
    this.store = stored.store();
    this.parser = parser;
    this.drafts = drafts;
    this.documents = documents;
  }

  /** The nodes of the entry point that the metadata belong to, or null. */
  @Nullable NodesByEntryPoint of(NodeMetadata metadata) {
    EntryPoint entryPoint = metadata.entryPoint();
    return entryPoint == null ? null : new NodesByEntryPoint(stored, parser, entryPoint);
  }

  /** Emits the node that {@code metadata} stand for: an entry point stands for the root. */
  Mono<NodeMetadata> resolve(NodePath path, NodeMetadata metadata) {
    NodesByEntryPoint nodes = of(metadata);
    return nodes == null ? Mono.just(metadata) : nodes.find(path);
  }

  /** Emits the node at a path that has no document of its own, or completes empty. */
  Mono<NodeMetadata> find(NodePath path) {
    Mono<NodeMetadata> byEntryPoint =
        path.isRoot() ? Mono.empty() : entryPoint().flatMap(nodes -> nodes.find(path));
    return byEntryPoint.switchIfEmpty(Mono.defer(() -> withoutDocument(path)));
  }

  /** Emits the nodes of the entry point at the root, or completes empty. */
  private Mono<NodesByEntryPoint> entryPoint() {
    return drafts.accepts(Draft.OF_2022)
        ? documents.onlyVersion3(NodePath.ROOT).mapNotNull(this::of)
        : Mono.empty();
  }

  /** Fails for a store with an entry point, whose nodes can only be read. */
  Mono<Void> checkNoEntryPoint() {
    return entryPoint()
        .flatMap(nodes -> Mono.error(Draft.OF_2022.refusesWrites(Location.ofNode("/"))));
  }

  /** Finds a group without a document. Below an array there are chunks, no groups. */
  private Mono<NodeMetadata> withoutDocument(NodePath path) {
    return implicit(path).filterWhen(group -> isBelowArray(path).map(below -> !below));
  }

  private Mono<Boolean> isBelowArray(NodePath path) {
    return path.isRoot()
        ? Mono.just(false)
        : documents
            .onlyVersion3(path.parent())
            .map(parent -> parent instanceof ArrayMetadata)
            .switchIfEmpty(Mono.defer(() -> isBelowArray(path.parent())));
  }

  /**
   * Emits the group without a document at {@code path}, unless only keys of Zarr v2 are below it. A
   * reserved name needs a document.
   */
  Mono<NodeMetadata> implicit(NodePath path) {
    if (!drafts.accepts(Draft.OF_2023)
        || path.hasReservedName()
        || !store.capabilities().contains(StoreCapability.LIST)) {
      return Mono.empty();
    }
    return store
        .listDir(path.prefix())
        .reduce(new Contents(false, false), Contents::with)
        .filter(contents -> contents.prefixes() && !contents.version2())
        .map(contents -> GroupMetadata.implicit(path));
  }

  /** The contents of a listing; an empty one shows no group. */
  private record Contents(boolean prefixes, boolean version2) {
    Contents with(ListEntry entry) {
      return entry instanceof ListEntry.Prefix
          ? new Contents(true, version2)
          : new Contents(prefixes, version2 || VERSION_2.contains(entry.name()));
    }
  }
}
