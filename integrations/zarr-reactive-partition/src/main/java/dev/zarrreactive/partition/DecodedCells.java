package dev.zarrreactive.partition;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.cf.CfCalendar;
import dev.zarrreactive.cf.CfDecoding;
import dev.zarrreactive.cf.TimeCoding;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FloatType;
import dev.zarrreactive.datatype.TimeType;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Decoded values of a variable, with those that an engine shows as NULL: missing values, and times
 * that are none. NaN that was stored, and that no attribute calls missing, is a value.
 */
public final class DecodedCells {
  private final NdArray values;
  private final boolean @Nullable [] missing;
  private final @Nullable TimeCoding texts;

  private DecodedCells(NdArray values, boolean @Nullable [] missing, @Nullable TimeCoding texts) {
    this.values = values;
    this.missing = missing;
    this.texts = texts;
  }

  /** Decodes stored elements. */
  public static DecodedCells of(CfDecoding decoding, NdArray stored) {
    NdArray decoded = decoding.decode(stored);
    TimeCoding times = areTexts(decoding) ? decoding.times().orElse(null) : null;
    return new DecodedCells(decoded, missing(decoding, stored, decoded), times);
  }

  /**
   * Returns true for dates of a calendar that engines do not have: theirs is the Gregorian one, so
   * that dates of others are texts.
   */
  public static boolean areTexts(CfDecoding decoding) {
    return decoding
        .times()
        .flatMap(TimeCoding::calendar)
        .filter(calendar -> !calendar.isReal() || calendar == CfCalendar.JULIAN)
        .isPresent();
  }

  /** The values; counts of a unit for times, also for those that are texts. */
  public NdArray values() {
    return values;
  }

  /** Which values are missing, in C order; null for none. Do not change the array. */
  public boolean @Nullable [] missing() {
    return missing;
  }

  /** What makes texts of the counts of dates; null where the values are no such dates. */
  public @Nullable TimeCoding texts() {
    return texts;
  }

  private static boolean @Nullable [] missing(
      CfDecoding decoding, NdArray stored, NdArray decoded) {
    if (decoded.dataType() instanceof TimeType || decoding.times().isPresent()) {
      return missing(decoded.toLongArray());
    }
    boolean ofFloats = stored.dataType() instanceof FloatType;
    boolean isNanMissing = decoding.isNanMissing();
    if (!(decoded.dataType() instanceof FloatType)
        || (ofFloats ? !isNanMissing && decoding.isIdentity() : decoding.isIdentity())) {
      return null;
    }
    IntPredicate isNan = isNan(decoded);
    IntPredicate wasNan = ofFloats && !isNanMissing ? isNan(stored) : place -> false;
    int count = (int) decoded.shape().elementCountUpTo(Integer.MAX_VALUE);
    boolean[] missing = null;
    for (int i = 0; i < count; i++) {
      if (isNan.test(i) && !wasNan.test(i)) {
        missing = missing == null ? new boolean[count] : missing;
        missing[i] = true;
      }
    }
    return missing;
  }

  private static IntPredicate isNan(NdArray floats) {
    if (floats.dataType().equals(DataTypes.FLOAT64)) {
      DoubleBuffer doubles = floats.asDoubleBuffer();
      return place -> Double.isNaN(doubles.get(place));
    }
    boolean isSingle = floats.dataType().equals(DataTypes.FLOAT32);
    FloatBuffer singles = (isSingle ? floats : floats.cast(DataTypes.FLOAT32)).asFloatBuffer();
    return place -> Float.isNaN(singles.get(place));
  }

  private static boolean @Nullable [] missing(long[] counts) {
    boolean[] missing = null;
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] == TimeType.NAT) {
        missing = missing == null ? new boolean[counts.length] : missing;
        missing[i] = true;
      }
    }
    return missing;
  }
}
