package dev.zarrreactive.imglib2;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.datatype.BoolType;
import dev.zarrreactive.datatype.ComplexType;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FloatType;
import dev.zarrreactive.datatype.IntegerType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.Function;
import net.imglib2.img.basictypeaccess.array.ArrayDataAccess;
import net.imglib2.img.basictypeaccess.array.BooleanArray;
import net.imglib2.img.basictypeaccess.array.ByteArray;
import net.imglib2.img.basictypeaccess.array.DoubleArray;
import net.imglib2.img.basictypeaccess.array.FloatArray;
import net.imglib2.img.basictypeaccess.array.IntArray;
import net.imglib2.img.basictypeaccess.array.LongArray;
import net.imglib2.img.basictypeaccess.array.ShortArray;
import net.imglib2.type.NativeType;
import net.imglib2.type.logic.NativeBoolType;
import net.imglib2.type.numeric.complex.ComplexDoubleType;
import net.imglib2.type.numeric.complex.ComplexFloatType;
import net.imglib2.type.numeric.integer.ByteType;
import net.imglib2.type.numeric.integer.IntType;
import net.imglib2.type.numeric.integer.LongType;
import net.imglib2.type.numeric.integer.ShortType;
import net.imglib2.type.numeric.integer.UnsignedByteType;
import net.imglib2.type.numeric.integer.UnsignedIntType;
import net.imglib2.type.numeric.integer.UnsignedLongType;
import net.imglib2.type.numeric.integer.UnsignedShortType;
import net.imglib2.type.numeric.real.DoubleType;
import org.jspecify.annotations.Nullable;

/**
 * The pixels that elements of a data type become.
 *
 * @param pixel a pixel of the type
 * @param bytes the bytes of a pixel
 * @param memory makes the memory of a cell of elements in C order, which are copied once
 */
record PixelType(NativeType<?> pixel, int bytes, Function<NdArray, ArrayDataAccess<?>> memory) {
  private static ByteBuffer images(NdArray data) {
    return data.bytes().asByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
  }

  private static ArrayDataAccess<?> bytes(NdArray data) {
    return new ByteArray(data.bytes().toByteArray());
  }

  private static ArrayDataAccess<?> shorts(NdArray data) {
    short[] values = new short[data.bytes().size() / Short.BYTES];
    images(data).asShortBuffer().get(values);
    return new ShortArray(values);
  }

  private static ArrayDataAccess<?> ints(NdArray data) {
    int[] values = new int[data.bytes().size() / Integer.BYTES];
    images(data).asIntBuffer().get(values);
    return new IntArray(values);
  }

  private static ArrayDataAccess<?> longs(NdArray data) {
    long[] values = new long[data.bytes().size() / Long.BYTES];
    images(data).asLongBuffer().get(values);
    return new LongArray(values);
  }

  private static ArrayDataAccess<?> floats(NdArray data) {
    float[] values = new float[data.bytes().size() / Float.BYTES];
    images(data).asFloatBuffer().get(values);
    return new FloatArray(values);
  }

  private static ArrayDataAccess<?> doubles(NdArray data) {
    double[] values = new double[data.bytes().size() / Double.BYTES];
    images(data).asDoubleBuffer().get(values);
    return new DoubleArray(values);
  }

  private static ArrayDataAccess<?> truths(NdArray data) {
    return new BooleanArray(data.toBooleanArray());
  }

  /** Returns the pixels of a data type; null if ImgLib2 has none for it. */
  static @Nullable PixelType of(DataType type) {
    if (type instanceof IntegerType integer) {
      return integers(integer);
    } else if (type instanceof BoolType) {
      return new PixelType(new NativeBoolType(), 1, PixelType::truths);
    } else if (type.equals(DataTypes.FLOAT64)) {
      return new PixelType(new DoubleType(), 8, PixelType::doubles);
    } else if (type.equals(DataTypes.FLOAT32)) {
      return new PixelType(new net.imglib2.type.numeric.real.FloatType(), 4, PixelType::floats);
    } else if (type instanceof FloatType) {
      return new PixelType(
          new net.imglib2.type.numeric.real.FloatType(),
          4,
          data -> floats(data.cast(DataTypes.FLOAT32)));
    } else if (type.equals(DataTypes.COMPLEX128)) {
      return new PixelType(new ComplexDoubleType(), 16, PixelType::doubles);
    } else if (type instanceof ComplexType && type.itemSize() == 8) {
      return new PixelType(new ComplexFloatType(), 8, PixelType::floats);
    }
    return null;
  }

  private static PixelType integers(IntegerType type) {
    boolean isSigned = type.signed();
    return switch (type.bits()) {
      case 64 ->
          new PixelType(isSigned ? new LongType() : new UnsignedLongType(), 8, PixelType::longs);
      case 32 ->
          new PixelType(isSigned ? new IntType() : new UnsignedIntType(), 4, PixelType::ints);
      case 16 ->
          new PixelType(isSigned ? new ShortType() : new UnsignedShortType(), 2, PixelType::shorts);
      case 8 ->
          new PixelType(isSigned ? new ByteType() : new UnsignedByteType(), 1, PixelType::bytes);
      default -> // of less than a byte
          new PixelType(
              isSigned ? new ByteType() : new UnsignedByteType(),
              1,
              data -> bytes(data.cast(isSigned ? DataTypes.INT8 : DataTypes.UINT8)));
    };
  }
}
