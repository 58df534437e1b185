package dev.zarrreactive.datatype;

import dev.zarrreactive.json.JsonValue;
import java.util.List;

/**
 * A type whose elements are of any length. In memory an element is an immutable object, never null,
 * of the type's {@link #valueClass}; it has no image, so that what asks for one throws {@link
 * UnsupportedOperationException}.
 */
public sealed interface VariableLengthType extends DataType
    permits StringType, BytesType, ListType, JsonType {
  /** The class of the elements. */
  Class<?> valueClass();

  /** The element that takes the place of zero. */
  Object emptyValue();

  /**
   * Checks an element.
   *
   * @throws IllegalArgumentException where it is none of this type
   */
  default void checkValue(Object value) {
    if (!valueClass().isInstance(value)) {
      throw new IllegalArgumentException(
          this + " has elements of " + valueClass() + ", not of " + value.getClass());
    }
  }

  /** An element as JSON, in the form that an equal fill value has. */
  JsonValue toJson(Object value);

  @Override
  default int itemSize() {
    throw new UnsupportedOperationException(
        "the elements of " + this + " are of any length, and have no images in memory");
  }

  /** A text of about 20 letters: nobody knows before the elements are decoded. */
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
