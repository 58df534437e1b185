package dev.zarrreactive.simulation;

import org.jspecify.annotations.Nullable;

/**
 * A rule that a run broke, and how.
 *
 * @param operation the operation that broke it; null where no operation did alone
 */
record Finding(Rule rule, @Nullable PlannedOperation operation, String text) {
  @Override
  public String toString() {
    return rule + ": " + text;
  }
}
