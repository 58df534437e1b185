package dev.zarrreactive.metadata;

import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.json.LocatedJson;
import java.util.ArrayList;
import java.util.List;

/**
 * What one document takes from a draft: a warning each where the user accepts the draft, else an
 * error that says so.
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
   * Takes something from the draft.
   *
   * @param what a statement of what is there, or is not
   * @throws MetadataException where the draft is not accepted
   */
  void take(LocatedJson place, String what) {
    if (!drafts.accepts(draft)) {
      throw place.error(what + "; " + draft + " has it so, and " + draft.howToRead());
    }
    taken = true;
    note(place, what + ", as in " + draft);
  }

  /** Warns of something that is read in any case. */
  void note(LocatedJson place, String what) {
    warnings.add(new MetadataWarning(what, place.location()));
  }

  /** True where something was taken from the draft. */
  boolean isTaken() {
    return taken;
  }

  Draft draft() {
    return draft;
  }

  /** True where an unknown data type may be read as its fallback. */
  boolean allowsFallbackDataTypes() {
    return drafts.fallbackDataTypes();
  }

  List<MetadataWarning> warnings() {
    return List.copyOf(warnings);
  }
}
