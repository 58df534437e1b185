package dev.zarrreactive.internal.flow;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Numbers that wait until a bound that only grows has passed them. Thread-safe. */
public final class Turns {
  private final PriorityQueue<Waiting> waiting =
      new PriorityQueue<>(Comparator.comparingLong(Waiting::number));
  private long bound;

  /**
   * Creates a queue.
   *
   * @param bound the first number that waits
   */
  public Turns(long bound) {
    this.bound = bound;
  }

  private record Waiting(long number, Sinks.Empty<Void> turn) {}

  /** Returns the first number that waits. */
  public synchronized long bound() {
    return bound;
  }

  /**
   * Completes when the turn of a number comes, on the thread that grows the bound; null if it has
   * come.
   */
  public @Nullable Mono<Void> await(long number) {
    Sinks.Empty<Void> turn;
    synchronized (this) {
      if (number < bound) {
        return null;
      }
      turn = Sinks.empty();
      waiting.add(new Waiting(number, turn));
    }
    return turn.asMono();
  }

  /** Lets all numbers below a bound have their turn. A smaller bound than before does nothing. */
  public void grow(long most) {
    List<Waiting> next;
    synchronized (this) {
      bound = Math.max(bound, most);
      Waiting first = waiting.peek();
      if (first == null || first.number() >= bound) {
        return;
      }
      next = new ArrayList<>();
      for (; first != null && first.number() < bound; first = waiting.peek()) {
        next.add(waiting.remove());
      }
    }
    next.forEach(each -> each.turn().tryEmitEmpty());
  }
}
