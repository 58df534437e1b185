package dev.zarrreactive.simulation;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.simulation.PlannedOperation.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * An array that operations append to at the same time. Each block names its operation, so that the
 * array tells in the end which blocks it holds.
 */
final class AppendedLog {
  private static final int FIRST_ID = 300;
  private static final int MOST_APPENDS = 6;
  private static final int MOST_ELEMENTS = 32;

  private AppendedLog() {}

  /** Returns the array of a scenario; the same for the same scenario. */
  static ArrayPlan plan(Scenario scenario) {
    int format = scenario.arrays().get(0).format();
    SplittableRandom chance = new SplittableRandom(scenario.seed() ^ 0xa44a);
    long chunk = 2 + chance.nextInt(4);
    List<long[]> grids = new ArrayList<>(List.of(new long[] {chunk}));
    if (format == 3 && chance.nextBoolean()) {
      grids.add(0, new long[] {2 * chunk});
    }
    return new ArrayPlan("log", format, new long[] {chance.nextInt(4)}, grids, -7, false, false);
  }

  /** Returns appends for some of the scenarios. */
  static List<PlannedOperation> operations(
      SplittableRandom chance, int hierarchies, StackPlan stack, Box box, long latency) {
    List<PlannedOperation> appends = new ArrayList<>();
    int count = chance.nextInt(4) == 0 ? 1 + chance.nextInt(MOST_APPENDS) : 0;
    boolean sharesFairly = stack.kind().hasVersions() && stack.kind().hasConditions();
    for (int i = 0; i < count; i++) {
      boolean isForeign = sharesFairly && chance.nextInt(3) == 0;
      boolean isCancelled = !isForeign && chance.nextInt(3) == 0;
      appends.add(
          new PlannedOperation(
              FIRST_ID + i,
              isForeign ? Kind.FOREIGN_APPEND : Kind.APPEND,
              1 + chance.nextLong(6 * latency + 2_000),
              chance.nextInt(hierarchies),
              0,
              box,
              Pace.FAST,
              isCancelled ? chance.nextLong(4 * latency + 100) : -1));
    }
    return appends;
  }

  /** Returns the block of an append, of 1 to 9 elements. */
  static NdArray block(PlannedOperation append) {
    int[] elements = new int[length(append)];
    Arrays.setAll(elements, i -> append.id() * MOST_ELEMENTS + i);
    return NdArray.ofInts(DataTypes.INT32, Shape.of(elements.length), elements);
  }

  private static int length(PlannedOperation append) {
    return 1 + append.id() * 7 % 9;
  }

  /**
   * Finds the blocks: of an append that completed the whole block, of any other some of it or
   * nothing, each in a place of its own.
   */
  static void judge(Simulation run, List<RunningOperation> operations, int[] stored) {
    boolean[] isTaken = new boolean[stored.length];
    Arrays.fill(isTaken, 0, (int) plan(run.scenario()).shape()[0], true);
    for (RunningOperation append : operations) {
      Kind kind = append.plan().kind();
      if (kind != Kind.APPEND && kind != Kind.FOREIGN_APPEND) {
        continue;
      }
      int length = length(append.plan());
      int found = 0;
      int start = -1;
      for (int at = 0; at < stored.length; at++) {
        int element = stored[at] - append.plan().id() * MOST_ELEMENTS;
        if (element >= 0 && element < MOST_ELEMENTS) {
          boolean isInPlace = start < 0 || start == at - element;
          if (!isInPlace || element >= length || isTaken[at]) {
            lost(run, append, "out of place", stored);
          }
          start = at - element;
          found++;
        }
      }
      if (append.isComplete() && found != length) {
        lost(run, append, found + " of " + length + " elements", stored);
      }
      if (start >= 0) {
        Arrays.fill(isTaken, start, Math.min(stored.length, start + length), true);
      }
    }
    for (int at = 0; at < stored.length; at++) {
      if (!isTaken[at] && stored[at] != -7) {
        run.found(Rule.VALUES, "the log holds an element that no append wrote: " + stored[at]);
      }
    }
  }

  private static void lost(Simulation run, RunningOperation append, String what, int[] stored) {
    run.found(
        Rule.VALUES,
        append,
        "the block of " + append + " is stored as " + what + " in " + Arrays.toString(stored));
  }
}
