package dev.zarrreactive.metadata;

import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonValue;

/** The metadata of a node. Immutable. */
public sealed interface NodeMetadata permits ArrayMetadata, GroupMetadata {
  /**
   * The document as it stands, or will stand, in the store: what was read keeps its member order,
   * its unknown members and the spelling of its numbers.
   */
  JsonObject document();

  /** This metadata with other attributes; everything else stays. */
  NodeMetadata withAttributes(JsonObject attributes);

  /** The user's attributes, in their order; empty where there are none. */
  default JsonObject attributes() {
    JsonValue attributes = document().get("attributes");
    return attributes instanceof JsonObject object ? object : JsonObject.EMPTY;
  }
}
