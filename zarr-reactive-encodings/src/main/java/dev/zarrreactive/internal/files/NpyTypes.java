package dev.zarrreactive.internal.files;

import static java.util.Objects.requireNonNull;

import dev.zarrreactive.datatype.BoolType;
import dev.zarrreactive.datatype.ComplexType;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.Datetime64Type;
import dev.zarrreactive.datatype.FixedLengthUtf32Type;
import dev.zarrreactive.datatype.FloatFormat;
import dev.zarrreactive.datatype.FloatType;
import dev.zarrreactive.datatype.IntegerType;
import dev.zarrreactive.datatype.NullTerminatedBytesType;
import dev.zarrreactive.datatype.NumpyUnit;
import dev.zarrreactive.datatype.OptionalType;
import dev.zarrreactive.datatype.StructType;
import dev.zarrreactive.datatype.TimeType;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * NumPy's descriptions of data types, as {@code numpy.lib.format} has them in headers. They are
 * written little-endian. Types that NumPy lacks, such as floats of eight bits, become opaque bytes
 * ({@code V}).
 */
final class NpyTypes {
  private static final Set<FloatFormat> FLOATS =
      Set.of(FloatFormat.FLOAT16, FloatFormat.FLOAT32, FloatFormat.FLOAT64);

  /** The numbers and bools by their codes. */
  private static final Map<String, DataType> BY_CODE = byCode();

  private static final Pattern TYPE = Pattern.compile("([<>|=])?([a-zA-Z])(\\d{0,9})(\\[.*])?");
  private static final Pattern UNIT = Pattern.compile("\\[(\\d{1,9})?([a-zA-Zμ]{1,2})]");

  private NpyTypes() {}

  private static Map<String, DataType> byCode() {
    Map<String, DataType> types = new HashMap<>();
    for (DataType type : DataTypes.named()) {
      types.putIfAbsent(code(type), type);
    }
    types.keySet().removeIf(NpyTypes::isOpaque);
    return types;
  }

  private static boolean isOpaque(String code) {
    return code.startsWith("V");
  }

  /** Returns the description of a type, as Python text. */
  static String describe(DataType dataType) {
    if (dataType instanceof StructType struct) {
      return struct.fields().stream()
          .map(
              field ->
                  "(" + PythonLiteral.quote(field.name()) + ", " + describe(field.dataType()) + ")")
          .collect(Collectors.joining(", ", "[", "]"));
    }
    if (dataType instanceof OptionalType optional) {
      return "[('value', " + describe(optional.inner()) + "), ('valid', '|b1')]";
    }
    String code = code(dataType);
    String order = dataType.hasByteOrder() && !isOpaque(code) ? "<" : "|";
    return "'" + order + code + "'";
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

  /**
   * Returns the layout of elements with a description.
   *
   * @param description a parsed literal: a text, or a list of fields
   * @throws UnreadableFileException for a type that Zarr lacks
   */
  static ItemLayout layout(Object description) {
    if (description instanceof String text) {
      return layoutOfCode(text);
    }
    if (!(description instanceof List<?> fields) || fields.isEmpty()) {
      throw unsupported(description);
    }
    List<ItemLayout.Field> named = new ArrayList<>();
    for (Object field : fields) {
      if (!(field instanceof List<?> parts) || parts.size() != 2) {
        throw unsupported(field); // a field that is an array has a third part
      }
      Object name = parts.get(0) instanceof List<?> titled ? titled.get(1) : parts.get(0);
      if (!(name instanceof String text)) {
        throw unsupported(field);
      }
      named.add(new ItemLayout.Field(text, layout(requireNonNull(parts.get(1)))));
    }
    try {
      return ItemLayout.of(named);
    } catch (IllegalArgumentException e) {
      throw new UnreadableFileException("the struct of the NumPy file: " + e.getMessage(), e);
    }
  }

  private static ItemLayout layoutOfCode(String description) {
    Matcher type = TYPE.matcher(description);
    if (!type.matches()) {
      throw unsupported(description);
    }
    int size = type.group(3).isEmpty() ? 0 : Integer.parseInt(type.group(3));
    try {
      DataType dataType = type(description, type.group(2).charAt(0), size, type.group(4));
      ByteOrder order = ">".equals(type.group(1)) ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
      return ItemLayout.of(dataType, order);
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw new UnreadableFileException(
          "the data type " + description + " of the NumPy file: " + e.getMessage(), e);
    }
  }

  private static DataType type(String description, char kind, int size, @Nullable String unit) {
    return switch (kind) {
      case 'b', 'i', 'u', 'f', 'c' -> {
        DataType type = BY_CODE.get(kind + Integer.toString(size));
        if (type == null) {
          throw unsupported(description);
        }
        yield type;
      }
      case 'M' -> DataTypes.datetime64(unit(unit), factor(unit));
      case 'm' -> DataTypes.timedelta64(unit(unit), factor(unit));
      case 'U' -> DataTypes.fixedLengthUtf32(size);
      case 'S', 'a' -> new NullTerminatedBytesType(size);
      case 'V' -> DataTypes.raw(Math.multiplyExact(size, Byte.SIZE));
      case 'O' ->
          throw new UnreadableFileException(
              "the NumPy file has objects of Python; save texts or numbers of one size instead,"
                  + " for example with array.astype('U')");
      default -> throw unsupported(description);
    };
  }

  private static NumpyUnit unit(@Nullable String text) {
    if (text == null) {
      return NumpyUnit.GENERIC;
    }
    Matcher unit = UNIT.matcher(text);
    return Arrays.stream(NumpyUnit.values())
        .filter(known -> unit.matches() && known.symbol().equals(unit.group(2)))
        .findFirst()
        .orElseThrow(() -> unsupported(text));
  }

  private static int factor(@Nullable String text) {
    Matcher unit = text == null ? null : UNIT.matcher(text);
    String factor = unit != null && unit.matches() ? unit.group(1) : null;
    return factor == null ? 1 : Integer.parseInt(factor);
  }

  private static UnreadableFileException unsupported(@Nullable Object description) {
    return new UnreadableFileException(
        "Zarr has no data type for "
            + description
            + " of the NumPy file; numbers, bools, times,"
            + " texts and bytes of one size, and structs of these can be imported");
  }
}
