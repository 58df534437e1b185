package dev.zarrreactive.internal.write;

import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.chunkgrid.ChunkGrid;
import dev.zarrreactive.internal.planning.ChunkPlan;
import dev.zarrreactive.internal.planning.ChunkProjection;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The elements of a selection in one chunk, which arrive in the order of the selection. Each part
 * is appended to those before it. Not thread-safe while elements arrive.
 */
final class OrderedElements extends SelectedElements implements NewElements.Gathered {
  private final Shape shape;
  private final ElementMemory memory;
  private final long bytes;
  private int arrived;
  private @Nullable NdArray data;

  /**
   * Begins with no element.
   *
   * @param selection the elements of one chunk
   * @param memory with room for them and no more
   */
  OrderedElements(ResolvedSelection selection, ElementMemory memory, long bytes, ChunkGrid grid) {
    super(ChunkPlan.of(selection, grid).iterator().next(), grid);
    this.shape = selection.shape();
    this.memory = memory;
    this.bytes = bytes;
  }

  /** Returns the memory, which may be used again when the elements are stored. */
  ElementMemory memory() {
    return memory;
  }

  @Override
  public long bytes() {
    return bytes;
  }

  @Override
  public boolean add(ChunkProjection part, NdArray data) {
    ElementMemory elements = ElementMemory.of(data.slice(all -> part.region().places()));
    memory.copyFrom(elements, arrived);
    arrived += elements.count();
    if (arrived < memory.count()) {
      return false;
    }
    this.data = memory.toNdArray(shape);
    return true;
  }

  @Override
  NdArray data() {
    return Objects.requireNonNull(data, "all elements have arrived");
  }
}
