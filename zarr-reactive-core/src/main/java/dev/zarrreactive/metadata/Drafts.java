package dev.zarrreactive.metadata;

import java.util.List;
import java.util.Set;

/**
 * The drafts of Zarr v3 that a reader accepts, besides the specification. Nodes of a draft are
 * read-only, and each deviation becomes a {@link MetadataWarning}. Immutable.
 *
 * @param accepted the accepted drafts
 * @param fallbackDataTypes true to read an unknown data type as a fallback that its document names
 */
public record Drafts(Set<Draft> accepted, boolean fallbackDataTypes) {
  private static final Drafts NONE = new Drafts(Set.of(), false);

  /** Copies {@code accepted}. */
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
}
