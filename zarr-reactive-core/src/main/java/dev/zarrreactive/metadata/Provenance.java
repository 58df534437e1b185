package dev.zarrreactive.metadata;

import dev.zarrreactive.error.Location;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a node's metadata were read from, where that is not simply what the specification has.
 *
 * @param draft the draft that the node is written to; null where it is none
 * @param hierarchy the hierarchy of the 2022 draft that the node is in; null for all others
 * @param warnings what the node's documents have that the specification does not
 */
record Provenance(
    @Nullable Draft draft, @Nullable Draft2022Hierarchy hierarchy, List<MetadataWarning> warnings) {
  /** As the specification has it. */
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
   * @throws dev.zarrreactive.error.UnsupportedFeatureException where it is one of a draft
   */
  void checkWritable(Location place) {
    if (draft != null) {
      throw draft.refusesWrites(place);
    }
  }
}
