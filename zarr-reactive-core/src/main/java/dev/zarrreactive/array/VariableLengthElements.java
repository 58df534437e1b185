package dev.zarrreactive.array;

import dev.zarrreactive.datatype.ListType;
import dev.zarrreactive.datatype.VariableLengthType;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.store.Bytes;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Elements of variable length, each an object. */
final class VariableLengthElements extends Elements {
  private final VariableLengthType type;
  private final Object[] values;

  private VariableLengthElements(VariableLengthType type, Object[] values) {
    super(type, values.length);
    this.type = type;
    this.values = values;
  }

  /** Returns an array of these elements, without a copy. */
  static NdArray wrap(VariableLengthType type, Shape shape, Object[] values) {
    int count = ElementMemory.slots(type, shape);
    if (values.length != count) {
      throw new IllegalArgumentException(
          type + " of shape " + shape + " takes " + count + " values, not " + values.length);
    }
    return new NdArray(type, shape, new VariableLengthElements(type, values));
  }

  /** Returns an array of a copy of these elements, after a check of each. */
  static NdArray copyOf(VariableLengthType type, Shape shape, Object... values) {
    for (Object value : values) {
      type.checkValue(value);
    }
    return wrap(type, shape, values.clone());
  }

  Object[] values() {
    return values;
  }

  private Object value(int element) {
    return values[Objects.checkIndex(element, values.length)];
  }

  @Override
  public Bytes rawAt(int element) {
    if (value(element) instanceof Bytes bytes) {
      return bytes;
    }
    throw refused("bytes");
  }

  @Override
  public Bytes byteStringAt(int element) {
    if (!(type instanceof ListType) && value(element) instanceof Bytes bytes) {
      return bytes;
    }
    throw refused("a byte string");
  }

  @Override
  public String stringAt(int element) {
    Object value = value(element);
    if (value instanceof String text) {
      return text;
    } else if (value instanceof JsonString text) {
      return text.value();
    }
    throw refused("a String");
  }

  @Override
  public NdArray listAt(int element) {
    if (type instanceof ListType list && value(element) instanceof Bytes images) {
      Shape shape = Shape.of(images.size() / list.items().itemSize());
      return NdArray.wrap(list.items(), shape, images);
    }
    throw refused("a list");
  }

  @Override
  public JsonValue toJson(int element) {
    return type.toJson(value(element));
  }

  @Override
  String[] toStringArray() {
    return allStrings();
  }

  @Override
  boolean inColumns() {
    return false;
  }

  @Override
  String right() {
    if (type instanceof ListType) {
      return "getList";
    } else if (type.valueClass() == String.class) {
      return "getString or toStringArray";
    }
    return type.valueClass() == Bytes.class ? "getByteString" : "toJson";
  }

  @Override
  String text(int element) {
    Object value = value(element);
    if (value instanceof String text) {
      return PythonLiterals.text(text.codePoints().toArray());
    } else if (value instanceof Bytes bytes && !(type instanceof ListType)) {
      return PythonLiterals.bytes(bytes);
    }
    return toJson(element).toString();
  }

  /** Compares the data type and the values. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof VariableLengthElements that
        && type.equals(that.type)
        && Arrays.equals(values, that.values);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(values);
  }
}
