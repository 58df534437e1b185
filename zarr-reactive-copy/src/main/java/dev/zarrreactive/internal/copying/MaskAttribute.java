package dev.zarrreactive.internal.copying;

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
 * The attribute {@code _FillValue} in xarray's form for Zarr v3: an integer or a boolean as it is,
 * a float as base64 of a little-endian double. Other data types have no such attribute.
 */
public final class MaskAttribute {
  /** The name of the attribute. */
  public static final String NAME = "_FillValue";

  private static final Set<DataType> FLOATS =
      Set.of(DataTypes.FLOAT16, DataTypes.FLOAT32, DataTypes.FLOAT64);

  private MaskAttribute() {}

  /** Returns whether xarray has the attribute for elements of this type. */
  public static boolean isFor(DataType type) {
    return type instanceof IntegerType || type instanceof BoolType || FLOATS.contains(type);
  }

  /** Returns the attribute for a value of a type for which {@link #isFor} is true. */
  public static JsonValue encode(FillValue value) {
    return FLOATS.contains(value.dataType())
        ? encode(NdArray.filled(Shape.SCALAR, value).getDouble())
        : value.toJson();
  }

  private static JsonString encode(double value) {
    byte[] bytes = new byte[Double.BYTES];
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putDouble(value);
    return new JsonString(Base64.getEncoder().encodeToString(bytes));
  }

  /** Converts a number of Zarr v2 to the form of Zarr v3, and keeps any other value. */
  public static JsonValue encode(JsonValue plain, DataType type) {
    Double number = FLOATS.contains(type) ? number(plain) : null;
    return number == null ? plain : encode(number);
  }

  /** Returns the value of the attribute, null for a value that elements of the type cannot have. */
  public static @Nullable FillValue decode(JsonValue attribute, DataType type) {
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
    } catch (IllegalArgumentException e) { // a value outside the range of the type
      return null;
    }
  }

  /** Returns the attribute in the form of Zarr v2, for a value that the elements cannot have. */
  public static JsonValue plain(JsonValue attribute, DataType type) {
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

  /** Reads a float from base64 or a plain number; null for any other value. */
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
