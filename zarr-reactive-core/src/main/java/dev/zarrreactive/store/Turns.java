package dev.zarrreactive.store;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A fair queue: it serves the waiting items of several operations in rounds, one item of each
 * operation in every round. The first item of an operation without waiting items joins the current
 * round.
 */
final class Turns {
  private final Map<Object, Asker> waiting = new HashMap<>();
  private long round;
  private long turns;

  /** Returns a new place in the queue, for an item of {@code asker}. */
  synchronized Turn turn(Object asker) {
    Asker line = waiting.computeIfAbsent(asker, any -> new Asker(asker));
    line.lastRound = line.things == 0 ? round : Math.max(round, line.lastRound + 1);
    line.things++;
    return new Turn(line, line.lastRound, turns++);
  }

  /** Removes the first place of the queue after its item was served. */
  synchronized void served(Turn turn) {
    round = Math.max(round, turn.round);
    left(turn);
  }

  /** Removes a place whose item was cancelled. */
  synchronized void left(Turn turn) {
    turn.line.things--;
    if (turn.line.things == 0) {
      waiting.remove(turn.line.asker);
    }
  }

  private static final class Asker {
    private final Object asker;
    private long lastRound;
    private long things;

    private Asker(Object asker) {
      this.asker = asker;
    }
  }

  /** A place in the queue. */
  static final class Turn implements Comparable<Turn> {
    private final Asker line;
    private final long round;
    private final long number;

    private Turn(Asker line, long round, long number) {
      this.line = line;
      this.round = round;
      this.number = number;
    }

    @Override
    public int compareTo(Turn other) {
      int byRound = Long.compare(round, other.round);
      return byRound != 0 ? byRound : Long.compare(number, other.number);
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Turn that && number == that.number;
    }

    @Override
    public int hashCode() {
      return Long.hashCode(number);
    }
  }
}
