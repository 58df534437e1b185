package dev.zarrreactive.internal.metadata;

import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.datatype.JsonType;
import dev.zarrreactive.datatype.TimeType;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonBoolean;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.json.LocatedJson;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the fill value of a {@code .zarray} in the forms of several programs. A null is zero; of
 * times it is "not a time", as zarr-python reads it.
 */
final class V2FillValue {
  private static final JsonNumber ZERO = JsonNumber.of(0);
  private static final JsonString EMPTY = new JsonString("");
  private static final Set<String> SPECIAL = Set.of("NaN", "Infinity", "-Infinity");

  private V2FillValue() {}

  static FillValue read(LocatedJson json, V2DataType dtype) {
    if (json.isNull()) {
      return dtype.kind() == V2DataType.Kind.TIME
          ? FillValue.of(dtype.dataType(), TimeType.NAT)
          : FillValue.zero(dtype.dataType());
    }
    return switch (dtype.kind()) {
      case BOOL -> parse(dtype, json, bool(json.value()));
      case INTEGER, TIME -> parse(dtype, json, integer(json.value()));
      case FLOAT -> parse(dtype, json, checkFloat(json));
      case COMPLEX -> parse(dtype, json, checkComplex(json));
      case TEXT -> parse(dtype, json, json.value().equals(ZERO) ? EMPTY : json.value());
      case OBJECT ->
          isEmpty(json, dtype)
              ? FillValue.zero(dtype.dataType())
              : parse(dtype, json, json.value());
      case BYTES -> bytes(json, dtype);
      case RAW, STRUCT -> packed(json, dtype);
    };
  }

  /** Returns true for 0, which programs write for empty texts and lists. */
  private static boolean isEmpty(LocatedJson json, V2DataType dtype) {
    return !(dtype.dataType() instanceof JsonType)
        && (json.value().equals(ZERO) || json.value().equals(EMPTY));
  }

  private static FillValue parse(V2DataType dtype, LocatedJson json, JsonValue value) {
    return dtype.dataType().parseFillValue(new LocatedJson(value, json.location()));
  }

  private static JsonValue bool(JsonValue value) {
    boolean number = value.equals(ZERO) || value.equals(JsonNumber.of(1));
    return number ? new JsonBoolean(!value.equals(ZERO)) : value;
  }

  /** Returns an integer, even if it is spelled {@code 0.0}, and any other value unchanged. */
  private static JsonValue integer(JsonValue value) {
    if (!(value instanceof JsonNumber number) || number.isInteger()) {
      return value;
    }
    BigDecimal exact = number.toBigDecimal().stripTrailingZeros();
    boolean integral = exact.scale() <= 0 && (long) exact.precision() - exact.scale() <= 20;
    return integral ? new JsonNumber(exact.toBigInteger().toString()) : value;
  }

  /** Refuses the hexadecimal form, which Zarr v2 lacks. */
  private static JsonValue checkFloat(LocatedJson json) {
    if (json.value() instanceof JsonString special && !SPECIAL.contains(special.value())) {
      throw json.expected("a number, \"NaN\", \"Infinity\" or \"-Infinity\"");
    }
    return json.value();
  }

  private static JsonValue checkComplex(LocatedJson json) {
    if (json.value() instanceof JsonArray) {
      json.elements().forEach(V2FillValue::checkFloat);
    }
    return json.value();
  }

  /** Reads base64 without the padding. Old programs wrote the text itself. */
  private static FillValue bytes(LocatedJson json, V2DataType dtype) {
    int size = dtype.dataType().itemSize();
    byte[] value = json.value().equals(ZERO) ? new byte[0] : base64(json.value());
    if (value == null && json.value() instanceof JsonString text) {
      value = text.value().getBytes(StandardCharsets.UTF_8);
    }
    if (value == null || value.length > size) {
      throw json.expected("base64 of at most " + size + " bytes");
    }
    return FillValue.of(dtype.dataType(), Arrays.copyOf(value, size));
  }

  /** Reads base64 of one stored item. */
  private static FillValue packed(LocatedJson json, V2DataType dtype) {
    int size = dtype.dataType().itemSize();
    byte[] item = base64(json.value());
    if (item == null || item.length != size) {
      throw json.expected("base64 of " + size + " bytes, one item of " + dtype.text());
    }
    dtype.swaps().forEach(swap -> swap.components().swap(item, swap.offset()));
    return FillValue.of(dtype.dataType(), item);
  }

  private static byte @Nullable [] base64(JsonValue value) {
    if (!(value instanceof JsonString text)) {
      return null;
    }
    try {
      return Base64.getDecoder().decode(text.value());
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
