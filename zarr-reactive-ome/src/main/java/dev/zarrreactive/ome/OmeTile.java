package dev.zarrreactive.ome;

import dev.zarrreactive.array.NdArray;
import java.util.List;

/**
 * Elements of one level of an image, and their place.
 *
 * @param values the elements, whose dimensions are the axes
 * @param axes the axes; axes of single indices are left out
 * @param transform the coordinates of the elements: index 0 is the tile's first element
 * @param level the path of the level that was read
 */
public record OmeTile(NdArray values, List<OmeAxis> axes, OmeTransform transform, String level) {
  /** Copies the list. */
  public OmeTile {
    axes = List.copyOf(axes);
  }
}
