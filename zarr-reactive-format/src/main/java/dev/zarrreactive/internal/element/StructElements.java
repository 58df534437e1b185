package dev.zarrreactive.internal.element;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.StructField;
import dev.zarrreactive.datatype.StructType;
import java.util.stream.Collectors;

/** Items of named fields. */
final class StructElements extends ImageElements {
  private final StructType type;

  StructElements(StructType type, Bytes bytes, int pitch) {
    super(type, bytes, pitch);
    this.type = type;
  }

  @Override
  public ImageElements field(String name) {
    StructField field = type.field(name);
    Bytes memory = memory(0, count(), type.offset(field), field.dataType().itemSize());
    return of(field.dataType(), memory, pitch());
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
