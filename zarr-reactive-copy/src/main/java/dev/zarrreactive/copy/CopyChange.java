package dev.zarrreactive.copy;

import dev.zarrreactive.metadata.NodePath;

/**
 * A part of the metadata that a copy states in another form than its source, so that programs read
 * the same values from the other format.
 *
 * @param node the path of the node in the destination
 * @param kind the part of the metadata
 * @param text the old and the new form, for people
 */
public record CopyChange(NodePath node, Kind kind, String text) {
  /** A part of the metadata of an array. */
  public enum Kind {
    /** The names of the dimensions, in the metadata itself or in {@code _ARRAY_DIMENSIONS}. */
    DIMENSION_NAMES,

    /** The fill value of the array, which xarray takes for missing data in Zarr v2 only. */
    FILL_VALUE,

    /** The attribute {@code _FillValue}, which xarray takes for missing data. */
    MISSING_DATA
  }

  /** Returns the node and the change as text for people. */
  @Override
  public String toString() {
    return node + ": " + text;
  }
}
