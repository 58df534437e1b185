package dev.zarrreactive.internal.flow;

import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * Decides when a band may be read. The first band begins with the demand. One band is read ahead of
 * the subscriber, from the time when the subscriber has received three quarters of the band before.
 * A subscriber that has to wait for a band doubles the bands ahead, up to eight. A subscriber that
 * finds all of them decoded makes them one fewer. So a slow subscriber holds two bands at the most,
 * and a quick one does not wait for the latency of each band.
 *
 * <p>Bands ask for their bytes in order, each after the band before has asked. Thread-safe.
 */
public final class ReadAhead {
  /** The most bands that are read ahead of the band that the subscriber receives. */
  public static final int MOST = 8;

  private final Queue<Sinks.Empty<Void>> turns = new ArrayDeque<>();
  private boolean isDemanded;
  private int ahead = 1;
  private long begun;
  private long asked;
  private long decoded;
  private long nearlyReceived;
  private long received;

  /** Returns the turn of the next band, which completes when the band may be read. */
  public Mono<Void> turn() {
    Sinks.Empty<Void> turn = Sinks.empty();
    synchronized (this) {
      turns.add(turn);
    }
    begin();
    return turn.asMono();
  }

  /** The subscriber demands a piece. */
  public void demanded() {
    synchronized (this) {
      isDemanded = true;
    }
    begin();
  }

  /** The band that began last has asked for its bytes. */
  public void asked() {
    synchronized (this) {
      asked++;
    }
    begin();
  }

  /** The elements of a band are decoded. */
  public synchronized void decoded() {
    decoded++;
  }

  /** The subscriber has received three quarters of a band. */
  public void nearlyReceived() {
    synchronized (this) {
      nearlyReceived++;
    }
    begin();
  }

  /** The subscriber has received a band. */
  public void received() {
    synchronized (this) {
      received++;
      if (decoded == received) {
        ahead = Math.min(2 * ahead, MOST);
      } else if (decoded == begun) {
        ahead = Math.max(1, ahead - 1);
      }
    }
    begin();
  }

  private void begin() {
    Sinks.Empty<Void> turn = next();
    if (turn != null) {
      turn.tryEmitEmpty();
    }
  }

  private synchronized Sinks.@Nullable Empty<Void> next() {
    if (!isDemanded || asked < begun || begun - nearlyReceived >= ahead || turns.isEmpty()) {
      return null;
    }
    begun++;
    return turns.remove();
  }
}
