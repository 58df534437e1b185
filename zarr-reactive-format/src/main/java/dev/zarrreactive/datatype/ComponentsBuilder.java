package dev.zarrreactive.datatype;

import java.util.ArrayList;
import java.util.List;

/** Collects the components of packed fields. */
final class ComponentsBuilder {
  private final List<Components> components = new ArrayList<>();
  private int byteSize;

  /** Adds a field after the others. */
  void add(DataType field) {
    if (field.itemSize() > LengthBytes.LONGEST_PADDED - byteSize) {
      throw new IllegalArgumentException(
          "the fields of a struct have at most " + LengthBytes.LONGEST_PADDED + " bytes together");
    }
    byteSize += field.itemSize();
    field.components().forEach(this::add);
  }

  private void add(Components next) {
    int last = components.size() - 1;
    if (last >= 0 && components.get(last).size() == next.size()) {
      int count = components.get(last).count() + next.count();
      components.set(last, new Components(next.size(), count));
    } else {
      components.add(next);
    }
  }

  List<Components> components() {
    return List.copyOf(components);
  }

  /** The size of all fields so far, in bytes. */
  int byteSize() {
    return byteSize;
  }
}
