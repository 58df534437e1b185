package dev.zarrreactive.internal.codec.zfp;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.TimeType;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The elements of a chunk as numbers of zfp. Small integers are moved to the upper bits of 32, as
 * zfp's functions for that do; unsigned ones of full size end at the greatest signed one, as in
 * zarrs.
 */
enum ZfpElements {
  INT8(ZfpScalar.INT32, 1),
  UINT8(ZfpScalar.INT32, 1),
  INT16(ZfpScalar.INT32, 2),
  UINT16(ZfpScalar.INT32, 2),
  INT32(ZfpScalar.INT32, 4),
  UINT32(ZfpScalar.INT32, 4),
  INT64(ZfpScalar.INT64, 8),
  UINT64(ZfpScalar.INT64, 8),
  FLOAT32(ZfpScalar.FLOAT32, 4),
  FLOAT64(ZfpScalar.FLOAT64, 8);

  static final VarHandle SHORTS =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
  static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final Map<DataType, ZfpElements> BY_TYPE =
      Map.of(
          DataTypes.INT8, INT8,
          DataTypes.UINT8, UINT8,
          DataTypes.INT16, INT16,
          DataTypes.UINT16, UINT16,
          DataTypes.INT32, INT32,
          DataTypes.UINT32, UINT32,
          DataTypes.INT64, INT64,
          DataTypes.UINT64, UINT64,
          DataTypes.FLOAT32, FLOAT32,
          DataTypes.FLOAT64, FLOAT64);

  private final ZfpScalar scalar;
  private final int size;

  ZfpElements(ZfpScalar scalar, int size) {
    this.scalar = scalar;
    this.size = size;
  }

  /** Returns the elements of a data type, or null for a type that zfp does not store. */
  static @Nullable ZfpElements of(DataType type) {
    return type instanceof TimeType ? INT64 : BY_TYPE.get(type);
  }

  ZfpScalar scalar() {
    return scalar;
  }

  /** Returns true if zfp stores the elements as they are. */
  boolean isNative() {
    return this == INT32 || this == INT64 || scalar.isFloat();
  }

  /** Returns the number of the first element that is NaN or infinite; -1 without such a one. */
  int firstNonFinite(Bytes image, int count) {
    byte[] bytes = image.unsafeArray();
    for (int i = 0; scalar.isFloat() && i < count; i++) {
      int at = image.unsafeOffset() + i * size;
      boolean isFinite =
          this == FLOAT32
              ? ((int) INTS.get(bytes, at) & 0x7f80_0000) != 0x7f80_0000
              : Double.isFinite(Double.longBitsToDouble((long) LONGS.get(bytes, at)));
      if (!isFinite) {
        return i;
      }
    }
    return -1;
  }

  /** Copies a row of elements to a block; floats as their bits. */
  void gather(byte[] elements, int offset, long[] block, int index, int count) {
    for (int i = 0; i < count; i++) {
      int at = offset + i * size;
      block[index + i] =
          switch (this) {
            case INT8 -> elements[at] << 23;
            case UINT8 -> ((elements[at] & 0xff) - 0x80) << 23;
            case INT16 -> (short) SHORTS.get(elements, at) << 15;
            case UINT16 -> (((short) SHORTS.get(elements, at) & 0xffff) - 0x8000) << 15;
            case INT32, FLOAT32 -> (int) INTS.get(elements, at);
            case UINT32 -> Math.min((int) INTS.get(elements, at) & 0xffff_ffffL, Integer.MAX_VALUE);
            case INT64, FLOAT64 -> (long) LONGS.get(elements, at);
            case UINT64 ->
                (long) LONGS.get(elements, at) < 0
                    ? Long.MAX_VALUE
                    : (long) LONGS.get(elements, at);
          };
    }
  }

  /** Copies a row of a block to the elements. */
  void scatter(long[] block, int index, byte[] elements, int offset, int count) {
    for (int i = 0; i < count; i++) {
      int at = offset + i * size;
      long value = block[index + i];
      switch (this) {
        case INT8 -> elements[at] = (byte) clamp((int) value >> 23, Byte.MIN_VALUE, Byte.MAX_VALUE);
        case UINT8 -> elements[at] = (byte) clamp(((int) value >> 23) + 0x80, 0, 0xff);
        case INT16 ->
            SHORTS.set(
                elements, at, (short) clamp((int) value >> 15, Short.MIN_VALUE, Short.MAX_VALUE));
        case UINT16 ->
            SHORTS.set(elements, at, (short) clamp(((int) value >> 15) + 0x8000, 0, 0xffff));
        case INT32, FLOAT32 -> INTS.set(elements, at, (int) value);
        case UINT32 -> INTS.set(elements, at, Math.max((int) value, 0));
        case INT64, FLOAT64 -> LONGS.set(elements, at, value);
        case UINT64 -> LONGS.set(elements, at, Math.max(value, 0));
      }
    }
  }

  private static int clamp(int value, int least, int greatest) {
    return Math.max(least, Math.min(value, greatest));
  }
}
