package dev.zarrreactive.internal.context;

import dev.zarrreactive.internal.flow.ByteBudget;
import dev.zarrreactive.internal.flow.CodecScheduler;
import dev.zarrreactive.observation.InFlightBytes;

/**
 * A budget of bytes in flight, as observers see it. Contexts that share a budget share this object,
 * so that an observer of several contexts counts the bytes once.
 */
record BudgetBytes(ByteBudget budget) implements InFlightBytes {
  /** Returns a new budget with these limits. */
  static BudgetBytes of(Limits limits) {
    return new BudgetBytes(
        new ByteBudget(
            limits.inFlightBytes(), CodecScheduler.shared(), limits.independentOperations()));
  }

  @Override
  public long held() {
    return budget.held();
  }

  @Override
  public long most() {
    return budget.total();
  }
}
