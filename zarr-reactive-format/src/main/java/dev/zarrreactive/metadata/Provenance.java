package dev.zarrreactive.metadata;

import dev.zarrreactive.error.Location;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The draft that a node's metadata follow, and their deviations from the specification.
 *
 * @param draft the draft that the node follows, or null
 * @param entryPoint the entry point of the node's hierarchy, or null if its keys are those of Zarr
 * @param warnings the deviations of the node's documents from the specification
 */
record Provenance(
    @Nullable Draft draft, @Nullable EntryPoint entryPoint, List<MetadataWarning> warnings) {
  /** The provenance of metadata that follow the specification. */
  static final Provenance PLAIN = new Provenance(null, null, List.of());

  static Provenance of(Leniencies leniencies) {
    return new Provenance(
        leniencies.isTaken() ? leniencies.draft() : null, null, leniencies.warnings());
  }

  /**
   * Checks that a document may be changed.
   *
   * @throws dev.zarrreactive.error.UnsupportedFeatureException if it follows a draft
   */
  void checkWritable(Location place) {
    if (draft != null) {
      throw draft.refusesWrites(place);
    }
  }
}
