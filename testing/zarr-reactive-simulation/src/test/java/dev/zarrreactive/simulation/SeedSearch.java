package dev.zarrreactive.simulation;

import org.jspecify.annotations.Nullable;

/** Runs seeds until one of them breaks a rule. */
public final class SeedSearch {
  private SeedSearch() {}

  /**
   * Returns the first of these seeds that breaks a rule, and how; null where none does. Called by
   * reflection too, in a class loader with a library that was changed.
   */
  public static @Nullable String firstFailure(long first, long bound) {
    for (long seed = first; seed < bound; seed++) {
      Finding finding = Simulation.of(ScenarioGenerator.of(seed)).finding();
      if (finding != null) {
        return "seed " + seed + ": " + finding;
      }
    }
    return null;
  }

  /** Returns what a reader needs to understand a failure: the plan made small, and its log. */
  static String report(long seed) {
    Scenario scenario = ScenarioGenerator.of(seed);
    Finding finding = Simulation.of(scenario).finding();
    if (finding == null) {
      return "seed " + seed + " breaks no rule";
    }
    Scenario small =
        new Shrinker(
                smaller -> {
                  Finding same = Simulation.of(smaller).finding();
                  return same != null && same.rule() == finding.rule();
                })
            .shrink(scenario);
    Simulation.Outcome outcome = Simulation.logged(small);
    return "replay with -Dzarr.simulation.seeds="
        + seed
        + "\n"
        + finding
        + "\n\nthe smallest plan that breaks the same rule, of "
        + small
        + "\n"
        + String.join("\n", outcome.log());
  }
}
