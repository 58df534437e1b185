package dev.zarrreactive.internal.planning;

import dev.zarrreactive.array.Axis;
import dev.zarrreactive.array.ElementConversion;
import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.internal.planning.ChunkPlan.AxisPart;
import java.util.Arrays;
import java.util.List;

/** Every combination of some places along each dimension of a chunk. */
final class BoxRegion implements Region {
  /** Elements in a run, for which a call each takes longer than a copy of all. */
  private static final int SHORT_RUN = 16;

  /** The elements of the largest chunk that is copied once more. */
  private static final int MOST_COPIED = 1 << 24;

  private final AxisPart[] parts;
  private final long[] resultExtents;

  /**
   * The combinations of {@code parts}, one for each dimension, without a copy.
   *
   * @param resultExtents the result's shape, with the dimensions that single indices drop as 1
   */
  BoxRegion(AxisPart[] parts, long[] resultExtents) {
    this.parts = parts;
    this.resultExtents = resultExtents;
  }

  /** The part along a dimension. */
  AxisPart part(int dimension) {
    return parts[dimension];
  }

  /** The result's shape, without a copy. */
  long[] resultExtents() {
    return resultExtents;
  }

  @Override
  public void copyToResult(ElementMemory chunk, ElementMemory result) {
    BoxCopy.toResult(parts, resultExtents, result.slotsPerElement()).run(chunk, result);
  }

  @Override
  public boolean convertToResult(
      ElementMemory chunk, ElementMemory result, ElementConversion conversion) {
    long selected = 1;
    for (AxisPart part : parts) {
      selected *= part.count();
    }
    BoxCopy runs = BoxCopy.toResult(parts, resultExtents, 1);
    int count = chunk.count();
    boolean isScattered =
        runs.runLength() < SHORT_RUN && selected * 2 > count && count <= MOST_COPIED;
    if (isScattered && conversion.joined().isEmpty()) {
      return false;
    }
    runs.convert(chunk, result, conversion);
    return true;
  }

  @Override
  public void copyToChunk(ElementMemory result, ElementMemory chunk) {
    BoxCopy.toChunk(parts, resultExtents, chunk.slotsPerElement()).run(result, chunk);
  }

  @Override
  public int first() {
    int first = 0;
    for (AxisPart part : parts) {
      first = first * (int) part.extent() + (int) part.inChunk().least(part.count());
    }
    return first;
  }

  @Override
  public int end() {
    int last = 0;
    for (AxisPart part : parts) {
      last = last * (int) part.extent() + (int) part.inChunk().most(part.count());
    }
    return last + 1;
  }

  @Override
  public void addTo(ElementSet elements) {
    addTo(elements, 0, 0);
  }

  /** Adds the elements that have the given place in the dimensions before {@code d}. */
  private void addTo(ElementSet elements, int d, int before) {
    if (d == parts.length) {
      elements.add(before, before + 1);
      return;
    }
    AxisPart part = parts[d];
    int first = before * (int) part.extent();
    if (d == parts.length - 1 && part.count() > 0 && part.inChunk().isContiguous(part.count())) {
      int from = first + (int) part.inChunk().get(0);
      elements.add(from, from + (int) part.count());
      return;
    }
    for (int i = 0; i < part.count(); i++) {
      addTo(elements, d + 1, first + (int) part.inChunk().get(i));
    }
  }

  @Override
  public void fillResult(ElementMemory result, FillValue fillValue) {
    AxisPart[] filled = Arrays.stream(parts).map(AxisPart::fromAll).toArray(AxisPart[]::new);
    BoxCopy.toResult(filled, resultExtents, result.slotsPerElement())
        .run(ElementMemory.filled(shape(), fillValue), result);
  }

  @Override
  public Region alone() {
    AxisPart[] packed = Arrays.stream(parts).map(AxisPart::alone).toArray(AxisPart[]::new);
    return new BoxRegion(packed, counts());
  }

  @Override
  public ResolvedSelection places() {
    return new ResolvedSelection.Orthogonal(
        Arrays.stream(parts).filter(part -> !part.isDropped()).map(AxisPart::places).toList());
  }

  @Override
  public ResolvedSelection selected() {
    Axis[] axes = new Axis[parts.length];
    for (int d = 0; d < axes.length; d++) {
      axes[d] = parts[d].selected();
    }
    return new ResolvedSelection.Orthogonal(List.of(axes));
  }

  @Override
  public Shape shape() {
    return Shape.of(counts());
  }

  private long[] counts() {
    long[] counts = new long[parts.length];
    for (int d = 0; d < counts.length; d++) {
      counts[d] = parts[d].count();
    }
    return counts;
  }

  @Override
  public boolean coversChunk(long[] chunkStart, Shape arrayShape) {
    for (int d = 0; d < parts.length; d++) {
      AxisPart part = parts[d];
      long inside = Math.min(part.extent(), arrayShape.extent(d) - chunkStart[d]);
      if (!part.inChunk().coversAll(part.count(), inside)) {
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
    for (int d = parts.length - 1; d >= 0; d--) {
      AxisPart part = parts[d];
      boolean whole =
          part.count() == part.extent()
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
