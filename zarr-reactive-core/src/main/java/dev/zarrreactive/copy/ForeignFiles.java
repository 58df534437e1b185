package dev.zarrreactive.copy;

import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.copy.CopyPlan.NodeCopy;
import dev.zarrreactive.copy.CopyProgress.Step;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreCapability;
import dev.zarrreactive.store.StoreKey;
import java.util.List;
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
  private final boolean known;

  ForeignFiles(
      ZarrHierarchy source,
      NodePath from,
      ZarrHierarchy destination,
      NodePath to,
      List<NodeCopy> nodes) {
    this.source = source.requests();
    this.from = from;
    this.destination = destination.requests();
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
    Flux<Step> unknown = Flux.just(Step.ofForeign(to, CopyReport.UNKNOWN, 0));
    if (!known) {
      return unknown;
    }
    // The copy goes on if a store that can be read refuses to be listed.
    return copies ? listed(true) : listed(false).onErrorResume(StoreException.class, e -> unknown);
  }

  private Flux<Step> listed(boolean copies) {
    return Concurrently.map(
            source.listPrefix(from.prefix()).filter(key -> !ofSource.has(key.value())),
            CONCURRENCY,
            key -> copies ? copied(key) : Mono.just(false))
        .window(STEP)
        .concatMap(
            files ->
                files
                    .map(copied -> Step.ofForeign(to, 1, copied ? 1 : 0))
                    .reduce(
                        (one, other) ->
                            Step.ofForeign(
                                to,
                                one.foreign() + other.foreign(),
                                one.foreignCopied() + other.foreignCopied())));
  }

  /** Copies a value, and emits whether it was there: it may have been removed since the listing. */
  private Mono<Boolean> copied(StoreKey key) {
    String relative = key.value().substring(from.prefix().value().length());
    StoreKey target = StoreKey.of(to.prefix().value() + relative);
    return ofCopy.has(target.value())
        ? Mono.just(false)
        : source
            .get(key)
            .flatMap(value -> destination.set(target, value).thenReturn(true))
            .defaultIfEmpty(false);
  }
}
