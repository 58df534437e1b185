package dev.zarrreactive.internal.hierarchy;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.error.ValueTooLargeException;
import dev.zarrreactive.internal.context.HierarchyContext;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.internal.flow.KeyLocks;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.Draft;
import dev.zarrreactive.metadata.GroupMetadata;
import dev.zarrreactive.metadata.MetadataLimits;
import dev.zarrreactive.metadata.NodeMetadata;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.metadata.UnreadableMetadata;
import dev.zarrreactive.store.Store;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Writes consolidated metadata, and removes them before a node changes: a process that ends in
 * between leaves none instead of wrong ones. They are removed again after the change if another
 * writer of this process may have consolidated the old node meanwhile.
 */
final class Consolidation {
  /** The number of groups that are read at a time. */
  private static final int CONCURRENCY = 8;

  /** The numbers of consolidations that this process has begun, and has finished. */
  private static final AtomicLong BEGUN = new AtomicLong();

  private static final AtomicLong OVER = new AtomicLong();

  private final HierarchyContext context;
  private final Store store;
  private final Documents documents;
  private final NodeReader reader;
  private final Scheduler parser;

  /**
   * Creates a consolidation of a store.
   *
   * @param reader a reader that ignores consolidated metadata
   * @param parser the scheduler on which documents are parsed
   * @param limits the largest documents
   */
  Consolidation(
      HierarchyContext context, NodeReader reader, Scheduler parser, MetadataLimits limits) {
    this.context = context;
    this.documents = new Documents(context.requests(), limits);
    this.store = context.requests();
    this.reader = reader;
    this.parser = parser;
  }

  /**
   * A change of a node.
   *
   * @param suspects the places whose consolidated metadata the change makes stale
   */
  record Change(Collection<ConsolidatedPlace> suspects, Mono<Void> write) {}

  /** Changes the node at {@code path}, and removes stale consolidated metadata before. */
  Mono<Void> change(NodePath path, Mono<Change> known) {
    return Mono.defer(
        () -> {
          long over = OVER.get();
          Mono<Void> again =
              Mono.defer(
                  () ->
                      BEGUN.get() == over
                          ? Mono.empty()
                          : each(ConsolidatedPlace.concerned(path), this::takeAway));
          return known.flatMap(
              change ->
                  Mono.using(
                      () -> path,
                      changed ->
                          each(change.suspects(), this::takeAwayIfThere)
                              .then(change.write())
                              .then(again),
                      changed -> KnownNodes.Validity.end(context.store(), changed),
                      true));
        });
  }

  private static Mono<Void> each(
      Collection<ConsolidatedPlace> places, Function<ConsolidatedPlace, Mono<Void>> work) {
    return Concurrently.map(Flux.fromIterable(places), CONCURRENCY, work).then();
  }

  /**
   * Removes consolidated metadata. It looks first, so that concurrent writers of other nodes take
   * no lock.
   */
  private Mono<Void> takeAwayIfThere(ConsolidatedPlace place) {
    return document(place).flatMap(document -> takeAway(place));
  }

  private Mono<Void> takeAway(ConsolidatedPlace place) {
    return KeyLocks.exclusively(
        context.store(),
        place.key(),
        turn -> document(place).flatMap(document -> turn.store(place.takeFrom(store, document))));
  }

  /** Emits a document with consolidated metadata, or completes empty. */
  private Mono<Bytes> document(ConsolidatedPlace place) {
    return documents
        .get(place.key())
        .onErrorResume(
            ValueTooLargeException.class,
            e -> place.zarrFormat() == 2 ? Mono.just(Bytes.EMPTY) : Mono.error(e))
        .publishOn(parser)
        .filter(place::isIn);
  }

  /** Reads all nodes below a group afresh, writes their metadata, and emits the group. */
  Mono<FoundNode> consolidate(NodePath group, int zarrFormat) {
    ConsolidatedPlace place = new ConsolidatedPlace(group, zarrFormat);
    return Mono.using(
        Running::new,
        running ->
            KeyLocks.exclusively(
                context.store(), place.key(), turn -> consolidate(place, running, turn)),
        Running::end,
        true);
  }

  private Mono<FoundNode> consolidate(
      ConsolidatedPlace place, Running running, KeyLocks.Holder turn) {
    NodePath path = place.group();
    KnownNodes.Validity trust = KnownNodes.Validity.below(context.store(), path);
    return reader
        .read(path)
        .flatMap(group -> reader.tree(group).collectList())
        .flatMap(
            nodes ->
                reader // read again: the tree took a while
                    .read(path)
                    .map(group -> group(group, place))
                    .flatMap(
                        group -> {
                          JsonObject document =
                              group.consolidatedDocument(below(path, place, nodes));
                          Bytes bytes = Bytes.utf8(document.toPrettyString());
                          MetadataLimits limits = documents.limits();
                          limits.checkSize(bytes.size(), Location.ofKey(place.key().value()));
                          GroupMetadata metadata = group.withConsolidated(document, limits);
                          return turn.store(running.store(store.set(place.key(), bytes)))
                              .thenReturn(
                                  new FoundNode(
                                      path, metadata, KnownNodes.of(path, metadata, trust)));
                        }));
  }

  private static GroupMetadata group(FoundNode found, ConsolidatedPlace place) {
    checkNoDraft(found);
    if (found.metadata() instanceof GroupMetadata group
        && group.zarrFormat() == place.zarrFormat()) {
      return group;
    }
    throw new MetadataException(
        "expected a group of Zarr v" + place.zarrFormat() + ", found another node in its place",
        Location.ofNode(found.path().value()).pointer(""));
  }

  /** Returns the nodes by relative path, parents before their children. */
  private static Map<String, NodeMetadata> below(
      NodePath group, ConsolidatedPlace place, List<FoundNode> nodes) {
    Map<String, NodeMetadata> below = new LinkedHashMap<>();
    for (FoundNode node : nodes) {
      checkCanBeConsolidated(node, place.zarrFormat());
      below.put(group.relativize(node.path()), node.metadata());
    }
    return below;
  }

  /**
   * Refuses a group that cannot be read: its children are unknown. An unreadable array is kept for
   * other programs.
   */
  private static void checkCanBeConsolidated(FoundNode node, int zarrFormat) {
    checkNoDraft(node);
    if (node.metadata() instanceof UnreadableMetadata unreadable && !unreadable.isArray()) {
      throw unreadable.error();
    }
    if (node.metadata().zarrFormat() != zarrFormat) {
      throw new UnsupportedFeatureException(
          "the consolidated metadata of a group of Zarr v"
              + zarrFormat
              + " cannot hold a node of Zarr v"
              + node.metadata().zarrFormat(),
          Location.ofNode(node.path().value()));
    }
  }

  private static void checkNoDraft(FoundNode node) {
    Draft draft = node.metadata().draft();
    if (draft != null) {
      throw draft.refusesWrites(Location.ofNode(node.path().value()));
    }
  }

  /** A consolidation, until its last request has ended: a cancel does not end a request. */
  private static final class Running {
    private volatile boolean isStoring;

    Running() {
      BEGUN.incrementAndGet();
    }

    Mono<Void> store(Mono<Void> request) {
      return Mono.using(
          () -> isStoring = true, now -> request, now -> OVER.incrementAndGet(), true);
    }

    void end() {
      if (!isStoring) {
        OVER.incrementAndGet();
      }
    }
  }
}
