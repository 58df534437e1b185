package dev.zarrreactive.datatype;

import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.json.LocatedJson;
import java.math.BigInteger;
import java.util.List;

/**
 * Integers: {@code int8} to {@code int64}, {@code uint8} to {@code uint64}, {@code int2}, {@code
 * int4}, {@code uint2} and {@code uint4}. An element of 2 or 4 bits has its own byte, whose upper
 * bits are ignored. A fill value has the sign in these bits.
 *
 * @param bits 2, 4, 8, 16, 32 or 64
 * @param signed true for two's complement
 */
public record IntegerType(int bits, boolean signed) implements DataType {
  /** Checks the number of bits. */
  public IntegerType {
    if (bits < 2 || bits > 64 || Integer.bitCount(bits) != 1) {
      throw new IllegalArgumentException("an integer has 2, 4, 8, 16, 32 or 64 bits, not " + bits);
    }
  }

  @Override
  public String name() {
    return (signed ? "int" : "uint") + bits;
  }

  @Override
  public int itemSize() {
    return Math.max(1, bits / Byte.SIZE);
  }

  @Override
  public boolean hasByteOrder() {
    return itemSize() > 1;
  }

  @Override
  public List<Components> components() {
    return List.of(new Components(itemSize(), 1));
  }

  /** The smallest value. */
  public BigInteger min() {
    return signed ? BigInteger.ONE.shiftLeft(bits - 1).negate() : BigInteger.ZERO;
  }

  /** The largest value. */
  public BigInteger max() {
    return BigInteger.ONE.shiftLeft(signed ? bits - 1 : bits).subtract(BigInteger.ONE);
  }

  @Override
  public FillValue parseFillValue(LocatedJson json) {
    if (!(json.value() instanceof JsonNumber number)
        || !number.isInteger()
        || number.toBigInteger().compareTo(min()) < 0
        || number.toBigInteger().compareTo(max()) > 0) {
      throw json.expected(
          "a fill value of " + name() + ": an integer from " + min() + " to " + max());
    }
    byte[] image = new byte[itemSize()];
    Images.put(image, 0, image.length, number.toBigInteger().longValue());
    return FillValue.of(this, image);
  }

  /** Returns the value at {@code offset}. A {@code uint64} above 2^63 is negative. */
  public long toLong(byte[] image, int offset) {
    long raw = Images.get(image, offset, itemSize());
    int unused = Long.SIZE - bits;
    return signed ? raw << unused >> unused : raw << unused >>> unused;
  }

  @Override
  public JsonValue toJson(byte[] image, int offset) {
    long value = toLong(image, offset);
    return new JsonNumber(signed ? Long.toString(value) : Long.toUnsignedString(value));
  }

  @Override
  public String toString() {
    return name();
  }
}
