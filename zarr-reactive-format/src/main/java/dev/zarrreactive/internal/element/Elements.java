package dev.zarrreactive.internal.element;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.Datetime64Type;
import dev.zarrreactive.datatype.FixedLengthUtf32Type;
import dev.zarrreactive.datatype.Timedelta64Type;
import dev.zarrreactive.datatype.VariableLengthType;
import dev.zarrreactive.json.JsonValue;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;

/**
 * The elements of an array's memory by their number, from 0. Values are exact: an accessor that
 * would lose information of the data type throws {@link UnsupportedOperationException}, which names
 * the right one. No accessor boxes values. Immutable.
 *
 * <p>The elements are packed, or they lie at equal distances: the values of one field of structs.
 * The bulk methods ({@code toIntArray}, {@link #bytes}, {@link #view}) are for packed elements.
 */
public abstract sealed class Elements permits ImageElements, VariableLengthElements {
  static final String OF_OPTIONAL = "values() and validity()";

  /** The text of a missing element, which is Python's. */
  static final String MISSING = "None";

  private final DataType dataType;
  private final int count;

  Elements(DataType dataType, int count) {
    this.dataType = dataType;
    this.count = count;
  }

  /**
   * Returns packed elements of fixed length.
   *
   * @param bytes their images, little-endian, which become the elements' memory
   */
  public static Elements of(DataType dataType, Bytes bytes) {
    return ImageElements.of(dataType, bytes, dataType.itemSize());
  }

  /**
   * Returns elements of variable length.
   *
   * @param values the elements, which become the elements' memory
   */
  public static Elements of(VariableLengthType dataType, Object[] values) {
    return new VariableLengthElements(dataType, values);
  }

  /** The number of elements. */
  public final int count() {
    return count;
  }

  /**
   * The element's bytes, each component little-endian, for any data type except {@code string} and
   * JSON values.
   */
  public abstract Bytes rawAt(int element);

  /** The element in the form that a fill value of the same bits has, for any data type. */
  public abstract JsonValue toJson(int element);

  /** The value of a {@code bool}: false for the byte 0, true for any other. */
  public boolean booleanAt(int element) {
    throw refused("a boolean");
  }

  /** The value of an {@code int8}. */
  public byte byteAt(int element) {
    throw refused("a byte");
  }

  /** The value of an {@code int8}, {@code int16} or {@code uint8}. */
  public short shortAt(int element) {
    throw refused("a short");
  }

  /** The value of an integer of up to 32 bits, except {@code uint32}. */
  public int intAt(int element) {
    throw refused("an int");
  }

  /** The value of an integer, except {@code uint64}, or the count of a time. */
  public long longAt(int element) {
    throw refused("a long");
  }

  /** The value of an unsigned integer. A {@code uint64} above 2^63 is negative. */
  public long unsignedLongAt(int element) {
    throw refused("an unsigned long");
  }

  /** The value of any integer. */
  public BigInteger bigIntegerAt(int element) {
    throw refused("a BigInteger");
  }

  /** The value of a float, except {@code float64}, or of an integer of up to 16 bits. */
  public float floatAt(int element) {
    throw refused("a float");
  }

  /** The value of a float, or of an integer of up to 32 bits. */
  public double doubleAt(int element) {
    throw refused("a double");
  }

  /** The real part of a complex number. */
  public double realAt(int element) {
    throw refused("a complex number");
  }

  /** The imaginary part of a complex number. */
  public double imagAt(int element) {
    throw refused("a complex number");
  }

  /**
   * The point in time of a {@code numpy.datetime64}, as {@link Datetime64Type#toInstant} returns
   * it.
   */
  public Instant instantAt(int element) {
    throw refused("an Instant");
  }

  /**
   * The length of time of a {@code numpy.timedelta64}, as {@link Timedelta64Type#toDuration}
   * returns it.
   */
  public Duration durationAt(int element) {
    throw refused("a Duration");
  }

  /**
   * The text of a {@code string}, or of a {@code fixed_length_utf32} as {@link
   * FixedLengthUtf32Type#toText} returns it.
   */
  public String stringAt(int element) {
    throw refused("a String");
  }

  /**
   * The byte string of a {@code bytes}, or of a {@code null_terminated_bytes} without its padding.
   */
  public Bytes byteStringAt(int element) {
    throw refused("a byte string");
  }

  /** The items of a list of Zarr v2's {@code vlen-array}. */
  public Elements listAt(int element) {
    throw refused("a list");
  }

  /** Returns the values of one field of a {@code struct}, in the same memory. */
  public Elements field(String name) {
    throw refused("fields");
  }

  /** Returns the values of an optional type, in the same memory if they have images. */
  public Elements inner() {
    throw refused("optional values");
  }

  /** Returns which elements of an optional type are there, as {@code bool}. */
  public Elements validity() {
    throw refused("a validity");
  }

  public boolean[] toBooleanArray() {
    throw refused("booleans");
  }

  public byte[] toByteArray() {
    throw refused("bytes");
  }

  public short[] toShortArray() {
    throw refused("shorts");
  }

  public int[] toIntArray() {
    throw refused("ints");
  }

  public long[] toLongArray() {
    throw refused("longs");
  }

  public float[] toFloatArray() {
    throw refused("floats");
  }

  public double[] toDoubleArray() {
    throw refused("doubles");
  }

  public float[] toComplexFloatArray() {
    throw refused("complex numbers of floats");
  }

  public double[] toComplexDoubleArray() {
    throw refused("complex numbers of doubles");
  }

  public String[] toStringArray() {
    throw refused("Strings");
  }

  /** Returns {@link #stringAt} of every element. */
  final String[] allStrings() {
    String[] strings = new String[count];
    for (int i = 0; i < count; i++) {
      strings[i] = stringAt(i);
    }
    return strings;
  }

  /** Returns true if the printer aligns the texts of elements in columns. */
  public boolean inColumns() {
    return true;
  }

  /** The accessors that support the data type, for messages. */
  abstract String right();

  /** Returns the text that NumPy prints. */
  public abstract String text(int element);

  /** Returns the bits for a view that only {@code types} have. */
  public ByteBuffer view(String what, DataType... types) {
    throw refused(what);
  }

  /** The images of all elements, one after the other. */
  public Bytes bytes() {
    throw refused("images");
  }

  /** The elements of variable length: the memory itself. */
  public Object[] values() {
    throw refused("objects");
  }

  /** Returns true if the elements follow each other in memory. */
  public boolean isPacked() {
    return true;
  }

  /** Returns a part of the elements. Images stay in the same memory. */
  public abstract Elements part(int first, int count);

  /**
   * Copies elements at equal distances.
   *
   * @param first the number of the first element
   * @param stride the difference of the numbers of two elements: 0 repeats the first
   * @param count how many elements
   * @param target a {@code byte[]} for images, an {@code Object[]} for elements of variable length
   * @param at the index of the first copy in {@code target}
   */
  public abstract void copyTo(int first, int stride, int count, Object target, int at);

  final UnsupportedOperationException refused(String what) {
    return new UnsupportedOperationException(
        dataType + " cannot be read as " + what + " without loss; use " + right());
  }

  /** The type of the elements. */
  public final DataType dataType() {
    return dataType;
  }
}
