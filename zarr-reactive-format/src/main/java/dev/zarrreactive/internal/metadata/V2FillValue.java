package dev.zarrreactive.internal.metadata;

import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.datatype.JsonType;
import dev.zarrreactive.datatype.TimeType;
import dev.zarrreactive.error.Leniency;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonBoolean;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.json.LocatedJson;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the fill value of a {@code .zarray} in the forms of several programs. A null is zero; of
 * times it is "not a time", as zarr-python reads it.
 */
public final class V2FillValue {
  private static final JsonNumber ZERO = JsonNumber.of(0);
  private static final JsonString EMPTY = new JsonString("");
  private static final Set<String> SPECIAL = Set.of("NaN", "Infinity", "-Infinity");

  /** A number as JSON spells it. */
  private static final Pattern NUMBER =
      Pattern.compile("-?(0|[1-9][0-9]{0,99})(\\.[0-9]{1,99})?([eE][+-]?[0-9]{1,9})?");

  private final LocatedJson json;
  private final V2DataType dtype;
  private final Deviations deviations;

  private V2FillValue(LocatedJson json, V2DataType dtype, Deviations deviations) {
    this.json = json;
    this.dtype = dtype;
    this.deviations = deviations;
  }

  /**
   * A fill value.
   *
   * @param mended the form that Zarr v2 has, instead of a quoted value; null for any other
   */
  public record Read(FillValue value, @Nullable JsonValue mended) {
    /** Returns the document with the mended form. */
    LocatedJson in(LocatedJson zarray) {
      return mended == null
          ? zarray
          : new LocatedJson(zarray.object().with("fill_value", mended), zarray.location());
    }
  }

  public static Read read(LocatedJson json, V2DataType dtype, Deviations deviations) {
    JsonValue quoted = Tokens.quoted(json.value());
    if (quoted != json.value()) {
      if (dtype.kind() != V2DataType.Kind.FLOAT && dtype.kind() != V2DataType.Kind.COMPLEX) {
        throw Tokens.refused(json);
      }
      Tokens.note(json, quoted, deviations);
      LocatedJson mended = new LocatedJson(quoted, json.location());
      return new Read(new V2FillValue(mended, dtype, deviations).read(), quoted);
    }
    JsonValue unquoted = unquoted(json.value(), dtype.kind());
    if (unquoted == json.value()) {
      return new Read(new V2FillValue(json, dtype, deviations).read(), null);
    }
    LocatedJson mended = new LocatedJson(unquoted, json.location());
    FillValue value = new V2FillValue(mended, dtype, deviations).read();
    deviations.note(
        Leniency.QUOTED_FILL_VALUE,
        json,
        "the fill value " + json.value() + " is quoted, and read as " + unquoted);
    return new Read(value, unquoted);
  }

  /** Returns the number or boolean in quotes, and any other value unchanged. */
  private static JsonValue unquoted(JsonValue value, V2DataType.Kind kind) {
    if (kind == V2DataType.Kind.COMPLEX && value instanceof JsonArray parts) {
      List<JsonValue> changed = new ArrayList<>(parts.elements());
      changed.replaceAll(part -> unquoted(part, V2DataType.Kind.FLOAT));
      return changed.equals(parts.elements()) ? value : new JsonArray(changed);
    }
    if (!(value instanceof JsonString text)) {
      return value;
    }
    return switch (kind) {
      case INTEGER, FLOAT ->
          NUMBER.matcher(text.value()).matches() ? new JsonNumber(text.value()) : value;
      case BOOL ->
          switch (text.value()) {
            case "0", "false" -> new JsonBoolean(false);
            case "1", "true" -> new JsonBoolean(true);
            default -> value;
          };
      default -> value;
    };
  }

  private FillValue read() {
    if (json.isNull()) {
      return dtype.kind() == V2DataType.Kind.TIME
          ? FillValue.of(dtype.dataType(), TimeType.NAT)
          : FillValue.zero(dtype.dataType());
    }
    return switch (dtype.kind()) {
      case BOOL -> parse(bool());
      case INTEGER, TIME -> parse(integer());
      case FLOAT -> parse(checkFloat(json));
      case COMPLEX -> parse(checkComplex(json));
      case TEXT -> parse(isZero() ? EMPTY : json.value());
      case OBJECT -> isEmpty() ? FillValue.zero(dtype.dataType()) : parse(json.value());
      case BYTES -> bytes();
      case RAW, STRUCT -> packed(json, dtype);
    };
  }

  /** Returns true for 0, which programs write for empty texts and lists. */
  private boolean isEmpty() {
    return !(dtype.dataType() instanceof JsonType) && (isZero() || json.value().equals(EMPTY));
  }

  private boolean isZero() {
    boolean zero = json.value().equals(ZERO);
    if (zero) {
      deviations.note(
          Leniency.ZERO_AS_EMPTY_FILL_VALUE,
          json,
          "the fill value of " + dtype.text() + " is 0, and read as the empty value");
    }
    return zero;
  }

  private FillValue parse(JsonValue value) {
    return dtype.dataType().parseFillValue(new LocatedJson(value, json.location()));
  }

  private JsonValue bool() {
    JsonValue value = json.value();
    if (!value.equals(ZERO) && !value.equals(JsonNumber.of(1))) {
      return value;
    }
    deviations.note(
        Leniency.NUMBER_AS_BOOLEAN_FILL_VALUE,
        json,
        "the fill value of a boolean is the number " + value);
    return new JsonBoolean(!value.equals(ZERO));
  }

  /** Returns an integer, even if it is spelled {@code 0.0}, and any other value unchanged. */
  private JsonValue integer() {
    JsonValue value = json.value();
    if (!(value instanceof JsonNumber number) || number.isInteger() || !number.isFinite()) {
      return value;
    }
    BigDecimal exact = number.toBigDecimal().stripTrailingZeros();
    boolean integral = exact.scale() <= 0 && (long) exact.precision() - exact.scale() <= 20;
    if (!integral) {
      return value;
    }
    JsonNumber integer = new JsonNumber(exact.toBigInteger().toString());
    deviations.note(
        Leniency.DECIMAL_AS_INTEGER_FILL_VALUE,
        json,
        "the fill value of " + dtype.text() + " is spelled " + number + ", and read as " + integer);
    return integer;
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
  private FillValue bytes() {
    int size = dtype.dataType().itemSize();
    byte[] value = isZero() ? new byte[0] : base64(json.value());
    if (value == null && json.value() instanceof JsonString text && isEncodable(text.value())) {
      value = text.value().getBytes(StandardCharsets.UTF_8);
      deviations.note(
          Leniency.PLAIN_TEXT_FILL_VALUE,
          json,
          "the fill value of " + dtype.text() + " is a text, where Zarr v2 has base64");
    }
    if (value == null || value.length > size) {
      throw json.expected("base64 of at most " + size + " bytes");
    }
    return FillValue.of(dtype.dataType(), Arrays.copyOf(value, size));
  }

  private static boolean isEncodable(String text) {
    return StandardCharsets.UTF_8.newEncoder().canEncode(text);
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
