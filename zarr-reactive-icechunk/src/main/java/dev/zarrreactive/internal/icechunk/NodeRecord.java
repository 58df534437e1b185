package dev.zarrreactive.internal.icechunk;

import dev.zarrreactive.base.Bytes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A node as a snapshot has it.
 *
 * @param path such as {@code /a/b}
 * @param document the bytes of its {@code zarr.json}
 * @param array what only an array has; null for a group
 * @param extra bytes of other programs, which stay with the node; null where there are none
 */
public record NodeRecord(
    long id, String path, Bytes document, @Nullable Grid array, @Nullable Bytes extra) {

  /**
   * The grid of an array, and the manifests of its chunks.
   *
   * @param lengths the number of elements along each axis
   * @param chunks the number of chunks along each axis
   * @param names the names of the axes, each of which may be null; null where there are none
   */
  public record Grid(
      List<Long> lengths,
      List<Long> chunks,
      @Nullable List<@Nullable String> names,
      List<Extents> manifests) {
    /** The same grid with other manifests. */
    public Grid with(List<Extents> others) {
      return new Grid(lengths, chunks, names, others);
    }

    /** The same grid without the chunks that are outside of another one. */
    public Grid cutTo(Grid other) {
      return cutTo(other.chunks);
    }

    /** The same grid without the chunks that are outside of one with such numbers of chunks. */
    public Grid cutTo(List<Long> others) {
      List<Long> least = new ArrayList<>();
      for (int axis = 0; axis < chunks.size(); axis++) {
        least.add(Math.min(chunks.get(axis), others.get(axis)));
      }
      return new Grid(lengths, least, names, manifests);
    }

    /** Returns true for the index of a chunk in the grid. */
    public boolean has(int[] index) {
      if (index.length != chunks.size()) {
        return false;
      }
      for (int axis = 0; axis < index.length; axis++) {
        if (Integer.toUnsignedLong(index[axis]) >= chunks.get(axis)) {
          return false;
        }
      }
      return true;
    }
  }

  /**
   * A manifest of an array, and the box of indices in it.
   *
   * @param box from and to for each axis, unsigned; do not change it
   */
  @SuppressWarnings("ArrayRecordComponent")
  public record Extents(String manifest, int[] box) {}

  /**
   * A manifest in the list of a snapshot.
   *
   * @param bytes of the stored file
   * @param references the number of references in it
   */
  public record Manifest(String id, long bytes, long references) {}
}
