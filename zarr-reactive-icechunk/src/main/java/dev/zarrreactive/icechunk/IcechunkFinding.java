package dev.zarrreactive.icechunk;

import dev.zarrreactive.error.ZarrException;

/**
 * What a check of a repository has found.
 *
 * @param key of the file in the store of the repository, or the beginning of keys
 * @param isFault whether a reader fails or misses a chunk; otherwise the file breaks a rule that
 *     this reader does not need, or something was not checked
 * @param text what is wrong
 */
public record IcechunkFinding(String key, boolean isFault, String text) {
  static IcechunkFinding fault(String key, String text) {
    return new IcechunkFinding(key, true, text);
  }

  static IcechunkFinding warning(String key, String text) {
    return new IcechunkFinding(key, false, text);
  }

  /** The fault that an error tells of, at the key that it names or at another one. */
  static IcechunkFinding of(String key, ZarrException error) {
    String place = error.location().storeKey();
    return fault(place == null ? key : place, error.statement());
  }

  /** Returns the finding on one line. */
  @Override
  public String toString() {
    return key + ": " + text;
  }
}
