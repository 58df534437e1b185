package dev.zarrreactive.internal.icechunk;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonValue;
import java.util.LinkedHashMap;
import java.util.Map;

/** Metadata of a snapshot or a repository: names with JSON values in a binary form. */
final class MetadataItems {
  private MetadataItems() {}

  /**
   * Reads the items of a vector.
   *
   * @param specVersion 1 for values in MessagePack, 2 for FlexBuffers
   */
  static JsonObject read(FlatBuffer buffer, int table, int slot, int specVersion) {
    int items = buffer.vector(table, slot, 4);
    Map<String, JsonValue> members = new LinkedHashMap<>();
    DecodingBudget budget = new DecodingBudget(buffer::damaged);
    for (int i = 0; i < buffer.length(items); i++) {
      int item = buffer.tableIn(items, i);
      String name = buffer.string(item, 0, "name of a metadata item");
      Bytes value = buffer.bytes(item, 1, "value of a metadata item");
      budget.value(0);
      members.put(
          name,
          specVersion == 1 ? MessagePack.read(value, budget) : FlexBuffer.read(value, budget));
    }
    return new JsonObject(members);
  }

  /** Returns true where the items of a vector are in the order of their names. */
  static boolean areSorted(FlatBuffer buffer, int table, int slot) {
    int items = buffer.vector(table, slot, 4);
    Bytes last = null;
    for (int i = 0; i < buffer.length(items); i++) {
      Bytes name = buffer.bytes(buffer.tableIn(items, i), 0, "name of a metadata item");
      if (last != null && Orders.compare(last, name) >= 0) {
        return false;
      }
      last = name;
    }
    return true;
  }
}
