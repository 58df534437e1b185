package dev.zarrreactive.copy;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.BoolType;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.datatype.IntegerType;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.json.JsonBoolean;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.json.LocatedJson;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Base64;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The attribute {@code _FillValue} as xarray writes it into Zarr v3: an integer or a boolean
 * plainly, a float as base64 of a little-endian double. xarray has it for no other data types.
 */
final class MaskAttribute {
  static final String NAME = "_FillValue";

  private static final Set<DataType> FLOATS =
      Set.of(DataTypes.FLOAT16, DataTypes.FLOAT32, DataTypes.FLOAT64);

  private MaskAttribute() {}

  /** True where xarray has the attribute for elements of this type. */
  static boolean isFor(DataType type) {
    return type instanceof IntegerType || type instanceof BoolType || FLOATS.contains(type);
  }

  /** The attribute for a value of a type that {@link #isFor}. */
  static JsonValue encode(FillValue value) {
    return FLOATS.contains(value.dataType())
        ? encode(NdArray.filled(Shape.SCALAR, value).getDouble())
        : value.toJson();
  }

  private static JsonString encode(double value) {
    byte[] bytes = new byte[Double.BYTES];
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putDouble(value);
    return new JsonString(Base64.getEncoder().encodeToString(bytes));
  }

  /** A number of Zarr v2 in the form of Zarr v3; anything else as it is. */
  static JsonValue encode(JsonValue plain, DataType type) {
    Double number = FLOATS.contains(type) ? number(plain) : null;
    return number == null ? plain : encode(number);
  }

  /** The value of the attribute; null where it is none that elements of the type can have. */
  static @Nullable FillValue decode(JsonValue attribute, DataType type) {
    if (FLOATS.contains(type)) {
      Double number = number(attribute);
      return number == null ? null : exactly(number, type);
    }
    JsonValue value =
        type instanceof IntegerType && attribute instanceof JsonNumber number
            ? integral(number)
            : attribute;
    boolean fits = type instanceof BoolType ? value instanceof JsonBoolean : isFor(type);
    try {
      return fits ? type.parseFillValue(LocatedJson.of(value)) : null;
    } catch (MetadataException e) {
      return null;
    }
  }

  private static @Nullable FillValue exactly(double number, DataType type) {
    try {
      FillValue value = FillValue.of(type, number);
      double nearest = NdArray.filled(Shape.SCALAR, value).getDouble();
      return Double.compare(nearest, number) == 0 ? value : null;
    } catch (IllegalArgumentException e) { // the type does not reach so far
      return null;
    }
  }

  /** The attribute in the form of Zarr v2, for a value that the elements cannot have. */
  static JsonValue plain(JsonValue attribute, DataType type) {
    Double number = FLOATS.contains(type) ? number(attribute) : null;
    return number == null ? attribute : new JsonNumber(Double.toString(number));
  }

  private static JsonNumber integral(JsonNumber number) {
    if (!number.isFinite() || number.isInteger()) {
      return number;
    }
    BigDecimal exact = number.toBigDecimal().stripTrailingZeros();
    boolean small = exact.scale() <= 0 && (long) exact.precision() - exact.scale() <= 20;
    return small ? new JsonNumber(exact.toBigInteger().toString()) : number;
  }

  /** A float as base64, or as a plain number; null for anything else. */
  private static @Nullable Double number(JsonValue value) {
    if (value instanceof JsonNumber number) {
      return Double.valueOf(number.text());
    }
    if (!(value instanceof JsonString text)) {
      return null;
    }
    try {
      byte[] bytes = Base64.getDecoder().decode(text.value());
      return bytes.length == Double.BYTES
          ? ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getDouble()
          : null;
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
