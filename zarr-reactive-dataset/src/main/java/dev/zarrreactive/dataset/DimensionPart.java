package dev.zarrreactive.dataset;

import dev.zarrreactive.array.Axis;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.selection.DimensionSelection;
import dev.zarrreactive.array.selection.Selection;
import java.util.stream.LongStream;

/**
 * The part of a stored dimension that was selected so far.
 *
 * @param axis the stored indices
 */
record DimensionPart(Axis axis) {
  static DimensionPart whole(long extent) {
    return new DimensionPart(new Axis.Range(0, extent, 1, false));
  }

  /** Returns true after the selection of a single index. */
  boolean isDropped() {
    return axis instanceof Axis.Range range && range.dropped();
  }

  long size() {
    return axis.count();
  }

  /** Returns the stored index of a position in the part. */
  long index(long position) {
    return axis instanceof Axis.Range range
        ? range.start() + position * range.step()
        : ((Axis.Indices) axis).index((int) position);
  }

  /** Returns a part of this part. */
  DimensionPart select(Axis positions) {
    if (positions instanceof Axis.Range of && axis instanceof Axis.Range range) {
      long start = of.count() == 0 ? range.start() : index(of.start());
      return new DimensionPart(
          new Axis.Range(start, of.count(), range.step() * of.step(), of.dropped()));
    } else if (positions instanceof Axis.Range of && of.dropped()) {
      return new DimensionPart(new Axis.Range(index(of.start()), 1, 1, true));
    } else if (positions instanceof Axis.Range of) {
      return new DimensionPart(
          new Axis.Indices(
              LongStream.range(0, of.count())
                  .map(i -> index(of.start() + i * of.step()))
                  .toArray()));
    }
    long[] list = ((Axis.Indices) positions).toArray();
    return new DimensionPart(new Axis.Indices(LongStream.of(list).map(this::index).toArray()));
  }

  /** Returns the part as an entry of a selection of the stored array. */
  DimensionSelection selection() {
    if (axis instanceof Axis.Range range) {
      if (range.dropped()) {
        return DimensionSelection.at(range.start());
      } else if (range.count() == 0) {
        return DimensionSelection.slice(0, 0);
      }
      long stop = range.start() + (range.count() - 1) * range.step() + 1;
      return DimensionSelection.slice(range.start(), stop, range.step());
    }
    return DimensionSelection.indices(((Axis.Indices) axis).toArray());
  }

  /** Returns the elements of a whole dimension that are in the part. */
  NdArray of(NdArray whole) {
    return whole.slice(Selection.of(selection()));
  }
}
