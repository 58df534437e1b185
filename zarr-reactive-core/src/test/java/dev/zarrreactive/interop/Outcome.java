package dev.zarrreactive.interop;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnknownExtensionException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.error.ZarrException;

/** What became of a case. */
record Outcome(Kind kind, String message) {
  enum Kind {
    /** Everything is as the case says. */
    PASSED,
    /** A clear error says what is not supported, and where. */
    REFUSED,
    /** Wrong values, or any other error. */
    FAILED
  }

  static final Outcome PASSED = new Outcome(Kind.PASSED, "");

  /** What an error means; {@code work} returns only where everything is right. */
  static Outcome of(Runnable work) {
    try {
      work.run();
      return PASSED;
    } catch (UnsupportedFeatureException | UnknownExtensionException e) {
      return isLocated(e)
          ? new Outcome(Kind.REFUSED, e.getMessage())
          : new Outcome(Kind.FAILED, "refused, but it does not say where: " + e.getMessage());
    } catch (Throwable e) {
      return new Outcome(Kind.FAILED, e.toString());
    }
  }

  static boolean isLocated(ZarrException e) {
    Location place = e.location();
    return place.nodePath() != null || place.storeKey() != null;
  }

  boolean is(Kind other) {
    return kind == other;
  }
}
