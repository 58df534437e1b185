package dev.zarrreactive.internal.element;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.DataType;
import java.util.HexFormat;

/** Opaque bytes. */
final class RawElements extends ImageElements {
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
