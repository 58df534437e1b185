package dev.zarrreactive.array;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.Datetime64Type;
import dev.zarrreactive.datatype.Timedelta64Type;
import dev.zarrreactive.internal.element.Elements;
import dev.zarrreactive.json.JsonValue;
import java.lang.reflect.Array;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The values of an {@link NdArray}: one by one, as Java arrays, and as buffers. */
abstract sealed class NdArrayValues permits NdArray {
  final Shape shape;

  /** The elements of the memory, which may be more than those of the array. */
  final Elements elements;

  /** The numbers of the elements in the memory; null if they count from 0 in C order. */
  private final @Nullable Layout layout;

  NdArrayValues(Shape shape, Elements elements, @Nullable Layout layout) {
    this.shape = shape;
    this.elements = elements;
    this.layout = layout;
  }

  /** The type of the elements. */
  public final DataType dataType() {
    return elements.dataType();
  }

  /** The extents. */
  public final Shape shape() {
    return shape;
  }

  /**
   * Returns true if the elements follow each other in memory in C order. Methods that return all
   * elements at once first copy an array that is not contiguous.
   */
  public final boolean isContiguous() {
    return layout == null && elements.isPacked();
  }

  /** Returns true if {@link NdArray#broadcastTo} accepts a shape. */
  public final boolean canBroadcastTo(Shape target) {
    return shape.equals(target) || Layout.canBroadcast(shape, target);
  }

  /** The numbers of the elements in the memory. */
  final Layout layout() {
    return layout == null ? Layout.inOrder(shape) : layout;
  }

  /** The elements in C order and packed, without a copy if the array is contiguous. */
  final Elements packed() {
    if (isContiguous()) {
      return elements;
    }
    ElementMemory memory = ElementMemory.allocate(dataType(), shape);
    int[] done = {0};
    layout()
        .forEachRow(
            (first, stride, count) -> {
              elements.copyTo(first, stride, count, memory.array(), memory.slot(done[0]));
              done[0] += count;
            });
    return memory.toNdArray(shape).elements;
  }

  private int number(long... index) {
    return layout == null ? shape.elementNumber(index) : layout.number(index);
  }

  /**
   * Returns the elements' images in C order, little-endian, without a copy if the array {@linkplain
   * #isContiguous is contiguous}.
   *
   * @throws UnsupportedOperationException for a variable-length type
   */
  public final Bytes bytes() {
    return packed().bytes();
  }

  /**
   * Copies the elements' images in C order, little-endian whatever the buffer's order is, to the
   * buffer's position, and moves the position behind them. Rows of a view are copied once.
   *
   * @throws IllegalArgumentException if too few bytes remain; then nothing is copied
   * @throws UnsupportedOperationException for a variable-length type
   */
  public final void copyTo(ByteBuffer target) {
    int itemSize = dataType().itemSize();
    int size = shape.byteSize(itemSize);
    if (target.remaining() < size) {
      throw new IllegalArgumentException(
          dataType()
              + " of shape "
              + shape
              + " has "
              + size
              + " bytes; the buffer has room for "
              + target.remaining());
    }
    if (isContiguous()) {
      target.put(elements.bytes().asByteBuffer());
      return;
    }
    byte[] row = new byte[Math.min(size, Layout.LONGEST_ROW * itemSize)];
    layout()
        .forEachRow(
            (first, stride, count) -> {
              elements.copyTo(first, stride, count, row, 0);
              target.put(row, 0, count * itemSize);
            });
  }

  /**
   * Passes every index in C order: {@code array.forEachIndex(i -> sum.add(array.getDouble(i)))}.
   *
   * @param action receives the index in an array that the next index reuses
   */
  public final void forEachIndex(Consumer<long[]> action) {
    shape.forEachIndex(action);
  }

  /** Returns the value of a {@code bool}: false for the byte 0, true for any other. */
  public final boolean getBoolean(long... index) {
    return elements.booleanAt(number(index));
  }

  /** Returns the value of an {@code int8}. */
  public final byte getByte(long... index) {
    return elements.byteAt(number(index));
  }

  /** Returns the value of an {@code int8}, {@code int16} or {@code uint8}. */
  public final short getShort(long... index) {
    return elements.shortAt(number(index));
  }

  /** Returns the value of an integer of up to 32 bits, except {@code uint32}. */
  public final int getInt(long... index) {
    return elements.intAt(number(index));
  }

  /** Returns the value of an integer, except {@code uint64}, or the count of a time. */
  public final long getLong(long... index) {
    return elements.longAt(number(index));
  }

  /** Returns the value of an unsigned integer. A {@code uint64} above 2^63 is negative. */
  public final long getUnsignedLong(long... index) {
    return elements.unsignedLongAt(number(index));
  }

  /** Returns the value of any integer. */
  public final BigInteger getBigInteger(long... index) {
    return elements.bigIntegerAt(number(index));
  }

  /** Returns the value of a float, except {@code float64}, or of an integer of up to 16 bits. */
  public final float getFloat(long... index) {
    return elements.floatAt(number(index));
  }

  /** Returns the value of a float, or of an integer of up to 32 bits. */
  public final double getDouble(long... index) {
    return elements.doubleAt(number(index));
  }

  /** Returns the real part of a complex number. */
  public final double getReal(long... index) {
    return elements.realAt(number(index));
  }

  /** Returns the imaginary part of a complex number. */
  public final double getImag(long... index) {
    return elements.imagAt(number(index));
  }

  /** Returns the time of a {@code numpy.datetime64}, as {@link Datetime64Type#toInstant} does. */
  public final Instant getInstant(long... index) {
    return elements.instantAt(number(index));
  }

  /** Returns the length of a {@code numpy.timedelta64}: {@link Timedelta64Type#toDuration}. */
  public final Duration getDuration(long... index) {
    return elements.durationAt(number(index));
  }

  /** Returns the text of a {@code string} or a {@code fixed_length_utf32}. */
  public final String getString(long... index) {
    return elements.stringAt(number(index));
  }

  /** Returns a {@code bytes}, or a {@code null_terminated_bytes} without its padding. */
  public final Bytes getByteString(long... index) {
    return elements.byteStringAt(number(index));
  }

  /** Returns a list of Zarr v2's {@code vlen-array}, as an array of one dimension. */
  public final NdArray getList(long... index) {
    Elements items = elements.listAt(number(index));
    return new NdArray(Shape.of(items.count()), items);
  }

  /** Returns the bytes of any element except {@code string} and JSON, components little-endian. */
  public final Bytes getRaw(long... index) {
    return elements.rawAt(number(index));
  }

  /** Returns a copy of the values of a {@code bool} array, in C order. */
  public final boolean[] toBooleanArray() {
    return packed().toBooleanArray();
  }

  /** Returns a copy of the values of {@code int8}, in C order. */
  public final byte[] toByteArray() {
    return packed().toByteArray();
  }

  /** Returns a copy of the values of {@code int8}, {@code int16} or {@code uint8}, in C order. */
  public final short[] toShortArray() {
    return packed().toShortArray();
  }

  /** Returns a copy of the values of integers of up to 32 bits, except {@code uint32}. */
  public final int[] toIntArray() {
    return packed().toIntArray();
  }

  /** Returns a copy of the values of integers, except {@code uint64}, or of the counts of times. */
  public final long[] toLongArray() {
    return packed().toLongArray();
  }

  /** Returns a copy of the values of floats of up to 32 bits, or of integers of up to 16 bits. */
  public final float[] toFloatArray() {
    return packed().toFloatArray();
  }

  /** Returns a copy of the values of floats, or of integers of up to 32 bits, in C order. */
  public final double[] toDoubleArray() {
    return packed().toDoubleArray();
  }

  /** Returns a copy of the real and imaginary parts in turn, for parts of up to 32 bits. */
  public final float[] toComplexFloatArray() {
    return packed().toComplexFloatArray();
  }

  /** Returns a copy of the real and imaginary parts of complex numbers in turn. */
  public final double[] toComplexDoubleArray() {
    return packed().toComplexDoubleArray();
  }

  /** Returns the texts of {@code string} or {@code fixed_length_utf32}, in C order. */
  public final String[] toStringArray() {
    return packed().toStringArray();
  }

  /**
   * Returns a copy of the rows of a matrix, each as {@link #toIntArray} returns it. The other
   * {@code to...2d} and {@code to...3d} methods do the same.
   *
   * @throws IllegalArgumentException if the array has another rank
   */
  public final int[][] toInt2d() {
    return rows(2, int[].class, NdArray::toIntArray);
  }

  /** Returns a copy of the rows of a matrix. */
  public final long[][] toLong2d() {
    return rows(2, long[].class, NdArray::toLongArray);
  }

  /** Returns a copy of the rows of a matrix. */
  public final float[][] toFloat2d() {
    return rows(2, float[].class, NdArray::toFloatArray);
  }

  /** Returns a copy of the rows of a matrix. */
  public final double[][] toDouble2d() {
    return rows(2, double[].class, NdArray::toDoubleArray);
  }

  /** Returns a copy of the rows of the matrices of a stack. */
  public final float[][][] toFloat3d() {
    return rows(3, float[][].class, NdArray::toFloat2d);
  }

  /** Returns a copy of the rows of the matrices of a stack. */
  public final double[][][] toDouble3d() {
    return rows(3, double[][].class, NdArray::toDouble2d);
  }

  @SuppressWarnings("unchecked") // an array of T
  private <T> T[] rows(int rank, Class<T> type, Function<NdArray, T> copy) {
    if (shape.rank() != rank) {
      throw new IllegalArgumentException(
          "an array of shape " + shape + " has " + shape.rank() + " dimensions, not " + rank);
    }
    ElementMemory.slots(dataType(), shape); // refuses what Java arrays cannot hold
    T[] rows = (T[]) Array.newInstance(type, (int) shape.extent(0));
    Arrays.setAll(rows, i -> copy.apply(row(i)));
    return rows;
  }

  /** Returns the elements at one index of the first dimension. */
  abstract NdArray row(long index);

  /** Returns an element, by its number in C order, in the form of a fill value of its bits. */
  public final JsonValue toJson(int element) {
    return elements.toJson(layout == null ? element : layout.numberAt(element));
  }

  /** Returns a read-only buffer with the images of any data type of fixed length, little-endian. */
  public final ByteBuffer asByteBuffer() {
    return bytes().asByteBuffer();
  }

  /**
   * Returns a read-only buffer with the bits of {@code int16}, {@code uint16} or floats of 16 bits.
   */
  public final ShortBuffer asShortBuffer() {
    return packed()
        .view("shorts", DataTypes.INT16, DataTypes.UINT16, DataTypes.FLOAT16, DataTypes.BFLOAT16)
        .asShortBuffer();
  }

  /** Returns a read-only buffer with the bits of {@code int32} or {@code uint32}. */
  public final IntBuffer asIntBuffer() {
    return packed().view("ints", DataTypes.INT32, DataTypes.UINT32).asIntBuffer();
  }

  /** Returns a read-only buffer with the bits of {@code int64} or {@code uint64}. */
  public final LongBuffer asLongBuffer() {
    return packed().view("longs", DataTypes.INT64, DataTypes.UINT64).asLongBuffer();
  }

  /**
   * Returns a read-only buffer with the bits of {@code float32}, or of the parts of {@code
   * complex64}.
   */
  public final FloatBuffer asFloatBuffer() {
    return packed().view("floats", DataTypes.FLOAT32, DataTypes.COMPLEX64).asFloatBuffer();
  }

  /**
   * Returns a read-only buffer with the bits of {@code float64}, or of the parts of {@code
   * complex128}.
   */
  public final DoubleBuffer asDoubleBuffer() {
    return packed().view("doubles", DataTypes.FLOAT64, DataTypes.COMPLEX128).asDoubleBuffer();
  }

  /** Compares the data type, the shape, and the bits or objects, in C order. */
  @Override
  public final boolean equals(@Nullable Object other) {
    return other instanceof NdArrayValues that
        && shape.equals(that.shape)
        && packed().equals(that.packed());
  }

  @Override
  public final int hashCode() {
    return 31 * shape.hashCode() + packed().hashCode();
  }
}
