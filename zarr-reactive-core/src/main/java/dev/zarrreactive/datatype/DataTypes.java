package dev.zarrreactive.datatype;

import dev.zarrreactive.error.UnknownExtensionException;
import dev.zarrreactive.extension.NamedConfiguration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The core data types, and data types by name. */
public final class DataTypes {
  /** {@code bool}. */
  public static final DataType BOOL = new BoolType();

  /** {@code int8}. */
  public static final DataType INT8 = new IntegerType(8, true);

  /** {@code int16}. */
  public static final DataType INT16 = new IntegerType(16, true);

  /** {@code int32}. */
  public static final DataType INT32 = new IntegerType(32, true);

  /** {@code int64}. */
  public static final DataType INT64 = new IntegerType(64, true);

  /** {@code uint8}. */
  public static final DataType UINT8 = new IntegerType(8, false);

  /** {@code uint16}. */
  public static final DataType UINT16 = new IntegerType(16, false);

  /** {@code uint32}. */
  public static final DataType UINT32 = new IntegerType(32, false);

  /** {@code uint64}. */
  public static final DataType UINT64 = new IntegerType(64, false);

  /** {@code float16}. */
  public static final DataType FLOAT16 = new FloatType(16);

  /** {@code float32}. */
  public static final DataType FLOAT32 = new FloatType(32);

  /** {@code float64}. */
  public static final DataType FLOAT64 = new FloatType(64);

  /** {@code complex64}. */
  public static final DataType COMPLEX64 = new ComplexType(new FloatType(32));

  /** {@code complex128}. */
  public static final DataType COMPLEX128 = new ComplexType(new FloatType(64));

  private static final Map<String, DataType> BY_NAME = new TreeMap<>();

  static {
    for (DataType type :
        List.of(
            BOOL,
            INT8,
            INT16,
            INT32,
            INT64,
            UINT8,
            UINT16,
            UINT32,
            UINT64,
            FLOAT16,
            FLOAT32,
            FLOAT64,
            COMPLEX64,
            COMPLEX128)) {
      BY_NAME.put(type.name(), type);
    }
  }

  private static final Pattern RAW = Pattern.compile("r([0-9]+)");

  private DataTypes() {}

  /** The raw type {@code r<bits>}. */
  public static DataType raw(int bits) {
    return new RawType(bits);
  }

  /** The data types with a fixed name, sorted by it. */
  public static List<DataType> named() {
    return List.copyOf(BY_NAME.values());
  }

  /**
   * The data type that metadata names.
   *
   * @throws UnknownExtensionException where nobody knows the name
   * @throws dev.zarrreactive.error.MetadataException where it has a configuration, or {@code
   *     must_understand} is false, which the specification forbids
   */
  public static DataType parse(NamedConfiguration extension) {
    extension.requireUnderstanding("a data type");
    DataType type = BY_NAME.get(extension.name());
    if (type == null) {
      type = parseRaw(extension);
    }
    extension.configuration().allowOnly();
    return type;
  }

  private static DataType parseRaw(NamedConfiguration extension) {
    Matcher raw = RAW.matcher(extension.name());
    if (!raw.matches()) {
      List<String> known = new ArrayList<>(BY_NAME.keySet());
      known.add("r<N>");
      throw new UnknownExtensionException(
          "data type", extension.name(), known, extension.source().location());
    }
    try {
      RawType type = new RawType(Integer.parseInt(raw.group(1)));
      if (type.name().equals(extension.name())) { // no leading zeros
        return type;
      }
    } catch (IllegalArgumentException e) {
      // no multiple of 8, or beyond 31 bits
    }
    throw extension.error("a raw type has a positive multiple of 8 bits, below 2^31");
  }
}
