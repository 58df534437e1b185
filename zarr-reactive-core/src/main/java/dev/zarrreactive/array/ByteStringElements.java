package dev.zarrreactive.array;

import dev.zarrreactive.datatype.NullTerminatedBytesType;
import dev.zarrreactive.store.Bytes;

/** Byte strings that are padded with zeros. */
final class ByteStringElements extends ImageElements {
  private final NullTerminatedBytesType type;

  ByteStringElements(NullTerminatedBytesType type, Bytes bytes) {
    super(type, bytes);
    this.type = type;
  }

  @Override
  public Bytes byteStringAt(int element) {
    return rawAt(element).slice(0, type.valueLength(array(), position(element)));
  }

  @Override
  boolean inColumns() {
    return false;
  }

  @Override
  String right() {
    return "getByteString, or getRaw for the padded bytes";
  }

  @Override
  String text(int element) {
    return PythonLiterals.bytes(byteStringAt(element));
  }
}
