package dev.zarrreactive.internal.flow;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Puts values into the order of their numbers, which count from 0. For one thread at a time.
 *
 * @param <T> the values
 */
public final class Sorting<T> implements Function<T, List<T>> {
  private final @Nullable Object[] ring;
  private final ToLongFunction<? super T> number;
  private int next;

  /**
   * Creates a sorting.
   *
   * @param ahead the most numbers by which a value is ahead of the one whose turn it is, exclusive
   */
  public Sorting(int ahead, ToLongFunction<? super T> number) {
    this.ring = new Object[ahead];
    this.number = number;
  }

  /** Returns the values whose turn it is, now that {@code arrived} is there. */
  @Override
  public List<T> apply(T arrived) {
    ring[(int) (number.applyAsLong(arrived) % ring.length)] = arrived;
    List<T> ready = new ArrayList<>(1);
    for (Object first = ring[next]; first != null; first = ring[next]) {
      @SuppressWarnings("unchecked")
      T value = (T) first;
      ready.add(value);
      ring[next] = null;
      next = (next + 1) % ring.length;
    }
    return ready;
  }
}
