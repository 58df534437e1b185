package dev.zarrreactive.internal.element;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.BoolType;
import dev.zarrreactive.datatype.ComplexType;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FixedLengthUtf32Type;
import dev.zarrreactive.datatype.FloatType;
import dev.zarrreactive.datatype.IntegerType;
import dev.zarrreactive.datatype.NullTerminatedBytesType;
import dev.zarrreactive.datatype.OptionalType;
import dev.zarrreactive.datatype.StructField;
import dev.zarrreactive.datatype.StructType;
import dev.zarrreactive.datatype.TimeType;
import dev.zarrreactive.json.JsonValue;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Elements of fixed length, as images at equal distances. */
abstract non-sealed class ImageElements extends Elements {
  private final Bytes bytes;
  private final int itemSize;
  private final int pitch;

  /**
   * Creates elements.
   *
   * @param bytes the memory from the first byte of the first element to the last of the last
   * @param pitch the distance of two elements in bytes
   */
  ImageElements(DataType dataType, Bytes bytes, int pitch) {
    super(dataType, bytes.size() == 0 ? 0 : (bytes.size() - dataType.itemSize()) / pitch + 1);
    this.bytes = bytes;
    this.itemSize = dataType.itemSize();
    this.pitch = pitch;
  }

  static ImageElements of(DataType dataType, Bytes bytes, int pitch) {
    if (dataType instanceof IntegerType integers) {
      return new IntegerElements(integers, bytes, pitch);
    } else if (dataType instanceof FloatType floats) {
      return new FloatElements(floats, bytes, pitch);
    } else if (dataType instanceof ComplexType complex) {
      return new ComplexElements(complex, bytes, pitch);
    } else if (dataType instanceof BoolType) {
      return new BoolElements(dataType, bytes, pitch);
    } else if (dataType instanceof TimeType times) {
      return new TimeElements(times, bytes, pitch);
    } else if (dataType instanceof FixedLengthUtf32Type texts) {
      return new Utf32Elements(texts, bytes, pitch);
    } else if (dataType instanceof NullTerminatedBytesType byteStrings) {
      return new ByteStringElements(byteStrings, bytes, pitch);
    } else if (dataType instanceof StructType structs) {
      return new StructElements(structs, bytes, pitch);
    } else if (dataType instanceof OptionalType optional) {
      return new OptionalElements(optional, bytes, pitch);
    }
    return new RawElements(dataType, bytes, pitch);
  }

  @Override
  public final Bytes rawAt(int element) {
    return bytes.slice(Objects.checkIndex(element, count()) * pitch, itemSize);
  }

  @Override
  public final JsonValue toJson(int element) {
    return dataType().toJson(bytes.unsafeArray(), position(element));
  }

  @Override
  public final ByteBuffer view(String what, DataType... types) {
    if (!Arrays.asList(types).contains(dataType())) {
      throw refused(what);
    }
    return bytes.asByteBuffer();
  }

  @Override
  public final Bytes bytes() {
    return bytes;
  }

  @Override
  public final boolean isPacked() {
    return pitch == itemSize || count() < 2;
  }

  @Override
  public final Elements part(int first, int count) {
    return of(dataType(), memory(first, count, 0, itemSize), pitch);
  }

  /**
   * Returns the memory of a part of some elements.
   *
   * @param offset the first byte of the part in each element
   * @param size the number of bytes of the part
   */
  final Bytes memory(int first, int count, int offset, int size) {
    return count == 0
        ? Bytes.EMPTY
        : bytes.slice(first * pitch + offset, (count - 1) * pitch + size);
  }

  /** Returns a part of each element, in the same memory. */
  final ImageElements component(DataType type, int offset) {
    return of(type, memory(0, count(), offset, type.itemSize()), pitch);
  }

  @Override
  public final void copyTo(int first, int stride, int count, Object target, int at) {
    if (count == 0) {
      return;
    }
    Objects.checkIndex(first, count());
    Objects.checkIndex(first + (count - 1) * stride, count());
    int from = bytes.unsafeOffset() + first * pitch;
    if (stride * pitch == itemSize) {
      System.arraycopy(array(), from, target, at, count * itemSize);
    } else {
      StridedCopy.copy(
          itemSize, array(), from, stride * pitch, (byte[]) target, at, itemSize, count);
    }
  }

  final byte[] array() {
    return bytes.unsafeArray();
  }

  /** The index of the element's first byte in {@link #array()}. */
  final int position(int element) {
    return bytes.unsafeOffset() + Objects.checkIndex(element, count()) * pitch;
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

  /** Truth values: false is 0, every other byte is true. */
  private static final class BoolElements extends ImageElements {
    BoolElements(DataType type, Bytes bytes, int pitch) {
      super(type, bytes, pitch);
    }

    @Override
    public boolean booleanAt(int element) {
      return array()[position(element)] != 0;
    }

    @Override
    public boolean[] toBooleanArray() {
      boolean[] copy = new boolean[count()];
      for (int i = 0; i < copy.length; i++) {
        copy[i] = booleanAt(i);
      }
      return copy;
    }

    @Override
    String right() {
      return "getBoolean or toBooleanArray";
    }

    @Override
    public String text(int element) {
      return booleanAt(element) ? "True" : "False";
    }
  }

  /** Opaque bytes. */
  private static final class RawElements extends ImageElements {
    private static final int SHOWN = 16;

    RawElements(DataType type, Bytes bytes, int pitch) {
      super(type, bytes, pitch);
    }

    @Override
    String right() {
      return "getRaw or asByteBuffer";
    }

    /** Returns the first bytes in hexadecimal digits, in memory order. */
    @Override
    public String text(int element) {
      int size = dataType().itemSize();
      int start = position(element);
      String digits = HexFormat.of().formatHex(array(), start, start + Math.min(size, SHOWN));
      return size <= SHOWN ? digits : digits + "...";
    }
  }

  /** Byte strings that are padded with zeros. */
  private static final class ByteStringElements extends ImageElements {
    private final NullTerminatedBytesType type;

    ByteStringElements(NullTerminatedBytesType type, Bytes bytes, int pitch) {
      super(type, bytes, pitch);
      this.type = type;
    }

    @Override
    public Bytes byteStringAt(int element) {
      return rawAt(element).slice(0, type.valueLength(array(), position(element)));
    }

    @Override
    public boolean inColumns() {
      return false;
    }

    @Override
    String right() {
      return "getByteString, or getRaw for the padded bytes";
    }

    @Override
    public String text(int element) {
      return PythonLiterals.bytes(byteStringAt(element));
    }
  }

  /** Texts of four bytes a code point. */
  private static final class Utf32Elements extends ImageElements {
    private final FixedLengthUtf32Type type;

    Utf32Elements(FixedLengthUtf32Type type, Bytes bytes, int pitch) {
      super(type, bytes, pitch);
      this.type = type;
    }

    @Override
    public String stringAt(int element) {
      return type.toText(array(), position(element));
    }

    @Override
    public String[] toStringArray() {
      return allStrings();
    }

    @Override
    public boolean inColumns() {
      return false;
    }

    @Override
    String right() {
      return "getString or toStringArray";
    }

    @Override
    public String text(int element) {
      return PythonLiterals.text(type.codePoints(array(), position(element)));
    }
  }

  /** Items of named fields. */
  private static final class StructElements extends ImageElements {
    private final StructType type;

    StructElements(StructType type, Bytes bytes, int pitch) {
      super(type, bytes, pitch);
      this.type = type;
    }

    @Override
    public ImageElements field(String name) {
      StructField field = type.field(name);
      return component(field.dataType(), type.offset(field));
    }

    @Override
    public boolean inColumns() {
      return false;
    }

    @Override
    String right() {
      return "field(name)";
    }

    /** Returns the fields' values in parentheses. */
    @Override
    public String text(int element) {
      return type.fields().stream()
          .map(field -> field(field.name()).text(element))
          .collect(Collectors.joining(", ", "(", type.fields().size() == 1 ? ",)" : ")"));
    }
  }

  /** Values that may be missing. */
  private static final class OptionalElements extends ImageElements {
    private final ImageElements inner;
    private final ImageElements validity;

    OptionalElements(OptionalType type, Bytes bytes, int pitch) {
      super(type, bytes, pitch);
      this.inner = component(type.inner(), 0);
      this.validity = component(DataTypes.BOOL, type.inner().itemSize());
    }

    @Override
    public Elements inner() {
      return inner;
    }

    @Override
    public Elements validity() {
      return validity;
    }

    @Override
    public boolean inColumns() {
      return inner.inColumns();
    }

    @Override
    String right() {
      return OF_OPTIONAL;
    }

    @Override
    public String text(int element) {
      return validity.booleanAt(element) ? inner.text(element) : MISSING;
    }
  }
}
