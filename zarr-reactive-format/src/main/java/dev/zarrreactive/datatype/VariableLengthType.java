package dev.zarrreactive.datatype;

import dev.zarrreactive.json.JsonValue;
import java.util.List;

/**
 * A type with elements of variable length. In memory an element is an immutable object of the
 * type's {@link #valueClass}, never null. It has no image: methods for images throw {@link
 * UnsupportedOperationException}.
 */
public sealed interface VariableLengthType extends DataType
    permits StringType, BytesType, ListType, JsonType, VariableOptionalType {
  /** The class of the elements. */
  Class<?> valueClass();

  /** The empty element, which corresponds to zero. */
  Object emptyValue();

  /**
   * Checks an element.
   *
   * @throws IllegalArgumentException if the type does not have it
   */
  default void checkValue(Object value) {
    if (!valueClass().isInstance(value)) {
      throw new IllegalArgumentException(
          this + " has elements of " + valueClass() + ", not of " + value.getClass());
    }
  }

  /** Returns an element as JSON, in the form that an equal fill value has. */
  JsonValue toJson(Object value);

  @Override
  default int itemSize() {
    throw new UnsupportedOperationException(
        "the elements of " + this + " are of variable length, and have no images in memory");
  }

  /** Estimates a text of about 20 letters: the size is unknown before the decoding. */
  @Override
  default int memorySize() {
    return 64;
  }

  @Override
  default List<Components> components() {
    return List.of();
  }

  @Override
  default JsonValue toJson(byte[] image, int offset) {
    throw new UnsupportedOperationException("the elements of " + this + " have no images");
  }
}
