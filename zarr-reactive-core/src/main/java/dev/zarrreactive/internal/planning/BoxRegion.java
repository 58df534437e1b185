package dev.zarrreactive.internal.planning;

import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.FillValue;
import java.util.ArrayList;
import java.util.List;

/** Every combination of some places along each dimension of a chunk. */
final class BoxRegion implements Region {
  private final List<AxisPart> parts;
  private final long[] chunkExtents;
  private final long[] resultExtents;

  /**
   * The combinations of {@code parts}.
   *
   * @param chunkExtents the chunk's shape
   * @param resultExtents the result's shape, with the dimensions that single indices drop as 1
   */
  BoxRegion(List<AxisPart> parts, long[] chunkExtents, long[] resultExtents) {
    this.parts = parts;
    this.chunkExtents = chunkExtents;
    this.resultExtents = resultExtents;
  }

  @Override
  public void copyToResult(ElementMemory chunk, ElementMemory result) {
    BoxCopy.of(parts, chunkExtents, resultExtents, result.slotsPerElement()).run(chunk, result);
  }

  @Override
  public void copyToChunk(ElementMemory result, ElementMemory chunk) {
    BoxCopy.of(swapped(), resultExtents, chunkExtents, chunk.slotsPerElement()).run(result, chunk);
  }

  private List<AxisPart> swapped() {
    return parts.stream()
        .map(p -> new AxisPart(p.chunk(), p.count(), p.inResult(), p.inChunk(), p.selected()))
        .toList();
  }

  @Override
  public void fillResult(ElementMemory result, FillValue fillValue) {
    ElementMemory filled = ElementMemory.filled(shape(), fillValue);
    List<AxisPart> fromFilled =
        parts.stream()
            .map(
                p ->
                    new AxisPart(
                        p.chunk(), p.count(), Positions.spaced(0, 1), p.inResult(), p.selected()))
            .toList();
    BoxCopy.of(fromFilled, shape().toArray(), resultExtents, result.slotsPerElement())
        .run(filled, result);
  }

  @Override
  public Region alone() {
    List<AxisPart> packed =
        parts.stream()
            .map(
                p ->
                    new AxisPart(
                        p.chunk(), p.count(), p.inChunk(), Positions.spaced(0, 1), p.selected()))
            .toList();
    return new BoxRegion(packed, chunkExtents, shape().toArray());
  }

  @Override
  public Region within(Region outer) {
    BoxRegion shard = (BoxRegion) outer;
    List<AxisPart> placed = new ArrayList<>();
    for (int d = 0; d < parts.size(); d++) {
      AxisPart p = parts.get(d);
      Positions inResult = p.inResult().within(shard.parts.get(d).inResult(), p.count());
      placed.add(new AxisPart(p.chunk(), p.count(), p.inChunk(), inResult, p.selected()));
    }
    return new BoxRegion(placed, chunkExtents, shard.resultExtents);
  }

  @Override
  public Shape shape() {
    return Shape.of(parts.stream().mapToLong(AxisPart::count).toArray());
  }

  @Override
  public boolean coversChunk(long[] chunkStart, Shape arrayShape) {
    for (int d = 0; d < parts.size(); d++) {
      long inside = Math.min(chunkExtents[d], arrayShape.extent(d) - chunkStart[d]);
      if (!parts.get(d).inChunk().coversAll(parts.get(d).count(), inside)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public long placeOfWholeChunk() {
    long place = 0;
    boolean wholeRows = true; // the dimensions after d are whole in the chunk and in the result
    long stride = 1;
    for (int d = parts.size() - 1; d >= 0; d--) {
      AxisPart part = parts.get(d);
      boolean whole =
          part.count() == chunkExtents[d]
              && part.inChunk().isContiguous(part.count())
              && part.inResult().isContiguous(part.count());
      if (!whole || (!wholeRows && part.count() != 1)) {
        return -1;
      }
      wholeRows &= part.count() == resultExtents[d];
      place += part.inResult().get(0) * stride;
      stride *= resultExtents[d];
    }
    return place;
  }
}
