package dev.zarrreactive.datatype;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonBoolean;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.json.LocatedJson;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The value of elements without a stored chunk. It is the image of one element, compared bit for
 * bit, so that {@code -0.0} and every NaN keep their identity. For a {@link VariableLengthType} it
 * is the element itself.
 */
public final class FillValue {
  private final DataType dataType;
  private final byte[] image;
  private final @Nullable Object value;
  private final boolean zero;

  private FillValue(DataType dataType, byte[] image) {
    this.dataType = dataType;
    this.image = image;
    this.value = null;
    this.zero = isZero(image);
  }

  private FillValue(VariableLengthType dataType, Object value) {
    this.dataType = dataType;
    this.image = new byte[0];
    this.value = value;
    this.zero = value.equals(dataType.emptyValue());
  }

  /**
   * Returns a fill value of variable length.
   *
   * @throws IllegalArgumentException if the data type does not have this element
   */
  public static FillValue ofValue(VariableLengthType dataType, Object value) {
    dataType.checkValue(value);
    return new FillValue(dataType, value);
  }

  /**
   * Returns a fill value of the given bits.
   *
   * @param image the little-endian image of one element
   */
  public static FillValue of(DataType dataType, byte[] image) {
    if (image.length != dataType.itemSize()) {
      throw new IllegalArgumentException(
          dataType + " has " + dataType.itemSize() + " bytes, not " + image.length);
    }
    return new FillValue(dataType, image.clone());
  }

  /**
   * Returns a fill value of the given bits.
   *
   * @param image the image of one element
   * @param order the order of the bytes of each component
   */
  public static FillValue of(DataType dataType, byte[] image, ByteOrder order) {
    FillValue value = of(dataType, image);
    if (order == ByteOrder.BIG_ENDIAN) {
      int offset = 0;
      for (Components components : dataType.components()) {
        components.swap(value.image, offset);
        offset += components.byteSize();
      }
    }
    return value;
  }

  /** Returns the fill value of a {@code bool} array. */
  public static FillValue of(boolean value) {
    return ofJson(DataTypes.BOOL, new JsonBoolean(value));
  }

  /**
   * Returns {@code value} of an integer type, or the nearest value of a float or complex type.
   *
   * @throws IllegalArgumentException if the data type is another, or its range is too small
   */
  public static FillValue of(DataType dataType, long value) {
    return ofNumber(dataType, JsonNumber.of(value));
  }

  /**
   * Returns the value of a float or complex type that is nearest to {@code value}.
   *
   * @throws IllegalArgumentException if the data type is another, or its range is too small
   */
  public static FillValue of(DataType dataType, double value) {
    String text = Double.toString(value);
    return ofNumber(dataType, Double.isFinite(value) ? new JsonNumber(text) : new JsonString(text));
  }

  private static FillValue ofNumber(DataType dataType, JsonValue number) {
    return ofJson(
        dataType,
        dataType instanceof ComplexType ? JsonArray.of(number, JsonNumber.of(0)) : number);
  }

  private static FillValue ofJson(DataType dataType, JsonValue json) {
    try {
      return dataType.parseFillValue(LocatedJson.of(json));
    } catch (MetadataException e) {
      throw new IllegalArgumentException(e.statement(), e);
    }
  }

  /** Returns the fill value of zero bits, or the empty one. */
  public static FillValue zero(DataType dataType) {
    if (dataType instanceof VariableLengthType variable) {
      return new FillValue(variable, variable.emptyValue());
    }
    return new FillValue(dataType, new byte[dataType.itemSize()]);
  }

  /** The data type of the value. */
  public DataType dataType() {
    return dataType;
  }

  /**
   * Returns a copy of the value's image: one element, little-endian.
   *
   * @throws UnsupportedOperationException for a {@link VariableLengthType}
   */
  public byte[] image() {
    requireImage();
    return image.clone();
  }

  /**
   * The value of variable length.
   *
   * @throws UnsupportedOperationException for any other data type
   */
  public Object value() {
    if (value == null) {
      throw new UnsupportedOperationException(dataType + " has images");
    }
    return value;
  }

  private void requireImage() {
    if (value != null) {
      throw new UnsupportedOperationException("a fill value of " + dataType + " has no image");
    }
  }

  /** Returns true if all bits are zero, or the value is empty, as in newly allocated memory. */
  public boolean isZero() {
    return zero;
  }

  /** Returns the value in metadata. */
  public JsonValue toJson() {
    if (dataType instanceof OptionalType optional) {
      return OptionalJson.fillValue(optional, this);
    } else if (value instanceof Bytes images && dataType instanceof ListType) {
      return Images.toBase64(images.toByteArray());
    }
    return value != null && dataType instanceof VariableLengthType variable
        ? variable.toJson(value)
        : dataType.toJson(image, 0);
  }

  /**
   * Writes the value over whole elements.
   *
   * @param target the array to write to
   * @param offset the index of the first byte
   * @param length the number of bytes, a multiple of the item size
   */
  public void fill(byte[] target, int offset, int length) {
    requireWholeElements(length);
    if (zero || image.length == 1) {
      Arrays.fill(target, offset, offset + length, image[0]);
      return;
    }
    int done = Math.min(image.length, length);
    System.arraycopy(image, 0, target, offset, done);
    while (done < length) { // doubles the filled part
      int more = Math.min(done, length - done);
      System.arraycopy(target, offset, target, offset + done, more);
      done += more;
    }
  }

  /**
   * Returns true if every element has the value's bits, and for an empty range.
   *
   * @param elements the array that holds the elements' images
   * @param offset the index of the first byte
   * @param length the number of bytes, a multiple of the item size
   */
  public boolean isAll(byte[] elements, int offset, int length) {
    requireWholeElements(length);
    if (length == 0) {
      return true;
    }
    int size = image.length;
    // The first element is the value, and every further one equals the one before it.
    return Arrays.equals(elements, offset, offset + size, image, 0, size)
        && Arrays.equals(
            elements, offset, offset + length - size, elements, offset + size, offset + length);
  }

  private void requireWholeElements(int length) {
    requireImage();
    if (length % image.length != 0) {
      throw new IllegalArgumentException(
          length + " bytes are not a whole number of elements of " + dataType);
    }
  }

  private static boolean isZero(byte[] image) {
    for (byte b : image) {
      if (b != 0) {
        return false;
      }
    }
    return true;
  }

  /** Compares the data type and the bits. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof FillValue that
        && dataType.equals(that.dataType)
        && Arrays.equals(image, that.image)
        && Objects.equals(value, that.value);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(image) + Objects.hashCode(value);
  }

  @Override
  public String toString() {
    return toJson().toString();
  }
}
