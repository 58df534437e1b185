package dev.zarrreactive.internal.metadata;

import dev.zarrreactive.datatype.BoolType;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.Datetime64Type;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.datatype.FixedLengthUtf32Type;
import dev.zarrreactive.datatype.IntegerType;
import dev.zarrreactive.datatype.NullTerminatedBytesType;
import dev.zarrreactive.datatype.RawType;
import dev.zarrreactive.datatype.StructField;
import dev.zarrreactive.datatype.StructType;
import dev.zarrreactive.datatype.TimeType;
import dev.zarrreactive.datatype.VariableLengthType;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.json.LocatedJson;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Set;

/** Writes data types and fill values in the forms of a {@code .zarray}. */
public final class V2Dtypes {
  /**
   * The data types that TensorStore stores under their own names, because NumPy has no type string
   * for them. Checkpoints of JAX have them.
   */
  private static final Set<DataType> NAMED =
      Set.of(
          DataTypes.INT2,
          DataTypes.INT4,
          DataTypes.BFLOAT16,
          DataTypes.FLOAT8_E3M4,
          DataTypes.FLOAT8_E4M3FN,
          DataTypes.FLOAT8_E4M3FNUZ,
          DataTypes.FLOAT8_E4M3B11FNUZ,
          DataTypes.FLOAT8_E5M2,
          DataTypes.FLOAT8_E5M2FNUZ,
          DataTypes.FLOAT8_E8M0FNU,
          DataTypes.FLOAT4_E2M1FN);

  private V2Dtypes() {}

  /** Returns true for a data type that is stored under its own name. */
  static boolean isNamed(String dtype) {
    return NAMED.stream().anyMatch(type -> type.name().equals(dtype));
  }

  /** Returns the kind of a named type, which decides the form of its fill value. */
  static V2DataType.Kind kindOfNamed(DataType type) {
    if (type instanceof IntegerType) {
      return V2DataType.Kind.INTEGER;
    }
    return isPacked(type) ? V2DataType.Kind.RAW : V2DataType.Kind.FLOAT;
  }

  /** Returns true for the named type whose fill value TensorStore stores as base64 of its byte. */
  private static boolean isPacked(DataType type) {
    return type.equals(DataTypes.FLOAT4_E2M1FN);
  }

  /** Returns the type string of a data type. */
  public static JsonValue text(DataType type, ByteOrder order, LocatedJson place) {
    if (type instanceof VariableLengthType) {
      return V2ObjectType.OBJECT;
    }
    int size = type.itemSize();
    if (NAMED.contains(type)) {
      return new JsonString(type.name());
    }
    if (type instanceof BoolType) {
      return new JsonString("|b1");
    }
    if (type instanceof RawType) {
      return new JsonString("|V" + size);
    }
    if (type instanceof NullTerminatedBytesType) {
      return new JsonString("|S" + size);
    }
    if (type instanceof StructType struct) {
      return fields(struct, order, place);
    }
    String sign = size == 1 ? "|" : order == ByteOrder.BIG_ENDIAN ? ">" : "<";
    return new JsonString(sign + ordered(type, place));
  }

  /** Returns the type string of a type with a byte order, without the order. */
  private static String ordered(DataType type, LocatedJson place) {
    int size = type.itemSize();
    if (type instanceof IntegerType integer && integer.bits() == Byte.SIZE * size) {
      return (integer.signed() ? "i" : "u") + size;
    }
    if (type.equals(DataTypes.FLOAT16)
        || type.equals(DataTypes.FLOAT32)
        || type.equals(DataTypes.FLOAT64)) {
      return "f" + size;
    }
    if (type.equals(DataTypes.COMPLEX64) || type.equals(DataTypes.COMPLEX128)) {
      return "c" + size;
    }
    if (type instanceof FixedLengthUtf32Type) {
      return "U" + size / Integer.BYTES;
    }
    if (type instanceof TimeType time) {
      String factor = time.scaleFactor() == 1 ? "" : Integer.toString(time.scaleFactor());
      String kind = type instanceof Datetime64Type ? "M8[" : "m8[";
      return kind + factor + time.unit().symbol() + "]";
    }
    throw V2Codecs.refused("the data type " + type, place);
  }

  private static JsonArray fields(StructType struct, ByteOrder order, LocatedJson place) {
    List<JsonValue> fields = new ArrayList<>();
    for (StructField field : struct.fields()) {
      fields.add(JsonArray.of(new JsonString(field.name()), text(field.dataType(), order, place)));
    }
    return new JsonArray(fields);
  }

  /**
   * Returns a fill value. One that only Zarr v3 can express is refused, such as a NaN with a
   * payload.
   */
  public static JsonValue fillValue(FillValue value, ByteOrder order, LocatedJson place) {
    DataType type = value.dataType();
    if (type instanceof RawType
        || type instanceof NullTerminatedBytesType
        || type instanceof StructType
        || isPacked(type)) {
      byte[] stored = FillValue.of(type, value.image(), order).image(); // a swap is its own inverse
      return new JsonString(Base64.getEncoder().encodeToString(stored));
    }
    JsonValue json = value.toJson();
    boolean part =
        json instanceof JsonArray parts
            && parts.elements().stream().anyMatch(V2Dtypes::isHexadecimal);
    if (part || isHexadecimal(json)) {
      throw V2Codecs.refused("the fill value " + json, place);
    }
    return json;
  }

  private static boolean isHexadecimal(JsonValue value) {
    return value instanceof JsonString text && text.value().startsWith("0x");
  }
}
