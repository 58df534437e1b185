package dev.zarrreactive.ome;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A scale and then a translation along each axis (OME-Zarr 0.5, "coordinateTransformations"). The
 * coordinate of an index is that of the centre of its element.
 *
 * @param scale the distance of neighbours, in the units of the axes, in their order; 0 where all
 *     indices have one coordinate, as converters write for an axis with one index
 * @param translation the coordinate of index 0
 */
public record OmeTransform(List<Double> scale, List<Double> translation) {
  /** Checks the lengths. */
  public OmeTransform {
    scale = List.copyOf(scale);
    translation = List.copyOf(translation);
    if (scale.size() != translation.size()) {
      throw new IllegalArgumentException(
          "a scale of " + scale.size() + " axes and a translation of " + translation.size());
    }
  }

  /** Returns the transform whose coordinates are the indices. */
  public static OmeTransform identity(int rank) {
    return new OmeTransform(Collections.nCopies(rank, 1.0), Collections.nCopies(rank, 0.0));
  }

  /** Returns the coordinate of an index, which may be between two elements. */
  public double coordinate(int axis, double index) {
    return index * scale.get(axis) + translation.get(axis);
  }

  /**
   * Returns the index of a coordinate, which may be between two elements or outside. Along an axis
   * with the scale 0, the only coordinate has the index 0, and all others an infinite one.
   */
  public double index(int axis, double coordinate) {
    double distance = coordinate - translation.get(axis);
    return distance == 0 ? 0 : distance / scale.get(axis);
  }

  /** Returns this transform, completed by another one along axes whose numbers are not finite. */
  OmeTransform or(OmeTransform other) {
    List<Double> scales = new ArrayList<>();
    List<Double> translations = new ArrayList<>();
    for (int d = 0; d < scale.size(); d++) {
      boolean hasScale = Double.isFinite(scale.get(d));
      boolean hasTranslation = Double.isFinite(translation.get(d));
      scales.add(hasScale ? scale.get(d) : other.scale.get(d));
      translations.add(
          hasTranslation
              ? translation.get(d)
              : hasScale ? Double.valueOf(0) : other.translation.get(d));
    }
    return new OmeTransform(scales, translations);
  }

  /** Returns this transform, with {@code next} applied to its coordinates. */
  public OmeTransform then(OmeTransform next) {
    List<Double> scales = new ArrayList<>();
    List<Double> translations = new ArrayList<>();
    for (int d = 0; d < scale.size(); d++) {
      scales.add(scale.get(d) * next.scale.get(d));
      translations.add(next.coordinate(d, translation.get(d)));
    }
    return new OmeTransform(scales, translations);
  }
}
