package dev.zarrreactive.copy;

import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.copy.CopyPlan.NodeCopy;
import dev.zarrreactive.copy.CopyProgress.Step;
import dev.zarrreactive.copy.Destination.State;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.metadata.NodePath;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * One run of a copy. It marks every node as unfinished, copies the chunks of the arrays, and
 * finishes a node after all nodes below it, the root last.
 */
final class CopyRun {
  /** The number of nodes that are looked at, begun or finished at a time. */
  private static final int NODES = 16;

  /** The number of small arrays that are copied at a time. */
  private static final int SMALL_ARRAYS = 16;

  /** The divisor of the bytes in flight: a smaller array is a small one. */
  private static final int SMALL = 8 * SMALL_ARRAYS;

  private final CopyPlan plan;
  private final Flux<Step> foreign;
  private final Destination destination;
  private final UnfinishedNodes unfinished;
  private final ZarrOptions limits;
  private final Map<NodePath, State> states = new ConcurrentHashMap<>();

  CopyRun(CopyPlan plan, ZarrHierarchy hierarchy, Flux<Step> foreign) {
    this.plan = plan;
    this.foreign = foreign;
    this.limits = hierarchy.options();
    this.unfinished = new UnfinishedNodes(hierarchy);
    this.destination = new Destination(hierarchy, plan.root().path(), unfinished);
  }

  /**
   * Copies, and emits the progress.
   *
   * @param consolidates whether the metadata of the copy are consolidated at the end
   * @param renews whether the consolidated metadata of the groups above are renewed
   */
  Flux<CopyProgress> progress(IfExists policy, boolean consolidates, boolean renews) {
    int zarrFormat = plan.root().metadata().zarrFormat();
    return destination
        .prepare(zarrFormat, policy)
        .flatMap(goesOn -> goesOn ? lookAround() : Mono.empty())
        .then(forEach(plan.nodes(), this::begin))
        .then(Mono.just(steps(consolidates, renews)))
        .flatMapMany(steps -> steps.scan(plan.beginning(), CopyProgress::plus));
  }

  /** Emits what would be copied, or fails where the copy would before its first write. */
  Mono<CopyOutline> outline(IfExists policy) {
    return destination
        .tryOut(plan.root().metadata().zarrFormat(), policy)
        .then(Mono.defer(() -> plan.outline(NODES)));
  }

  private static Mono<Void> forEach(List<NodeCopy> nodes, Function<NodeCopy, Mono<Void>> work) {
    return Concurrently.map(Flux.fromIterable(nodes), NODES, work).then();
  }

  private Mono<Void> lookAround() {
    return forEach(
        plan.nodes(),
        node ->
            destination
                .state(node.path(), node.metadata())
                .doOnNext(state -> states.put(node.path(), state))
                .then());
  }

  private State state(NodeCopy node) {
    return states.getOrDefault(node.path(), State.ABSENT);
  }

  private Mono<Void> begin(NodeCopy node) {
    return state(node) == State.ABSENT
        ? unfinished.begin(node.path(), node.metadata())
        : Mono.empty();
  }

  private Flux<Step> steps(boolean consolidates, boolean renews) {
    List<NodeCopy> small = new ArrayList<>();
    List<NodeCopy> large = new ArrayList<>();
    List<NodeCopy> groups = new ArrayList<>();
    for (NodeCopy node : plan.nodes()) {
      if (node.chunks() == null) {
        groups.add(0, node); // groups below come before those above
      } else if (node.chunks().byteSize() <= limits.maxInFlightBytes() / SMALL) {
        small.add(node);
      } else {
        large.add(node);
      }
    }
    ZarrOptions partOfLimits =
        limits
            .withMaxConcurrency(Math.max(1, limits.maxConcurrency() / SMALL_ARRAYS))
            .withMaxInFlightBytes(Math.max(1, limits.maxInFlightBytes() / SMALL_ARRAYS));
    return Flux.concat(
        List.of(
            Concurrently.map(
                Flux.fromIterable(small), SMALL_ARRAYS, node -> array(node, partOfLimits)),
            Flux.fromIterable(large).concatMap(node -> array(node, limits), 0),
            foreign,
            Flux.fromIterable(groups).concatMap(this::finish, 0),
            consolidates && !groups.isEmpty()
                ? destination.consolidate().cast(Step.class)
                : Mono.empty(),
            renews ? destination.consolidateAbove().map(Step::ofConsolidated) : Flux.empty()));
  }

  private Flux<Step> array(NodeCopy node, ZarrOptions options) {
    ArrayCopy chunks = Objects.requireNonNull(node.chunks());
    return Flux.concat(
        List.of(
            chunks.chunks(options, state(node) != State.ABSENT), Mono.defer(() -> finish(node))));
  }

  private Mono<Step> finish(NodeCopy node) {
    Mono<Void> finish =
        state(node) == State.FINISHED
            ? Mono.empty()
            : node.path().equals(plan.root().path())
                ? destination
                    .create(node.metadata())
                    .then(unfinished.forget(node.path(), node.metadata()))
                : unfinished.finish(node.path(), node.metadata());
    return finish.thenReturn(Step.ofNode(node.path()));
  }
}
