package dev.zarrreactive.internal.planning;

import dev.zarrreactive.array.ElementConversion;
import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.FillValue;

/**
 * Elements of one chunk and their places in the result of a selection. Regions of different chunks
 * never overlap in the result: threads copy them at the same time and take no lock.
 */
public sealed interface Region permits BoxRegion, PointRegion {
  /** Copies the elements from the chunk into the result. */
  void copyToResult(ElementMemory chunk, ElementMemory result);

  /**
   * Converts the elements from the chunk into the result, without a copy in between.
   *
   * @return false, with nothing done, where the elements are so scattered that to convert the whole
   *     chunk and to copy the result takes less time
   */
  boolean convertToResult(ElementMemory chunk, ElementMemory result, ElementConversion conversion);

  /** Copies the elements from the result into the chunk. */
  void copyToChunk(ElementMemory result, ElementMemory chunk);

  /** The first of the elements in the chunk's C order. */
  int first();

  /** The end of the elements in the chunk's C order, exclusive. */
  int end();

  /** Adds the elements to a set of elements of the chunk. */
  void addTo(ElementSet elements);

  /** Writes the fill value to the elements' places in the result. */
  void fillResult(ElementMemory result, FillValue fillValue);

  /** This region with a result that holds nothing but these elements. */
  Region alone();

  /** The elements' places in the result, as a selection of it. */
  ResolvedSelection places();

  /** The same elements as a selection of the array. */
  ResolvedSelection selected();

  /** The shape of {@link #alone()}'s result, before dimensions are dropped. */
  Shape shape();

  /** True where every element of the chunk that lies inside the array is in the region. */
  boolean coversChunk(long[] chunkStart, Shape arrayShape);

  /**
   * The place in the result where the chunk's elements, as they are, belong; negative where they
   * must be rearranged.
   */
  long placeOfWholeChunk();
}
