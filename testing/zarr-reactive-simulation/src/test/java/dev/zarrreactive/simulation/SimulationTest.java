package dev.zarrreactive.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.testing.Cases;
import dev.zarrreactive.testing.Sampled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The library keeps all rules, whatever is composed. */
class SimulationTest {
  private static final long SEEDS = Cases.some(90, 2_000);

  @Sampled
  @Test
  void no_seed_breaks_a_rule() {
    String range = System.getProperty("zarr.simulation.seeds", "0-" + SEEDS);
    String[] ends = range.split("-");
    long first = Long.parseLong(ends[0]);
    long bound = ends.length == 1 ? first + 1 : Long.parseLong(ends[1]);
    for (long seed = first; seed < bound; seed++) {
      String finding = SeedSearch.firstFailure(seed, seed + 1);
      if (finding != null) {
        assertThat(SeedSearch.report(seed)).as(finding).isNull();
      }
    }
  }

  @Sampled
  @ParameterizedTest
  @ValueSource(
      longs = {
        ScenarioGenerator.GROWING,
        ScenarioGenerator.DECODING,
        ScenarioGenerator.AT_ONCE,
        ScenarioGenerator.REFERRING,
        ScenarioGenerator.VERSIONED,
        ScenarioGenerator.KEYED,
        ScenarioGenerator.COMMITTING,
        ScenarioGenerator.CALCULATING,
        ScenarioGenerator.CLEANING,
        ScenarioGenerator.RANKING
      })
  void no_seed_of_a_family_breaks_a_rule(long first) {
    for (long seed = first; seed < first + SEEDS / 2; seed++) {
      String finding = SeedSearch.firstFailure(seed, seed + 1);
      if (finding != null) {
        assertThat(SeedSearch.report(seed)).as(finding).isNull();
      }
    }
  }

  @Sampled
  @Test
  void no_seed_with_a_server_that_restarts_breaks_a_rule() {
    long first = ScenarioGenerator.RESTARTING;
    for (long seed = first; seed < first + SEEDS / 2; seed++) {
      String finding = SeedSearch.firstFailure(seed, seed + 1);
      if (finding != null) {
        assertThat(SeedSearch.report(seed)).as(finding).isNull();
      }
    }
  }

  @Sampled
  @Test
  void no_seed_with_a_crowd_of_readers_breaks_a_rule() {
    long first = ScenarioGenerator.CROWDED;
    for (long seed = first; seed < first + SEEDS / 2; seed++) {
      String finding = SeedSearch.firstFailure(seed, seed + 1);
      if (finding != null) {
        assertThat(SeedSearch.report(seed)).as(finding).isNull();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      longs = {
        1,
        77,
        138,
        505,
        1042,
        1594,
        ScenarioGenerator.GROWING + 12,
        ScenarioGenerator.DECODING + 3,
        ScenarioGenerator.CROWDED + 4,
        ScenarioGenerator.AT_ONCE + 4,
        ScenarioGenerator.RESTARTING + 5,
        ScenarioGenerator.REFERRING + 6,
        ScenarioGenerator.VERSIONED + 7,
        ScenarioGenerator.KEYED + 8,
        ScenarioGenerator.COMMITTING + 9,
        ScenarioGenerator.CALCULATING + 10,
        ScenarioGenerator.CLEANING + 11,
        ScenarioGenerator.RANKING + 12,
        ScenarioGenerator.RANKING + 81
      })
  void a_seed_replays_exactly(long seed) {
    Simulation.Outcome once = Simulation.logged(ScenarioGenerator.of(seed));
    Simulation.Outcome again = Simulation.logged(ScenarioGenerator.of(seed));
    assertThat(again).isEqualTo(once);
    assertThat(once.log()).isNotEmpty();
  }

  /**
   * Seeds that showed a fault: a copy past the limit of its hierarchy, a cached index beside cached
   * bytes of the same old version, an index of a nested shard that is joined before its lease, a
   * write that arrives after its deadline, a range that is looked for in a cached value of another
   * version, a decoded chunk that is taken for a version that the store told after its request, a
   * piece of an upload that lost its place in the queue for permits.
   */
  @ParameterizedTest
  @ValueSource(
      longs = {
        95,
        248,
        7087,
        10592,
        10823,
        12176,
        316807,
        407737,
        436078,
        809179,
        2222450,
        2967907,
        ScenarioGenerator.GROWING + 305,
        ScenarioGenerator.GROWING + 7185,
        ScenarioGenerator.GROWING + 14758
      })
  void a_mended_fault_stays_away(long seed) {
    assertThat(SeedSearch.firstFailure(seed, seed + 1)).isNull();
  }
}
