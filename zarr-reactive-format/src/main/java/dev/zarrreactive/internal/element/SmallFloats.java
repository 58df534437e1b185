package dev.zarrreactive.internal.element;

import dev.zarrreactive.datatype.FloatFormat;
import java.util.EnumMap;
import java.util.Map;

/** Tables of the values of floats of up to 8 bits, by the byte of their image. */
final class SmallFloats {
  private static final int BYTES = 1 << Byte.SIZE;

  private static final Map<FloatFormat, float[]> TABLES = new EnumMap<>(FloatFormat.class);

  static {
    for (FloatFormat format : FloatFormat.values()) {
      if (format.bits() <= Byte.SIZE) {
        float[] values = new float[BYTES];
        for (int b = 0; b < BYTES; b++) {
          values[b] = (float) format.toDouble(b); // exact: a float holds each value
        }
        TABLES.put(format, values);
      }
    }
  }

  private SmallFloats() {}

  /** Returns the table of a format, which is read-only. */
  static float[] of(FloatFormat format) {
    return TABLES.getOrDefault(format, new float[0]);
  }
}
