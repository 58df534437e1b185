package dev.zarrreactive.spark.write;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.cf.CfRule;
import dev.zarrreactive.chunkgrid.ShrinkMode;
import dev.zarrreactive.dataset.Dataset;
import dev.zarrreactive.dataset.Variable;
import dev.zarrreactive.store.Store;
import java.util.List;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * An append whose driver ended while the commit made arrays longer. Some arrays have their new
 * length, the others the old one, and the dataset does not open.
 */
record CutAppend(Store store, ZarrGroup group, String dimension) {
  /** An array of the group that has the dimension. */
  private record Member(ZarrArray array, int axis) {
    long extent() {
      return array.shape().extent(axis);
    }

    Mono<ZarrArray> shortened(long extent) {
      long[] extents = array.shape().toArray();
      extents[axis] = extent;
      return array.resize(Shape.of(extents), ShrinkMode.TRIM);
    }
  }

  /**
   * Makes the longer arrays as short as the others, and removes what was appended to them. Without
   * the mark of an append the arrays stay as they are.
   */
  Mono<Void> shortened() {
    return store
        .get(Claim.of(group.path().value()).key())
        .flatMap(mark -> group.children().flatMapIterable(this::members).collectList())
        .flatMapMany(CutAppend::longer)
        .then();
  }

  private static Flux<ZarrArray> longer(List<Member> members) {
    long shortest = members.stream().mapToLong(Member::extent).min().orElse(0);
    return Flux.fromIterable(members)
        .filter(member -> member.extent() > shortest)
        .concatMap(member -> member.shortened(shortest), 0);
  }

  private List<Member> members(ZarrNode node) {
    if (!(node instanceof ZarrArray array)) {
      return List.of();
    }
    return Dataset.of(group, List.of(node), CfRule.xarray()).variables().values().stream()
        .map(Variable::dimensions)
        .filter(dimensions -> dimensions.contains(dimension))
        .map(dimensions -> new Member(array, dimensions.indexOf(dimension)))
        .toList();
  }
}
