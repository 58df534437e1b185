package dev.zarrreactive.observation;

import dev.zarrreactive.internal.flow.Guard;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/** Calls several observers in order. Each sees the context of the observers before it. */
final class AllObservers implements ZarrObserver {
  private final List<ZarrObserver> observers;

  AllObservers(List<ZarrObserver> observers) {
    this.observers = observers;
  }

  private void tell(Consumer<ZarrObserver> what) {
    for (ZarrObserver each : observers) {
      Guard.run(() -> what.accept(each));
    }
  }

  private ContextView start(
      ContextView subscriber, BiFunction<ZarrObserver, ContextView, ContextView> start) {
    Context more = Context.empty();
    for (ZarrObserver each : observers) {
      ContextView seen = Context.of(subscriber).putAll((ContextView) more);
      ContextView added =
          Guard.get(() -> Objects.requireNonNull(start.apply(each, seen)), Context.empty());
      more = more.putAll(added);
    }
    return more;
  }

  @Override
  public ContextView onStart(ZarrOperation operation, ContextView subscriber) {
    return start(subscriber, (each, context) -> each.onStart(operation, context));
  }

  @Override
  public void onEnd(ZarrOperation operation, OperationOutcome outcome) {
    tell(each -> each.onEnd(operation, outcome));
  }

  @Override
  public void onRangeRequest(RangeRequest request) {
    tell(each -> each.onRangeRequest(request));
  }

  @Override
  public void onDecode(ChunkDecoding decoding) {
    tell(each -> each.onDecode(decoding));
  }

  @Override
  public void onOpen(InFlightBytes bytes) {
    tell(each -> each.onOpen(bytes));
  }

  @Override
  public void onInFlightWait(Duration waited) {
    tell(each -> each.onInFlightWait(waited));
  }

  @Override
  public void onStart(StoreRequest request) {
    tell(each -> each.onStart(request));
  }

  @Override
  public ContextView onStart(StoreRequest request, ContextView subscriber) {
    return start(subscriber, (each, context) -> each.onStart(request, context));
  }

  @Override
  public void onEnd(StoreRequest request, StoreOutcome outcome) {
    tell(each -> each.onEnd(request, outcome));
  }

  @Override
  public void onRetry(StoreRetry retry) {
    tell(each -> each.onRetry(retry));
  }

  @Override
  public void onHedge(Duration late) {
    tell(each -> each.onHedge(late));
  }

  @Override
  public void onPermit(InFlightRequests limit, Duration waited) {
    tell(each -> each.onPermit(limit, waited));
  }

  @Override
  public void onLookUp(String cache, CacheOutcome result) {
    tell(each -> each.onLookUp(cache, result));
  }
}
