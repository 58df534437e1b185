package dev.zarrreactive.array;

import static dev.zarrreactive.datatype.DataTypes.BFLOAT16;
import static dev.zarrreactive.datatype.DataTypes.FLOAT16;
import static dev.zarrreactive.datatype.DataTypes.INT16;
import static dev.zarrreactive.datatype.DataTypes.INT32;
import static dev.zarrreactive.datatype.DataTypes.INT64;
import static dev.zarrreactive.datatype.DataTypes.INT8;
import static dev.zarrreactive.datatype.DataTypes.UINT16;
import static dev.zarrreactive.datatype.DataTypes.UINT32;
import static dev.zarrreactive.datatype.DataTypes.UINT64;
import static dev.zarrreactive.datatype.DataTypes.UINT8;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.ComplexType;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FixedLengthUtf32Type;
import dev.zarrreactive.datatype.FloatFormat;
import dev.zarrreactive.datatype.FloatType;
import dev.zarrreactive.datatype.IntegerType;
import dev.zarrreactive.datatype.OptionalType;
import dev.zarrreactive.datatype.StringType;
import dev.zarrreactive.datatype.StructField;
import dev.zarrreactive.datatype.StructType;
import dev.zarrreactive.datatype.TimeType;
import dev.zarrreactive.internal.element.Float16;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Makes arrays of primitive values, which it copies into images. */
final class NdArrayFactory {
  private NdArrayFactory() {}

  static NdArray booleans(Shape shape, boolean... values) {
    return pack(
        DataTypes.BOOL,
        shape,
        values.length,
        image -> {
          for (boolean value : values) {
            image.put((byte) (value ? 1 : 0));
          }
        });
  }

  static NdArray bytes(DataType type, Shape shape, byte... values) {
    if (type instanceof IntegerType small && small.bits() < Byte.SIZE) {
      requireRange(small, values);
    } else {
      requireOneOf("ofBytes", type, INT8, UINT8);
    }
    return pack(type, shape, values.length, image -> image.put(values));
  }

  static NdArray shorts(DataType type, Shape shape, short... values) {
    requireOneOf("ofShorts", type, INT16, UINT16, FLOAT16, BFLOAT16);
    return pack(type, shape, values.length, image -> image.asShortBuffer().put(values));
  }

  static NdArray ints(DataType type, Shape shape, int... values) {
    requireOneOf("ofInts", type, INT32, UINT32);
    return pack(type, shape, values.length, image -> image.asIntBuffer().put(values));
  }

  static NdArray longs(DataType type, Shape shape, long... values) {
    if (!(type instanceof TimeType)) {
      requireOneOf("ofLongs", type, INT64, UINT64);
    }
    return pack(type, shape, values.length, image -> image.asLongBuffer().put(values));
  }

  static NdArray floats(DataType type, Shape shape, float... values) {
    if (!(type instanceof FloatType floats) || floats.bits() > Float.SIZE) {
      throw new IllegalArgumentException("ofFloats supports floats of up to 32 bits, not " + type);
    }
    return pack(type, shape, values.length, image -> putFloats(floats.format(), values, image));
  }

  private static void putFloats(FloatFormat format, float[] values, ByteBuffer image) {
    if (format == FloatFormat.FLOAT32) {
      image.asFloatBuffer().put(values);
      return;
    }
    for (float value : values) {
      if (format == FloatFormat.FLOAT16) {
        image.putShort(Float16.fromFloat(value));
      } else if (format == FloatFormat.BFLOAT16) {
        image.putShort((short) format.nearest(value));
      } else {
        image.put((byte) format.nearest(value));
      }
    }
  }

  static NdArray strings(DataType type, Shape shape, String... values) {
    if (type instanceof StringType string) {
      return NdArray.ofValues(string, shape, (Object[]) values);
    }
    if (!(type instanceof FixedLengthUtf32Type texts)) {
      throw new IllegalArgumentException(
          "ofStrings supports string and fixed_length_utf32, not " + type);
    }
    return pack(
        type,
        shape,
        values.length,
        image -> {
          for (int i = 0; i < values.length; i++) {
            byte[] text = texts.toImage(values[i]);
            if (text == null) {
              throw new IllegalArgumentException(
                  "value " + i + " is no text of up to " + texts.capacity() + " code points");
            }
            image.put(text);
          }
        });
  }

  static NdArray doubles(Shape shape, double... values) {
    return pack(
        DataTypes.FLOAT64, shape, values.length, image -> image.asDoubleBuffer().put(values));
  }

  static NdArray complex(Shape shape, float... parts) {
    return pack(
        DataTypes.COMPLEX64, shape, parts.length, image -> image.asFloatBuffer().put(parts));
  }

  static NdArray complex(Shape shape, double... parts) {
    return pack(
        DataTypes.COMPLEX128, shape, parts.length, image -> image.asDoubleBuffer().put(parts));
  }

  static NdArray structs(StructType type, NdArray... values) {
    List<StructField> fields = type.fields();
    if (values.length != fields.size()) {
      throw new IllegalArgumentException(
          type + " has " + fields.size() + " fields, not " + values.length);
    }
    Shape shape = values[0].shape();
    byte[] image = new byte[shape.byteSize(type.itemSize())];
    for (int i = 0; i < values.length; i++) {
      StructField field = fields.get(i);
      NdArray value = values[i];
      if (!value.dataType().equals(field.dataType()) || !value.shape().equals(shape)) {
        throw new IllegalArgumentException(
            String.format(
                "the field \"%s\" is of %s and shape %s, not of %s and shape %s",
                field.name(), field.dataType(), shape, value.dataType(), value.shape()));
      }
      Bytes images = value.bytes();
      int size = field.dataType().itemSize();
      int to = type.offset(field);
      for (int from = 0; from < images.size(); from += size, to += type.itemSize()) {
        images.copyTo(from, image, to, size);
      }
    }
    return NdArray.wrap(type, shape, Bytes.wrap(image));
  }

  static NdArray optional(NdArray values, NdArray validity) {
    Shape shape = values.shape();
    if (!validity.dataType().equals(DataTypes.BOOL) || !validity.shape().equals(shape)) {
      throw new IllegalArgumentException(
          "the validity of values of shape "
              + shape
              + " is of bool and this shape, not of "
              + validity.dataType()
              + " and shape "
              + validity.shape());
    }
    ElementMemory from = ElementMemory.of(values);
    OptionalType type = DataTypes.optional(values.dataType());
    ElementMemory to = ElementMemory.allocate(type, shape);
    boolean[] isThere = validity.toBooleanArray();
    int size = from.slotsPerElement();
    for (int i = 0; i < isThere.length; i++) {
      if (isThere[i] && to.array() instanceof byte[] images) {
        System.arraycopy(from.array(), from.slot(i), images, to.slot(i), size);
        images[to.slot(i) + size] = 1;
      } else if (isThere[i]) {
        ((Object[]) to.array())[i] = Optional.of(((Object[]) from.array())[i]);
      }
    }
    return to.toNdArray(shape);
  }

  /**
   * Makes an array.
   *
   * @param values the number of values
   * @param put writes the values into an image of exactly their size
   */
  private static NdArray pack(DataType type, Shape shape, int values, Consumer<ByteBuffer> put) {
    int size = shape.byteSize(type.itemSize());
    int expected = size / type.itemSize() * (type instanceof ComplexType ? 2 : 1);
    if (values != expected) {
      throw new IllegalArgumentException(
          type + " of shape " + shape + " takes " + expected + " values, not " + values);
    }
    byte[] image = new byte[size];
    put.accept(ByteBuffer.wrap(image).order(ByteOrder.LITTLE_ENDIAN));
    return NdArray.wrap(type, shape, Bytes.wrap(image));
  }

  private static void requireRange(IntegerType type, byte... values) {
    int min = type.min().intValue();
    int max = type.max().intValue();
    for (byte value : values) {
      if (value < min || value > max) {
        throw new IllegalArgumentException(
            type + " has values from " + min + " to " + max + ", not " + value);
      }
    }
  }

  private static void requireOneOf(String method, DataType type, DataType... choices) {
    List<DataType> allowed = Arrays.asList(choices);
    if (!allowed.contains(type)) {
      String names = allowed.stream().map(DataType::name).collect(Collectors.joining(" or "));
      throw new IllegalArgumentException(method + " makes " + names + ", not " + type);
    }
  }
}
