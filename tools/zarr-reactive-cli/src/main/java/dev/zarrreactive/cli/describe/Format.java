package dev.zarrreactive.cli.describe;

import dev.zarrreactive.metadata.Draft;
import dev.zarrreactive.metadata.NodeMetadata;

/** The format of a node's metadata in words. */
final class Format {
  private Format() {}

  static String of(NodeMetadata metadata) {
    Draft draft = metadata.draft();
    return "Zarr v" + metadata.zarrFormat() + (draft == null ? "" : ", " + draft.year() + " draft");
  }
}
