package dev.zarrreactive.encodings;

import dev.zarrreactive.array.Axis;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.ResolvedSelection.Orthogonal;
import dev.zarrreactive.array.ResolvedSelection.Points;
import java.util.List;

/** The indices in the array of a selection's elements, in C order of the result. */
abstract class IndexWalk {
  static IndexWalk of(ResolvedSelection selection) {
    return selection instanceof Points points
        ? new OfPoints(points)
        : new OfAxes(((Orthogonal) selection).axes());
  }

  /** Appends the index of the next element in each dimension, with a comma after each. */
  abstract void appendNext(StringBuilder text);

  private static final class OfPoints extends IndexWalk {
    private final Points points;
    private int next;

    OfPoints(Points points) {
      this.points = points;
    }

    @Override
    void appendNext(StringBuilder text) {
      for (int d = 0; d < points.rank(); d++) {
        text.append(points.index(d, next)).append(',');
      }
      next++;
    }
  }

  private static final class OfAxes extends IndexWalk {
    private final List<Axis> axes;
    private final long[] position;

    /** The text of all dimensions but the last; empty if it has changed. */
    private String outer = "";

    OfAxes(List<Axis> axes) {
      this.axes = axes;
      this.position = new long[axes.size()];
    }

    @Override
    void appendNext(StringBuilder text) {
      int last = position.length - 1;
      if (last < 0) {
        return;
      }
      if (outer.isEmpty()) {
        StringBuilder indices = new StringBuilder();
        for (int d = 0; d < last; d++) {
          indices.append(index(d)).append(',');
        }
        outer = indices.toString();
      }
      text.append(outer).append(index(last)).append(',');
      advance(last);
    }

    private long index(int dimension) {
      Axis axis = axes.get(dimension);
      return axis instanceof Axis.Range range
          ? range.start() + position[dimension] * range.step()
          : ((Axis.Indices) axis).index((int) position[dimension]);
    }

    private void advance(int dimension) {
      for (int d = dimension; d >= 0 && ++position[d] == axes.get(d).count(); d--) {
        position[d] = 0;
        outer = "";
      }
    }
  }
}
