package dev.zarrreactive.datatype;

import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.json.LocatedJson;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** {@code string}: Unicode texts of variable length, each a {@link String} in memory. */
public record StringType() implements VariableLengthType {
  static final String NAME = "string";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Class<?> valueClass() {
    return String.class;
  }

  @Override
  public Object emptyValue() {
    return "";
  }

  @Override
  public void checkValue(Object value) {
    VariableLengthType.super.checkValue(value);
    if (!isUnicode((String) value)) {
      throw new IllegalArgumentException(
          "the text has an unpaired surrogate, which is malformed Unicode");
    }
  }

  private static boolean isUnicode(String text) {
    try {
      StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
      return true;
    } catch (CharacterCodingException e) {
      return false;
    }
  }

  /** Reads a string. */
  @Override
  public FillValue parseFillValue(LocatedJson json) {
    if (json.value() instanceof JsonString text && isUnicode(text.value())) {
      return FillValue.ofValue(this, text.value());
    }
    throw json.expected("a fill value of string: a text without unpaired surrogates");
  }

  @Override
  public JsonValue toJson(Object value) {
    return new JsonString((String) value);
  }

  @Override
  public String toString() {
    return NAME;
  }
}
