package dev.zarrreactive.dataset;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.cf.TimeCoding;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.TimeType;
import dev.zarrreactive.internal.expression.NumberTypes;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Values in C order that are compared with others of their type. NaN equals NaN. */
final class ComparedValues {
  private final NdArray values;
  private final @Nullable TimeCoding coding;
  private final long @Nullable [] wholes;
  private final double @Nullable [] reals;
  private final String[] texts;

  /**
   * Takes values.
   *
   * @param coding of times; null for others
   */
  ComparedValues(NdArray values, @Nullable TimeCoding coding) {
    DataType type = values.dataType();
    boolean isUnsigned = type.equals(DataTypes.UINT64);
    this.values = values;
    this.coding = coding;
    if (type instanceof TimeType || type.equals(DataTypes.INT64)) {
      this.wholes = values.toLongArray();
      this.reals = null;
      this.texts = new String[0];
    } else if (NumberTypes.areNumbers(type) && !isUnsigned) {
      this.wholes = null;
      this.reals = values.cast(DataTypes.FLOAT64).toDoubleArray();
      this.texts = new String[0];
    } else {
      int count = values.shape().elementCount().intValueExact();
      this.wholes = null;
      this.reals = null;
      this.texts =
          type.equals(DataTypes.STRING)
              ? values.toStringArray()
              : IntStream.range(0, count)
                  .mapToObj(i -> Objects.toString(values.toJson(i)))
                  .toArray(String[]::new);
    }
  }

  int size() {
    return wholes != null ? wholes.length : reals != null ? reals.length : texts.length;
  }

  /** Returns true for NaN and NaT. */
  boolean isMissing(int element) {
    boolean areTimes = coding != null || values.dataType() instanceof TimeType;
    return wholes != null
        ? areTimes && wholes[element] == TimeType.NAT
        : reals != null && Double.isNaN(reals[element]);
  }

  int compare(int element, ComparedValues others, int other) {
    if (wholes != null && others.wholes != null) {
      return Long.compare(wholes[element], others.wholes[other]);
    } else if (reals != null && others.reals != null) {
      double some = reals[element];
      double its = others.reals[other];
      return some == its ? 0 : Double.compare(some, its); // -0.0 equals 0.0
    }
    String some = texts[element];
    String its = others.texts[other];
    boolean areNumbers = values.dataType().equals(DataTypes.UINT64);
    return areNumbers && some.length() != its.length()
        ? Integer.compare(some.length(), its.length())
        : some.compareTo(its);
  }

  /** Returns the first element that differs from that of another array; -1 where none does. */
  int differing(ComparedValues others) {
    for (int i = 0; i < Math.min(size(), others.size()); i++) {
      if (compare(i, others, i) != 0) {
        return i;
      }
    }
    return -1;
  }

  /** Returns an element as text, for messages. */
  String text(int element) {
    return coding != null && wholes != null
        ? coding.text(wholes[element])
        : Objects.toString(values.toJson(element));
  }
}
