package dev.zarrreactive.copy;

import dev.zarrreactive.metadata.NodePath;

/**
 * One thing that a copy says in another way than its source, so that programs see the same values
 * in the other format.
 *
 * @param node the path of the node in the destination
 * @param kind the part of the metadata
 * @param text what it was and what it is, for people
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

  /** For people: the node, and what changed. */
  @Override
  public String toString() {
    return node + ": " + text;
  }
}
