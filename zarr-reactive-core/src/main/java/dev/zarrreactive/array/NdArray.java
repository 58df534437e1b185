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
 * An immutable n-dimensional array in memory: a data type, a shape, and the elements in C order
 * (last dimension fastest): their images, little-endian, or of a {@link VariableLengthType}
 * objects. Freely shared between threads. At most 2 GiB, or 2^31 objects.
 *
 * <p>Values are given exactly or not at all: {@code getInt} and {@code toIntArray} serve every type
 * whose values an {@code int} can hold; for any other they throw {@link
 * UnsupportedOperationException}, which names the right accessor. Indices are absolute; one out of
 * bounds is an {@link IndexOutOfBoundsException}. The {@code as...Buffer} methods are read-only
 * views of the bits. Nothing is boxed.
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
   * An array of elements that are there already.
   *
   * @param bytes the elements' images in C order, little-endian; not copied
   * @throws IllegalArgumentException where the size is not that of the shape
   */
  public static NdArray wrap(DataType dataType, Shape shape, Bytes bytes) {
    int size = shape.byteSize(dataType.itemSize());
    if (bytes.size() != size) {
      throw new IllegalArgumentException(
          dataType + " of shape " + shape + " has " + size + " bytes, not " + bytes.size());
    }
    return new NdArray(dataType, shape, ImageElements.of(dataType, bytes));
  }

  /** An array whose elements all are the fill value. */
  public static NdArray filled(Shape shape, FillValue fillValue) {
    return ElementMemory.filled(shape, fillValue).toNdArray(shape);
  }

  /**
   * An array without dimensions, of one number.
   *
   * @throws IllegalArgumentException where the data type does not hold it
   */
  public static NdArray scalar(DataType dataType, long value) {
    return filled(Shape.SCALAR, FillValue.of(dataType, value));
  }

  /**
   * An array without dimensions, of the number of a float or complex type that is nearest.
   *
   * @throws IllegalArgumentException where the data type is another, or does not reach so far
   */
  public static NdArray scalar(DataType dataType, double value) {
    return filled(Shape.SCALAR, FillValue.of(dataType, value));
  }

  /** An array of {@code bool}. */
  public static NdArray ofBooleans(Shape shape, boolean... values) {
    return Packing.booleans(shape, values);
  }

  /**
   * An array of {@code int8}, or of {@code uint8} with these bits, or of integers of 2 or 4 bits,
   * to whose range the values must belong.
   */
  public static NdArray ofBytes(DataType dataType, Shape shape, byte... values) {
    return Packing.bytes(dataType, shape, values);
  }

  /** An array of {@code int16}; or of {@code uint16} or floats of 16 bits with these bits. */
  public static NdArray ofShorts(DataType dataType, Shape shape, short... values) {
    return Packing.shorts(dataType, shape, values);
  }

  /** An array of {@code int32}, or of {@code uint32} with these bits. */
  public static NdArray ofInts(DataType dataType, Shape shape, int... values) {
    return Packing.ints(dataType, shape, values);
  }

  /** An array of {@code int64}, of {@code uint64} with these bits, or of times of these counts. */
  public static NdArray ofLongs(DataType dataType, Shape shape, long... values) {
    return Packing.longs(dataType, shape, values);
  }

  /**
   * An array of {@code float32}, or of the nearest floats of fewer bits.
   *
   * @throws ArithmeticException where the data type has nothing for a value, such as infinity
   */
  public static NdArray ofFloats(DataType dataType, Shape shape, float... values) {
    return Packing.floats(dataType, shape, values);
  }

  /** An array of {@code float64}. */
  public static NdArray ofDoubles(Shape shape, double... values) {
    return Packing.doubles(shape, values);
  }

  /**
   * An array of {@code string}, or of {@code fixed_length_utf32}.
   *
   * @throws IllegalArgumentException where a text is longer than an element, or no Unicode
   */
  public static NdArray ofStrings(DataType dataType, Shape shape, String... values) {
    return Packing.strings(dataType, shape, values);
  }

  /** An array of {@code bytes}. */
  public static NdArray ofByteStrings(Shape shape, Bytes... values) {
    return ofValues(DataTypes.BYTES, shape, (Object[]) values);
  }

  /**
   * An array of elements of any length, each of the data type's {@link
   * VariableLengthType#valueClass}.
   *
   * @throws IllegalArgumentException where one is no such element
   */
  public static NdArray ofValues(VariableLengthType dataType, Shape shape, Object... values) {
    return VariableLengthElements.copyOf(dataType, shape, values);
  }

  /** An array of {@code complex64}: the real and the imaginary part of each element in turn. */
  public static NdArray ofComplex(Shape shape, float... parts) {
    return Packing.complex(shape, parts);
  }

  /** An array of {@code complex128}: the real and the imaginary part of each element in turn. */
  public static NdArray ofComplex(Shape shape, double... parts) {
    return Packing.complex(shape, parts);
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
   * The elements' images in C order, little-endian; nothing is copied.
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
   * The same elements in C order with other extents; nothing is copied.
   *
   * @throws IllegalArgumentException where the number of elements differs
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

  /** The values of a {@code bool} array, in C order: a copy. */
  public boolean[] toBooleanArray() {
    return elements.toBooleanArray();
  }

  /** The values of {@code int8}, in C order: a copy. */
  public byte[] toByteArray() {
    return elements.toByteArray();
  }

  /** The values of {@code int8}, {@code int16} or {@code uint8}, in C order: a copy. */
  public short[] toShortArray() {
    return elements.toShortArray();
  }

  /** The values of integers of up to 32 bits, but not of {@code uint32}, in C order: a copy. */
  public int[] toIntArray() {
    return elements.toIntArray();
  }

  /** The values of integers, but not of {@code uint64}, or the counts of times: a copy. */
  public long[] toLongArray() {
    return elements.toLongArray();
  }

  /** The values of floats of up to 32 bits, or of integers of up to 16 bits, in C order: a copy. */
  public float[] toFloatArray() {
    return elements.toFloatArray();
  }

  /** The values of floats, or of integers of up to 32 bits, in C order: a copy. */
  public double[] toDoubleArray() {
    return elements.toDoubleArray();
  }

  /** The real and imaginary parts in turn, where they have up to 32 bits: a copy. */
  public float[] toComplexFloatArray() {
    return elements.toComplexFloatArray();
  }

  /** The real and imaginary parts of complex numbers in turn: a copy. */
  public double[] toComplexDoubleArray() {
    return elements.toComplexDoubleArray();
  }

  /** The texts of {@code string} or {@code fixed_length_utf32}, in C order: a copy. */
  public String[] toStringArray() {
    return elements.toStringArray();
  }

  /**
   * One field of a {@code struct} array: an array of the same shape. The values are copied.
   *
   * @throws IllegalArgumentException where there is no such field
   */
  public NdArray field(String name) {
    Elements field = elements.field(name);
    return wrap(field.dataType(), shape, field.bytes());
  }

  /** {@link Elements#toJson}: an element by its number in C order. */
  public JsonValue toJson(int element) {
    return elements.toJson(element);
  }

  /** The images of any data type that has some, little-endian. */
  public ByteBuffer asByteBuffer() {
    return bytes().asByteBuffer();
  }

  /** A read-only view of the bits of {@code int16}, {@code uint16} or floats of 16 bits. */
  public ShortBuffer asShortBuffer() {
    return elements
        .view("shorts", DataTypes.INT16, DataTypes.UINT16, DataTypes.FLOAT16, DataTypes.BFLOAT16)
        .asShortBuffer();
  }

  /** A read-only view of the bits of {@code int32} or {@code uint32}. */
  public IntBuffer asIntBuffer() {
    return elements.view("ints", DataTypes.INT32, DataTypes.UINT32).asIntBuffer();
  }

  /** A read-only view of the bits of {@code int64} or {@code uint64}. */
  public LongBuffer asLongBuffer() {
    return elements.view("longs", DataTypes.INT64, DataTypes.UINT64).asLongBuffer();
  }

  /**
   * A read-only view of the bits of {@code float32}; of {@code complex64} with its parts in turn.
   */
  public FloatBuffer asFloatBuffer() {
    return elements.view("floats", DataTypes.FLOAT32, DataTypes.COMPLEX64).asFloatBuffer();
  }

  /**
   * A read-only view of the bits of {@code float64}; of {@code complex128} with its parts in turn.
   */
  public DoubleBuffer asDoubleBuffer() {
    return elements.view("doubles", DataTypes.FLOAT64, DataTypes.COMPLEX128).asDoubleBuffer();
  }

  /** Equal where data type, shape and bits, or objects, are. */
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
   * For people: data type and shape, and below them the elements as NumPy prints them. Of more than
   * 1000 elements only the first and the last few of each dimension are shown.
   */
  @Override
  public String toString() {
    return dataType + " " + shape + "\n" + NdArrayPrinter.print(elements, shape);
  }
}
