package dev.zarrreactive.internal.planning;

import dev.zarrreactive.array.ElementConversion;
import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.ResolvedSelection.Points;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.FillValue;
import java.util.Arrays;

/** Single elements of a chunk. */
final class PointRegion implements Region {
  private final long[] inChunk;
  private final int[] inResult;
  private final Points selected;

  /**
   * Single elements.
   *
   * @param inChunk their places in the chunk's C order; a place in a shard may exceed an int
   * @param inResult their places in the result
   * @param selected the same elements, counted from the array's start
   */
  PointRegion(long[] inChunk, int[] inResult, Points selected) {
    this.inChunk = inChunk;
    this.inResult = inResult;
    this.selected = selected;
  }

  @Override
  public void copyToResult(ElementMemory chunk, ElementMemory result) {
    int slots = result.slotsPerElement();
    for (int i = 0; i < inChunk.length; i++) {
      int from = chunk.slot((int) inChunk[i]);
      System.arraycopy(chunk.array(), from, result.array(), result.slot(inResult[i]), slots);
    }
  }

  @Override
  public boolean convertToResult(
      ElementMemory chunk, ElementMemory result, ElementConversion conversion) {
    for (int i = 0; i < inChunk.length; i++) {
      conversion.convert(
          (byte[]) chunk.array(), chunk.slot((int) inChunk[i]), 1, result, inResult[i]);
    }
    return true;
  }

  @Override
  public void copyToChunk(ElementMemory result, ElementMemory chunk) {
    int slots = chunk.slotsPerElement();
    for (int i = 0; i < inChunk.length; i++) {
      int to = chunk.slot((int) inChunk[i]);
      System.arraycopy(result.array(), result.slot(inResult[i]), chunk.array(), to, slots);
    }
  }

  @Override
  public int first() {
    return (int) Arrays.stream(inChunk).min().orElse(0);
  }

  @Override
  public int end() {
    return (int) Arrays.stream(inChunk).max().orElse(-1) + 1;
  }

  @Override
  public void addTo(ElementSet elements) {
    for (long place : inChunk) {
      elements.add((int) place, (int) place + 1);
    }
  }

  @Override
  public void fillResult(ElementMemory result, FillValue fillValue) {
    for (int place : inResult) {
      result.fill(fillValue, place, 1);
    }
  }

  @Override
  public Region alone() {
    int[] places = new int[inChunk.length];
    Arrays.setAll(places, i -> i);
    return new PointRegion(inChunk, places, selected);
  }

  /**
   * Returns this region of an inner chunk as one of the whole array.
   *
   * @param shard the points of the shard, which are this region's result
   * @param shardStart the shard's first element in the array
   */
  PointRegion inside(PointRegion shard, long[] shardStart) {
    int[] places = Arrays.stream(inResult).map(place -> shard.inResult[place]).toArray();
    return new PointRegion(inChunk, places, selected.shifted(shardStart));
  }

  @Override
  public Points places() {
    return new Points(inResult.length, Arrays.stream(inResult).asLongStream().toArray());
  }

  @Override
  public Points selected() {
    return selected;
  }

  @Override
  public Shape shape() {
    return Shape.of(inChunk.length);
  }

  @Override
  public boolean coversChunk(long[] chunkStart, Shape arrayShape) {
    return false; // a chunk written point by point is rare: read it first
  }

  @Override
  public long placeOfWholeChunk() {
    return -1;
  }
}
