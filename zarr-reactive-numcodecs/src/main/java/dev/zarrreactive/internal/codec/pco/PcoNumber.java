package dev.zarrreactive.internal.codec.pco;

import dev.zarrreactive.datatype.ComplexType;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FloatFormat;
import dev.zarrreactive.datatype.TimeType;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A type of numbers of the format. Each number is one unsigned integer of as many bits, its latent
 * number, in the same order: signed integers move up by half of the range, and of floats the sign
 * is toggled, of negative ones every bit.
 */
enum PcoNumber {
  UINT32(1, 32, Kind.UNSIGNED, 0),
  UINT64(2, 64, Kind.UNSIGNED, 0),
  INT32(3, 32, Kind.SIGNED, 0),
  INT64(4, 64, Kind.SIGNED, 0),
  FLOAT32(5, 32, Kind.FLOAT, 23),
  FLOAT64(6, 64, Kind.FLOAT, 52),
  UINT16(7, 16, Kind.UNSIGNED, 0),
  INT16(8, 16, Kind.SIGNED, 0),
  FLOAT16(9, 16, Kind.FLOAT, 10),
  UINT8(10, 8, Kind.UNSIGNED, 0),
  INT8(11, 8, Kind.SIGNED, 0);

  private enum Kind {
    UNSIGNED,
    SIGNED,
    FLOAT
  }

  private static final VarHandle SHORTS =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final Map<DataType, PcoNumber> BY_TYPE =
      Map.ofEntries(
          Map.entry(DataTypes.UINT8, UINT8),
          Map.entry(DataTypes.UINT16, UINT16),
          Map.entry(DataTypes.UINT32, UINT32),
          Map.entry(DataTypes.UINT64, UINT64),
          Map.entry(DataTypes.INT8, INT8),
          Map.entry(DataTypes.INT16, INT16),
          Map.entry(DataTypes.INT32, INT32),
          Map.entry(DataTypes.INT64, INT64),
          Map.entry(DataTypes.FLOAT16, FLOAT16),
          Map.entry(DataTypes.FLOAT32, FLOAT32),
          Map.entry(DataTypes.FLOAT64, FLOAT64));

  private final int code;
  private final int bits;
  private final Kind kind;
  private final int mantissaBits;

  /** What differs between a number and its latent number, in the upper half of the latter. */
  private final long ofUpper;

  private final long ofLower;

  PcoNumber(int code, int bits, Kind kind, int mantissaBits) {
    this.code = code;
    this.bits = bits;
    this.kind = kind;
    this.mantissaBits = mantissaBits;
    this.ofUpper = kind == Kind.UNSIGNED ? 0 : 1L << (bits - 1);
    this.ofLower = kind == Kind.FLOAT ? mask(bits) : ofUpper;
  }

  /** Returns the numbers of a data type, of a complex one its parts; null for another type. */
  static @Nullable PcoNumber of(DataType type) {
    if (type instanceof TimeType) {
      return INT64;
    }
    return BY_TYPE.get(type instanceof ComplexType complex ? complex.component() : type);
  }

  /** The number that stands for the type in a file. */
  int code() {
    return code;
  }

  int bits() {
    return bits;
  }

  int bytes() {
    return bits / 8;
  }

  boolean isFloat() {
    return kind == Kind.FLOAT;
  }

  /** The bits of a float behind the point. */
  int mantissaBits() {
    return mantissaBits;
  }

  /** Returns the number of bits that a latent number can be wide, of ones. */
  long mask() {
    return mask(bits);
  }

  static long mask(int bits) {
    return bits == Long.SIZE ? -1 : (1L << bits) - 1;
  }

  /** The latent number in the middle of the range, which stands for 0. */
  long middle() {
    return 1L << (bits - 1);
  }

  /** Returns the bits of the number with a latent number. */
  private long toBits(long latent) {
    return latent ^ ((latent & middle()) != 0 ? ofUpper : ofLower);
  }

  private long toLatent(long image) {
    return image ^ ((image & middle()) != 0 ? ofLower : ofUpper);
  }

  /** Stores the numbers with the first latent numbers, one after the other. */
  void put(byte[] array, int offset, long[] latents, int count) {
    switch (bits) {
      case 8 -> {
        for (int i = 0; i < count; i++) {
          array[offset + i] = (byte) toBits(latents[i]);
        }
      }
      case 16 -> {
        for (int i = 0; i < count; i++) {
          SHORTS.set(array, offset + 2 * i, (short) toBits(latents[i]));
        }
      }
      case 32 -> {
        for (int i = 0; i < count; i++) {
          INTS.set(array, offset + 4 * i, (int) toBits(latents[i]));
        }
      }
      default -> {
        for (int i = 0; i < count; i++) {
          LONGS.set(array, offset + 8 * i, toBits(latents[i]));
        }
      }
    }
  }

  /** Returns the latent number of a stored number. */
  long get(byte[] array, int offset) {
    return toLatent(
        switch (bits) {
          case 8 -> array[offset] & 0xffL;
          case 16 -> (short) SHORTS.get(array, offset) & 0xffffL;
          case 32 -> (int) INTS.get(array, offset) & 0xffff_ffffL;
          default -> (long) LONGS.get(array, offset);
        });
  }

  /**
   * Returns the latent number of the product of a whole float and {@code base}. Whole floats are
   * counted from the middle on: up to the greatest of which all before are floats by ones, then by
   * the floats that follow, infinity and the NaNs among them.
   *
   * @param base the bits of a float
   */
  long multiple(long whole, long base) {
    boolean isNegative = Long.compareUnsigned(whole, middle()) < 0;
    long magnitude = isNegative ? middle() - 1 - whole : whole - middle();
    long all = 1L << (mantissaBits + 1);
    long sign = isNegative ? middle() : 0;
    return toLatent(
        switch (this) {
          case FLOAT16 -> {
            FloatFormat format = FloatFormat.FLOAT16;
            long image =
                sign
                    | (magnitude < all
                        ? format.nearest((double) magnitude)
                        : format.nearest((double) all) + magnitude - all);
            double product = format.toDouble(image) * format.toDouble(base);
            yield Double.isNaN(product)
                ? (image & mask()) | (1L << (mantissaBits - 1))
                : format.nearest(product);
          }
          case FLOAT32 -> {
            int image =
                magnitude < all
                    ? Float.floatToRawIntBits((float) magnitude)
                    : (int) (Float.floatToRawIntBits((float) all) + magnitude - all);
            float product =
                Float.intBitsToFloat(image | (int) sign) * Float.intBitsToFloat((int) base);
            yield Float.floatToRawIntBits(product) & mask();
          }
          default -> {
            long image =
                magnitude < all
                    ? Double.doubleToRawLongBits((double) magnitude)
                    : Double.doubleToRawLongBits((double) all) + magnitude - all;
            yield Double.doubleToRawLongBits(
                Double.longBitsToDouble(image | sign) * Double.longBitsToDouble(base));
          }
        });
  }

  /** Returns the bits of the float that multiples are of, which is finite and not 0. */
  long base(long latent) {
    long base = toBits(latent);
    long magnitude = base & ~middle();
    long infinity = mask(bits - 1 - mantissaBits) << mantissaBits;
    if (magnitude == 0 || magnitude >= infinity) {
      throw new CodecException(
          "the data is damaged: multiples of 0 or of no finite number", Location.UNKNOWN);
    }
    return base;
  }
}
