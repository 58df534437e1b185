package dev.zarrreactive.simulation;

import dev.zarrreactive.observation.OperationOutcome;
import dev.zarrreactive.observation.StoreOutcome;
import dev.zarrreactive.observation.StoreRequest;
import dev.zarrreactive.observation.ZarrObserver;
import dev.zarrreactive.observation.ZarrOperation;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/** Counts beginnings and ends that observers are told of. */
final class Observations implements ZarrObserver {
  private int requests;
  private int operations;

  @Override
  public void onStart(StoreRequest request) {
    requests++;
  }

  @Override
  public void onEnd(StoreRequest request, StoreOutcome outcome) {
    requests--;
  }

  @Override
  public ContextView onStart(ZarrOperation operation, ContextView subscriber) {
    operations++;
    return Context.empty();
  }

  @Override
  public void onEnd(ZarrOperation operation, OperationOutcome outcome) {
    operations--;
  }

  /** Returns how many requests have begun and not ended. */
  int requestsUnderWay() {
    return requests;
  }

  /** Returns how many operations have begun and not ended. */
  int operationsUnderWay() {
    return operations;
  }
}
