package dev.zarrreactive.imglib2;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.selection.DimensionSelection;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.internal.cache.CachePolicy;
import dev.zarrreactive.internal.cache.Generations;
import dev.zarrreactive.internal.cache.LoadingCache;
import java.util.Arrays;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import net.imglib2.img.basictypeaccess.array.ArrayDataAccess;
import net.imglib2.img.cell.Cell;
import net.imglib2.img.cell.CellGrid;
import net.imglib2.img.cell.LazyCellImg;
import org.jspecify.annotations.Nullable;
import reactor.core.Exceptions;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * The cells of an image: those that are kept, and the loads of others. The one place of the module
 * that blocks, and only the thread that asks for a pixel does.
 *
 * @param <A> the memory of a cell
 */
final class CellLoads<A extends ArrayDataAccess<A>> implements LazyCellImg.Get<Cell<A>> {
  private final String name;
  private final CellGrid grid;
  private final PixelType type;
  private final Function<Selection, Mono<NdArray>> read;
  private final LoadingCache<String, Long, Cell<A>> cache;

  /** Ends the loads that were begun before it was replaced; null when the image is closed. */
  private final AtomicReference<Sinks.@Nullable Empty<Void>> end =
      new AtomicReference<>(Sinks.empty());

  CellLoads(
      String name,
      CellGrid grid,
      PixelType type,
      Function<Selection, Mono<NdArray>> read,
      long cacheBytes) {
    this.name = name;
    this.grid = grid;
    this.type = type;
    this.read = read;
    this.cache =
        new LoadingCache<>(
            cacheBytes,
            CachePolicy.of(
                index -> name, cell -> Math.max(1, cell.size() * type.bytes()), cell -> cell),
            new Generations());
  }

  @Override
  public Cell<A> get(long index) {
    Cell<A> kept = cache.find(index);
    if (kept != null) {
      return kept;
    }
    Sinks.Empty<Void> ending = end.get();
    if (ending == null) {
      throw new IllegalStateException("the image of " + name + " is closed");
    }
    Cell<A> cell;
    try {
      cell = cache.lookUp(index, () -> load(index)).value().takeUntilOther(ending.asMono()).block();
    } catch (RuntimeException e) {
      if (Exceptions.unwrap(e) instanceof InterruptedException) {
        Thread.currentThread().interrupt();
        throw cancelled(index, "as its thread was interrupted");
      }
      throw e;
    }
    if (cell == null) {
      throw cancelled(index, "by its image");
    }
    return cell;
  }

  private CancellationException cancelled(long index, String why) {
    return new CancellationException(
        "the load of the cell at "
            + Arrays.toString(position(index))
            + " of "
            + name
            + " was cancelled "
            + why
            + "; ask again to load it");
  }

  /** Returns the first pixel of a cell. */
  private long[] position(long index) {
    long[] min = new long[grid.numDimensions()];
    grid.getCellDimensions(index, min, new int[min.length]);
    return min;
  }

  private Mono<Cell<A>> load(long index) {
    int rank = grid.numDimensions();
    long[] min = new long[rank];
    int[] size = new int[rank];
    grid.getCellDimensions(index, min, size);
    DimensionSelection[] box = new DimensionSelection[rank];
    for (int d = 0; d < rank; d++) {
      box[rank - 1 - d] = DimensionSelection.slice(min[d], min[d] + size[d]);
    }
    return read.apply(Selection.of(box)).map(data -> new Cell<>(size, min, memory(data)));
  }

  @SuppressWarnings("unchecked") // the type of pixels has this memory
  private A memory(NdArray data) {
    return (A) type.memory().apply(data.toContiguous());
  }

  /** Cancels the loads that threads wait for. */
  void cancel() {
    Sinks.Empty<Void> ending =
        end.getAndUpdate(before -> before == null ? null : Sinks.<Void>empty());
    if (ending != null) {
      ending.tryEmitEmpty();
    }
  }

  /** Cancels the loads, and refuses others. */
  void close() {
    Sinks.Empty<Void> ending = end.getAndSet(null);
    if (ending != null) {
      ending.tryEmitEmpty();
    }
  }
}
