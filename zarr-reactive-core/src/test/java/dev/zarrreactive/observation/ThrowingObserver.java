package dev.zarrreactive.observation;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import reactor.util.context.ContextView;

/** Fails whatever it is told. */
final class ThrowingObserver implements ZarrObserver {
  final Set<String> told = ConcurrentHashMap.newKeySet();

  private IllegalStateException failure(String what) {
    told.add(what);
    return new IllegalStateException(what);
  }

  @Override
  public ContextView onStart(ZarrOperation operation, ContextView subscriber) {
    throw failure("operation");
  }

  @Override
  public void onEnd(ZarrOperation operation, OperationOutcome outcome) {
    throw failure("end of operation");
  }

  @Override
  public ContextView onStart(StoreRequest request, ContextView subscriber) {
    throw failure("request");
  }

  @Override
  public void onEnd(StoreRequest request, StoreOutcome outcome) {
    throw failure("end of request");
  }

  @Override
  public void onRangeRequest(RangeRequest request) {
    throw failure("ranges");
  }

  @Override
  public void onDecode(ChunkDecoding decoding) {
    throw failure("decoding");
  }

  @Override
  public void onOpen(InFlightBytes bytes) {
    throw failure("open");
  }

  @Override
  public void onRetry(StoreRetry retry) {
    throw failure("retry");
  }

  @Override
  public void onPermit(InFlightRequests limit, Duration waited) {
    throw failure("permit");
  }

  @Override
  public void onLookUp(String cache, CacheOutcome result) {
    throw failure("look-up");
  }
}
