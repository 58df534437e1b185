package dev.zarrreactive.simulation;

import dev.zarrreactive.simulation.OriginRequests.OriginRequest;
import dev.zarrreactive.simulation.PlannedOperation.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Readers that ask for the same at the same time, of what is stored and of what is missing, while
 * requests fail. All of them can have what they want at once, so that they wait for the same
 * requests: each of these is made once, and again for a reader that took it along when it left.
 */
final class Crowd {
  private static final int FIRST_ID = 300;
  private static final int FEWEST = 8;
  private static final int MOST_FAULTS = 3;

  /** The shortest latency in which all readers ask. */
  private static final long LATENCY_MICROS = 1_000;

  /** A missing inner chunk may be asked about once more, if its index was asked for before. */
  private static final int EQUAL_REQUESTS = 2;

  private Crowd() {}

  /** Returns the scenario of a crowd that reads the arrays of another scenario. */
  static Scenario scenario(Scenario base, long seed) {
    SplittableRandom chance = new SplittableRandom(seed);
    boolean isStored = chance.nextInt(3) > 0;
    List<PlannedOperation> operations = new ArrayList<>();
    if (isStored) {
      base.operations().stream()
          .filter(each -> each.kind() == Kind.FOREIGN_WRITE && each.startMicros() == 0)
          .forEach(operations::add);
    }
    int array = chance.nextInt(base.arrays().size());
    ArrayPlan plan = base.arrays().get(array);
    Box box = chance.nextBoolean() ? Box.all(plan.shape()) : ScenarioGenerator.anyBox(plan, chance);
    Kind kind =
        switch (chance.nextInt(4)) {
          case 0 -> Kind.READ_CHUNK;
          case 1 -> Kind.CHUNKS_IN_ORDER;
          default -> Kind.READ;
        };
    int readers = FEWEST + chance.nextInt(FEWEST);
    int leaving = chance.nextInt(3); // some who came first
    for (int i = 0; i < readers; i++) {
      long leaves = i < leaving ? chance.nextLong(2 * LATENCY_MICROS) : -1;
      operations.add(
          new PlannedOperation(FIRST_ID + i, kind, 10, 0, array, box, Pace.FAST, leaves));
    }
    List<PlannedFault> faults = new ArrayList<>();
    for (int i = chance.nextInt(1 + MOST_FAULTS); i > 0; i--) {
      PlannedFault.Kind[] kinds = PlannedFault.Kind.values();
      faults.add(
          new PlannedFault(
              chance.nextInt(2 * MOST_FAULTS), kinds[chance.nextInt(kinds.length)], 300, true));
    }
    return new Scenario(
        seed,
        new StackPlan(
            base.stack().kind(),
            0,
            0,
            false,
            base.stack().isObserved(),
            base.stack().cacheBytes(),
            base.stack().keepsMissing(),
            base.stack().revalidationMillis()),
        base.hierarchies().stream().map(Crowd::roomy).toList(),
        base.arrays(),
        Math.max(LATENCY_MICROS, base.latencyMicros()),
        operations,
        faults);
  }

  /** Returns options by which no reader waits for another one's bytes or permits. */
  private static HierarchyPlan roomy(HierarchyPlan plan) {
    return new HierarchyPlan(
        64,
        1 << 20,
        0,
        plan.decodedBytes(),
        plan.revalidationMillis(),
        plan.indexBytes(),
        plan.tail(),
        plan.merges(),
        plan.writesEmpty(),
        plan.isObserved());
  }

  /**
   * Judges a read of the origin that was answered or has failed.
   *
   * @param equal the number of equal reads, with this one
   */
  static void judge(Simulation run, OriginRequest request, int equal) {
    if (run.scenario().seed() < ScenarioGenerator.CROWDED
        || run.scenario().seed() >= ScenarioGenerator.CROWDED + ScenarioGenerator.GROWING) {
      return;
    }
    long left =
        run.scenario().operations().stream().filter(each -> each.cancelMicros() >= 0).count();
    if (equal > EQUAL_REQUESTS + left) {
      run.found(Rule.ONCE, request + " is the " + equal + "th that is equal");
    }
  }
}
