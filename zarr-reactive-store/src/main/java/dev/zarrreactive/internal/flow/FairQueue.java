package dev.zarrreactive.internal.flow;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Entries that wait, of several operations. The operations take turns, one entry each; the entries
 * of one operation are served in the order in which they came. Every step takes constant time. Not
 * thread-safe.
 *
 * @param <O> the operations
 * @param <E> the entries, each of which waits once
 */
public final class FairQueue<O, E> {
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
