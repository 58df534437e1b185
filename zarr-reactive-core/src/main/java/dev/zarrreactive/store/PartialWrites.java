package dev.zarrreactive.store;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Groups the parts of a partial write by key, and applies them to values. */
final class PartialWrites {
  /** The largest size of an array on every JVM. */
  static final int LARGEST_VALUE = Integer.MAX_VALUE - 8;

  private PartialWrites() {}

  /**
   * The parts of each key, by start; the keys in the order of their first part.
   *
   * @throws IllegalArgumentException if two parts of one key overlap
   */
  static Map<StoreKey, List<KeyStartValue>> byKey(List<KeyStartValue> values) {
    Map<StoreKey, List<KeyStartValue>> byKey = new LinkedHashMap<>();
    for (KeyStartValue value : values) {
      refuseBeyondLong(value);
      byKey.computeIfAbsent(value.key(), key -> new ArrayList<>()).add(value);
    }
    for (List<KeyStartValue> parts : byKey.values()) {
      parts.sort(
          Comparator.comparingLong(KeyStartValue::start).thenComparingLong(PartialWrites::end));
      for (int i = 1; i < parts.size(); i++) {
        refuseOverlap(parts.get(i - 1), parts.get(i));
      }
    }
    return byKey;
  }

  /** Returns {@code old} with the parts applied; null is a missing value. */
  static Bytes apply(@Nullable Bytes old, List<KeyStartValue> sortedParts) {
    long size = old == null ? 0 : old.size();
    for (KeyStartValue part : sortedParts) {
      size = Math.max(size, end(part));
    }
    if (size > LARGEST_VALUE) {
      throw new StoreException(
          "a value of " + size + " bytes does not fit into one array",
          Location.ofKey(sortedParts.get(0).key().value()));
    }
    byte[] grown = new byte[(int) size];
    if (old != null) {
      old.copyTo(0, grown, 0, old.size());
    }
    for (KeyStartValue part : sortedParts) {
      part.bytes().copyTo(0, grown, (int) part.start(), part.bytes().size());
    }
    return Bytes.wrap(grown);
  }

  private static void refuseOverlap(KeyStartValue first, KeyStartValue second) {
    if (end(first) > second.start()) {
      throw new IllegalArgumentException(
          "parts to write overlap: bytes "
              + first.start()
              + " to "
              + end(first)
              + " and "
              + second.start()
              + " to "
              + end(second)
              + " (exclusive) of key "
              + first.key());
    }
  }

  private static void refuseBeyondLong(KeyStartValue part) {
    if (end(part) < 0) {
      throw new IllegalArgumentException(
          "a part to write ends beyond 2^63 bytes: key " + part.key() + " from " + part.start());
    }
  }

  private static long end(KeyStartValue part) {
    return part.start() + part.bytes().size();
  }
}
