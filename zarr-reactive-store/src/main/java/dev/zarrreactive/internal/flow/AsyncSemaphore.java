package dev.zarrreactive.internal.flow;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/**
 * A semaphore in which no thread waits: a permit tells when it is held. Operations take turns, and
 * the permits of one are granted in the order in which they were asked for. A permit that is
 * released while it waits leaves the queue at once. Thread-safe.
 */
public final class AsyncSemaphore {
  private final FairQueue<Object, Permit> waiting = new FairQueue<>();
  private final ThreadLocal<Boolean> serving = new ThreadLocal<>();
  private long available;

  /** Creates a semaphore of {@code permits} permits. */
  public AsyncSemaphore(long available) {
    this.available = available;
  }

  /** Returns a new permit for {@code operation}, good for one {@link Permit#acquire()}. */
  public Permit permit(Object operation) {
    return new Permit(operation);
  }

  /**
   * Adds {@code count} permits, or takes them away where the count is negative: permits that are
   * held then are not granted again until there are enough. Long.MAX_VALUE permits stay that many.
   */
  public void add(long count) {
    boolean isWaitedFor;
    synchronized (waiting) {
      available =
          count > 0 && available > Long.MAX_VALUE - count ? Long.MAX_VALUE : available + count;
      isWaitedFor = waiting.size() > 0;
    }
    if (isWaitedFor) {
      serve();
    }
  }

  /** Returns the number of permits that are waited for. */
  public int waiting() {
    synchronized (waiting) {
      return waiting.size();
    }
  }

  /** Returns the number of permits that can be granted at once; negative after a reduction. */
  public long available() {
    synchronized (waiting) {
      return available;
    }
  }

  /**
   * Grants permits to those that wait. A permit that is released as soon as it is granted is served
   * by the loop of its thread and not by recursion; other threads do not wait for that.
   */
  private void serve() {
    if (serving.get() != null) {
      return;
    }
    serving.set(true);
    try {
      for (Permit next = next(); next != null; next = next()) {
        next.tell();
      }
    } finally {
      serving.remove();
    }
  }

  private @Nullable Permit next() {
    synchronized (waiting) {
      Permit next = available > 0 ? waiting.poll() : null;
      if (next != null) {
        available--;
        next.state = State.HELD;
      }
      return next;
    }
  }

  private enum State {
    UNUSED,
    WAITING,
    HELD,
    RELEASED
  }

  /** One permit's way from the queue to its holder and back. */
  public final class Permit {
    private final Object operation;
    private State state = State.UNUSED;
    private volatile @Nullable MonoSink<Void> waiter;

    private Permit(Object operation) {
      this.operation = operation;
    }

    /** Completes when the permit is held; on the thread that gave it, or at once. */
    public Mono<Void> acquire() {
      return Mono.create(this::queue);
    }

    /**
     * Takes the permit if one is free that no other waits for. Otherwise it returns false, and the
     * permit may still be awaited.
     */
    public boolean tryAcquire() {
      synchronized (waiting) {
        if (state != State.UNUSED || available <= 0 || waiting.size() > 0) {
          return false;
        }
        available--;
        state = State.HELD;
        return true;
      }
    }

    /** Gives the permit back, or leaves the queue. Only the first call has an effect. */
    public void release() {
      boolean held;
      synchronized (waiting) {
        held = state == State.HELD;
        if (state == State.WAITING) {
          waiting.remove(operation, this);
        }
        state = State.RELEASED;
      }
      if (held) {
        add(1);
      }
    }

    private void queue(MonoSink<Void> sink) {
      waiter = sink;
      if (acquireOrQueue()) {
        tell();
      } else {
        serve(); // another thread that serves may be busy with a permit that it has granted
      }
    }

    /** Takes a permit if one is free that no other waits for; else queues and returns false. */
    private boolean acquireOrQueue() {
      synchronized (waiting) {
        if (tryAcquire()) {
          return true;
        }
        if (state != State.UNUSED) {
          return false;
        }
        state = State.WAITING;
        waiting.add(operation, this);
        return false;
      }
    }

    private void tell() {
      MonoSink<Void> sink = waiter;
      if (sink != null) {
        sink.success();
      }
    }
  }

  /**
   * Entries that wait, of several operations. The operations take turns, one entry each; the
   * entries of one operation are served in the order in which they came. Every step takes constant
   * time. Not thread-safe.
   *
   * @param <O> the operations
   * @param <E> the entries, each of which waits once
   */
  public static final class FairQueue<O, E> {
    /** The lines of the operations that wait, in the order of their turns. */
    private final Map<O, Set<E>> lines = new LinkedHashMap<>();

    private int size;

    /** Adds an entry behind those of the same operation. */
    public void add(O operation, E entry) {
      if (lines.computeIfAbsent(operation, any -> new LinkedHashSet<>()).add(entry)) {
        size++;
      }
    }

    /** Returns the entry whose turn it is; null where none waits. */
    public @Nullable E peek() {
      Iterator<Set<E>> turns = lines.values().iterator();
      return turns.hasNext() ? turns.next().iterator().next() : null;
    }

    /** Returns the first entry of an operation; null where it has none. */
    public @Nullable E peek(O operation) {
      Set<E> line = lines.get(operation);
      return line == null ? null : line.iterator().next();
    }

    /** Removes and returns the entry whose turn it is; the next turn is another operation's. */
    public @Nullable E poll() {
      E first = peek();
      if (first != null) {
        O operation = lines.keySet().iterator().next();
        remove(operation, first);
        pass(operation);
      }
      return first;
    }

    /** Ends the turn of an operation without serving it. */
    public void pass(O operation) {
      Set<E> line = lines.remove(operation);
      if (line != null) {
        lines.put(operation, line);
      }
    }

    /** Removes an entry that waits no longer, and returns whether it did. */
    public boolean remove(O operation, E entry) {
      Set<E> line = lines.get(operation);
      if (line == null || !line.remove(entry)) {
        return false;
      }
      size--;
      if (line.isEmpty()) {
        lines.remove(operation);
      }
      return true;
    }

    /** Removes all entries of an operation. */
    public void removeAll(O operation) {
      Set<E> line = lines.remove(operation);
      size -= line == null ? 0 : line.size();
    }

    /** Returns true where an entry of the operation waits. */
    public boolean isWaiting(O operation) {
      return lines.containsKey(operation);
    }

    /** Returns the operations that wait, in the order of their turns. */
    public Set<O> operations() {
      return lines.keySet();
    }

    /** Returns the number of entries. */
    public int size() {
      return size;
    }
  }
}
