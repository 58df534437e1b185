package dev.zarrreactive.cf;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.FloatType;
import dev.zarrreactive.datatype.IntegerType;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonBoolean;
import dev.zarrreactive.json.JsonNull;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.DimensionNames;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The attributes of one array, as the rules of CF read them. */
record CfAttributes(ArrayMetadata array, JsonObject attributes) {
  static final String FILL_VALUE = "_FillValue";
  static final String MISSING_VALUE = "missing_value";

  /** The most missing values of one array that are looked for. */
  private static final int MOST_VALUES = 64;

  /** Returns the numbers that the fill value marks as missing. */
  List<JsonNumber> fillValues() {
    boolean isOfXarray =
        array.zarrFormat() == 2
            && (attributes.get(DimensionNames.ATTRIBUTE) != null
                || DimensionNames.of(array).areInAttributes());
    JsonValue stored = array.document().get("fill_value");
    if (isOfXarray && stored != null && stored != JsonNull.NULL) {
      return List.of(fillValue());
    }
    return numbers(FILL_VALUE);
  }

  private JsonNumber fillValue() {
    if (array.dataType() instanceof FloatType) {
      double value = NdArray.filled(Shape.SCALAR, array.fillValue()).getDouble();
      return new JsonNumber(Double.toString(value));
    }
    return array.fillValue().toJson() instanceof JsonNumber number ? number : new JsonNumber("NaN");
  }

  /** Returns the numbers of an attribute: one, several in a list, or none. */
  List<JsonNumber> numbers(String name) {
    JsonValue value = attributes.get(name);
    List<JsonValue> elements =
        value instanceof JsonArray list
            ? list.elements()
            : value == null ? List.of() : List.of(value);
    List<JsonNumber> numbers = new ArrayList<>();
    for (JsonValue element : elements.subList(0, Math.min(MOST_VALUES, elements.size()))) {
      if (element instanceof JsonNumber number) {
        numbers.add(number);
      } else if (element instanceof JsonString text) {
        JsonNumber number = number(text.value());
        if (number != null) {
          numbers.add(number);
        }
      }
    }
    return numbers;
  }

  /** Returns the number in a text: the spelling of one, or base64 of a double by xarray. */
  private @Nullable JsonNumber number(String text) {
    if (array.dataType() instanceof FloatType) {
      try {
        byte[] bytes = Base64.getDecoder().decode(text);
        if (bytes.length == Double.BYTES) {
          double value = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getDouble();
          return new JsonNumber(Double.toString(value));
        }
      } catch (IllegalArgumentException e) {
        // another text
      }
    }
    try {
      return new JsonNumber(Double.toString(Double.parseDouble(text)));
    } catch (NumberFormatException e) {
      return null;
    }
  }

  /** Returns the only number of an attribute; null for none. */
  @Nullable JsonNumber number1(String name) {
    List<JsonNumber> numbers = numbers(name);
    return numbers.size() == 1 ? numbers.get(0) : null;
  }

  /** Returns the text of an attribute; null for none. */
  @Nullable String text(String name) {
    return attributes.get(name) instanceof JsonString text ? text.value() : null;
  }

  /** Returns what {@code _Unsigned} says; null for nothing. */
  @Nullable Boolean unsigned() {
    JsonValue value = attributes.get("_Unsigned");
    if (value instanceof JsonBoolean bool) {
      return bool.value();
    }
    String text = value instanceof JsonString word ? word.value().toLowerCase(Locale.ROOT) : "";
    return text.equals("true") ? Boolean.TRUE : text.equals("false") ? Boolean.FALSE : null;
  }

  /** Returns true if the array has numbers. */
  boolean isOfNumbers() {
    return array.dataType() instanceof IntegerType || array.dataType() instanceof FloatType;
  }
}
