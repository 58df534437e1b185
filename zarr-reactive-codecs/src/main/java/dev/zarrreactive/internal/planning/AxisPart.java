package dev.zarrreactive.internal.planning;

import dev.zarrreactive.array.Axis;

/**
 * The part of a selection in one chunk along one dimension.
 *
 * @param chunk the chunk's index in this dimension
 * @param extent the chunk's extent in this dimension
 * @param count the number of elements; a shard may have more than an array in memory
 * @param inChunk their places, counted from the chunk's start
 * @param inResult their places in the result, in the same order
 * @param selected the same elements, counted from the array's start
 */
record AxisPart(
    long chunk, long extent, long count, Positions inChunk, Positions inResult, Axis selected) {

  /** Returns true if the result lacks this dimension, since the selection has one index of it. */
  boolean isDropped() {
    return selected instanceof Axis.Range range && range.dropped();
  }

  /** Returns the places in the result as elements of a dimension. */
  Axis places() {
    return inResult.toAxis(count);
  }

  /** Returns the same elements of the chunk for a result that holds only them. */
  AxisPart alone() {
    return new AxisPart(chunk, extent, count, inChunk, Positions.spaced(0, 1), selected);
  }

  /** Returns the same places of the result for a source that holds only them. */
  AxisPart fromAll() {
    return new AxisPart(chunk, count, count, Positions.spaced(0, 1), inResult, selected);
  }
}
