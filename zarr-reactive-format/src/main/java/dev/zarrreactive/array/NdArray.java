package dev.zarrreactive.array;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.Datetime64Type;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.datatype.StructType;
import dev.zarrreactive.datatype.Timedelta64Type;
import dev.zarrreactive.datatype.VariableLengthType;
import dev.zarrreactive.internal.element.Elements;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
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
 * <p>{@link #slice}, {@link #transpose}, {@link #squeeze}, {@link #newAxis}, {@link #broadcastTo}
 * and {@link #field} return views, which share the memory of this array and keep it alive. A view
 * has all methods and equals an array of the same elements. Methods that return all elements at
 * once, such as {@link #bytes}, copy a view that is not {@linkplain #isContiguous contiguous} each
 * time: call {@link #toContiguous} once instead.
 */
public final class NdArray extends NdArrayValues {
  NdArray(Shape shape, Elements elements) {
    this(shape, elements, null);
  }

  private NdArray(Shape shape, Elements elements, @Nullable Layout layout) {
    super(shape, elements, layout);
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

  /** Returns an array of {@code complex64}, from real and imaginary parts in turn. */
  public static NdArray ofComplex(Shape shape, float... parts) {
    return NdArrayFactory.complex(shape, parts);
  }

  /** Returns an array of {@code complex128}, from real and imaginary parts in turn. */
  public static NdArray ofComplex(Shape shape, double... parts) {
    return NdArrayFactory.complex(shape, parts);
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

  @Override
  NdArray row(long index) {
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
