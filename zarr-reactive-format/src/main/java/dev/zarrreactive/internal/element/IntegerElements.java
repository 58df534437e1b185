package dev.zarrreactive.internal.element;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.IntegerType;
import java.math.BigInteger;

/** Integers of 2 to 64 bits. Padding bits above the type's are ignored. */
final class IntegerElements extends ImageElements {
  private final int bits;
  private final boolean signed;

  /** The bits that a signed type needs to hold every value. */
  private final int signedBits;

  IntegerElements(IntegerType type, Bytes bytes, int pitch) {
    super(type, bytes, pitch);
    this.bits = type.bits();
    this.signed = type.signed();
    this.signedBits = signed ? bits : bits + 1;
  }

  /** The value. A {@code uint64} above 2^63 is negative. */
  private long value(int element) {
    long raw = LittleEndian.get(array(), position(element), dataType().itemSize());
    int unused = Long.SIZE - bits;
    return signed ? raw << unused >> unused : raw << unused >>> unused;
  }

  private void require(boolean fits, String what) {
    if (!fits) {
      throw refused(what);
    }
  }

  @Override
  public byte byteAt(int element) {
    require(signedBits <= Byte.SIZE, "a byte");
    return (byte) value(element);
  }

  @Override
  public short shortAt(int element) {
    require(signedBits <= Short.SIZE, "a short");
    return (short) value(element);
  }

  @Override
  public int intAt(int element) {
    require(signedBits <= Integer.SIZE, "an int");
    return (int) value(element);
  }

  @Override
  public long longAt(int element) {
    require(signedBits <= Long.SIZE, "a long");
    return value(element);
  }

  @Override
  public long unsignedLongAt(int element) {
    require(!signed, "an unsigned long");
    return value(element);
  }

  @Override
  public BigInteger bigIntegerAt(int element) {
    long value = value(element);
    BigInteger exact = BigInteger.valueOf(value);
    return signed || value >= 0 ? exact : exact.add(BigInteger.ONE.shiftLeft(Long.SIZE));
  }

  @Override
  public float floatAt(int element) {
    require(bits <= Short.SIZE, "a float");
    return value(element);
  }

  @Override
  public double doubleAt(int element) {
    require(bits <= Integer.SIZE, "a double");
    return value(element);
  }

  @Override
  public byte[] toByteArray() {
    require(signedBits <= Byte.SIZE, "bytes");
    byte[] copy = bytes().toByteArray();
    if (bits < Byte.SIZE) {
      for (int i = 0; i < copy.length; i++) {
        copy[i] = (byte) value(i);
      }
    }
    return copy;
  }

  @Override
  public short[] toShortArray() {
    require(signedBits <= Short.SIZE, "shorts");
    short[] copy = new short[count()];
    if (bits == Short.SIZE) {
      bytes().asByteBuffer().asShortBuffer().get(copy);
      return copy;
    }
    for (int i = 0; i < copy.length; i++) {
      copy[i] = (short) value(i);
    }
    return copy;
  }

  @Override
  public int[] toIntArray() {
    require(signedBits <= Integer.SIZE, "ints");
    int[] copy = new int[count()];
    if (bits == Integer.SIZE) {
      bytes().asByteBuffer().asIntBuffer().get(copy);
      return copy;
    }
    for (int i = 0; i < copy.length; i++) {
      copy[i] = (int) value(i);
    }
    return copy;
  }

  @Override
  public long[] toLongArray() {
    require(signedBits <= Long.SIZE, "longs");
    long[] copy = new long[count()];
    if (bits == Long.SIZE) {
      bytes().asByteBuffer().asLongBuffer().get(copy);
      return copy;
    }
    for (int i = 0; i < copy.length; i++) {
      copy[i] = value(i);
    }
    return copy;
  }

  @Override
  public float[] toFloatArray() {
    require(bits <= Short.SIZE, "floats");
    float[] copy = new float[count()];
    for (int i = 0; i < copy.length; i++) {
      copy[i] = value(i);
    }
    return copy;
  }

  @Override
  public double[] toDoubleArray() {
    require(bits <= Integer.SIZE, "doubles");
    double[] copy = new double[count()];
    for (int i = 0; i < copy.length; i++) {
      copy[i] = value(i);
    }
    return copy;
  }

  @Override
  String right() {
    if (signedBits > Long.SIZE) {
      return "getUnsignedLong, getBigInteger or asLongBuffer";
    } else if (signedBits > Integer.SIZE) {
      return "getLong or toLongArray";
    } else if (signedBits > Short.SIZE) {
      return "getInt or toIntArray";
    } else if (signedBits > Byte.SIZE) {
      return "getShort or toShortArray";
    }
    return "getByte or toByteArray";
  }

  @Override
  public String text(int element) {
    long value = value(element);
    return signed ? Long.toString(value) : Long.toUnsignedString(value);
  }
}
