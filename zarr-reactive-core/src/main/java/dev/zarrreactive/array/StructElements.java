package dev.zarrreactive.array;

import dev.zarrreactive.datatype.StructField;
import dev.zarrreactive.datatype.StructType;
import dev.zarrreactive.store.Bytes;
import java.util.stream.Collectors;

/** Items of named fields. */
final class StructElements extends ImageElements {
  private final StructType type;

  StructElements(StructType type, Bytes bytes) {
    super(type, bytes);
    this.type = type;
  }

  @Override
  ImageElements field(String name) {
    StructField field = type.field(name);
    int size = field.dataType().itemSize();
    byte[] values = new byte[Math.multiplyExact(count(), size)];
    int from = bytes().unsafeOffset() + type.offset(field);
    for (int to = 0; to < values.length; to += size, from += type.itemSize()) {
      System.arraycopy(array(), from, values, to, size);
    }
    return of(field.dataType(), Bytes.wrap(values));
  }

  @Override
  boolean inColumns() {
    return false;
  }

  @Override
  String right() {
    return "field(name)";
  }

  /** Returns the fields' values in parentheses. */
  @Override
  String text(int element) {
    Bytes item = rawAt(element);
    return type.fields().stream()
        .map(field -> valueIn(item, field).text(0))
        .collect(Collectors.joining(", ", "(", type.fields().size() == 1 ? ",)" : ")"));
  }

  private ImageElements valueIn(Bytes item, StructField field) {
    return of(field.dataType(), item.slice(type.offset(field), field.dataType().itemSize()));
  }
}
