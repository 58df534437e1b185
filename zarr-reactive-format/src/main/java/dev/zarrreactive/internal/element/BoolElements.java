package dev.zarrreactive.internal.element;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.DataType;

/** Truth values: false is 0, every other byte is true. */
final class BoolElements extends ImageElements {
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
