package dev.zarrreactive.internal.s3.http;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import reactor.core.publisher.Mono;

/**
 * Fails a request that stalls. A timer checks the time of the last progress, so that a part that
 * arrives costs one write. The timeouts of the SDK miss some stalls: some of its futures never
 * complete.
 */
public final class StallWatch {
  private final long patience;
  private volatile long lastProgress = System.nanoTime();
  private volatile boolean partlySent;

  /** A watch for one request, which starts now. */
  public StallWatch(Duration patience) {
    this.patience = patience.toNanos();
  }

  /** Notes progress. */
  public void progressed() {
    lastProgress = System.nanoTime();
  }

  /** Notes that the body of the request begins, or that the connection has taken all of it. */
  void sending(boolean toTheEnd) {
    partlySent = !toTheEnd;
  }

  /**
   * Returns true where the connection has not taken all of the body: no server can have stored it.
   */
  public boolean isPartlySent() {
    return partlySent;
  }

  /** Returns {@code request}, which fails with a {@code TimeoutException} where it stalls. */
  public <T> Mono<T> watch(Mono<T> request) {
    return Mono.firstWithSignal(request, stall());
  }

  private <T> Mono<T> stall() {
    return Mono.defer(() -> Mono.delay(Duration.ofNanos(Math.max(1, left())), S3Threads.timer()))
        .repeat(() -> left() > 0)
        .then(
            Mono.error(
                () ->
                    new TimeoutException(
                        "no byte was received or sent for "
                            + TimeUnit.NANOSECONDS.toMillis(patience)
                            + " ms, the stall timeout")));
  }

  private long left() {
    return lastProgress + patience - System.nanoTime();
  }
}
