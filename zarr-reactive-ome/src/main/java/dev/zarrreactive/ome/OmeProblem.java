package dev.zarrreactive.ome;

/**
 * A place in the attributes of a group that breaks a rule of OME-Zarr.
 *
 * @param pointer the place, as a JSON pointer
 * @param expected the rule
 * @param found the value there
 * @param stopsReading true if the image, the plate or the well cannot be opened; false for rules
 *     that only this list tells of, because data that break them can be read
 */
public record OmeProblem(String pointer, String expected, String found, boolean stopsReading) {
  /** Returns one line: the place, the rule and the value. */
  @Override
  public String toString() {
    return pointer + ": expected " + expected + ", found " + found;
  }
}
