package dev.zarrreactive.metadata;

import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.json.LocatedJson;
import java.util.ArrayList;
import java.util.List;

/**
 * Records the deviations of one document from the specification. A form of a draft is a warning if
 * the user accepts the draft, and an error that names the option otherwise.
 */
final class Leniencies {
  private final Draft draft;
  private final Drafts drafts;
  private final List<MetadataWarning> warnings = new ArrayList<>();
  private boolean taken;

  Leniencies(Draft draft, Drafts drafts) {
    this.draft = draft;
    this.drafts = drafts;
  }

  /**
   * Accepts a form of the draft, with a warning.
   *
   * @param what a statement of the deviation
   * @throws MetadataException if the draft is not accepted
   */
  void take(LocatedJson place, String what) {
    if (!drafts.accepts(draft)) {
      throw place.error(what + "; this is a form of " + draft + ", and " + draft.howToRead());
    }
    taken = true;
    note(place, what + ", as in " + draft);
  }

  /** Adds a warning of a form that is read in any case. */
  void note(LocatedJson place, String what) {
    warnings.add(new MetadataWarning(what, place.location()));
  }

  /** Returns true if a form of the draft was accepted. */
  boolean isTaken() {
    return taken;
  }

  Draft draft() {
    return draft;
  }

  /** Returns true if an unknown data type may be read as its fallback. */
  boolean allowsFallbackDataTypes() {
    return drafts.fallbackDataTypes();
  }

  List<MetadataWarning> warnings() {
    return List.copyOf(warnings);
  }
}
