package dev.zarrreactive.internal.write;

import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.chunkgrid.ChunkGrid;
import dev.zarrreactive.codec.ChunkCodec;
import dev.zarrreactive.codec.ChunkRepresentation;
import dev.zarrreactive.codec.ShardLayout;
import dev.zarrreactive.datatype.VariableLengthType;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.internal.guard.MemoryGuard;
import dev.zarrreactive.internal.planning.ChunkPlan;
import dev.zarrreactive.internal.planning.ChunkProjection;
import dev.zarrreactive.internal.planning.Region;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/** The elements of one chunk among the data of a selection. */
abstract class SelectedElements implements NewElements {
  private final ChunkProjection part;
  private final long[] start;

  /**
   * Some of the data.
   *
   * @param grid the chunks of the part
   */
  SelectedElements(ChunkProjection part, ChunkGrid grid) {
    this.part = part;
    this.start = grid.chunkStart(part.chunkIndex());
  }

  /** Returns the data of the selection that the part belongs to. */
  abstract NdArray data();

  /** Returns the elements of one chunk, as a view of the data. */
  static NewElements of(ChunkProjection part, NdArray data, ChunkGrid grid) {
    return new SelectedElements(part, grid) {
      @Override
      NdArray data() {
        return data;
      }
    };
  }

  /** Returns the elements of each chunk that a selection touches, as views of the data. */
  static Flux<NewElements> ofEach(ResolvedSelection selection, NdArray data, ChunkGrid grid) {
    return Flux.fromIterable(ChunkPlan.of(selection, grid)).map(part -> of(part, data, grid));
  }

  @Override
  public long[] chunkIndex() {
    return part.chunkIndex();
  }

  @Override
  public boolean isWhole(Shape shape) {
    return part.region().coversChunk(start, shape);
  }

  @Override
  public int copies() {
    return data().isContiguous() ? 1 : 2; // a view needs a second one
  }

  @Override
  public ElementMemory among(@Nullable Bytes old, ChunkCodec codec) {
    return among(old, part, codec);
  }

  @Override
  public ChunkPlan inner(ShardLayout layout) {
    return ChunkPlan.inside(part, start, layout.innerGrid());
  }

  @Override
  public boolean isWhole(ChunkProjection inner) {
    return inner.region().coversChunk(new long[start.length], endless(start.length));
  }

  /** Data that have the whole chunk as it is are not copied: they are read-only. */
  @Override
  public ElementMemory among(@Nullable Bytes old, ChunkProjection part, ChunkCodec codec) {
    ChunkRepresentation chunk = codec.representation();
    NdArray data = data();
    long place = data.isContiguous() ? part.region().placeOfWholeChunk() : -1;
    if (place >= 0 && !(data.dataType() instanceof VariableLengthType)) {
      ElementMemory all = ElementMemory.of(data);
      int count = Math.toIntExact(chunk.shape().elementCountUpTo(all.count()));
      return ElementMemory.wrap(
          data.dataType(), (byte[]) all.array(), all.slot(Math.toIntExact(place)), count);
    }
    return MemoryGuard.allocating(
        "of a chunk",
        chunk.byteSize(),
        Location.UNKNOWN,
        () -> {
          ElementMemory elements;
          if (old == null) {
            elements = ElementMemory.filled(chunk.shape(), chunk.fillValue());
          } else {
            elements = ElementMemory.allocate(chunk.dataType(), chunk.shape());
            codec.decodeInto(old, elements, 0);
          }
          copy(data, part.region(), elements);
          return elements;
        });
  }

  /**
   * Copies the data of one chunk. Of a view only that part becomes contiguous: a view that repeats
   * elements may be far larger than the memory.
   */
  static void copy(NdArray data, Region region, ElementMemory chunk) {
    if (data.isContiguous()) {
      region.copyToChunk(ElementMemory.of(data), chunk);
    } else {
      ElementMemory part = ElementMemory.of(data.slice(shape -> region.places()));
      region.alone().copyToChunk(part, chunk);
    }
  }

  /**
   * Copies data to a place in memory.
   *
   * @param offset the place of the first element
   * @param shape of the memory
   */
  static void copy(NdArray data, long[] offset, ElementMemory memory, Shape shape) {
    if (!data.shape().isEmpty()) {
      Selection box = Selection.box(offset, data.shape().toArray());
      ChunkGrid one = ChunkGrid.regular(shape, shape);
      ChunkPlan.of(box.resolve(shape), one).forEach(part -> copy(data, part.region(), memory));
    }
  }

  /** Returns a shape that every chunk is inside of. */
  static Shape endless(int rank) {
    long[] endless = new long[rank];
    Arrays.fill(endless, Long.MAX_VALUE);
    return Shape.of(endless);
  }
}
