package dev.zarrreactive.micrometer;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.function.ToLongFunction;

/** A sum over weakly referenced objects. */
final class WeakSum<T> {
  private final Set<T> things = Collections.newSetFromMap(new WeakHashMap<>());

  void add(T thing) {
    synchronized (things) {
      things.add(thing);
    }
  }

  double of(ToLongFunction<T> value) {
    List<T> now;
    synchronized (things) {
      now = List.copyOf(things);
    }
    return now.stream().mapToLong(value).sum();
  }
}
