package dev.zarrreactive.array;

import dev.zarrreactive.datatype.BoolType;
import dev.zarrreactive.datatype.ComplexType;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.FixedLengthUtf32Type;
import dev.zarrreactive.datatype.FloatType;
import dev.zarrreactive.datatype.IntegerType;
import dev.zarrreactive.datatype.NullTerminatedBytesType;
import dev.zarrreactive.datatype.StructType;
import dev.zarrreactive.datatype.TimeType;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.store.Bytes;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Elements of fixed length, as images that follow each other. */
abstract sealed class ImageElements extends Elements
    permits BoolElements,
        IntegerElements,
        FloatElements,
        ComplexElements,
        TimeElements,
        Utf32Elements,
        ByteStringElements,
        StructElements,
        RawElements {
  private final Bytes bytes;
  private final int itemSize;

  ImageElements(DataType dataType, Bytes bytes) {
    super(dataType, bytes.size() / dataType.itemSize());
    this.bytes = bytes;
    this.itemSize = dataType.itemSize();
  }

  static ImageElements of(DataType dataType, Bytes bytes) {
    if (dataType instanceof IntegerType integers) {
      return new IntegerElements(integers, bytes);
    } else if (dataType instanceof FloatType floats) {
      return new FloatElements(floats, bytes);
    } else if (dataType instanceof ComplexType complex) {
      return new ComplexElements(complex, bytes);
    } else if (dataType instanceof BoolType) {
      return new BoolElements(dataType, bytes);
    } else if (dataType instanceof TimeType times) {
      return new TimeElements(times, bytes);
    } else if (dataType instanceof FixedLengthUtf32Type texts) {
      return new Utf32Elements(texts, bytes);
    } else if (dataType instanceof NullTerminatedBytesType byteStrings) {
      return new ByteStringElements(byteStrings, bytes);
    } else if (dataType instanceof StructType structs) {
      return new StructElements(structs, bytes);
    }
    return new RawElements(dataType, bytes);
  }

  @Override
  public final Bytes rawAt(int element) {
    return bytes.slice(Objects.checkIndex(element, count()) * itemSize, itemSize);
  }

  @Override
  public final JsonValue toJson(int element) {
    return dataType().toJson(bytes.unsafeArray(), position(element));
  }

  @Override
  final ByteBuffer view(String what, DataType... types) {
    if (!Arrays.asList(types).contains(dataType())) {
      throw refused(what);
    }
    return bytes.asByteBuffer();
  }

  @Override
  final Bytes bytes() {
    return bytes;
  }

  final byte[] array() {
    return bytes.unsafeArray();
  }

  /** The index of the element's first byte in {@link #array()}. */
  final int position(int element) {
    return bytes.unsafeOffset() + Objects.checkIndex(element, count()) * itemSize;
  }

  /** Compares the data type and the bits. */
  @Override
  public final boolean equals(@Nullable Object other) {
    return other instanceof ImageElements that
        && dataType().equals(that.dataType())
        && bytes.equals(that.bytes);
  }

  @Override
  public final int hashCode() {
    return bytes.hashCode();
  }
}
