package dev.zarrreactive.internal.statistics;

import dev.zarrreactive.array.ElementConversion;
import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.cf.CfDecoding;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.IntegerType;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.internal.element.Float16;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads the decoded elements of a stored chunk in C order as images of doubles, some at a time, so
 * that they never leave the processor's cache. Stored doubles are read where they are.
 */
public final class ElementReader {
  private static final int MOST = 2048;
  private static final long EXACT = 1L << 53;
  private static final VarHandle SHORTS = view(short[].class);
  private static final VarHandle INTS = view(int[].class);
  private static final VarHandle LONGS = view(long[].class);
  private static final VarHandle FLOATS = view(float[].class);
  private static final VarHandle DOUBLES = view(double[].class);

  private final DataType type;
  private final @Nullable ElementConversion conversion;
  private final int storedSize;
  private final byte[] stored;
  private final int begin;
  private final int count;
  private final byte[] images;
  private final ElementMemory decoded;
  private final boolean isInPlace;
  private final byte[] values;
  private final int most;
  private int first;
  private int end;

  /** Creates a reader of elements that are values already. */
  public ElementReader(NdArray elements) {
    this(usual(elements), (ElementConversion) null);
  }

  /**
   * Creates a reader of a chunk's elements.
   *
   * @param decoding of stored elements; null where they are values already
   */
  public ElementReader(@Nullable CfDecoding decoding, NdArray chunk) {
    this(chunk, decoding == null ? Optional.empty() : decoding.conversion());
  }

  private ElementReader(NdArray chunk, Optional<ElementConversion> conversion) {
    this(conversion.isPresent() ? chunk : usual(chunk), conversion.orElse(null));
  }

  private ElementReader(NdArray source, @Nullable ElementConversion conversion) {
    Bytes bytes = source.bytes();
    this.conversion = conversion;
    this.type = conversion == null ? source.dataType() : conversion.target();
    this.storedSize = source.dataType().itemSize();
    this.stored = bytes.unsafeArray();
    this.begin = bytes.unsafeOffset();
    this.count = bytes.size() / storedSize;
    this.isInPlace = conversion == null && type.equals(DataTypes.FLOAT64);
    this.most = isInPlace ? count : Math.min(MOST, count);
    this.values = isInPlace ? stored : new byte[most * Double.BYTES];
    boolean isDirect = conversion == null || type.equals(DataTypes.FLOAT64);
    this.images = isDirect ? values : new byte[most * type.itemSize()];
    this.decoded = ElementMemory.wrap(type, images, 0, isInPlace ? 0 : most);
  }

  private static VarHandle view(Class<?> array) {
    return MethodHandles.byteArrayViewVarHandle(array, ByteOrder.LITTLE_ENDIAN);
  }

  private static NdArray usual(NdArray values) {
    DataType type = values.dataType();
    boolean isUsual =
        type.equals(DataTypes.BOOL)
            || type.equals(DataTypes.FLOAT16)
            || type.equals(DataTypes.FLOAT32)
            || type.equals(DataTypes.FLOAT64)
            || (type instanceof IntegerType integer && integer.bits() >= Byte.SIZE);
    return isUsual ? values : values.cast(DataTypes.FLOAT64);
  }

  /** The number of elements. */
  public int count() {
    return count;
  }

  /** The memory of the values that {@link #load} has read. */
  public byte[] values() {
    return values;
  }

  /** Returns one of the values. */
  public static double value(byte[] values, int at) {
    return (double) DOUBLES.get(values, at);
  }

  /**
   * Reads elements where they are not read yet, and further ones.
   *
   * @param from the first element, not before that of the last call
   * @param wanted the number of elements
   * @return the number of elements from {@code from} on that are there, at most {@code wanted}
   */
  public int load(int from, int wanted) {
    if (from >= end || (from + wanted > end && end < count)) {
      first = from;
      end = Math.min(count, from + most);
      fill(end - first);
    }
    return Math.min(wanted, end - from);
  }

  private void fill(int size) {
    int at = begin + first * storedSize;
    ElementConversion decode = conversion;
    if (isInPlace) {
      return;
    } else if (decode == null) {
      toDoubles(stored, at, size);
    } else {
      decode.convert(stored, at, size, decoded, 0);
      if (!type.equals(DataTypes.FLOAT64)) {
        toDoubles(images, 0, size);
      }
    }
  }

  /** The first byte in {@link #values} of an element that is loaded. */
  public int place(int element) {
    return isInPlace ? begin + element * Double.BYTES : (element - first) * Double.BYTES;
  }

  private void set(int i, double value) {
    DOUBLES.set(values, i * Double.BYTES, value);
  }

  private void toDoubles(byte[] source, int at, int size) {
    if (type.equals(DataTypes.FLOAT32)) {
      for (int i = 0; i < size; i++) {
        set(i, (float) FLOATS.get(source, at + i * Float.BYTES));
      }
    } else if (type.equals(DataTypes.FLOAT16)) {
      for (int i = 0; i < size; i++) {
        set(i, Float16.toFloat((short) SHORTS.get(source, at + i * Short.BYTES)));
      }
    } else if (type instanceof IntegerType integer) {
      toDoubles(integer, source, at, size);
    } else {
      for (int i = 0; i < size; i++) {
        set(i, source[at + i]);
      }
    }
  }

  private void toDoubles(IntegerType integer, byte[] source, int at, int size) {
    boolean isSigned = integer.min().signum() < 0;
    switch (integer.itemSize()) {
      case 1 -> {
        int mask = isSigned ? -1 : 0xff;
        for (int i = 0; i < size; i++) {
          set(i, source[at + i] & mask);
        }
      }
      case 2 -> {
        int mask = isSigned ? -1 : 0xffff;
        for (int i = 0; i < size; i++) {
          set(i, (short) SHORTS.get(source, at + i * Short.BYTES) & mask);
        }
      }
      case 4 -> {
        long mask = isSigned ? -1 : 0xffff_ffffL;
        for (int i = 0; i < size; i++) {
          set(i, (double) ((int) INTS.get(source, at + i * Integer.BYTES) & mask));
        }
      }
      default -> {
        for (int i = 0; i < size; i++) {
          long value = (long) LONGS.get(source, at + i * Long.BYTES);
          if (value > EXACT || value < (isSigned ? -EXACT : 0)) {
            throw new UnsupportedFeatureException(
                "an element of "
                    + integer
                    + " is beyond 2^53, up to which statistics of integers are exact",
                Location.UNKNOWN);
          }
          set(i, (double) value);
        }
      }
    }
  }
}
