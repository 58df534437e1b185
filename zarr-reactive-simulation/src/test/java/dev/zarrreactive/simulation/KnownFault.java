package dev.zarrreactive.simulation;

import dev.zarrreactive.simulation.PlannedOperation.Kind;
import java.util.function.BiPredicate;
import java.util.stream.Stream;

/**
 * A fault of the library that is not mended yet. Its signature tells it from every other fault: as
 * narrow as the plan of a run allows, so that nothing else is tolerated with it.
 */
enum KnownFault {
  /**
   * An index that is kept and bytes that the cache of the store keeps are of one version, so that
   * the store is never asked whether the shard has changed.
   */
  KEPT_INDEX_AND_KEPT_BYTES(
      10823,
      Rule.VALUES,
      (scenario, finding) ->
          readsSharded(scenario, finding)
              && hierarchy(scenario, finding).indexBytes() > 0
              && scenario.stack().cacheBytes() > 0
              && changes(scenario, finding, Kind.FOREIGN_WRITE)),

  /** A copy asks for its markers, and lists other files, past the limit of the hierarchy. */
  COPY_PAST_THE_LIMIT(248, Rule.REQUESTS, (scenario, finding) -> scenario.has(Kind.COPY)),

  /** As {@link #COPY_PAST_THE_LIMIT}, of a limit that counts each request. */
  COPY_WITHOUT_PERMIT(95, Rule.PERMITS, (scenario, finding) -> scenario.has(Kind.COPY));

  private final long seed;
  private final Rule rule;
  private final BiPredicate<Scenario, Finding> signature;

  KnownFault(long seed, Rule rule, BiPredicate<Scenario, Finding> signature) {
    this.seed = seed;
    this.rule = rule;
    this.signature = signature;
  }

  /** Returns a seed that shows it. */
  long seed() {
    return seed;
  }

  boolean matches(Scenario scenario, Finding finding) {
    return finding.rule() == rule && signature.test(scenario, finding);
  }

  /** Returns true where a finding is one of these. */
  static boolean isOne(Scenario scenario, Finding finding) {
    return Stream.of(values()).anyMatch(fault -> fault.matches(scenario, finding));
  }

  private static boolean readsSharded(Scenario scenario, Finding finding) {
    return finding.operation() != null
        && !finding.operation().kind().changes()
        && array(scenario, finding).isSharded();
  }

  private static ArrayPlan array(Scenario scenario, Finding finding) {
    return scenario.arrays().get(finding.operation().array());
  }

  private static HierarchyPlan hierarchy(Scenario scenario, Finding finding) {
    return scenario.hierarchies().get(finding.operation().hierarchy());
  }

  /** Returns true where such an operation is planned for the array. */
  private static boolean changes(Scenario scenario, Finding finding, Kind... kinds) {
    return scenario.operations().stream()
        .filter(each -> each.array() == finding.operation().array())
        .anyMatch(each -> Stream.of(kinds).anyMatch(kind -> kind == each.kind()));
  }
}
