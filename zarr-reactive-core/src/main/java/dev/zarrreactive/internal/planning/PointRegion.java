package dev.zarrreactive.internal.planning;

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
  public void copyToResult(byte[] chunk, int chunkOffset, byte[] result, int itemSize) {
    for (int i = 0; i < inChunk.length; i++) {
      System.arraycopy(
          chunk, chunkOffset + inChunk[i] * itemSize, result, inResult[i] * itemSize, itemSize);
    }
  }

  @Override
  public void copyToChunk(byte[] result, int resultOffset, byte[] chunk, int itemSize) {
    for (int i = 0; i < inChunk.length; i++) {
      System.arraycopy(
          result, resultOffset + inResult[i] * itemSize, chunk, inChunk[i] * itemSize, itemSize);
    }
  }

  @Override
  public void fillResult(byte[] result, FillValue fillValue) {
    int itemSize = fillValue.dataType().itemSize();
    for (int place : inResult) {
      fillValue.fill(result, place * itemSize, itemSize);
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
  public long imageOffset(int itemSize) {
    return -1;
  }
}
