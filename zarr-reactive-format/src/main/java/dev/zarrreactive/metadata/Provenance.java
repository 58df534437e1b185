package dev.zarrreactive.metadata;

import dev.zarrreactive.error.Location;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The draft that a node's metadata follow, and their deviations from the specification.
 *
 * @param draft the draft that the node follows, or null
 * @param hierarchy the hierarchy of the 2022 draft that the node is in, or null
 * @param warnings the deviations of the node's documents from the specification
 */
record Provenance(
    @Nullable Draft draft, @Nullable Draft2022Hierarchy hierarchy, List<MetadataWarning> warnings) {
  /** The provenance of metadata that follow the specification. */
  static final Provenance PLAIN = new Provenance(null, null, List.of());

  static Provenance of(Leniencies leniencies) {
    return new Provenance(
        leniencies.isTaken() ? leniencies.draft() : null, null, leniencies.warnings());
  }

  static Provenance of2022(Draft2022Hierarchy hierarchy, List<MetadataWarning> warnings) {
    return new Provenance(Draft.OF_2022, hierarchy, warnings);
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
