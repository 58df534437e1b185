package dev.zarrreactive.arrow;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.base.Bytes;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

/**
 * Elements whose images are those that Arrow has: numbers, times in one of its units, and bytes of
 * one length. Rows that follow each other in memory are one copy.
 */
record ImageKind(ArrowType type, int width, Missing missing) implements ColumnKind {
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** Which images stand for a missing value. */
  enum Missing {
    NOTHING {
      @Override
      boolean is(byte[] memory, int at) {
        return false;
      }
    },
    NAN_OF_2_BYTES {
      @Override
      boolean is(byte[] memory, int at) {
        return ((short) SHORT.get(memory, at) & 0x7fff) > 0x7c00;
      }
    },
    NAN_OF_4_BYTES {
      @Override
      boolean is(byte[] memory, int at) {
        return ((int) INT.get(memory, at) & 0x7fffffff) > 0x7f800000;
      }
    },
    NAN_OF_8_BYTES {
      @Override
      boolean is(byte[] memory, int at) {
        return ((long) LONG.get(memory, at) & Long.MAX_VALUE) > 0x7ff0000000000000L;
      }
    },
    NOT_A_TIME {
      @Override
      boolean is(byte[] memory, int at) {
        return (long) LONG.get(memory, at) == Long.MIN_VALUE;
      }
    };

    abstract boolean is(byte[] memory, int at);
  }

  @Override
  public Field field(String name) {
    return new Field(name, FieldType.nullable(type), List.of());
  }

  @Override
  public Values values(NdArray decoded) {
    Bytes images = decoded.bytes();
    byte[] memory = images.unsafeArray();
    int begin = images.unsafeOffset();
    return new Values() {
      @Override
      public int extra(int place) {
        return 0;
      }

      @Override
      public void fill(FieldVector vector, Places places) {
        ImageKind.this.fill((BaseFixedWidthVector) vector, memory, begin, places);
      }
    };
  }

  private void fill(BaseFixedWidthVector vector, byte[] memory, int begin, Places places) {
    int count = places.count();
    vector.allocateNew(count);
    ArrowBuf data = vector.getDataBuffer();
    int from = places.contiguousFrom();
    if (from != Places.NONE) {
      data.setBytes(0, memory, begin + from * width, (long) count * width);
      if (missing == Missing.NOTHING) {
        Validity.setAll(vector.getValidityBuffer(), count);
        vector.setValueCount(count);
        return;
      }
    }
    ArrowBuf validity = vector.getValidityBuffer();
    int eight = 0;
    for (int i = 0; i < count; i++) {
      int place = places.place(i);
      if (place != Places.NONE) {
        int at = begin + place * width;
        eight |= missing.is(memory, at) ? 0 : 1 << (i & 7);
        if (from == Places.NONE) {
          copy(memory, at, data, i);
        }
      }
      if ((i & 7) == 7 || i == count - 1) {
        validity.setByte(i >> 3, eight);
        eight = 0;
      }
    }
    vector.setValueCount(count);
  }

  private void copy(byte[] memory, int at, ArrowBuf data, int value) {
    switch (width) {
      case 1 -> data.setByte(value, memory[at]);
      case 2 -> data.setShort(value * 2L, (short) SHORT.get(memory, at));
      case 4 -> data.setInt(value * 4L, (int) INT.get(memory, at));
      case 8 -> data.setLong(value * 8L, (long) LONG.get(memory, at));
      default -> data.setBytes((long) value * width, memory, at, width);
    }
  }
}
