package dev.zarrreactive.json;

import java.util.AbstractList;
import java.util.Arrays;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/**
 * A list of JSON integers, each within the range of a long. Each takes eight bytes, and about
 * seventy as a {@link JsonNumber}, which is made on access. Immutable.
 */
final class IntegerList extends AbstractList<JsonValue> implements RandomAccess {
  private final long[] values;

  /** Creates a list of the first {@code size} of {@code values}. */
  IntegerList(long[] values, int size) {
    this.values = Arrays.copyOf(values, size);
  }

  @Override
  public JsonValue get(int index) {
    return JsonNumber.of(values[index]);
  }

  @Override
  public int size() {
    return values.length;
  }

  /** Returns a copy of the numbers if each lies in {@code [min, max]}, or else null. */
  long @Nullable [] within(long min, long max) {
    for (long value : values) {
      if (value < min || value > max) {
        return null;
      }
    }
    return values.clone();
  }
}
