package dev.zarrreactive.metadata;

import dev.zarrreactive.internal.metadata.Deviations;
import dev.zarrreactive.json.LocatedJson;
import java.util.ArrayList;
import java.util.List;

/**
 * Records the deviations of one document from the specification. A form of a draft is a warning if
 * the user accepts the draft, and an error that names the option otherwise.
 */
final class Leniencies implements Deviations {
  private final Draft draft;
  private final Drafts drafts;
  private final List<MetadataWarning> warnings = new ArrayList<>();
  private boolean taken;

  Leniencies(Draft draft, Drafts drafts) {
    this.draft = draft;
    this.drafts = drafts;
  }

  @Override
  public void take(LocatedJson place, String what) {
    if (!drafts.accepts(draft)) {
      throw place.error(what + "; this is a form of " + draft + ", and " + draft.howToRead());
    }
    taken = true;
    note(place, what + ", as in " + draft);
  }

  @Override
  public void note(LocatedJson place, String what) {
    warnings.add(new MetadataWarning(what, place.location()));
  }

  /** Returns true if a form of the draft was accepted. */
  boolean isTaken() {
    return taken;
  }

  Draft draft() {
    return draft;
  }

  @Override
  public boolean allowsFallbackDataTypes() {
    return drafts.fallbackDataTypes();
  }

  List<MetadataWarning> warnings() {
    return List.copyOf(warnings);
  }
}
