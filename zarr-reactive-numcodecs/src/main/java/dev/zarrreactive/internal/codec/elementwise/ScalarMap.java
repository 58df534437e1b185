package dev.zarrreactive.internal.codec.elementwise;

import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.internal.element.Scalar;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.LocatedJson;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The elements that {@code cast_value} replaces instead of casting. The first entry that fits
 * counts.
 */
final class ScalarMap {
  /** The most entries that are compared one by one. */
  private static final int FEW = 16;

  private final Scalar from;
  private final long[] keys;
  private final long[] values;

  /** The number of each key's entry; empty for a few entries. */
  private final Map<Long, Integer> entries = new HashMap<>();

  private ScalarMap(Scalar from, long[] keys, long[] values) {
    this.from = from;
    this.keys = keys;
    this.values = values;
    for (int i = 0; keys.length > FEW && i < keys.length; i++) {
      entries.putIfAbsent(comparable(keys[i]), i);
    }
  }

  /** Returns equal numbers for elements that an entry does not tell apart: zeros, NaNs. */
  private long comparable(long element) {
    return from.isFloat() ? Double.doubleToLongBits(from.toDouble(element) + 0.0) : element;
  }

  /** Reads a list of pairs, each element in the form of a fill value of its type. */
  static ScalarMap parse(@Nullable LocatedJson json, Scalar from, Scalar to) {
    List<LocatedJson> pairs = json == null ? List.of() : json.elements();
    long[] keys = new long[pairs.size()];
    long[] values = new long[pairs.size()];
    for (int i = 0; i < keys.length; i++) {
      List<LocatedJson> pair = pairs.get(i).elements();
      if (pair.size() != 2) {
        throw pairs.get(i).expected("a pair: the element, and its replacement");
      }
      keys[i] = element(pair.get(0), from);
      values[i] = element(pair.get(1), to);
    }
    return new ScalarMap(from, keys, values);
  }

  /** The registered text has an example with "+Infinity", which only this codec reads. */
  private static long element(LocatedJson json, Scalar type) {
    boolean plus = json.value() instanceof JsonString text && text.value().equals("+Infinity");
    LocatedJson value = plus ? new LocatedJson(new JsonString("Infinity"), json.location()) : json;
    FillValue parsed = type.type().parseFillValue(value);
    return type.get(parsed.image(), 0);
  }

  /** Returns the number of the entry for an element, -1 without one. */
  int find(long element) {
    if (!entries.isEmpty()) {
      return entries.getOrDefault(comparable(element), -1);
    }
    for (int i = 0; i < keys.length; i++) {
      if (keys[i] == element || (from.isFloat() && same(keys[i], element))) {
        return i;
      }
    }
    return -1;
  }

  private boolean same(long key, long element) {
    double a = from.toDouble(key);
    double b = from.toDouble(element);
    return a == b || (Double.isNaN(a) && Double.isNaN(b));
  }

  /** Returns the replacement of the element that {@link #find} found. */
  long value(int entry) {
    return values[entry];
  }
}
