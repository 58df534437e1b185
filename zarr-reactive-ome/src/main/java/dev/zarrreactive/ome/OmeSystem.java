package dev.zarrreactive.ome;

import java.util.List;

/**
 * A system of coordinates (OME-Zarr 0.6, "coordinateSystems").
 *
 * @param path the path of the group, below the one that was opened, whose attributes name the
 *     system; empty for that group itself. The system of an array's indices has the path of the
 *     array
 * @param name the name, which differs from those of the other systems of the group; empty for the
 *     indices of an array
 * @param axes the axes, in the order of coordinates
 */
public record OmeSystem(String path, String name, List<OmeAxis> axes) {
  /** Copies the list. */
  public OmeSystem {
    axes = List.copyOf(axes);
  }

  boolean isAt(String otherPath, String otherName) {
    return path.equals(otherPath) && name.equals(otherName);
  }

  /** Returns the path and the name, such as {@code tiles/0 physical}. */
  @Override
  public String toString() {
    return path.isEmpty() ? name : name.isEmpty() ? path : path + " " + name;
  }
}
