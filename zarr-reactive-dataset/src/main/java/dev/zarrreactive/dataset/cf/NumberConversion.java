package dev.zarrreactive.dataset.cf;

import dev.zarrreactive.array.ElementConversion;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnsupportedFeatureException;
import org.jspecify.annotations.Nullable;

/** Decodes images of numbers; the errors of counts of time say their units. */
final class NumberConversion implements ElementConversion {
  /**
   * The elements that one call of a loop decodes. The compiler of the JVM makes faster code of a
   * loop that is called often than of one that runs long.
   */
  private static final int BLOCK = 2048;

  private final NumberDecoding by;
  private final DecodingLoops.@Nullable Loop loop;

  NumberConversion(NumberDecoding by) {
    this.by = by;
    this.loop = by.loop();
  }

  @Override
  public DataType target() {
    return by.decoded();
  }

  @Override
  public void convert(byte[] source, int at, int count, byte[] result, int to) {
    if (loop == null) {
      decode(source, at, count, result, to);
      return;
    }
    int from = by.stored().itemSize();
    int each = by.decoded().itemSize();
    for (int done = 0; done < count; done += BLOCK) {
      int size = Math.min(BLOCK, count - done);
      loop.decode(source, at + done * from, size, result, to + done * each);
    }
  }

  private void decode(byte[] source, int at, int count, byte[] result, int to) {
    try {
      by.decode(source, at, count, result, to);
    } catch (ArithmeticException e) {
      throw new UnsupportedFeatureException(
          "a time in \""
              + (by.times() == null ? "" : by.times().units())
              + "\" is beyond the range of "
              + by.decoded()
              + "; raw() has the stored numbers",
          Location.UNKNOWN,
          e);
    }
  }
}
