package dev.zarrreactive.metadata;

import dev.zarrreactive.error.Location;

/**
 * Something in a metadata document that was read although the specification does not have it.
 *
 * @param statement what it is, without the place
 * @param location where it stands
 */
public record MetadataWarning(String statement, Location location) {
  /** For people: the statement and the place. */
  @Override
  public String toString() {
    return statement + " (" + location + ")";
  }
}
