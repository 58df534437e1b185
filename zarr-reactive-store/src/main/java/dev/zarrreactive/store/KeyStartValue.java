package dev.zarrreactive.store;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.spi.Spi;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Bytes to write into the value at a key (specification: "Abstract store interface", {@code
 * key_start_values}).
 *
 * @param start the place of the first of the bytes in the value, at least 0
 */
@Spi
public record KeyStartValue(StoreKey key, long start, Bytes bytes) {
  /**
   * Creates a part to write.
   *
   * @throws IllegalArgumentException if the start is negative, or the part ends beyond 2^63 bytes
   */
  public KeyStartValue {
    if (start < 0) {
      throw new IllegalArgumentException("negative start " + start + " for key " + key);
    }
    if (start + bytes.size() < 0) {
      throw new IllegalArgumentException(
          "a part to write ends beyond 2^63 bytes: key " + key + " from " + start);
    }
  }

  /**
   * Returns the parts of each key, sorted by start; the keys in the order of their first part.
   *
   * @throws IllegalArgumentException if two parts of one key overlap
   */
  static Map<StoreKey, List<KeyStartValue>> byKey(List<KeyStartValue> values) {
    Map<StoreKey, List<KeyStartValue>> byKey = new LinkedHashMap<>();
    for (KeyStartValue value : values) {
      byKey.computeIfAbsent(value.key(), key -> new ArrayList<>()).add(value);
    }
    for (List<KeyStartValue> parts : byKey.values()) {
      parts.sort(
          Comparator.comparingLong(KeyStartValue::start).thenComparingLong(KeyStartValue::end));
      for (int i = 1; i < parts.size(); i++) {
        refuseOverlap(parts.get(i - 1), parts.get(i));
      }
    }
    return byKey;
  }

  /**
   * Returns a value with parts of it replaced.
   *
   * @param old the value; null for a missing one, which is as long as its parts
   * @param sorted the parts of its key, as {@link #byKey} returns them
   * @throws StoreException if the result is larger than {@link Bytes#MAX_SIZE}
   */
  static Bytes apply(@Nullable Bytes old, List<KeyStartValue> sorted) {
    long size = old == null ? 0 : old.size();
    for (KeyStartValue part : sorted) {
      size = Math.max(size, part.end());
    }
    if (size > Bytes.MAX_SIZE) {
      throw new StoreException(
          "a value of " + size + " bytes does not fit into one array of Java",
          Location.ofKey(sorted.get(0).key().value()));
    }
    byte[] changed = new byte[(int) size];
    if (old != null) {
      old.copyTo(0, changed, 0, old.size());
    }
    for (KeyStartValue part : sorted) {
      part.bytes().copyTo(0, changed, (int) part.start(), part.bytes().size());
    }
    return Bytes.wrap(changed);
  }

  private static void refuseOverlap(KeyStartValue first, KeyStartValue second) {
    if (first.end() > second.start()) {
      throw new IllegalArgumentException(
          "parts to write overlap: bytes "
              + first.start()
              + " to "
              + first.end()
              + " and "
              + second.start()
              + " to "
              + second.end()
              + " (exclusive) of key "
              + first.key());
    }
  }

  private long end() {
    return start + bytes.size();
  }
}
