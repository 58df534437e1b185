package dev.zarrreactive.cli.describe;

import dev.zarrreactive.cli.console.Printable;
import dev.zarrreactive.cli.console.Style;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.Draft;
import dev.zarrreactive.metadata.NodeMetadata;
import java.util.List;

/** Names and values below one another, the values in one column. */
public final class FieldTable {
  private static final int NAME_WIDTH = 13;

  private final boolean colour;
  private final StringBuilder text = new StringBuilder();

  /** Creates an empty table. */
  public FieldTable(boolean colour) {
    this.colour = colour;
  }

  /** Adds a value. */
  public FieldTable field(String name, String value) {
    int gap = Math.max(1, NAME_WIDTH - name.length());
    text.append(Style.HEADING.of(name, colour)).append(" ".repeat(gap));
    text.append(Printable.of(value)).append('\n');
    return this;
  }

  /** Adds several values of one name, each on a line of its own. */
  FieldTable field(String name, List<String> values) {
    String label = name;
    for (String value : values) {
      field(label, value);
      label = "";
    }
    return this;
  }

  FieldTable attributes(JsonObject attributes) {
    if (attributes.members().isEmpty()) {
      return field("attributes", "none");
    }
    String[] lines = attributes.toPrettyString().split("\n", -1);
    return field("attributes", List.of(lines));
  }

  /** Adds the format of a node's metadata in words. */
  FieldTable format(NodeMetadata metadata) {
    Draft draft = metadata.draft();
    String ofDraft = draft == null ? "" : ", " + draft.year() + " draft";
    return field("format", "Zarr v" + metadata.zarrFormat() + ofDraft);
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
