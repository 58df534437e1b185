package dev.zarrreactive.array;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.Datetime64Type;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.datatype.ListType;
import dev.zarrreactive.datatype.OptionalType;
import dev.zarrreactive.datatype.StructType;
import dev.zarrreactive.datatype.Timedelta64Type;
import dev.zarrreactive.datatype.VariableLengthType;
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
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * An immutable n-dimensional array in memory, with a data type and a shape. The elements are
 * little-endian images, or objects for a {@link VariableLengthType}. Thread-safe. The memory has at
 * most 2 GiB, or 2^31 objects.
 *
 * <p>Values are exact: {@code getInt} and {@code toIntArray} serve every type whose values an
 * {@code int} can hold. For any other type they throw {@link UnsupportedOperationException}, which
 * names the right accessor; {@link #cast} rounds. Indices are absolute. An index out of bounds is
 * an {@link IndexOutOfBoundsException}. The {@code as...Buffer} methods return read-only buffers of
 * the bits. No method boxes values.
 *
 * <p>{@link #slice}, {@link #transpose}, {@link #squeeze}, {@link #newAxis}, {@link #broadcastTo},
 * {@link #field}, {@link #values} and {@link #validity} return views, which share the memory of
 * this array and keep it alive. A view has all methods and equals an array of the same elements.
 * Methods that return all elements at once, such as {@link #bytes}, copy a view that is not
 * {@linkplain #isContiguous contiguous} each time: call {@link #toContiguous} once instead.
 */
public final class NdArray {
  final Shape shape;

  /** The elements of the memory, which may be more than those of the array. */
  final Elements elements;

  /** The numbers of the elements in the memory; null if they count from 0 in C order. */
  private final @Nullable Layout layout;

  NdArray(Shape shape, Elements elements) {
    this(shape, elements, null);
  }

  private NdArray(Shape shape, Elements elements, @Nullable Layout layout) {
    this.shape = shape;
    this.elements = elements;
    this.layout = layout;
  }

  /** Returns the elements that a layout takes of some memory. */
  private static NdArray view(Elements memory, Layout layout) {
    Shape shape = layout.shape();
    if (!layout.isInOrder()) {
      return new NdArray(shape, memory, layout);
    }
    boolean empty = shape.isEmpty();
    int count = (int) shape.elementCountUpTo(Integer.MAX_VALUE);
    return new NdArray(shape, memory.part(empty ? 0 : layout.first(), count));
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
    return new NdArray(shape, Elements.of(dataType, bytes));
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
    for (Object value : values) {
      dataType.checkValue(value);
    }
    return ofObjects(dataType, shape, values.clone());
  }

  /** Returns an array of these objects, which become the array's memory. */
  static NdArray ofObjects(VariableLengthType dataType, Shape shape, Object... values) {
    int count = ElementMemory.slots(dataType, shape);
    if (values.length != count) {
      throw new IllegalArgumentException(
          dataType + " of shape " + shape + " takes " + count + " values, not " + values.length);
    }
    return new NdArray(shape, Elements.of(dataType, values));
  }

  /**
   * Returns an array of points in time.
   *
   * @throws java.time.DateTimeException if the data type has no count for one of them
   */
  public static NdArray ofInstants(Datetime64Type dataType, Shape shape, Instant... times) {
    return ofLongs(dataType, shape, Arrays.stream(times).mapToLong(dataType::toCount).toArray());
  }

  /**
   * Returns an array of lengths of time.
   *
   * @throws java.time.DateTimeException if the data type has no count for one of them
   */
  public static NdArray ofDurations(Timedelta64Type dataType, Shape shape, Duration... times) {
    return ofLongs(dataType, shape, Arrays.stream(times).mapToLong(dataType::toCount).toArray());
  }

  /**
   * Returns an array of structs.
   *
   * @param fields the values of each field in the type's order, all of one shape
   * @throws IllegalArgumentException if the number, a data type or a shape does not fit
   */
  public static NdArray ofFields(StructType dataType, NdArray... fields) {
    return NdArrayFactory.structs(dataType, fields);
  }

  /**
   * Returns an array of optional elements.
   *
   * @param values the elements, whatever those are that are missing
   * @param validity of {@code bool}: true for each element that is there
   * @throws IllegalArgumentException if the shapes differ, or the validity is of another type
   */
  public static NdArray ofOptional(NdArray values, NdArray validity) {
    return NdArrayFactory.optional(values, validity);
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
    return elements.dataType();
  }

  /** The extents. */
  public Shape shape() {
    return shape;
  }

  /**
   * Returns true if the elements follow each other in memory in C order. Methods that return all
   * elements at once first copy an array that is not contiguous.
   */
  public boolean isContiguous() {
    return layout == null && elements.isPacked();
  }

  /** Returns true if {@link NdArray#broadcastTo} accepts a shape. */
  public boolean canBroadcastTo(Shape target) {
    return shape.equals(target) || Layout.canBroadcast(shape, target);
  }

  /** The numbers of the elements in the memory. */
  Layout layout() {
    return layout == null ? Layout.inOrder(shape) : layout;
  }

  /** The elements in C order and packed, without a copy if the array is contiguous. */
  Elements packed() {
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
  public Bytes bytes() {
    return packed().bytes();
  }

  /**
   * Copies the elements' images in C order, little-endian whatever the buffer's order is, to the
   * buffer's position, and moves the position behind them. Rows of a view are copied once.
   *
   * @throws IllegalArgumentException if too few bytes remain; then nothing is copied
   * @throws UnsupportedOperationException for a variable-length type
   */
  public void copyTo(ByteBuffer target) {
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
  public void forEachIndex(Consumer<long[]> action) {
    shape.forEachIndex(action);
  }

  /** Returns the value of a {@code bool}: false for the byte 0, true for any other. */
  public boolean getBoolean(long... index) {
    return elements.booleanAt(number(index));
  }

  /** Returns the value of an {@code int8}. */
  public byte getByte(long... index) {
    return elements.byteAt(number(index));
  }

  /** Returns the value of an {@code int8}, {@code int16} or {@code uint8}. */
  public short getShort(long... index) {
    return elements.shortAt(number(index));
  }

  /** Returns the value of an integer of up to 32 bits, except {@code uint32}. */
  public int getInt(long... index) {
    return elements.intAt(number(index));
  }

  /** Returns the value of an integer, except {@code uint64}, or the count of a time. */
  public long getLong(long... index) {
    return elements.longAt(number(index));
  }

  /** Returns the value of an unsigned integer. A {@code uint64} above 2^63 is negative. */
  public long getUnsignedLong(long... index) {
    return elements.unsignedLongAt(number(index));
  }

  /** Returns the value of any integer. */
  public BigInteger getBigInteger(long... index) {
    return elements.bigIntegerAt(number(index));
  }

  /** Returns the value of a float, except {@code float64}, or of an integer of up to 16 bits. */
  public float getFloat(long... index) {
    return elements.floatAt(number(index));
  }

  /** Returns the value of a float, or of an integer of up to 32 bits. */
  public double getDouble(long... index) {
    return elements.doubleAt(number(index));
  }

  /** Returns the real part of a complex number. */
  public double getReal(long... index) {
    return elements.realAt(number(index));
  }

  /** Returns the imaginary part of a complex number. */
  public double getImag(long... index) {
    return elements.imagAt(number(index));
  }

  /** Returns the time of a {@code numpy.datetime64}, as {@link Datetime64Type#toInstant} does. */
  public Instant getInstant(long... index) {
    return elements.instantAt(number(index));
  }

  /** Returns the length of a {@code numpy.timedelta64}: {@link Timedelta64Type#toDuration}. */
  public Duration getDuration(long... index) {
    return elements.durationAt(number(index));
  }

  /** Returns the text of a {@code string} or a {@code fixed_length_utf32}. */
  public String getString(long... index) {
    return elements.stringAt(number(index));
  }

  /** Returns a {@code bytes}, or a {@code null_terminated_bytes} without its padding. */
  public Bytes getByteString(long... index) {
    return elements.byteStringAt(number(index));
  }

  /** Returns an {@code ndarray}, or a list of Zarr v2's {@code vlen-array}. */
  public NdArray getList(long... index) {
    Elements items = elements.listAt(number(index));
    return new NdArray(Shape.of(((ListType) dataType()).shape(items.count())), items);
  }

  /** Returns the bytes of any element except {@code string} and JSON, components little-endian. */
  public Bytes getRaw(long... index) {
    return elements.rawAt(number(index));
  }

  /** Returns a copy of the values of a {@code bool} array, in C order. */
  public boolean[] toBooleanArray() {
    return packed().toBooleanArray();
  }

  /** Returns a copy of the values of {@code int8}, in C order. */
  public byte[] toByteArray() {
    return packed().toByteArray();
  }

  /** Returns a copy of the values of {@code int8}, {@code int16} or {@code uint8}, in C order. */
  public short[] toShortArray() {
    return packed().toShortArray();
  }

  /** Returns a copy of the values of integers of up to 32 bits, except {@code uint32}. */
  public int[] toIntArray() {
    return packed().toIntArray();
  }

  /** Returns a copy of the values of integers, except {@code uint64}, or of the counts of times. */
  public long[] toLongArray() {
    return packed().toLongArray();
  }

  /** Returns a copy of the values of floats of up to 32 bits, or of integers of up to 16 bits. */
  public float[] toFloatArray() {
    return packed().toFloatArray();
  }

  /** Returns a copy of the values of floats, or of integers of up to 32 bits, in C order. */
  public double[] toDoubleArray() {
    return packed().toDoubleArray();
  }

  /**
   * Returns the floats of 32 bits that are nearest to the values that {@link #toDoubleArray}
   * returns; those beyond are infinite.
   */
  public float[] toNearestFloatArray() {
    double[] exact = toDoubleArray();
    float[] nearest = new float[exact.length];
    for (int i = 0; i < nearest.length; i++) {
      nearest[i] = (float) exact[i];
    }
    return nearest;
  }

  /** Returns the times in C order, each as {@link #getInstant} returns it. */
  public Instant[] toInstantArray() {
    NdArray flat = reshape(Shape.of(shape.elementCount().longValueExact()));
    Instant[] times = new Instant[(int) flat.shape.extent(0)];
    Arrays.setAll(times, flat::getInstant);
    return times;
  }

  /** Returns a copy of the real and imaginary parts in turn, for parts of up to 32 bits. */
  public float[] toComplexFloatArray() {
    return packed().toComplexFloatArray();
  }

  /** Returns a copy of the real and imaginary parts of complex numbers in turn. */
  public double[] toComplexDoubleArray() {
    return packed().toComplexDoubleArray();
  }

  /** Returns the texts of {@code string} or {@code fixed_length_utf32}, in C order. */
  public String[] toStringArray() {
    return packed().toStringArray();
  }

  /**
   * Returns a copy of the rows of a matrix, each as {@link #toIntArray} returns it. The other
   * {@code to...2d} and {@code to...3d} methods do the same.
   *
   * @throws IllegalArgumentException if the array has another rank
   */
  public int[][] toInt2d() {
    return rows(2, int[].class, NdArray::toIntArray);
  }

  /** Returns a copy of the rows of a matrix. */
  public long[][] toLong2d() {
    return rows(2, long[].class, NdArray::toLongArray);
  }

  /** Returns a copy of the rows of a matrix. */
  public float[][] toFloat2d() {
    return rows(2, float[].class, NdArray::toFloatArray);
  }

  /** Returns a copy of the rows of a matrix. */
  public double[][] toDouble2d() {
    return rows(2, double[].class, NdArray::toDoubleArray);
  }

  /** Returns a copy of the rows of the matrices of a stack. */
  public float[][][] toFloat3d() {
    return rows(3, float[][].class, NdArray::toFloat2d);
  }

  /** Returns a copy of the rows of the matrices of a stack. */
  public double[][][] toDouble3d() {
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

  /** Returns an element, by its number in C order, in the form of a fill value of its bits. */
  public JsonValue toJson(int element) {
    return elements.toJson(layout == null ? element : layout.numberAt(element));
  }

  /** Returns a read-only buffer with the images of any data type of fixed length, little-endian. */
  public ByteBuffer asByteBuffer() {
    return bytes().asByteBuffer();
  }

  /**
   * Returns a read-only buffer with the bits of {@code int16}, {@code uint16} or floats of 16 bits.
   */
  public ShortBuffer asShortBuffer() {
    return packed()
        .view("shorts", DataTypes.INT16, DataTypes.UINT16, DataTypes.FLOAT16, DataTypes.BFLOAT16)
        .asShortBuffer();
  }

  /** Returns a read-only buffer with the bits of {@code int32} or {@code uint32}. */
  public IntBuffer asIntBuffer() {
    return packed().view("ints", DataTypes.INT32, DataTypes.UINT32).asIntBuffer();
  }

  /** Returns a read-only buffer with the bits of {@code int64} or {@code uint64}. */
  public LongBuffer asLongBuffer() {
    return packed().view("longs", DataTypes.INT64, DataTypes.UINT64).asLongBuffer();
  }

  /**
   * Returns a read-only buffer with the bits of {@code float32}, or of the parts of {@code
   * complex64}.
   */
  public FloatBuffer asFloatBuffer() {
    return packed().view("floats", DataTypes.FLOAT32, DataTypes.COMPLEX64).asFloatBuffer();
  }

  /**
   * Returns a read-only buffer with the bits of {@code float64}, or of the parts of {@code
   * complex128}.
   */
  public DoubleBuffer asDoubleBuffer() {
    return packed().view("doubles", DataTypes.FLOAT64, DataTypes.COMPLEX128).asDoubleBuffer();
  }

  /** Compares the data type, the shape, and the bits or objects, in C order. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof NdArray that
        && shape.equals(that.shape)
        && packed().equals(that.packed());
  }

  @Override
  public int hashCode() {
    return 31 * shape.hashCode() + packed().hashCode();
  }

  /**
   * Returns the selected elements, in the selection's shape. Indices and slices make a view; lists
   * of indices, masks and points copy.
   *
   * @param selection for example {@code Selection.parse("0:10,::2")}
   * @throws IllegalArgumentException if the selection does not fit the shape
   */
  public NdArray slice(Selector selection) {
    ResolvedSelection resolved = selection.resolve(shape);
    if (!resolved.isWithin(shape)) {
      throw new IllegalArgumentException(
          "the selection " + resolved + " is not of an array of shape " + shape);
    }
    Layout part = layout().select(resolved);
    return part == null ? taken(resolved) : view(elements, part);
  }

  private NdArray taken(ResolvedSelection selection) {
    ElementMemory memory = ElementMemory.allocate(dataType(), selection.shape());
    int[] numbers = memory.count() == 0 ? new int[0] : layout().numbers(selection);
    for (int i = 0; i < numbers.length; i++) {
      elements.copyTo(numbers[i], 1, 1, memory.array(), memory.slot(i));
    }
    return memory.toNdArray(selection.shape());
  }

  /** Returns the elements at one index of the first dimension. */
  private NdArray row(long index) {
    Axis[] axes = new Axis[shape.rank()];
    Arrays.setAll(axes, d -> new Axis.Range(0, shape.extent(d), 1, false));
    axes[0] = new Axis.Range(index, 1, 1, true);
    return slice(any -> new ResolvedSelection.Orthogonal(List.of(axes)));
  }

  /**
   * Returns a view with the dimensions in another order: dimension {@code i} of the view is
   * dimension {@code order[i]} of this array. Without an order the dimensions are reversed.
   *
   * @throws IllegalArgumentException if the order is not a permutation of the dimensions
   */
  public NdArray transpose(int... order) {
    int rank = shape.rank();
    int[] dimensions =
        order.length > 0 ? order : IntStream.range(0, rank).map(d -> rank - 1 - d).toArray();
    if (!Arrays.equals(
        Arrays.stream(dimensions).sorted().toArray(), IntStream.range(0, rank).toArray())) {
      throw new IllegalArgumentException(
          Arrays.toString(order) + " is not a permutation of the dimensions 0 to " + (rank - 1));
    }
    return view(elements, layout().dimensions(dimensions));
  }

  /** Returns a view without the dimensions of extent 1. */
  public NdArray squeeze() {
    int[] kept = IntStream.range(0, shape.rank()).filter(dim -> shape.extent(dim) != 1).toArray();
    return view(elements, layout().dimensions(kept));
  }

  /**
   * Returns a view with a further dimension of extent 1.
   *
   * @param axis the number of the new dimension, from 0 to the rank of this array
   * @throws IndexOutOfBoundsException for any other number
   */
  public NdArray newAxis(int axis) {
    Objects.checkIndex(axis, shape.rank() + 1);
    IntStream before = IntStream.range(0, axis);
    IntStream after = IntStream.concat(IntStream.of(-1), IntStream.range(axis, shape.rank()));
    return view(elements, layout().dimensions(IntStream.concat(before, after).toArray()));
  }

  /**
   * Returns a view with this array repeated, by NumPy's rules: along each dimension of extent 1,
   * and along further dimensions in front. The shape may be of any size; elements that are all
   * needed at once, as {@link #bytes} needs them, must fit into memory.
   *
   * @throws IllegalArgumentException if the shapes differ in another way
   */
  public NdArray broadcastTo(Shape target) {
    return shape.equals(target) ? this : view(elements, layout().broadcast(target));
  }

  /**
   * Returns the values of one field of a {@code struct} array, as a view of the same shape.
   *
   * @throws IllegalArgumentException if the data type has no such field
   */
  public NdArray field(String name) {
    return view(elements.field(name), layout());
  }

  /**
   * Returns the values of an array of an {@link OptionalType}, which are zero or empty where they
   * are missing. Of images it is a view.
   *
   * @throws UnsupportedOperationException for any other data type
   */
  public NdArray values() {
    return view(elements.inner(), layout());
  }

  /**
   * Returns an array of {@code bool} that is true for each element of an {@link OptionalType} that
   * is there.
   *
   * @throws UnsupportedOperationException for any other data type
   */
  public NdArray validity() {
    return view(elements.validity(), layout());
  }

  /**
   * Returns the numbers in another integer or float type; of {@code bool}, 0 and 1. Integers are
   * rounded towards zero, floats to the nearest number and ties to even.
   *
   * @throws ArithmeticException for a number outside of the type's range, and for NaN and
   *     infinities in a type without them; the message says the element's index
   * @throws UnsupportedOperationException for any other data type
   */
  public NdArray cast(DataType type) {
    return NdArrayCast.cast(this, type);
  }

  /**
   * Returns the same elements in C order with another shape. Only an array that is not {@linkplain
   * #isContiguous contiguous} is copied.
   *
   * @throws IllegalArgumentException if the number of elements differs
   */
  public NdArray reshape(Shape other) {
    if (!other.elementCount().equals(shape.elementCount())) {
      throw new IllegalArgumentException(
          "an array of shape " + shape + " cannot have shape " + other);
    }
    return new NdArray(other, packed());
  }

  /**
   * Returns an array of the same elements that is contiguous: this array if it is, otherwise a copy
   * with memory of its own.
   */
  public NdArray toContiguous() {
    return isContiguous() ? this : new NdArray(shape, packed());
  }

  /**
   * Returns a text for people: the data type and the shape, and below them the elements as NumPy
   * prints them. Of more than 1000 elements it shows the first and the last few of each dimension.
   */
  @Override
  public String toString() {
    NdArray printed = this;
    if (shape.rank() > NdArrayPrinter.MOST_DIMENSIONS && !shape.isEmpty()) {
      printed = reshape(Shape.of(shape.elementCountUpTo(Integer.MAX_VALUE)));
    }
    String text = NdArrayPrinter.print(printed.elements, printed.layout());
    return dataType() + " " + shape + "\n" + text;
  }
}
