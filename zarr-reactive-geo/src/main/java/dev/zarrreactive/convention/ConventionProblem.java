package dev.zarrreactive.convention;

/**
 * A place in attributes that breaks a rule of a convention.
 *
 * @param pointer the place, as a JSON pointer that begins in the attributes
 * @param expected the rule
 * @param found the value there
 */
public record ConventionProblem(String pointer, String expected, String found) {
  /** Returns one line: the place, the rule and the value. */
  @Override
  public String toString() {
    return pointer + ": expected " + expected + ", found " + found;
  }
}
