package dev.zarrreactive.array;

import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.datatype.VariableLengthType;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.store.Bytes;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An immutable n-dimensional array in memory, with a data type, a shape and elements in C order
 * (last dimension fastest). The elements are little-endian images, or objects for a {@link
 * VariableLengthType}. Thread-safe. At most 2 GiB, or 2^31 objects.
 *
 * <p>Values are exact: {@code getInt} and {@code toIntArray} serve every type whose values an
 * {@code int} can hold. For any other type they throw {@link UnsupportedOperationException}, which
 * names the right accessor. Indices are absolute. An index out of bounds is an {@link
 * IndexOutOfBoundsException}. The {@code as...Buffer} methods return read-only views of the bits.
 * No method boxes values.
 */
public final class NdArray {
  private final DataType dataType;
  private final Shape shape;
  private final Elements elements;

  NdArray(DataType dataType, Shape shape, Elements elements) {
    this.dataType = dataType;
    this.shape = shape;
    this.elements = elements;
  }

  /**
   * Returns an array of existing elements.
   *
   * @param bytes the elements' images in C order, little-endian, which become the array's memory
   * @throws IllegalArgumentException if the size does not fit the shape
   */
  public static NdArray wrap(DataType dataType, Shape shape, Bytes bytes) {
    int size = shape.byteSize(dataType.itemSize());
    if (bytes.size() != size) {
      throw new IllegalArgumentException(
          dataType + " of shape " + shape + " has " + size + " bytes, not " + bytes.size());
    }
    return new NdArray(dataType, shape, ImageElements.of(dataType, bytes));
  }

  /** Returns an array of fill values. */
  public static NdArray filled(Shape shape, FillValue fillValue) {
    return ElementMemory.filled(shape, fillValue).toNdArray(shape);
  }

  /**
   * Returns an array of rank 0 with one number.
   *
   * @throws IllegalArgumentException if the number is outside of the data type's range
   */
  public static NdArray scalar(DataType dataType, long value) {
    return filled(Shape.SCALAR, FillValue.of(dataType, value));
  }

  /**
   * Returns an array of rank 0 with the nearest number of a float or complex type.
   *
   * @throws IllegalArgumentException if the data type is another, or its range is too small
   */
  public static NdArray scalar(DataType dataType, double value) {
    return filled(Shape.SCALAR, FillValue.of(dataType, value));
  }

  /** Returns an array of {@code bool}. */
  public static NdArray ofBooleans(Shape shape, boolean... values) {
    return NdArrayFactory.booleans(shape, values);
  }

  /**
   * Returns an array of {@code int8}, {@code uint8} (bits), or integers of 2 or 4 bits (values).
   */
  public static NdArray ofBytes(DataType dataType, Shape shape, byte... values) {
    return NdArrayFactory.bytes(dataType, shape, values);
  }

  /** Returns an array of {@code int16}, or of the bits of {@code uint16} or floats of 16 bits. */
  public static NdArray ofShorts(DataType dataType, Shape shape, short... values) {
    return NdArrayFactory.shorts(dataType, shape, values);
  }

  /** Returns an array of {@code int32}, or of the bits of {@code uint32}. */
  public static NdArray ofInts(DataType dataType, Shape shape, int... values) {
    return NdArrayFactory.ints(dataType, shape, values);
  }

  /**
   * Returns an array of {@code int64}, of the bits of {@code uint64}, or of the counts of times.
   */
  public static NdArray ofLongs(DataType dataType, Shape shape, long... values) {
    return NdArrayFactory.longs(dataType, shape, values);
  }

  /**
   * Returns an array of {@code float32}, or of the nearest floats of fewer bits.
   *
   * @throws ArithmeticException if the data type cannot represent a value, such as infinity
   */
  public static NdArray ofFloats(DataType dataType, Shape shape, float... values) {
    return NdArrayFactory.floats(dataType, shape, values);
  }

  /** Returns an array of {@code float64}. */
  public static NdArray ofDoubles(Shape shape, double... values) {
    return NdArrayFactory.doubles(shape, values);
  }

  /**
   * Returns an array of {@code string}, or of {@code fixed_length_utf32}.
   *
   * @throws IllegalArgumentException if a text is longer than an element, or is malformed Unicode
   */
  public static NdArray ofStrings(DataType dataType, Shape shape, String... values) {
    return NdArrayFactory.strings(dataType, shape, values);
  }

  /** Returns an array of {@code bytes}. */
  public static NdArray ofByteStrings(Shape shape, Bytes... values) {
    return ofValues(DataTypes.BYTES, shape, (Object[]) values);
  }

  /**
   * Returns an array of variable-length elements, each a {@link VariableLengthType#valueClass}.
   *
   * @throws IllegalArgumentException if the data type does not have one of the values
   */
  public static NdArray ofValues(VariableLengthType dataType, Shape shape, Object... values) {
    return VariableLengthElements.copyOf(dataType, shape, values);
  }

  /** Returns an array of {@code complex64}, from real and imaginary parts in turn. */
  public static NdArray ofComplex(Shape shape, float... parts) {
    return NdArrayFactory.complex(shape, parts);
  }

  /** Returns an array of {@code complex128}, from real and imaginary parts in turn. */
  public static NdArray ofComplex(Shape shape, double... parts) {
    return NdArrayFactory.complex(shape, parts);
  }

  /** The type of the elements. */
  public DataType dataType() {
    return dataType;
  }

  /** The extents. */
  public Shape shape() {
    return shape;
  }

  /**
   * Returns the elements' images in C order, little-endian, without a copy.
   *
   * @throws UnsupportedOperationException for a {@link VariableLengthType}
   */
  public Bytes bytes() {
    return elements.bytes();
  }

  /** The elements by their number in C order. */
  public Elements elements() {
    return elements;
  }

  /**
   * Returns the same elements in C order with another shape, without a copy.
   *
   * @throws IllegalArgumentException if the number of elements differs
   */
  public NdArray reshape(Shape other) {
    if (!other.elementCount().equals(shape.elementCount())) {
      throw new IllegalArgumentException(
          "an array of shape " + shape + " cannot have shape " + other);
    }
    return new NdArray(dataType, other, elements);
  }

  /** {@link Elements#booleanAt} by index. */
  public boolean getBoolean(long... index) {
    return elements.booleanAt(shape.elementNumber(index));
  }

  /** {@link Elements#byteAt} by index. */
  public byte getByte(long... index) {
    return elements.byteAt(shape.elementNumber(index));
  }

  /** {@link Elements#shortAt} by index. */
  public short getShort(long... index) {
    return elements.shortAt(shape.elementNumber(index));
  }

  /** {@link Elements#intAt} by index. */
  public int getInt(long... index) {
    return elements.intAt(shape.elementNumber(index));
  }

  /** {@link Elements#longAt} by index. */
  public long getLong(long... index) {
    return elements.longAt(shape.elementNumber(index));
  }

  /** {@link Elements#unsignedLongAt} by index. */
  public long getUnsignedLong(long... index) {
    return elements.unsignedLongAt(shape.elementNumber(index));
  }

  /** {@link Elements#bigIntegerAt} by index. */
  public BigInteger getBigInteger(long... index) {
    return elements.bigIntegerAt(shape.elementNumber(index));
  }

  /** {@link Elements#floatAt} by index. */
  public float getFloat(long... index) {
    return elements.floatAt(shape.elementNumber(index));
  }

  /** {@link Elements#doubleAt} by index. */
  public double getDouble(long... index) {
    return elements.doubleAt(shape.elementNumber(index));
  }

  /** {@link Elements#realAt} by index. */
  public double getReal(long... index) {
    return elements.realAt(shape.elementNumber(index));
  }

  /** {@link Elements#imagAt} by index. */
  public double getImag(long... index) {
    return elements.imagAt(shape.elementNumber(index));
  }

  /** {@link Elements#instantAt} by index. */
  public Instant getInstant(long... index) {
    return elements.instantAt(shape.elementNumber(index));
  }

  /** {@link Elements#durationAt} by index. */
  public Duration getDuration(long... index) {
    return elements.durationAt(shape.elementNumber(index));
  }

  /** {@link Elements#stringAt} by index. */
  public String getString(long... index) {
    return elements.stringAt(shape.elementNumber(index));
  }

  /** {@link Elements#byteStringAt} by index. */
  public Bytes getByteString(long... index) {
    return elements.byteStringAt(shape.elementNumber(index));
  }

  /** {@link Elements#listAt} by index. */
  public NdArray getList(long... index) {
    return elements.listAt(shape.elementNumber(index));
  }

  /** {@link Elements#rawAt} by index. */
  public Bytes getRaw(long... index) {
    return elements.rawAt(shape.elementNumber(index));
  }

  /** Returns a copy of the values of a {@code bool} array, in C order. */
  public boolean[] toBooleanArray() {
    return elements.toBooleanArray();
  }

  /** Returns a copy of the values of {@code int8}, in C order. */
  public byte[] toByteArray() {
    return elements.toByteArray();
  }

  /** Returns a copy of the values of {@code int8}, {@code int16} or {@code uint8}, in C order. */
  public short[] toShortArray() {
    return elements.toShortArray();
  }

  /** Returns a copy of the values of integers of up to 32 bits, except {@code uint32}. */
  public int[] toIntArray() {
    return elements.toIntArray();
  }

  /** Returns a copy of the values of integers, except {@code uint64}, or of the counts of times. */
  public long[] toLongArray() {
    return elements.toLongArray();
  }

  /** Returns a copy of the values of floats of up to 32 bits, or of integers of up to 16 bits. */
  public float[] toFloatArray() {
    return elements.toFloatArray();
  }

  /** Returns a copy of the values of floats, or of integers of up to 32 bits, in C order. */
  public double[] toDoubleArray() {
    return elements.toDoubleArray();
  }

  /** Returns a copy of the real and imaginary parts in turn, for parts of up to 32 bits. */
  public float[] toComplexFloatArray() {
    return elements.toComplexFloatArray();
  }

  /** Returns a copy of the real and imaginary parts of complex numbers in turn. */
  public double[] toComplexDoubleArray() {
    return elements.toComplexDoubleArray();
  }

  /** Returns the texts of {@code string} or {@code fixed_length_utf32}, in C order. */
  public String[] toStringArray() {
    return elements.toStringArray();
  }

  /**
   * Returns a copy of one field of a {@code struct} array, as an array of the same shape.
   *
   * @throws IllegalArgumentException if the data type has no such field
   */
  public NdArray field(String name) {
    Elements field = elements.field(name);
    return wrap(field.dataType(), shape, field.bytes());
  }

  /** {@link Elements#toJson} by an element's number in C order. */
  public JsonValue toJson(int element) {
    return elements.toJson(element);
  }

  /** Returns a read-only view of the images of any data type of fixed length, little-endian. */
  public ByteBuffer asByteBuffer() {
    return bytes().asByteBuffer();
  }

  /** Returns a read-only view of the bits of {@code int16}, {@code uint16} or floats of 16 bits. */
  public ShortBuffer asShortBuffer() {
    return elements
        .view("shorts", DataTypes.INT16, DataTypes.UINT16, DataTypes.FLOAT16, DataTypes.BFLOAT16)
        .asShortBuffer();
  }

  /** Returns a read-only view of the bits of {@code int32} or {@code uint32}. */
  public IntBuffer asIntBuffer() {
    return elements.view("ints", DataTypes.INT32, DataTypes.UINT32).asIntBuffer();
  }

  /** Returns a read-only view of the bits of {@code int64} or {@code uint64}. */
  public LongBuffer asLongBuffer() {
    return elements.view("longs", DataTypes.INT64, DataTypes.UINT64).asLongBuffer();
  }

  /**
   * Returns a read-only view of the bits of {@code float32}, or of the parts of {@code complex64}.
   */
  public FloatBuffer asFloatBuffer() {
    return elements.view("floats", DataTypes.FLOAT32, DataTypes.COMPLEX64).asFloatBuffer();
  }

  /**
   * Returns a read-only view of the bits of {@code float64}, or of the parts of {@code complex128}.
   */
  public DoubleBuffer asDoubleBuffer() {
    return elements.view("doubles", DataTypes.FLOAT64, DataTypes.COMPLEX128).asDoubleBuffer();
  }

  /** Compares the data type, the shape, and the bits or objects. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof NdArray that
        && shape.equals(that.shape)
        && elements.equals(that.elements);
  }

  @Override
  public int hashCode() {
    return 31 * shape.hashCode() + elements.hashCode();
  }

  /**
   * Returns a text for people: the data type and the shape, and below them the elements as NumPy
   * prints them. Of more than 1000 elements it shows the first and the last few of each dimension.
   */
  @Override
  public String toString() {
    return dataType + " " + shape + "\n" + NdArrayPrinter.print(elements, shape);
  }
}
