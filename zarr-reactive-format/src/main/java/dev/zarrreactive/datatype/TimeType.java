package dev.zarrreactive.datatype;

import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.json.LocatedJson;
import java.util.List;

/**
 * NumPy's times: 64-bit counts of {@link #scaleFactor()} {@link #unit()}s. The smallest count is
 * {@link #NAT}, "not a time".
 */
public sealed interface TimeType extends DataType permits Datetime64Type, Timedelta64Type {
  /** The count of "not a time". */
  long NAT = Long.MIN_VALUE;

  /** The unit of a count. */
  NumpyUnit unit();

  /** The number of units of a count of one. */
  int scaleFactor();

  /** Returns the count at {@code offset}. */
  default long countAt(byte[] image, int offset) {
    return Images.get(image, offset, Long.BYTES);
  }

  /** Returns a text for people: the time of a count, as exact as its unit, or {@code NaT}. */
  String toText(long count);

  @Override
  default int itemSize() {
    return Long.BYTES;
  }

  @Override
  default List<Components> components() {
    return List.of(new Components(Long.BYTES, 1));
  }

  /** Reads a count, or {@code "NaT"}. */
  @Override
  default FillValue parseFillValue(LocatedJson json) {
    long count;
    if (json.value() instanceof JsonString text && text.value().equals("NaT")) {
      count = NAT;
    } else if (json.value() instanceof JsonNumber number
        && number.isInteger()
        && number.toBigInteger().bitLength() < Long.SIZE) {
      count = number.toBigInteger().longValue();
    } else {
      throw json.expected(
          "a fill value of " + this + ": \"NaT\", or an integer from -2^63 to 2^63-1");
    }
    byte[] image = new byte[Long.BYTES];
    Images.put(image, 0, Long.BYTES, count);
    return FillValue.of(this, image);
  }

  /** Returns the count as an integer, even for {@link #NAT}. */
  @Override
  default JsonValue toJson(byte[] image, int offset) {
    return JsonNumber.of(countAt(image, offset));
  }

  @Override
  default JsonObject toMetadata() {
    return TimeSpans.toMetadata(this);
  }
}
