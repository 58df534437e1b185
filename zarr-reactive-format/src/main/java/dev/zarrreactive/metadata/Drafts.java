package dev.zarrreactive.metadata;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.internal.metadata.DocumentTranslator;
import java.util.List;
import java.util.Set;

/**
 * The drafts of Zarr v3 that a reader accepts, besides the specification. Nodes of a draft are
 * read-only, and each deviation becomes a {@link MetadataWarning}. Immutable.
 *
 * @param accepted the accepted drafts
 * @param fallbackDataTypes true if an unknown data type is read as a fallback that its document
 *     names
 */
public record Drafts(Set<Draft> accepted, boolean fallbackDataTypes) {
  /** Found with the options, on the thread of a caller, for it takes reading files. */
  private static final DocumentTranslator TRANSLATOR =
      DocumentTranslator.find(Drafts.class.getClassLoader());

  private static final Drafts NONE = new Drafts(Set.of(), false);

  /** Copies the drafts. */
  public Drafts {
    accepted = Set.copyOf(accepted);
  }

  /** Returns the options that accept only the specification. */
  public static Drafts none() {
    return NONE;
  }

  /** Returns the options that accept these drafts, without fallback data types. */
  public static Drafts of(Draft... drafts) {
    return new Drafts(Set.copyOf(List.of(drafts)), false);
  }

  /**
   * Returns a copy that reads an unknown data type as the first known one of its fallbacks. The
   * elements are then the fallback's interpretation of their bytes.
   */
  public Drafts withFallbackDataTypes() {
    return new Drafts(accepted, true);
  }

  /** Returns true if {@code draft} is accepted. */
  public boolean accepts(Draft draft) {
    return accepted.contains(draft);
  }

  /** The translator of the forms of drafts to those of Zarr v3. */
  static DocumentTranslator translator() {
    return TRANSLATOR;
  }

  /**
   * Checks that the accepted drafts can be read.
   *
   * @throws UnsupportedFeatureException if there is one, and no module that reads it
   */
  void checkReadable() {
    if (!accepted.isEmpty() && TRANSLATOR == DocumentTranslator.NONE) {
      throw new UnsupportedFeatureException(
          "drafts of Zarr v3 are read by the module zarr-reactive-drafts, which is missing; add it"
              + " to the class path, or do without ZarrOptions.withDrafts",
          Location.UNKNOWN);
    }
  }
}
