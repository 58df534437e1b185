package dev.zarrreactive.simulation;

import dev.zarrreactive.simulation.OriginRequests.OriginRequest;
import dev.zarrreactive.simulation.PlannedOperation.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Many readers at the same time, of what is stored and of what is missing, while requests fail and
 * readers leave. Most crowds ask for the same: all of them can have it at once, so that they wait
 * for the same requests. Each of these is made once, and again for a reader that took it along when
 * it left. Other crowds ask for parts that overlap, while the array is cleared.
 */
final class Crowd {
  private static final int FIRST_ID = 300;
  private static final int FEWEST = 8;
  private static final int MOST_FAULTS = 3;

  /** The shortest latency in which all readers ask. */
  private static final long LATENCY_MICROS = 1_000;

  /** A missing inner chunk may be asked about once more, if its index was asked for before. */
  private static final int EQUAL_REQUESTS = 2;

  private final Scenario base;
  private final SplittableRandom chance;
  private final long latency;
  private final int array;
  private final ArrayPlan plan;
  private final List<PlannedOperation> operations = new ArrayList<>();

  private Crowd(Scenario base, long seed) {
    this.base = base;
    this.chance = new SplittableRandom(seed);
    this.latency = Math.max(LATENCY_MICROS, base.latencyMicros());
    this.array = chance.nextInt(base.arrays().size());
    this.plan = base.arrays().get(array);
  }

  /** Returns the scenario of a crowd that reads the arrays of another scenario. */
  static Scenario scenario(Scenario base, long seed) {
    return new Crowd(base, seed).scenario(seed);
  }

  private Scenario scenario(long seed) {
    boolean isChanging = chance.nextInt(3) == 0;
    if (!isChanging && chance.nextInt(3) > 0) {
      base.operations().stream()
          .filter(each -> each.kind() == Kind.FOREIGN_WRITE && each.startMicros() == 0)
          .forEach(operations::add);
    }
    if (isChanging) {
      addReadersOfParts();
    } else {
      addReadersOfTheSame();
    }
    List<PlannedFault> faults = new ArrayList<>();
    if (isChanging) { // the request of the reader that leaves, behind those that store and that
      // read at first
      faults.add(
          new PlannedFault(
              chunks() + plan.grids().size(), PlannedFault.Kind.DELAY, latency / 100, false));
    }
    for (int i = isChanging ? 0 : chance.nextInt(1 + MOST_FAULTS); i > 0; i--) {
      List<PlannedFault.Kind> kinds = PlannedFault.Kind.OF_ONE_REQUEST;
      faults.add(
          new PlannedFault(
              chance.nextInt(2 * MOST_FAULTS), kinds.get(chance.nextInt(kinds.size())), 300, true));
    }
    StackPlan stack = base.stack();
    return new Scenario(
        seed,
        new StackPlan(
            stack.kind(),
            0,
            0,
            false,
            stack.isObserved(),
            isChanging ? 0 : stack.cacheBytes(),
            stack.keepsMissing(),
            isChanging ? -1 : stack.revalidationMillis()),
        base.hierarchies().stream().map(each -> roomy(each, isChanging)).toList(),
        base.arrays(),
        latency,
        operations,
        faults);
  }

  private void addReadersOfTheSame() {
    Box box = chance.nextBoolean() ? Box.all(plan.shape()) : ScenarioGenerator.anyBox(plan, chance);
    Kind kind =
        switch (chance.nextInt(4)) {
          case 0 -> Kind.READ_CHUNK;
          case 1 -> Kind.CHUNKS_IN_ORDER;
          default -> Kind.READ;
        };
    int readers = FEWEST + chance.nextInt(FEWEST);
    int leaving = chance.nextInt(3);
    for (int i = 0; i < readers; i++) {
      add(kind, 10, box, i < leaving ? chance.nextLong(2 * LATENCY_MICROS) : -1);
    }
  }

  /**
   * The array is written. The first reader has an index cached. The second one leaves after the
   * array was cleared, and the others, which have waited for a part of theirs, ask for that part
   * then.
   */
  private void addReadersOfParts() {
    long[] first = new long[plan.shape().length];
    long[] count = first.clone();
    for (int d = 0; d < first.length; d++) {
      count[d] = 1;
      first[d] = Math.min(plan.chunk()[d], plan.shape()[d]) - 1;
    }
    add(Kind.WRITE, 10, Box.all(plan.shape()), -1);
    add(Kind.READ, 20 * latency, Box.of(first, count), -1);
    Box corner = Box.of(new long[first.length], count);
    long then = 60 * latency;
    add(Kind.READ, then, corner, 4 * latency + chance.nextLong(4 * latency));
    for (int i = 1 + chance.nextInt(2); i > 0; i--) {
      long[] part = count.clone();
      part[0] = Math.max(1, first[0] - chance.nextLong(first[0] / 2 + 1));
      long start = then + 10 + chance.nextLong(latency);
      add(Kind.READ, start, Box.of(new long[first.length], part), -1);
    }
    add(Kind.CLEAR, then + 2 * latency + chance.nextLong(latency), Box.all(plan.shape()), -1);
  }

  private int chunks() {
    int chunks = 1;
    for (int d = 0; d < plan.shape().length; d++) {
      chunks *= (int) ((plan.shape()[d] + plan.chunk()[d] - 1) / plan.chunk()[d]);
    }
    return chunks;
  }

  private void add(Kind kind, long start, Box box, long leaves) {
    int id = FIRST_ID + operations.size();
    operations.add(new PlannedOperation(id, kind, start, 0, array, box, Pace.FAST, leaves));
  }

  /** Returns options by which no reader waits for another one's bytes or permits. */
  private static HierarchyPlan roomy(HierarchyPlan plan, boolean keepsDecoded) {
    return new HierarchyPlan(
        64,
        1 << 20,
        0,
        keepsDecoded ? 1 << 16 : plan.decodedBytes(),
        keepsDecoded ? 1 << 16 : plan.indexBytes(),
        plan.tail(),
        plan.merges() || keepsDecoded,
        plan.writesEmpty() && !keepsDecoded,
        plan.isObserved());
  }

  /**
   * Judges a read of the origin that was answered or has failed.
   *
   * @param equal the number of equal reads, with this one
   */
  static void judge(Simulation run, OriginRequest request, int equal) {
    Scenario scenario = run.scenario();
    boolean isCrowd =
        scenario.seed() >= ScenarioGenerator.CROWDED
            && scenario.seed() < ScenarioGenerator.CROWDED + ScenarioGenerator.GROWING;
    if (!isCrowd || scenario.has(Kind.CLEAR)) {
      return;
    }
    long left = scenario.operations().stream().filter(each -> each.cancelMicros() >= 0).count();
    if (equal > EQUAL_REQUESTS + left) {
      run.found(Rule.ONCE, request + " is the " + equal + "th that is equal");
    }
  }
}
