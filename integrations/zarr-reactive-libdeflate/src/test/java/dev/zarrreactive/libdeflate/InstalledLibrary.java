package dev.zarrreactive.libdeflate;

/** The library of this machine. */
public final class InstalledLibrary {
  private static final boolean IS_INSTALLED = new LibdeflateInflaterProvider().isAvailable();

  private InstalledLibrary() {}

  /** Returns true if the machine has the library. */
  public static boolean isInstalled() {
    return IS_INSTALLED;
  }
}
