package dev.zarrreactive.cli.describe;

import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.NodeMetadata;
import dev.zarrreactive.metadata.UnreadableMetadata;
import java.util.List;

/** A node that cannot be opened, described for people by its document. */
public final class UnreadableDescription {
  private UnreadableDescription() {}

  /**
   * Returns the description, on several lines.
   *
   * @param name the node in the user's words
   */
  public static String text(String name, NodeMetadata metadata, boolean colour) {
    FieldTable fields =
        new FieldTable(colour)
            .field(kind(metadata), name)
            .field("format", "Zarr v" + metadata.zarrFormat());
    JsonObject document = metadata.document();
    if (document.members().isEmpty()) {
      return fields.field("metadata", "not a JSON object").toString();
    }
    fields.field(
        "metadata", List.of(document.without("attributes").toPrettyString().split("\n", -1)));
    return fields.attributes(metadata.attributes()).toString();
  }

  private static String kind(NodeMetadata metadata) {
    if (metadata instanceof UnreadableMetadata unreadable) {
      return unreadable.isArray() ? "array" : "node";
    }
    return metadata instanceof ArrayMetadata ? "array" : "group";
  }
}
