package dev.zarrreactive.cli.check;

import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.NodePath;

/**
 * A fault of a hierarchy.
 *
 * @param place the node, or the key of a file
 * @param text the fault
 */
public record Finding(String place, String text) {
  static Finding of(NodePath node, ZarrException error) {
    return new Finding(node.value(), error.getMessage());
  }

  /** Returns the finding as an object. */
  JsonObject json() {
    return JsonObject.EMPTY.with("place", place).with("finding", text);
  }

  /** Returns the finding on one line. */
  @Override
  public String toString() {
    return place + ": " + text;
  }
}
