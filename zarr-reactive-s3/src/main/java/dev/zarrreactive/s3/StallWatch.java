package dev.zarrreactive.s3;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import reactor.core.publisher.Mono;

/**
 * Looks whether anything moves. It costs a look now and then and not one for every part that
 * arrives. The client's own timeouts do not see all: some of its futures never complete.
 */
final class StallWatch {
  private final long patience;
  private volatile long lastMove = System.nanoTime();
  private volatile boolean partlySent;

  /** A watch that is set now, for one request. */
  StallWatch(Duration patience) {
    this.patience = patience.toNanos();
  }

  /** Something moved. */
  void moved() {
    lastMove = System.nanoTime();
  }

  /** The body of the request begins to be sent, or has been handed to the connection. */
  void sending(boolean toTheEnd) {
    partlySent = !toTheEnd;
  }

  /** True where the connection has not been given all of the body: no server can have stored it. */
  boolean isPartlySent() {
    return partlySent;
  }

  /** {@code request}; where nothing moves for too long it is cancelled, and that is the error. */
  <T> Mono<T> over(Mono<T> request) {
    return Mono.firstWithSignal(request, stalled());
  }

  private <T> Mono<T> stalled() {
    return Mono.defer(() -> Mono.delay(Duration.ofNanos(Math.max(1, left())), S3Threads.timer()))
        .repeat(() -> left() > 0)
        .then(
            Mono.error(
                () ->
                    new TimeoutException(
                        "nothing moved for "
                            + TimeUnit.NANOSECONDS.toMillis(patience)
                            + " ms, the stall timeout")));
  }

  private long left() {
    return lastMove + patience - System.nanoTime();
  }
}
