package dev.zarrreactive.datatype;

import dev.zarrreactive.extension.NamedConfiguration;
import java.time.DateTimeException;
import java.time.Duration;

/**
 * {@code numpy.timedelta64}: lengths of time.
 *
 * @param unit the unit of a count
 * @param scaleFactor the number of units of a count of one, at least 1
 */
public record Timedelta64Type(NumpyUnit unit, int scaleFactor) implements TimeType {
  static final String NAME = "numpy.timedelta64";

  /** Checks the scale factor. */
  public Timedelta64Type {
    TimeSpans.requireScaleFactor(scaleFactor);
  }

  static Timedelta64Type parse(NamedConfiguration use) {
    return new Timedelta64Type(TimeSpans.unit(use), TimeSpans.scaleFactor(use));
  }

  @Override
  public String name() {
    return NAME;
  }

  /**
   * Returns the exact length of time of a count.
   *
   * @throws DateTimeException for {@link #NAT}, for years, months and generic units, for a fraction
   *     of a nanosecond, and beyond the range of {@code Duration}
   */
  public Duration toDuration(long count) {
    TimeSpans.requireTime(this, count);
    return TimeSpans.toDuration(this, count);
  }

  /**
   * Returns the exact count of a length of time.
   *
   * @throws DateTimeException if the type has none
   */
  public long toCount(Duration time) {
    return TimeSpans.toCount(this, time, time);
  }

  /** Returns the count, as NumPy prints it. */
  @Override
  public String toText(long count) {
    return count == NAT ? "NaT" : Long.toString(count);
  }

  @Override
  public String toString() {
    return TimeSpans.toString(this);
  }
}
