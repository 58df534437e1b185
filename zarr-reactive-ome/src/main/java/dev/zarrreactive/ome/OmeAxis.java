package dev.zarrreactive.ome;

/**
 * An axis of an image (OME-Zarr 0.5, "axes").
 *
 * @param name the name, such as {@code x}
 * @param type {@code space}, {@code time}, {@code channel} or another; empty where it is unknown
 * @param unit the unit of coordinates, such as {@code micrometer}; empty where it is unknown
 */
public record OmeAxis(String name, String type, String unit) {
  static final String SPACE = "space";
  static final String TIME = "time";
  static final String CHANNEL = "channel";

  /** Returns {@code x (micrometer)}. */
  @Override
  public String toString() {
    return unit.isEmpty() ? name : name + " (" + unit + ")";
  }
}
