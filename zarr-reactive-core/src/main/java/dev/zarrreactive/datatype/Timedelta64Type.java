package dev.zarrreactive.datatype;

import dev.zarrreactive.extension.NamedConfiguration;
import java.time.DateTimeException;
import java.time.Duration;

/**
 * {@code numpy.timedelta64}: lengths of time.
 *
 * @param unit what is counted
 * @param scaleFactor how many units a count of one is: at least 1
 */
public record Timedelta64Type(NumpyUnit unit, int scaleFactor) implements TimeType {
  static final String NAME = "numpy.timedelta64";

  /** The type of such counts. */
  public Timedelta64Type {
    TimeConfiguration.requireScaleFactor(scaleFactor);
  }

  static Timedelta64Type parse(NamedConfiguration use) {
    return new Timedelta64Type(TimeConfiguration.unit(use), TimeConfiguration.scaleFactor(use));
  }

  @Override
  public String name() {
    return NAME;
  }

  /**
   * The time that a count is, exactly.
   *
   * @throws DateTimeException for {@link #NAT}; for years, months and generic units, which have no
   *     fixed length; for a time that is no whole number of nanoseconds, or beyond the range of
   *     {@code Duration}
   */
  public Duration toDuration(long count) {
    TimeSpans.requireTime(this, count);
    return TimeSpans.toDuration(this, count);
  }

  /**
   * The count that is a time, exactly.
   *
   * @throws DateTimeException where there is none
   */
  public long toCount(Duration time) {
    return TimeSpans.toCount(this, time, time);
  }

  /** The count, as NumPy prints it. */
  @Override
  public String toText(long count) {
    return count == NAT ? "NaT" : Long.toString(count);
  }

  @Override
  public String toString() {
    return TimeConfiguration.toString(this);
  }
}
