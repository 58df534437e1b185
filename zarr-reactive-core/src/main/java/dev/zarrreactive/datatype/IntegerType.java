package dev.zarrreactive.datatype;

import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.json.LocatedJson;
import java.math.BigInteger;

/**
 * {@code int8} to {@code int64} and {@code uint8} to {@code uint64}.
 *
 * @param bits 8, 16, 32 or 64
 * @param signed true for two's complement
 */
public record IntegerType(int bits, boolean signed) implements DataType {
  /** The type of so many bits. */
  public IntegerType {
    if (bits != 8 && bits != 16 && bits != 32 && bits != 64) {
      throw new IllegalArgumentException("an integer has 8, 16, 32 or 64 bits, not " + bits);
    }
  }

  @Override
  public String name() {
    return (signed ? "int" : "uint") + bits;
  }

  @Override
  public int itemSize() {
    return bits / Byte.SIZE;
  }

  @Override
  public int componentSize() {
    return itemSize();
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

  /** The value at {@code offset}; that of a {@code uint64} above 2^63 comes out negative. */
  public long toLong(byte[] image, int offset) {
    long raw = Images.get(image, offset, itemSize());
    int unused = Long.SIZE - bits;
    return signed ? raw << unused >> unused : raw;
  }

  @Override
  public JsonValue toJson(byte[] image, int offset) {
    long value = toLong(image, offset);
    return new JsonNumber(signed ? Long.toString(value) : Long.toUnsignedString(value));
  }

  @Override
  public JsonValue toMetadata() {
    return new JsonString(name());
  }

  @Override
  public String toString() {
    return name();
  }
}
