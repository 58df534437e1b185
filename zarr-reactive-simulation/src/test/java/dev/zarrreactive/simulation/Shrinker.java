package dev.zarrreactive.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Makes a scenario that fails smaller, one part after the other, for as long as it fails by the
 * same rule.
 */
final class Shrinker {
  private final Predicate<Scenario> fails;

  /** Keeps what {@code fails}. */
  Shrinker(Predicate<Scenario> fails) {
    this.fails = fails;
  }

  /** Returns a small scenario that breaks the same rule. */
  static Scenario smallest(Scenario scenario, Rule rule) {
    return new Shrinker(
            smaller -> {
              Finding finding = Simulation.of(smaller).finding();
              return finding != null && finding.rule() == rule;
            })
        .shrink(scenario);
  }

  /** Returns the smallest scenario that was found; {@code scenario} where none is smaller. */
  Scenario shrink(Scenario scenario) {
    Scenario best = scenario;
    for (Scenario next = smaller(best); next != null; next = smaller(best)) {
      best = next;
    }
    return best;
  }

  private @Nullable Scenario smaller(Scenario scenario) {
    return candidates(scenario).filter(fails).findFirst().orElse(null);
  }

  /** Returns scenarios with one part less, the largest parts first. */
  private static Stream<Scenario> candidates(Scenario scenario) {
    return Stream.of(
            without(scenario.faults()).map(scenario::withFaults),
            without(scenario.operations()).map(scenario::withOperations),
            stacks(scenario.stack()).map(scenario::withStack),
            hierarchies(scenario),
            operations(scenario))
        .flatMap(some -> some);
  }

  private static <T> Stream<List<T>> without(List<T> all) {
    return IntStream.range(0, all.size())
        .mapToObj(
            removed -> {
              List<T> rest = new ArrayList<>(all);
              rest.remove(removed);
              return rest;
            });
  }

  private static <T> Stream<List<T>> with(List<T> all, int place, Stream<T> others) {
    return others
        .filter(other -> !other.equals(all.get(place)))
        .map(
            other -> {
              List<T> changed = new ArrayList<>(all);
              changed.set(place, other);
              return changed;
            });
  }

  private static Stream<StackPlan> stacks(StackPlan stack) {
    return Stream.of(
            new StackPlan(
                stack.kind(),
                0,
                stack.attempts(),
                stack.isHedged(),
                stack.isObserved(),
                stack.cacheBytes(),
                stack.keepsMissing(),
                stack.revalidationMillis()),
            new StackPlan(
                stack.kind(),
                stack.limit(),
                0,
                stack.isHedged(),
                stack.isObserved(),
                stack.cacheBytes(),
                stack.keepsMissing(),
                stack.revalidationMillis()),
            new StackPlan(
                stack.kind(),
                stack.limit(),
                stack.attempts(),
                false,
                false,
                stack.cacheBytes(),
                stack.keepsMissing(),
                stack.revalidationMillis()),
            new StackPlan(
                stack.kind(),
                stack.limit(),
                stack.attempts(),
                stack.isHedged(),
                stack.isObserved(),
                0,
                false,
                -1))
        .filter(other -> !other.equals(stack));
  }

  private static Stream<Scenario> hierarchies(Scenario scenario) {
    return IntStream.range(0, scenario.hierarchies().size())
        .boxed()
        .flatMap(h -> with(scenario.hierarchies(), h, simpler(scenario.hierarchies().get(h))))
        .map(scenario::withHierarchies);
  }

  private static Stream<HierarchyPlan> simpler(HierarchyPlan plan) {
    return Stream.of(
        new HierarchyPlan(
            plan.concurrency(),
            plan.inFlightBytes(),
            0,
            plan.decodedBytes(),
            plan.revalidationMillis(),
            plan.indexBytes(),
            0,
            plan.merges(),
            false,
            false),
        new HierarchyPlan(
            plan.concurrency(),
            plan.inFlightBytes(),
            plan.limit(),
            0,
            -1,
            plan.indexBytes(),
            plan.tail(),
            plan.merges(),
            plan.writesEmpty(),
            plan.isObserved()),
        new HierarchyPlan(
            plan.concurrency(),
            1 << 20,
            plan.limit(),
            plan.decodedBytes(),
            plan.revalidationMillis(),
            plan.indexBytes(),
            plan.tail(),
            plan.merges(),
            plan.writesEmpty(),
            plan.isObserved()));
  }

  private static Stream<Scenario> operations(Scenario scenario) {
    return IntStream.range(0, scenario.operations().size())
        .boxed()
        .flatMap(o -> with(scenario.operations(), o, simpler(scenario.operations().get(o))))
        .map(scenario::withOperations);
  }

  private static Stream<PlannedOperation> simpler(PlannedOperation plan) {
    return Stream.of(
        new PlannedOperation(
            plan.id(),
            plan.kind(),
            plan.startMicros(),
            plan.hierarchy(),
            plan.array(),
            plan.box(),
            plan.pace(),
            -1),
        new PlannedOperation(
            plan.id(),
            plan.kind(),
            plan.startMicros(),
            0,
            plan.array(),
            plan.box(),
            plan.pace(),
            plan.cancelMicros()),
        new PlannedOperation(
            plan.id(),
            plan.kind(),
            plan.startMicros(),
            plan.hierarchy(),
            plan.array(),
            plan.box(),
            Pace.FAST,
            plan.cancelMicros()));
  }
}
