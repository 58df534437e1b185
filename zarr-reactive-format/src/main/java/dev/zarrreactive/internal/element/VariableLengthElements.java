package dev.zarrreactive.internal.element;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.ListType;
import dev.zarrreactive.datatype.OptionalType;
import dev.zarrreactive.datatype.VariableLengthType;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Elements of variable length, each an object. */
final class VariableLengthElements extends Elements {
  private final VariableLengthType type;
  private final Object[] values;

  VariableLengthElements(VariableLengthType type, Object[] values) {
    super(type, values.length);
    this.type = type;
    this.values = values;
  }

  @Override
  public Object[] values() {
    return values;
  }

  /** Copies references to the objects. */
  @Override
  public Elements part(int first, int count) {
    return first == 0 && count == values.length
        ? this
        : new VariableLengthElements(type, Arrays.copyOfRange(values, first, first + count));
  }

  @Override
  public void copyTo(int first, int stride, int count, Object target, int at) {
    Object[] copies = (Object[]) target;
    if (stride == 1) {
      System.arraycopy(values, first, copies, at, count);
      return;
    }
    for (int i = 0; i < count; i++) {
      copies[at + i] = values[first + i * stride];
    }
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
  public Elements listAt(int element) {
    if (type instanceof ListType list && value(element) instanceof Bytes images) {
      return of(list.items(), images);
    }
    throw refused("a list");
  }

  @Override
  public Elements inner() {
    if (type instanceof OptionalType optional
        && optional.inner() instanceof VariableLengthType inner) {
      Object empty = inner.emptyValue();
      return of(inner, Arrays.stream(values).map(value -> there(value).orElse(empty)).toArray());
    }
    throw refused("optional values");
  }

  @Override
  public Elements validity() {
    byte[] isThere = new byte[values.length];
    for (int i = 0; i < isThere.length; i++) {
      isThere[i] = (byte) (there(values[i]).isPresent() ? 1 : 0);
    }
    return of(DataTypes.BOOL, Bytes.wrap(isThere));
  }

  /** Returns the value of an optional type. */
  @SuppressWarnings("unchecked") // as the class of the values of such a type says
  private Optional<Object> there(Object value) {
    if (value instanceof Optional<?> optional) {
      return (Optional<Object>) optional;
    }
    throw refused("optional values");
  }

  @Override
  public JsonValue toJson(int element) {
    return type.toJson(value(element));
  }

  @Override
  public String[] toStringArray() {
    return allStrings();
  }

  @Override
  public boolean inColumns() {
    return false;
  }

  @Override
  String right() {
    if (type instanceof OptionalType) {
      return OF_OPTIONAL;
    } else if (type instanceof ListType) {
      return "getList";
    } else if (type.valueClass() == String.class) {
      return "getString or toStringArray";
    }
    return type.valueClass() == Bytes.class ? "getByteString" : "toJson";
  }

  @Override
  public String text(int element) {
    Object value = value(element);
    if (value instanceof String text) {
      return PythonLiterals.text(text.codePoints().toArray());
    } else if (value instanceof Bytes bytes && !(type instanceof ListType)) {
      return PythonLiterals.bytes(bytes);
    } else if (value instanceof Optional<?> optional) {
      return optional.isEmpty() ? MISSING : inner().text(element);
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
