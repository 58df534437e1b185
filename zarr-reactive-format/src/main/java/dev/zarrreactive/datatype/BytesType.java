package dev.zarrreactive.datatype;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.json.LocatedJson;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * {@code bytes}: byte strings of variable length, each a {@link Bytes} in memory. Some programs
 * name the type {@code variable_length_bytes} or {@code binary}. Metadata keep the name, and types
 * with different names are equal.
 *
 * @param name one of its names
 */
public record BytesType(String name) implements VariableLengthType {
  static final String NAME = "bytes";

  static final Set<String> NAMES = Set.of(NAME, "variable_length_bytes", "binary");

  /** Checks the name. */
  public BytesType {
    if (!NAMES.contains(name)) {
      throw new IllegalArgumentException("byte strings are not named " + name);
    }
  }

  @Override
  public Class<?> valueClass() {
    return Bytes.class;
  }

  @Override
  public Object emptyValue() {
    return Bytes.EMPTY;
  }

  /** Reads an array with an integer from 0 to 255 for each byte, or base64. */
  @Override
  public FillValue parseFillValue(LocatedJson json) {
    if (json.value() instanceof JsonArray) {
      List<LocatedJson> elements = json.elements();
      byte[] value = new byte[elements.size()];
      for (int i = 0; i < value.length; i++) {
        value[i] = (byte) elements.get(i).integer(0, 255);
      }
      return FillValue.ofValue(this, Bytes.wrap(value));
    }
    byte[] value = Images.ofBase64(json.value());
    if (value == null) {
      throw json.expected(
          "a fill value of " + name + ": an array of integers from 0 to 255, or base64");
    }
    return FillValue.ofValue(this, Bytes.wrap(value));
  }

  @Override
  public JsonValue toJson(Object value) {
    return Images.toBase64(((Bytes) value).toByteArray());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof BytesType;
  }

  @Override
  public int hashCode() {
    return NAME.hashCode();
  }

  @Override
  public String toString() {
    return name;
  }
}
