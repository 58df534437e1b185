package dev.zarrreactive.simulation;

import java.util.List;

/**
 * A run, described: all that its seed decides, but for the order of events and the latency of each
 * request, which follow from the same seed.
 *
 * @param latencyMicros the usual latency of a request
 */
record Scenario(
    long seed,
    StackPlan stack,
    List<HierarchyPlan> hierarchies,
    List<ArrayPlan> arrays,
    long latencyMicros,
    List<PlannedOperation> operations,
    List<PlannedFault> faults) {
  Scenario withOperations(List<PlannedOperation> others) {
    return new Scenario(seed, stack, hierarchies, arrays, latencyMicros, others, faults);
  }

  Scenario withSeed(long other) {
    return new Scenario(other, stack, hierarchies, arrays, latencyMicros, operations, faults);
  }

  Scenario withFaults(List<PlannedFault> others) {
    return new Scenario(seed, stack, hierarchies, arrays, latencyMicros, operations, others);
  }

  Scenario withStack(StackPlan other) {
    return new Scenario(seed, other, hierarchies, arrays, latencyMicros, operations, faults);
  }

  Scenario withArrays(List<ArrayPlan> others) {
    return new Scenario(seed, stack, hierarchies, others, latencyMicros, operations, faults);
  }

  Scenario withHierarchies(List<HierarchyPlan> others) {
    return new Scenario(seed, stack, others, arrays, latencyMicros, operations, faults);
  }

  /** Returns true where an operation of this kind is planned. */
  boolean has(PlannedOperation.Kind kind) {
    return operations.stream().anyMatch(operation -> operation.kind() == kind);
  }

  /** Returns true where another program's writes may stay unseen, because a cache never asks. */
  boolean mayBeStale() {
    return stack.mayBeStale() || hierarchies.stream().anyMatch(HierarchyPlan::mayBeStale);
  }

  /** Returns the plan, a line for each part. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("seed " + seed + "\n");
    text.append("  ").append(stack).append(", latency ").append(latencyMicros).append(" µs\n");
    for (int h = 0; h < hierarchies.size(); h++) {
      text.append("  hierarchy ").append(h).append(": ").append(hierarchies.get(h)).append('\n');
    }
    for (int a = 0; a < arrays.size(); a++) {
      text.append("  array ").append(a).append(": ").append(arrays.get(a)).append('\n');
    }
    operations.forEach(operation -> text.append("  ").append(operation).append('\n'));
    faults.forEach(fault -> text.append("  ").append(fault).append('\n'));
    return text.toString();
  }
}
