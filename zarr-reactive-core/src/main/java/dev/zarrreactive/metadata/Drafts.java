package dev.zarrreactive.metadata;

import java.util.List;
import java.util.Set;

/**
 * Which drafts of Zarr v3 may be read, beside what was accepted in the end. Nodes that need one can
 * only be read, never written, and each leniency is told as a {@link MetadataWarning}. Immutable.
 *
 * @param accepted the drafts that may be read
 * @param fallbackDataTypes true where an unknown data type may be read as one that its document
 *     names as its fallback
 */
public record Drafts(Set<Draft> accepted, boolean fallbackDataTypes) {
  private static final Drafts NONE = new Drafts(Set.of(), false);

  /** A copy of {@code accepted}. */
  public Drafts {
    accepted = Set.copyOf(accepted);
  }

  /** No draft: the specification as it was accepted. */
  public static Drafts none() {
    return NONE;
  }

  /** These drafts, without fallback data types. */
  public static Drafts of(Draft... drafts) {
    return new Drafts(Set.copyOf(List.of(drafts)), false);
  }

  /**
   * These drafts, and where a data type is unknown the first known one of its fallbacks: the
   * elements are then what the fallback makes of their bytes.
   */
  public Drafts withFallbackDataTypes() {
    return new Drafts(accepted, true);
  }

  /** True where {@code draft} may be read. */
  public boolean accepts(Draft draft) {
    return accepted.contains(draft);
  }
}
