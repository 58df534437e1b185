package dev.zarrreactive.internal.element;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.NullTerminatedBytesType;

/** Byte strings that are padded with zeros. */
final class ByteStringElements extends ImageElements {
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
