package dev.zarrreactive.internal.metadata;

import dev.zarrreactive.error.Leniency;
import dev.zarrreactive.json.LocatedJson;

/** Receives the deviations of a document from the specification. */
public interface Deviations {
  /**
   * Accepts a form of the draft, with a warning.
   *
   * @param what a statement of the deviation
   * @throws dev.zarrreactive.error.MetadataException if the user does not accept the draft
   */
  void take(LocatedJson place, String what);

  /** Adds a warning of a form of the draft that is read in any case. */
  void note(LocatedJson place, String what);

  /** Adds a warning of a form that is read in any case. */
  void note(Leniency leniency, LocatedJson place, String what);

  /** Returns true if an unknown data type may be read as its fallback. */
  boolean allowsFallbackDataTypes();
}
