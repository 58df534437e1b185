package dev.zarrreactive.array;

import dev.zarrreactive.datatype.FloatFormat;
import java.util.EnumMap;
import java.util.Map;

/** The values of floats that have a byte of their own, by that byte. */
final class SmallFloats {
  private static final int BYTES = 1 << Byte.SIZE;

  private static final Map<FloatFormat, float[]> TABLES = new EnumMap<>(FloatFormat.class);

  static {
    for (FloatFormat format : FloatFormat.values()) {
      if (format.bits() <= Byte.SIZE) {
        float[] values = new float[BYTES];
        for (int b = 0; b < BYTES; b++) {
          values[b] = (float) format.toDouble(b); // exact: a float has room for all of them
        }
        TABLES.put(format, values);
      }
    }
  }

  private SmallFloats() {}

  /** The table, not to be written to. */
  static float[] of(FloatFormat format) {
    return TABLES.getOrDefault(format, new float[0]);
  }
}
