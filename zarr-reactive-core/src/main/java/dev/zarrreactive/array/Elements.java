package dev.zarrreactive.array;

import dev.zarrreactive.datatype.BoolType;
import dev.zarrreactive.datatype.ComplexType;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.FloatType;
import dev.zarrreactive.datatype.IntegerType;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.store.Bytes;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;

/**
 * The elements of an {@link NdArray} by their number in C order, from 0. A value is given exactly
 * or not at all: an accessor that would lose something of the data type's values throws {@link
 * UnsupportedOperationException}, which names the right one. Nothing is boxed.
 */
public abstract sealed class Elements
    permits BoolElements, IntegerElements, FloatElements, ComplexElements, RawElements {
  private final DataType dataType;
  private final Bytes bytes;
  private final int itemSize;
  private final int count;

  Elements(DataType dataType, Bytes bytes) {
    this.dataType = dataType;
    this.bytes = bytes;
    this.itemSize = dataType.itemSize();
    this.count = bytes.size() / itemSize;
  }

  static Elements of(DataType dataType, Bytes bytes) {
    if (dataType instanceof IntegerType integers) {
      return new IntegerElements(integers, bytes);
    } else if (dataType instanceof FloatType floats) {
      return new FloatElements(floats, bytes);
    } else if (dataType instanceof ComplexType complex) {
      return new ComplexElements(complex, bytes);
    } else if (dataType instanceof BoolType) {
      return new BoolElements(dataType, bytes);
    }
    return new RawElements(dataType, bytes);
  }

  /** The number of elements. */
  public final int count() {
    return count;
  }

  /** The element's bytes, each component little-endian. Of any data type. */
  public final Bytes rawAt(int element) {
    return bytes.slice(Objects.checkIndex(element, count) * itemSize, itemSize);
  }

  /** The element in the form that a fill value of the same bits has. Of any data type. */
  public final JsonValue toJson(int element) {
    return dataType.toJson(bytes.unsafeArray(), position(element));
  }

  /** The value of a {@code bool}: true for every byte but 0. */
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

  /** The value of an integer of up to 32 bits, but not of a {@code uint32}. */
  public int intAt(int element) {
    throw refused("an int");
  }

  /** The value of an integer, but not of a {@code uint64}. */
  public long longAt(int element) {
    throw refused("a long");
  }

  /** The value of an unsigned integer; that of a {@code uint64} above 2^63 is negative. */
  public long unsignedLongAt(int element) {
    throw refused("an unsigned long");
  }

  /** The value of any integer. */
  public BigInteger bigIntegerAt(int element) {
    throw refused("a BigInteger");
  }

  /** The value of a {@code float16} or {@code float32}, or of an integer of up to 16 bits. */
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

  boolean[] toBooleanArray() {
    throw refused("booleans");
  }

  byte[] toByteArray() {
    throw refused("bytes");
  }

  short[] toShortArray() {
    throw refused("shorts");
  }

  int[] toIntArray() {
    throw refused("ints");
  }

  long[] toLongArray() {
    throw refused("longs");
  }

  float[] toFloatArray() {
    throw refused("floats");
  }

  double[] toDoubleArray() {
    throw refused("doubles");
  }

  float[] toComplexFloatArray() {
    throw refused("complex numbers of floats");
  }

  double[] toComplexDoubleArray() {
    throw refused("complex numbers of doubles");
  }

  /** The accessors that fit the data type, for messages. */
  abstract String right();

  /** For people, as NumPy prints it. */
  abstract String text(int element);

  /** The bits, for a view that some types only have. */
  final ByteBuffer view(String what, DataType... types) {
    if (!Arrays.asList(types).contains(dataType)) {
      throw refused(what);
    }
    return bytes.asByteBuffer();
  }

  final UnsupportedOperationException refused(String what) {
    return new UnsupportedOperationException(
        dataType + " cannot be read as " + what + " without loss; use " + right());
  }

  final DataType dataType() {
    return dataType;
  }

  final Bytes bytes() {
    return bytes;
  }

  final byte[] array() {
    return bytes.unsafeArray();
  }

  /** Where the element begins in {@link #array()}. */
  final int position(int element) {
    return bytes.unsafeOffset() + Objects.checkIndex(element, count) * itemSize;
  }
}
