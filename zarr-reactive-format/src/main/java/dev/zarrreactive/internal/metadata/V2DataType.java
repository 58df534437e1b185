package dev.zarrreactive.internal.metadata;

import dev.zarrreactive.datatype.Components;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.UnknownExtensionException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.internal.element.Scalar;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.json.LocatedJson;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A data type of Zarr v2: a type string of NumPy such as {@code <f4}, or a list of fields.
 *
 * @param spelling the type in the document, for errors
 * @param kind the kind of type
 * @param dataType the same type in Zarr v3
 * @param order the byte order, or null for single bytes and for fields with different byte orders
 * @param swaps the big-endian components of an item
 */
public record V2DataType(
    JsonValue spelling, Kind kind, DataType dataType, @Nullable ByteOrder order, List<Swap> swaps) {
  /** The {@code components} at {@code offset} in an item, which are big-endian. */
  public record Swap(int offset, Components components) {
    Swap at(int further) {
      return new Swap(offset + further, components);
    }
  }

  public enum Kind {
    BOOL,
    INTEGER,
    FLOAT,
    COMPLEX,
    TIME,
    BYTES,
    TEXT,
    RAW,
    STRUCT,
    OBJECT
  }

  public enum Spelling {
    /** The specification: every type has a byte order. */
    STRICT,
    /** In filters, a missing byte order is little-endian. */
    AS_PROGRAMMERS_WRITE
  }

  static final V2DataType BYTE =
      new V2DataType(new JsonString("|u1"), Kind.INTEGER, DataTypes.UINT8, null, List.of());

  private static final Pattern TYPE =
      Pattern.compile("([<>|=]?)([biufcSUV])([0-9]{1,10})|([<>|=]?)([Mm])8(?:\\[([^\\]]*)\\])?");

  private static final Pattern UNIT = Pattern.compile("([0-9]{0,10})(\\p{L}+)");

  public static V2DataType read(LocatedJson dtype, Spelling spelling) {
    if (dtype.value() instanceof JsonArray) {
      return V2Fields.read(dtype);
    }
    if (V2Dtypes.isNamed(dtype.string())) {
      return named(dtype);
    }
    Matcher type = TYPE.matcher(dtype.string());
    if (!type.matches()) {
      throw dtype.expected("a type string such as \"<f4\"");
    }
    boolean time = type.group(5) != null;
    char kind = type.group(time ? 5 : 2).charAt(0);
    JsonValue v3 = time ? time(dtype, kind, type.group(6)) : v3(dtype, kind, type.group(3));
    String text = type.group(time ? 4 : 1);
    ByteOrder order =
        time || isOrdered(kind, v3)
            ? order(dtype, text, spelling)
            : unordered(dtype, text, spelling);
    DataType dataType = parse(dtype, v3);
    return new V2DataType(dtype.value(), kind(kind), dataType, order, swaps(dataType, order));
  }

  /** Reads a type that has a name instead of a type string; it is little-endian. */
  private static V2DataType named(LocatedJson dtype) {
    DataType type = parse(dtype, dtype.value());
    return new V2DataType(
        dtype.value(),
        V2Dtypes.kindOfNamed(type),
        type,
        type.hasByteOrder() ? ByteOrder.LITTLE_ENDIAN : null,
        List.of());
  }

  private static List<Swap> swaps(DataType type, @Nullable ByteOrder order) {
    List<Swap> swaps = new ArrayList<>();
    int offset = 0;
    for (Components components : type.components()) {
      if (order == ByteOrder.BIG_ENDIAN) {
        swaps.add(new Swap(offset, components));
      }
      offset += components.byteSize();
    }
    return List.copyOf(swaps);
  }

  /** Returns the same type in this byte order. */
  V2DataType in(ByteOrder other) {
    return dataType.hasByteOrder()
        ? new V2DataType(spelling, kind, dataType, other, swaps(dataType, other))
        : this;
  }

  /** The type in the document. It is made only for errors, because it may be long and nested. */
  String text() {
    return spelling instanceof JsonString name ? name.value() : spelling.toString();
  }

  /** The size of an element in bytes, 1 for variable length. */
  int itemSize() {
    return kind == Kind.OBJECT ? 1 : dataType.itemSize();
  }

  /** Returns true if fields have different byte orders. */
  boolean isMixed() {
    return order == null && !swaps.isEmpty();
  }

  private static Kind kind(char kind) {
    return switch (kind) {
      case 'b' -> Kind.BOOL;
      case 'i', 'u' -> Kind.INTEGER;
      case 'f' -> Kind.FLOAT;
      case 'c' -> Kind.COMPLEX;
      case 'S' -> Kind.BYTES;
      case 'U' -> Kind.TEXT;
      case 'V' -> Kind.RAW;
      default -> Kind.TIME;
    };
  }

  /** Returns the data type in the form of Zarr v3. */
  private static JsonValue v3(LocatedJson dtype, char kind, String digits) {
    long size = Long.parseLong(digits);
    String name =
        switch (kind) {
          case 'b' -> size == 1 ? "bool" : "";
          case 'i' -> isOneOf(size, 1, 2, 4, 8) ? "int" + 8 * size : "";
          case 'u' -> isOneOf(size, 1, 2, 4, 8) ? "uint" + 8 * size : "";
          case 'f' -> isOneOf(size, 2, 4, 8) ? "float" + 8 * size : "";
          case 'c' -> isOneOf(size, 8, 16) ? "complex" + 8 * size : "";
          case 'V' -> size >= 1 && size <= Integer.MAX_VALUE / 8 ? "r" + 8 * size : "";
          default -> "";
        };
    if (!name.isEmpty()) {
      return new JsonString(name);
    }
    if (kind == 'S' && size >= 1) {
      return lengthBytes("null_terminated_bytes", size);
    }
    if (kind == 'U' && size >= 1) {
      return lengthBytes("fixed_length_utf32", 4 * size);
    }
    if (isOneOf(size, 12, 16, 24, 32) && (kind == 'f' || kind == 'c')) {
      throw new UnsupportedFeatureException(
          "the dtype " + dtype.value() + ", which differs between machines, is unsupported",
          dtype.location());
    }
    throw dtype.expected("a type with a supported size");
  }

  private static boolean isOneOf(long size, long... sizes) {
    for (long candidate : sizes) {
      if (size == candidate) {
        return true;
      }
    }
    return false;
  }

  private static JsonObject lengthBytes(String name, long size) {
    return JsonObject.EMPTY
        .with("name", name)
        .with("configuration", JsonObject.EMPTY.with("length_bytes", size));
  }

  private static JsonObject time(LocatedJson dtype, char kind, @Nullable String text) {
    Matcher unit = UNIT.matcher(text == null ? "" : text);
    if (!unit.matches()) {
      throw dtype.expected("a type string with a unit, such as \"<" + kind + "8[ns]\"");
    }
    long factor = unit.group(1).isEmpty() ? 1 : Long.parseLong(unit.group(1));
    return JsonObject.EMPTY
        .with("name", kind == 'M' ? "numpy.datetime64" : "numpy.timedelta64")
        .with(
            "configuration",
            JsonObject.EMPTY.with("unit", unit.group(2)).with("scale_factor", factor));
  }

  /** Returns the data type of Zarr v3. Its errors name the {@code dtype}. */
  public static DataType parse(LocatedJson dtype, JsonValue v3) {
    try {
      return DataTypes.parse(NamedConfiguration.parse(new LocatedJson(v3, dtype.location())));
    } catch (UnknownExtensionException e) {
      throw new UnsupportedFeatureException(
          "the dtype " + dtype.value() + " is unsupported: " + e.statement(), dtype.location());
    }
  }

  private static boolean isOrdered(char kind, JsonValue v3) {
    return switch (kind) {
      case 'S', 'V', 'b' -> false;
      default -> !v3.toString().endsWith("int8\"");
    };
  }

  private static ByteOrder order(LocatedJson dtype, String order, Spelling spelling) {
    return switch (order) {
      case "<" -> ByteOrder.LITTLE_ENDIAN;
      case ">" -> ByteOrder.BIG_ENDIAN;
      default -> {
        if (order.equals("|") || spelling == Spelling.STRICT) {
          throw dtype.expected("a type string that begins with its byte order, \"<\" or \">\"");
        }
        yield ByteOrder.LITTLE_ENDIAN;
      }
    };
  }

  private static @Nullable ByteOrder unordered(LocatedJson dtype, String order, Spelling spelling) {
    if (spelling == Spelling.STRICT && (order.isEmpty() || order.equals("="))) {
      throw dtype.expected("a type string that begins with \"|\"");
    }
    return null;
  }

  /** Returns true if the bytes of {@code other} can be read as elements of this type. */
  boolean hasBytesOf(V2DataType other) {
    Scalar number = Scalar.of(dataType);
    boolean isTypeOfBits =
        number == null ? dataType.equals(other.dataType) : number.hasBitsOf(other.dataType);
    return isTypeOfBits && order == other.order && swaps.equals(other.swaps);
  }
}
