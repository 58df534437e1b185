package dev.zarrreactive.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Makes a scenario that fails smaller, one part after the other, for as long as it fails. */
final class Shrinker {
  private final Predicate<Scenario> fails;

  /** A shrinker that keeps what {@code fails}. */
  Shrinker(Predicate<Scenario> fails) {
    this.fails = fails;
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
    return candidates(scenario)
        .filter(candidate -> !candidate.equals(scenario))
        .filter(fails)
        .findFirst()
        .orElse(null);
  }

  /** Returns scenarios with one part less. */
  private static Stream<Scenario> candidates(Scenario scenario) {
    return Stream.of(
            without(scenario.faults()).map(scenario::withFaults),
            without(scenario.operations()).map(scenario::withOperations),
            scenario.stack().simpler().map(scenario::withStack),
            simpler(scenario.hierarchies(), HierarchyPlan::simpler).map(scenario::withHierarchies),
            simpler(scenario.operations(), PlannedOperation::simpler).map(scenario::withOperations))
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

  private static <T> Stream<List<T>> simpler(List<T> all, Function<T, Stream<T>> simpler) {
    return IntStream.range(0, all.size())
        .boxed()
        .flatMap(
            place ->
                simpler
                    .apply(all.get(place))
                    .map(
                        other -> {
                          List<T> changed = new ArrayList<>(all);
                          changed.set(place, other);
                          return changed;
                        }));
  }
}
