package dev.zarrreactive.cli.stored;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.chunkgrid.ChunkGrid;
import dev.zarrreactive.cli.describe.ChunkLayout;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.internal.hierarchy.StoredChunks;
import dev.zarrreactive.internal.planning.ArrayPart;
import dev.zarrreactive.internal.planning.ChunkPlan;
import dev.zarrreactive.internal.planning.SaturatingSize;
import dev.zarrreactive.internal.summary.DecodedSelection;
import dev.zarrreactive.store.Store;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import reactor.core.publisher.Mono;

/**
 * The few chunks of a sparse selection that are stored, shards where there are shards; all others
 * are fill value.
 */
public final class SparseChunks {
  /** The chunks of a selection below which each is asked for. */
  private static final int MANY = 1000;

  /** A selection is sparse where at most one of this number of chunks is stored. */
  private static final int SPARSE = 64;

  /** The most stored chunks that are known at a time. */
  private static final int MOST = 1 << 17;

  private final ArrayPart part;
  private final List<StoredChunks.Stored> stored;
  private final long units;

  private SparseChunks(ArrayPart part, List<StoredChunks.Stored> stored, long units) {
    this.part = part;
    this.stored = stored;
    this.units = units;
  }

  /**
   * Lists the stored chunks of a selection, in C order. Empty for few chunks, for one that is
   * dense, and where the store cannot list: then each chunk is asked for. The listing ends after
   * one key for {@link #SPARSE} chunks, so it costs little where chunks are many.
   *
   * @param requests the store of the array
   */
  public static Mono<SparseChunks> of(ZarrArray array, Selection selection, Store requests) {
    if (!(selection.resolve(array.shape()) instanceof ResolvedSelection.Orthogonal box)) {
      return Mono.empty();
    }
    ArrayPart part = ArrayPart.of(array.shape(), box);
    StoredChunks chunks =
        new StoredChunks(array.path(), array.metadata(), array.chunkGrid(), part, requests);
    if (!chunks.areListed()) {
      return Mono.empty();
    }
    long count = ChunkPlan.of(box, array.chunkGrid()).size();
    long most = Math.min(MOST, count / SPARSE);
    if (count < MANY) {
      return Mono.empty();
    }
    long units = units(array, box);
    return chunks
        .list()
        .take(most + 1)
        .collect(() -> new ArrayList<StoredChunks.Stored>(), List::add)
        .onErrorResume(StoreException.class, error -> Mono.empty())
        .filter(found -> found.size() <= most)
        .map(
            found -> {
              found.sort((one, other) -> Arrays.compare(one.index(), other.index()));
              found.removeIf(chunk -> Arrays.equals(chunk.start(), chunk.end()));
              return new SparseChunks(part, List.copyOf(found), units);
            });
  }

  /** Returns the number of chunks of a selection, inner chunks where there are shards. */
  private static long units(ZarrArray array, ResolvedSelection selection) {
    ChunkLayout layout = ChunkLayout.of(array);
    ChunkGrid grid =
        layout.isSharded()
            ? ChunkGrid.regular(array.shape(), layout.innermost())
            : array.chunkGrid();
    return ChunkPlan.of(selection, grid).size();
  }

  /** Returns the stored chunks, in C order of their indices. */
  public List<StoredChunks.Stored> stored() {
    return stored;
  }

  /** Returns the selection of the elements of a stored chunk. */
  public Selection selection(StoredChunks.Stored chunk) {
    return part.selection(chunk.start(), chunk.end());
  }

  /** Returns true if the elements of the selection are less than 2^63. */
  public boolean areCountable() {
    return SaturatingSize.count(part.shape()) < Long.MAX_VALUE;
  }

  /** Returns the parts of the selection that are stored, and the number of the other elements. */
  public DecodedSelection.Sparse elements() {
    long missing = SaturatingSize.count(part.shape());
    List<Selection> parts = new ArrayList<>();
    for (StoredChunks.Stored chunk : stored) {
      missing -= elements(chunk);
      parts.add(selection(chunk));
    }
    return new DecodedSelection.Sparse(parts, missing, units);
  }

  /** Returns the number of elements that the selection has of a stored chunk. */
  public static long elements(StoredChunks.Stored chunk) {
    long[] extents = new long[chunk.start().length];
    Arrays.setAll(extents, d -> chunk.end()[d] - chunk.start()[d]);
    return SaturatingSize.count(Shape.of(extents));
  }
}
