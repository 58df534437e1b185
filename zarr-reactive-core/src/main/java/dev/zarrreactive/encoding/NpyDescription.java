package dev.zarrreactive.encoding;

import dev.zarrreactive.datatype.BoolType;
import dev.zarrreactive.datatype.ComplexType;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.Datetime64Type;
import dev.zarrreactive.datatype.FixedLengthUtf32Type;
import dev.zarrreactive.datatype.FloatFormat;
import dev.zarrreactive.datatype.FloatType;
import dev.zarrreactive.datatype.IntegerType;
import dev.zarrreactive.datatype.NullTerminatedBytesType;
import dev.zarrreactive.datatype.NumpyUnit;
import dev.zarrreactive.datatype.StructType;
import dev.zarrreactive.datatype.TimeType;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * NumPy's descriptions of data types, little-endian, as Python text. Types that NumPy lacks, for
 * example floats of eight bits, become opaque bytes ({@code V}).
 */
final class NpyDescription {
  private static final Set<FloatFormat> FLOATS =
      Set.of(FloatFormat.FLOAT16, FloatFormat.FLOAT32, FloatFormat.FLOAT64);

  private NpyDescription() {}

  static String of(DataType dataType) {
    if (dataType instanceof StructType struct) {
      return struct.fields().stream()
          .map(field -> "(" + quoted(field.name()) + ", " + of(field.dataType()) + ")")
          .collect(Collectors.joining(", ", "[", "]"));
    }
    return "'" + order(dataType) + code(dataType) + "'";
  }

  private static String order(DataType dataType) {
    return dataType.hasByteOrder() && !code(dataType).startsWith("V") ? "<" : "|";
  }

  private static String code(DataType dataType) {
    int size = dataType.itemSize();
    if (dataType instanceof BoolType) {
      return "b" + size;
    } else if (dataType instanceof IntegerType integer && integer.bits() >= Byte.SIZE) {
      return (integer.signed() ? "i" : "u") + size;
    } else if (dataType instanceof FloatType floats && FLOATS.contains(floats.format())) {
      return "f" + size;
    } else if (dataType instanceof ComplexType && size >= 2 * Float.BYTES) {
      return "c" + size;
    } else if (dataType instanceof TimeType time) {
      return (time instanceof Datetime64Type ? "M8" : "m8") + unit(time);
    } else if (dataType instanceof FixedLengthUtf32Type text) {
      return "U" + text.capacity();
    } else if (dataType instanceof NullTerminatedBytesType) {
      return "S" + size;
    }
    return "V" + size;
  }

  private static String unit(TimeType time) {
    if (time.unit() == NumpyUnit.GENERIC) {
      return "";
    }
    String factor = time.scaleFactor() == 1 ? "" : Integer.toString(time.scaleFactor());
    return "[" + factor + time.unit().symbol() + "]";
  }

  /** Returns a string of Python in ASCII. */
  private static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("'");
    text.codePoints()
        .forEach(
            c -> {
              if (c < ' ' || c > '~' || c == '\'' || c == '\\') {
                quoted.append(String.format(Locale.ROOT, "\\U%08x", c));
              } else {
                quoted.append((char) c);
              }
            });
    return quoted.append('\'').toString();
  }
}
