package dev.zarrreactive.cli.view;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.Axis;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.ResolvedSelection.Orthogonal;
import dev.zarrreactive.array.selection.DimensionSelection;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.cli.console.CommandFailure;
import dev.zarrreactive.datatype.DataTypes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The two dimensions of an array that are drawn, and the dimension of its colours, if any. */
public final class Plane {
  private static final int NO_DIMENSION = -1;

  private final List<Axis> axes;
  private final int rows;
  private final int columns;
  private final int colours;

  private Plane(List<Axis> axes, int rows, int columns, int colours) {
    this.axes = axes;
    this.rows = rows;
    this.columns = columns;
    this.colours = colours;
  }

  /**
   * Returns the plane of the last two dimensions that have several indices. A last dimension of 3
   * or 4 indices of {@code uint8} or {@code uint16} are the colours.
   *
   * @param selection the selected elements, of which one plane is left; null for the first index of
   *     every other dimension
   * @param bands the indices, in the dimension before the plane, that are red, green and blue; null
   *     for none
   * @throws CommandFailure if the selection has no plane, or several
   */
  public static Plane of(ZarrArray array, @Nullable Selection selection, long @Nullable [] bands) {
    Selection selected = selection == null ? Selection.all() : selection;
    if (!(selected.resolve(array.shape()) instanceof Orthogonal orthogonal)) {
      throw new CommandFailure("points have no plane; select ranges, such as 0,100:200,100:200");
    }
    List<Axis> axes = new ArrayList<>(orthogonal.axes());
    List<Integer> wide =
        new ArrayList<>(
            IntStream.range(0, axes.size())
                .filter(d -> axes.get(d).count() > 1 || (bands != null && !isDropped(axes.get(d))))
                .boxed()
                .toList());
    for (int d = axes.size() - 1; d >= 0 && wide.size() < 2; d--) {
      if (!wide.contains(d) && !isDropped(axes.get(d))) {
        wide.add(d);
        wide.sort(Comparator.naturalOrder());
      }
    }
    if (wide.size() < 2 || orthogonal.shape().isEmpty()) {
      throw new CommandFailure(
          "a picture needs a plane of two dimensions; the selection has the shape "
              + orthogonal.shape()
              + "; zarr read prints it");
    }
    int colours = NO_DIMENSION;
    if (bands == null && wide.size() > 2 && hasColours(array, axes.get(last(wide)))) {
      colours = wide.remove(wide.size() - 1);
    }
    int columns = wide.remove(wide.size() - 1);
    int rows = wide.remove(wide.size() - 1);
    if (bands != null) {
      if (wide.isEmpty()) {
        throw new CommandFailure("the array has no dimension of bands before the plane");
      }
      colours = wide.remove(wide.size() - 1);
      axes.set(colours, bandAxis(axes.get(colours), bands));
    }
    for (int other : wide) {
      if (selection != null) {
        throw new CommandFailure(
            "the selection has the shape "
                + orthogonal.shape()
                + ", of several planes; select one index of each other dimension, such as 0,:,:");
      }
      axes.set(other, new Axis.Range(0, 1, 1, true));
    }
    return new Plane(axes, rows, columns, colours);
  }

  private static int last(List<Integer> dimensions) {
    return dimensions.get(dimensions.size() - 1);
  }

  private static boolean isDropped(Axis axis) {
    return axis instanceof Axis.Range range && range.dropped();
  }

  private static boolean hasColours(ZarrArray array, Axis last) {
    return (last.count() == 3 || last.count() == 4)
        && (array.dataType().equals(DataTypes.UINT8) || array.dataType().equals(DataTypes.UINT16));
  }

  private static Axis bandAxis(Axis axis, long[] bands) {
    for (long band : bands) {
      if (band < 0 || band >= axis.count()) {
        throw new CommandFailure(
            "the bands are 0 to " + (axis.count() - 1) + "; there is no band " + band);
      }
    }
    return new Axis.Indices(Arrays.stream(bands).map(band -> indices(axis, band, 1)[0]).toArray());
  }

  /** Returns every {@code step}th index of an axis from position {@code first} on. */
  private static long[] indices(Axis axis, long first, long step) {
    int count = Math.toIntExact((axis.count() - first + step - 1) / step);
    long[] indices = new long[count];
    for (int i = 0; i < count; i++) {
      long position = first + i * step;
      indices[i] =
          axis instanceof Axis.Indices list
              ? list.index((int) position)
              : ((Axis.Range) axis).start() + position * ((Axis.Range) axis).step();
    }
    return indices;
  }

  /** Returns the number of rows of elements. */
  public long height() {
    return axes.get(rows).count();
  }

  /** Returns the number of columns of elements. */
  public long width() {
    return axes.get(columns).count();
  }

  /** Returns the dimension of the rows. */
  public int rows() {
    return rows;
  }

  /** Returns true if three or four elements are the colour of one pixel. */
  public boolean hasColours() {
    return colours != NO_DIMENSION;
  }

  /** Returns the dimension of the columns. */
  public int columns() {
    return columns;
  }

  /** Returns the first and the last index of a dimension. */
  public long[] ends(int dimension) {
    Axis axis = axes.get(dimension);
    return new long[] {indices(axis, 0, 1)[0], indices(axis, axis.count() - 1, 1)[0]};
  }

  /** Returns the selection of every {@code stepDown}th row and {@code stepRight}th column. */
  public Selection every(long stepDown, long stepRight) {
    DimensionSelection[] dimensions = new DimensionSelection[axes.size()];
    for (int d = 0; d < dimensions.length; d++) {
      long step = d == rows ? stepDown : d == columns ? stepRight : 1;
      boolean isDrawn = d == rows || d == columns || d == colours;
      dimensions[d] = isDrawn ? part(axes.get(d), step) : first(axes.get(d));
    }
    return Selection.of(dimensions);
  }

  private static DimensionSelection part(Axis axis, long step) {
    if (axis instanceof Axis.Range range) {
      long end = range.start() + (range.count() - 1) * range.step() + 1;
      return DimensionSelection.slice(range.start(), end, range.step() * step);
    }
    return DimensionSelection.indices(indices(axis, 0, step));
  }

  private static DimensionSelection first(Axis axis) {
    return DimensionSelection.at(indices(axis, 0, Math.max(1, axis.count()))[0]);
  }

  /** Returns the elements of {@link #every}, with colours first, then rows, then columns. */
  NdArray ordered(NdArray elements) {
    if (!hasColours()) {
      return elements.newAxis(0);
    }
    return colours > columns
        ? elements.transpose(2, 0, 1)
        : colours > rows ? elements.transpose(1, 0, 2) : elements;
  }
}
