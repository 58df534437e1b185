package dev.zarrreactive.internal.element;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.FixedLengthUtf32Type;

/** Texts of four bytes a code point. */
final class Utf32Elements extends ImageElements {
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
