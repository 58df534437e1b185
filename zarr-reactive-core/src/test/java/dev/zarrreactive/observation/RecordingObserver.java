package dev.zarrreactive.observation;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/** Notes what it is told. */
final class RecordingObserver implements ZarrObserver {
  /** What a subscriber has in its context, and what is added to that of an operation. */
  static final String TRACE = "trace";

  final Queue<String> operations = new ConcurrentLinkedQueue<>();
  final Queue<StoreRequest> started = new ConcurrentLinkedQueue<>();
  final Queue<StoreOutcome> ended = new ConcurrentLinkedQueue<>();
  final Queue<RangeRequest> ranges = new ConcurrentLinkedQueue<>();
  final Queue<ChunkDecoding> decodings = new ConcurrentLinkedQueue<>();
  final Queue<InFlightBytes> opened = new ConcurrentLinkedQueue<>();
  final Queue<StoreRetry> retries = new ConcurrentLinkedQueue<>();
  final Queue<Duration> hedges = new ConcurrentLinkedQueue<>();
  final Queue<Duration> waits = new ConcurrentLinkedQueue<>();
  final Queue<String> lookUps = new ConcurrentLinkedQueue<>();
  final Queue<String> traces = new ConcurrentLinkedQueue<>();

  void forget() {
    List.of(operations, started, ended, ranges, decodings, retries, hedges, waits, lookUps, traces)
        .forEach(Queue::clear);
  }

  long bytes() {
    return ended.stream().mapToLong(StoreOutcome::bytes).sum();
  }

  long lookUps(String cache, CacheOutcome result) {
    return lookUps.stream().filter((cache + " " + result)::equals).count();
  }

  private ContextView trace(String what, ContextView subscriber) {
    String trace = subscriber.getOrDefault(TRACE, "nobody") + " > " + what;
    traces.add(trace);
    return Context.of(TRACE, trace);
  }

  @Override
  public ContextView onStart(ZarrOperation operation, ContextView subscriber) {
    return trace(operation.kind() + " " + operation.path(), subscriber);
  }

  @Override
  public void onEnd(ZarrOperation operation, OperationOutcome outcome) {
    operations.add(operation.kind() + " " + operation.path() + " " + outcome.kind());
  }

  @Override
  public ContextView onStart(StoreRequest request, ContextView subscriber) {
    started.add(request);
    return trace(request.target(), subscriber);
  }

  @Override
  public void onEnd(StoreRequest request, StoreOutcome outcome) {
    ended.add(outcome);
  }

  @Override
  public void onRangeRequest(RangeRequest request) {
    ranges.add(request);
  }

  @Override
  public void onDecode(ChunkDecoding decoding) {
    decodings.add(decoding);
  }

  @Override
  public void onOpen(InFlightBytes bytes) {
    opened.add(bytes);
  }

  @Override
  public void onRetry(StoreRetry retry) {
    retries.add(retry);
  }

  @Override
  public void onHedge(Duration late) {
    hedges.add(late);
  }

  @Override
  public void onPermit(InFlightRequests limit, Duration waited) {
    waits.add(waited);
  }

  @Override
  public void onLookUp(String cache, CacheOutcome result) {
    lookUps.add(cache + " " + result);
  }
}
