package dev.zarrreactive.cli.stream;

import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.observation.StoreObserver;
import dev.zarrreactive.observation.StoreOutcome;
import dev.zarrreactive.observation.StoreRequest;
import reactor.core.publisher.Flux;

/**
 * Counts the traffic between a consumer of chunks and the store: chunks demanded, requested, in
 * flight and delivered. Requests for metadata documents do not count. Thread-safe.
 */
public final class Traffic implements StoreObserver {
  private long demanded;
  private long requested;
  private long arrived;
  private long delivered;
  private long bytes;
  private long mostInFlight;
  private long mostAhead;

  /**
   * The numbers at one moment.
   *
   * @param demanded chunks that the consumer asked for; {@link Long#MAX_VALUE} is no limit
   * @param requested chunks that were requested of the store
   * @param inFlight requested chunks without an answer yet
   * @param waiting chunks that have arrived and are not delivered yet
   * @param delivered chunks that the consumer took
   * @param bytes that the store has delivered
   * @param mostInFlight the most requests in flight at a time until now
   * @param mostAhead the most chunks requested and not yet delivered at a time until now
   */
  public record Numbers(
      long demanded,
      long requested,
      long inFlight,
      long waiting,
      long delivered,
      long bytes,
      long mostInFlight,
      long mostAhead) {}

  /** Counts the demand and the delivery of {@code chunks}. */
  public <T> Flux<T> watch(Flux<T> chunks) {
    return chunks.doOnRequest(this::demand).doOnNext(chunk -> deliver());
  }

  /** Returns the present numbers. */
  public synchronized Numbers now() {
    return new Numbers(
        demanded,
        requested,
        requested - arrived,
        arrived - delivered,
        delivered,
        bytes,
        mostInFlight,
        mostAhead);
  }

  private synchronized void demand(long more) {
    demanded = demanded > Long.MAX_VALUE - more ? Long.MAX_VALUE : demanded + more;
  }

  private synchronized void deliver() {
    delivered++;
  }

  @Override
  public synchronized void onStart(StoreRequest request) {
    if (isOfChunk(request)) {
      requested++;
      mostInFlight = Math.max(mostInFlight, requested - arrived);
      mostAhead = Math.max(mostAhead, requested - delivered);
    }
  }

  @Override
  public synchronized void onEnd(StoreRequest request, StoreOutcome outcome) {
    if (isOfChunk(request)) {
      arrived++;
      bytes += outcome.bytes();
    }
  }

  /** Returns whether a request is for a chunk; metadata are requested before any chunk. */
  public static boolean isOfChunk(StoreRequest request) {
    return !NodePath.isDocumentKey(request.target());
  }
}
