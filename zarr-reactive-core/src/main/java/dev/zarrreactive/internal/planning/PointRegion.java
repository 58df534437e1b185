package dev.zarrreactive.internal.planning;

import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.FillValue;
import java.util.Arrays;

/** Single elements of a chunk. */
final class PointRegion implements Region {
  private final int[] inChunk;
  private final int[] inResult;
  private final Shape chunkShape;

  /**
   * Single elements.
   *
   * @param inChunk their places in the chunk's C order
   * @param inResult their places in the result
   */
  PointRegion(int[] inChunk, int[] inResult, Shape chunkShape) {
    this.inChunk = inChunk;
    this.inResult = inResult;
    this.chunkShape = chunkShape;
  }

  @Override
  public void copyToResult(ElementMemory chunk, ElementMemory result) {
    copy(chunk, inChunk, result, inResult);
  }

  @Override
  public void copyToChunk(ElementMemory result, ElementMemory chunk) {
    copy(result, inResult, chunk, inChunk);
  }

  private static void copy(ElementMemory from, int[] sources, ElementMemory to, int[] targets) {
    int slots = to.slotsPerElement();
    for (int i = 0; i < sources.length; i++) {
      System.arraycopy(from.array(), from.slot(sources[i]), to.array(), to.slot(targets[i]), slots);
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
    return new PointRegion(inChunk, places, chunkShape);
  }

  @Override
  public Region within(Region outer) {
    int[] places = ((PointRegion) outer).inResult;
    return new PointRegion(
        inChunk, Arrays.stream(inResult).map(place -> places[place]).toArray(), chunkShape);
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
