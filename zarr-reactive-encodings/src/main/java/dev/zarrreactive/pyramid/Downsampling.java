package dev.zarrreactive.pyramid;

import java.util.Locale;

/** How the elements of a level become those of the next coarser one. */
public enum Downsampling {
  /**
   * The mean of the elements of a cell: of integers rounded to the nearest, halves upwards; of
   * floats without NaN, and NaN if there is nothing else. The centre of a cell is its place.
   */
  MEAN,
  /** The first element of a cell, along each axis; its place stays as it is. */
  NEAREST,
  /**
   * The element that a cell has most often, and of several the one that comes first. For labels and
   * classes. The centre of a cell is its place.
   */
  MODE;

  /** The name in small letters, such as {@code mean}. */
  public String attribute() {
    return name().toLowerCase(Locale.ROOT);
  }
}
