package dev.zarrreactive.simulation;

/** A rule that a run broke, and how. */
record Finding(Rule rule, String text) {
  @Override
  public String toString() {
    return rule + ": " + text;
  }
}
