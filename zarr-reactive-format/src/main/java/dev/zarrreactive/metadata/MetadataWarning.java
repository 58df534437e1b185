package dev.zarrreactive.metadata;

import dev.zarrreactive.error.Leniency;
import dev.zarrreactive.error.Location;

/**
 * A deviation of a metadata document from the specification that the reader accepted.
 *
 * @param leniency the kind of deviation
 * @param statement the deviation, without the place
 * @param location the place of the deviation
 */
public record MetadataWarning(Leniency leniency, String statement, Location location) {
  /** Returns a text for people: the statement and the place. */
  @Override
  public String toString() {
    return statement + " (" + location + ")";
  }
}
