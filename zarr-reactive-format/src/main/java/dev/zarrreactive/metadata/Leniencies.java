package dev.zarrreactive.metadata;

import dev.zarrreactive.error.Leniency;
import dev.zarrreactive.internal.metadata.Deviations;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.LocatedJson;
import java.util.ArrayList;
import java.util.List;

/**
 * Records the deviations of a node's documents from the specification. A form of a draft is a
 * warning if the user accepts the draft, and an error that names the option otherwise.
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

  /** Returns the leniencies of a document of Zarr v2, which follows no draft. */
  static Leniencies ofV2() {
    return new Leniencies(Draft.OF_2023, Drafts.none());
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
    note(draft == Draft.OF_2022 ? Leniency.DRAFT_2022 : Leniency.DRAFT_2023, place, what);
  }

  @Override
  public void note(Leniency leniency, LocatedJson place, String what) {
    warnings.add(new MetadataWarning(leniency, what, place.location()));
  }

  /** Adds a warning, unless there is one of this kind. */
  void noteOnce(Leniency leniency, LocatedJson place, String what) {
    if (!has(leniency)) {
      note(leniency, place, what);
    }
  }

  /** Returns true if there is a warning of this kind. */
  boolean has(Leniency leniency) {
    return warnings.stream().anyMatch(warning -> warning.leniency() == leniency);
  }

  Drafts drafts() {
    return drafts;
  }

  /**
   * Returns the value of a document, and adds a warning for each deviation from JSON. The reader of
   * a fill value adds that of a token itself.
   */
  LocatedJson json(JsonDocument.Parsed document) {
    document
        .accepted()
        .forEach(
            (leniency, place) -> {
              if (leniency != Leniency.TOKEN_AS_FILL_VALUE) {
                warnings.add(new MetadataWarning(leniency, statement(leniency), place));
              }
            });
    return document.json();
  }

  private static String statement(Leniency leniency) {
    return switch (leniency) {
      case BYTE_ORDER_MARK -> "the document begins with a byte order mark";
      case DUPLICATE_MEMBER -> "a member occurs twice; the last one is used";
      case TOKEN_IN_ATTRIBUTES -> "the attributes have a token that JSON lacks: NaN or Infinity";
      case TOKEN_IN_CONSOLIDATED_METADATA ->
          "the consolidated metadata have a token that JSON lacks: NaN or Infinity; zarr"
              + " consolidate mends them";
      default -> throw new IllegalArgumentException(leniency + " is no deviation from JSON");
    };
  }

  /** Adds the warnings of another document of the node. */
  void addAll(List<MetadataWarning> others) {
    warnings.addAll(others);
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
