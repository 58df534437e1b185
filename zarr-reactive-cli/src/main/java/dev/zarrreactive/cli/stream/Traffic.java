package dev.zarrreactive.cli.stream;

import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.store.StoreObserver;
import dev.zarrreactive.store.StoreOutcome;
import dev.zarrreactive.store.StoreRequest;
import reactor.core.publisher.Flux;

/**
 * What goes on between a consumer of chunks and the store: how much the consumer demanded, what was
 * requested of the store for it, what is in flight, and what has been delivered. Requests for
 * metadata documents do not count. Thread-safe.
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
   * @param requested chunks that the store was asked for
   * @param inFlight of these, those that it has not answered yet
   * @param waiting those that have arrived and that the consumer has not taken yet
   * @param delivered those that the consumer took
   * @param bytes that the store has handed out
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

  /** {@code chunks}, whose demand and delivery are counted. */
  public <T> Flux<T> watch(Flux<T> chunks) {
    return chunks.doOnRequest(this::demand).doOnNext(chunk -> deliver());
  }

  /** The numbers now. */
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

  /** False for metadata, which is asked for before any chunk. */
  public static boolean isOfChunk(StoreRequest request) {
    return !NodePath.isDocumentKey(request.target());
  }
}
