package dev.zarrreactive.ome;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.selection.DimensionSelection;
import dev.zarrreactive.array.selection.Selection;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * One level of resolution of an image. Immutable.
 *
 * @param path the path of the array below the image
 * @param array the array
 * @param axes the axes of its dimensions
 * @param transform the coordinates of its indices, in the units of the axes
 */
public record OmeLevel(String path, ZarrArray array, List<OmeAxis> axes, OmeTransform transform) {
  /** Copies the list. */
  public OmeLevel {
    axes = List.copyOf(axes);
  }

  /** Returns the distance of neighbours along an axis, in its unit. */
  public double scale(String axis) {
    return transform.scale().get(dimension(axis));
  }

  /** Returns the coordinate of index 0 along an axis, in its unit. */
  public double translation(String axis) {
    return transform.translation().get(dimension(axis));
  }

  /**
   * Returns the dimension of an axis.
   *
   * @throws IllegalArgumentException if there is none of the name; the message lists the names
   */
  public int dimension(String axis) {
    for (int d = 0; d < axes.size(); d++) {
      if (axes.get(d).name().equals(axis)) {
        return d;
      }
    }
    throw new IllegalArgumentException(
        "the image has the axes "
            + axes.stream().map(OmeAxis::name).toList()
            + ", and none named "
            + axis);
  }

  /**
   * Reads the elements in a region. A range has every element whose pixel, half a scale to both
   * sides of its coordinate, meets the range; it is cut at the ends of the image. Axes that the
   * region leaves out are whole. Along an axis with a scale of 0, a range that has the only
   * coordinate has all elements. Thread, cancel and errors are those of {@link
   * ZarrArray#read(Selection)}.
   *
   * @throws IllegalArgumentException for an axis that the image lacks, for coordinates outside of
   *     it, and for one coordinate that several indices have
   */
  public Mono<OmeTile> tile(OmeRegion region) {
    region.parts().keySet().forEach(this::dimension);
    DimensionSelection[] selection = new DimensionSelection[axes.size()];
    List<OmeAxis> kept = new ArrayList<>();
    List<Double> scale = new ArrayList<>();
    List<Double> translation = new ArrayList<>();
    for (int d = 0; d < selection.length; d++) {
      OmeRegion.Part part = region.parts().get(axes.get(d).name());
      long[] indices = indices(d, part);
      boolean isDropped = part != null && part.isPoint();
      selection[d] =
          isDropped
              ? DimensionSelection.at(indices[0])
              : DimensionSelection.slice(indices[0], indices[1]);
      if (!isDropped) {
        kept.add(axes.get(d));
        scale.add(transform.scale().get(d));
        translation.add(transform.coordinate(d, (double) indices[0]));
      }
    }
    OmeTransform placed = new OmeTransform(scale, translation);
    return array
        .read(Selection.of(selection))
        .map(values -> new OmeTile(values, kept, placed, path));
  }

  /** Returns the first index of a part, and the one after the last. */
  long[] indices(int dimension, OmeRegion.@Nullable Part part) {
    long extent = array.shape().extent(dimension);
    if (part == null) {
      return new long[] {0, extent};
    }
    double from = part.from();
    double to = part.to();
    if (!part.isOfIndices() && transform.scale().get(dimension) == 0) {
      boolean isIn =
          from <= transform.coordinate(dimension, 0) && transform.coordinate(dimension, 0) <= to;
      if (isIn && part.isPoint() && extent > 1) {
        throw new IllegalArgumentException(
            "all "
                + extent
                + " indices of the axis "
                + axes.get(dimension).name()
                + " have the coordinate "
                + from
                + ", because its scale is 0; choose one by OmeRegion.index");
      }
      from = isIn ? 0 : extent;
      to = extent;
    } else if (!part.isOfIndices()) {
      double one = transform.index(dimension, from) + 0.5;
      double other = transform.index(dimension, to) + 0.5;
      from = Math.floor(Math.min(one, other));
      to = part.isPoint() ? from + 1 : Math.ceil(Math.max(one, other));
    }
    if (!(to > 0 && from < extent)) {
      throw new IllegalArgumentException(
          part
              + " of the axis "
              + axes.get(dimension).name()
              + " is outside of the image, whose coordinates are "
              + transform.coordinate(dimension, 0)
              + " to "
              + transform.coordinate(dimension, extent - 1.0));
    }
    return new long[] {(long) Math.max(0, from), (long) Math.min((double) extent, to)};
  }
}
