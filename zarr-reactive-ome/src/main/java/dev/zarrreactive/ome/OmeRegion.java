package dev.zarrreactive.ome;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A part of an image in the units of its axes. Immutable: each method returns a smaller region.
 *
 * <pre>{@code
 * OmeRegion.all().range("x", 100, 150).range("y", 20, 40).at("z", 7.5).index("c", 0)
 * }</pre>
 */
public final class OmeRegion {
  private static final OmeRegion ALL = new OmeRegion(Map.of());

  private final Map<String, Part> parts;

  /** A range of coordinates or one, or a range of indices that ends before {@code to}. */
  record Part(double from, double to, boolean isPoint, boolean isOfIndices) {
    @Override
    public String toString() {
      return (isOfIndices ? "index " : "") + from + (isPoint ? "" : " to " + to);
    }
  }

  private OmeRegion(Map<String, Part> parts) {
    this.parts = parts;
  }

  /** Returns the region of the whole image. */
  public static OmeRegion all() {
    return ALL;
  }

  /**
   * Returns the region in a range of an axis.
   *
   * @throws IllegalArgumentException if the coordinates are not finite, or fall
   */
  public OmeRegion range(String axis, double from, double to) {
    if (!(Double.isFinite(from) && Double.isFinite(to) && from <= to)) {
      throw new IllegalArgumentException(
          "a range of the axis " + axis + " has two rising coordinates: " + from + ", " + to);
    }
    return with(axis, new Part(from, to, false, false));
  }

  /**
   * Returns the region of the elements that are nearest to a coordinate of an axis. A tile of it
   * lacks the axis.
   *
   * @throws IllegalArgumentException if the coordinate is not finite
   */
  public OmeRegion at(String axis, double coordinate) {
    if (!Double.isFinite(coordinate)) {
      throw new IllegalArgumentException("a coordinate is a finite number: " + coordinate);
    }
    return with(axis, new Part(coordinate, coordinate, true, false));
  }

  /**
   * Returns the region of one index of an axis, such as a channel. A tile of it lacks the axis.
   *
   * @throws IllegalArgumentException if the index is negative
   */
  public OmeRegion index(String axis, long index) {
    if (index < 0) {
      throw new IllegalArgumentException("an index begins at 0: " + index);
    }
    return with(axis, new Part(index, index + 1.0, true, true));
  }

  /**
   * Returns the region of a range of indices of an axis, such as a tile: those from {@code from}
   * on, before {@code to}. It is cut at the end of the image.
   *
   * @throws IllegalArgumentException if {@code from} is negative, or {@code to} is not above it
   */
  public OmeRegion indices(String axis, long from, long to) {
    if (from < 0 || to <= from) {
      throw new IllegalArgumentException(
          "indices of the axis " + axis + " rise from 0 or more: " + from + " to " + to);
    }
    return with(axis, new Part((double) from, (double) to, false, true));
  }

  private OmeRegion with(String axis, Part part) {
    Map<String, Part> more = new LinkedHashMap<>(parts);
    more.put(axis, part);
    return new OmeRegion(Collections.unmodifiableMap(more));
  }

  Map<String, Part> parts() {
    return parts;
  }

  /** Returns the parts by axis. */
  @Override
  public String toString() {
    return parts.toString();
  }
}
