package dev.zarrreactive.spark;

import java.util.ArrayList;
import java.util.List;
import scala.collection.Iterable;
import scala.collection.Iterator;

/**
 * Scala's lists of nodes of a plan, whose type is another one in Scala 2.12 than in 2.13: the name
 * of none is compiled into the jar.
 */
final class ScalaLists {
  private ScalaLists() {}

  /** Returns what a method without arguments returns, in the form of Scala. */
  static Object of(Object node, String method) {
    try {
      return node.getClass().getMethod(method).invoke(node);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this Spark has no " + method + " of " + node.getClass(), e);
    }
  }

  /** Returns what a method without arguments returns, as a list of Java. */
  static <T> List<T> of(Object node, String method, Class<T> type) {
    List<T> all = new ArrayList<>();
    Iterator<?> each = ((Iterable<?>) of(node, method)).iterator();
    while (each.hasNext()) {
      all.add(type.cast(each.next()));
    }
    return all;
  }
}
