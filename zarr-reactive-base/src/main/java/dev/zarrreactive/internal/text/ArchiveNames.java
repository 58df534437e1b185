package dev.zarrreactive.internal.text;

import java.util.Locale;

/** The names of zip archives. */
public final class ArchiveNames {
  /** The suffix of zip archives, and that of OME-Zarr in one (RFC-9 of OME-NGFF). */
  private static final String[] SUFFIXES = {".zip", ".ozx"};

  private ArchiveNames() {}

  /** Returns whether a file of this name, or at this path, is taken for a zip archive. */
  public static boolean isArchive(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    for (String suffix : SUFFIXES) {
      if (lower.endsWith(suffix)) {
        return true;
      }
    }
    return false;
  }
}
