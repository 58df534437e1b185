package dev.zarrreactive.simulation;

import org.jspecify.annotations.Nullable;

/** Runs seeds until one of them breaks a rule by a fault that is not known. */
public final class SeedSearch {
  private SeedSearch() {}

  /**
   * Returns the first of these seeds that breaks a rule, and how; null where none does. Called by
   * reflection too, in a class loader with a library that was changed.
   */
  public static @Nullable String firstFailure(long first, long bound) {
    for (long seed = first; seed < bound; seed++) {
      Scenario scenario = ScenarioGenerator.of(seed);
      Finding finding = unknown(scenario);
      if (finding != null) {
        return "seed " + seed + ": " + finding;
      }
    }
    return null;
  }

  /** Returns the rule that a scenario breaks by a fault that is not known; null for none. */
  static @Nullable Finding unknown(Scenario scenario) {
    Finding finding = Simulation.of(scenario).finding();
    return finding == null || KnownFault.isOne(scenario, finding) ? null : finding;
  }

  /** Returns what a reader needs to understand a failure: the plan made small, and its log. */
  static String report(long seed) {
    Scenario scenario = ScenarioGenerator.of(seed);
    Finding finding = unknown(scenario);
    if (finding == null) {
      return "seed " + seed + " breaks no rule";
    }
    Scenario small =
        new Shrinker(
                smaller -> {
                  Finding same = unknown(smaller);
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
