package dev.zarrreactive.partition;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.chunkgrid.ChunkEdges;
import dev.zarrreactive.chunkgrid.ChunkGrid;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.LocatedJson;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The chunks by which rows are divided: into splits where a query is planned, and on the machines
 * that read into blocks, each of which is read and handed on as one. Those machines find the chunks
 * in the metadata. Immutable, serializable and thread-safe.
 */
public final class GridSource implements Serializable {
  private static final long serialVersionUID = 1;
  private static final long BLOCK_BYTES = 8L << 20;
  private static final long MOST_BYTES = 64L << 20;
  private static final long MOST_CELLS = 1L << 26;

  private final @Nullable VariableSource[] sources;
  private final int[] axes;
  private final long[] extents;

  /**
   * Creates the grid.
   *
   * @param sources the variable of each dimension; null for a dimension that no variable has
   * @param axes the place of each dimension in its variable
   * @param extents the extents of the dimensions
   */
  private GridSource(@Nullable VariableSource[] sources, int[] axes, long[] extents) {
    this.sources = sources;
    this.axes = axes;
    this.extents = extents;
  }

  /**
   * Chooses the variables whose chunks divide the rows along each dimension: a widest one among the
   * wanted with the largest chunks, and others for dimensions that it lacks.
   *
   * @param wanted the columns that are read
   * @param all the columns of the table
   * @param arrays the arrays of the columns by their names
   * @param extents the extents of the rows' dimensions
   */
  public static GridSource of(
      Collection<? extends GridColumn> wanted,
      Collection<? extends GridColumn> all,
      Map<String, ZarrArray> arrays,
      long... extents) {
    List<GridColumn> candidates = new ArrayList<>();
    wanted.stream().filter(column -> column.source() != null).forEach(candidates::add);
    candidates.sort(
        (a, b) ->
            a.dimensions().length != b.dimensions().length
                ? b.dimensions().length - a.dimensions().length
                : Double.compare(chunkCells(b, arrays), chunkCells(a, arrays)));
    List<GridColumn> others = new ArrayList<>();
    all.stream().filter(column -> column.source() != null).forEach(others::add);
    others.sort((a, b) -> b.dimensions().length - a.dimensions().length);
    candidates.addAll(others);
    VariableSource[] sources = new VariableSource[extents.length];
    int[] axes = new int[extents.length];
    for (int d = 0; d < extents.length; d++) {
      for (GridColumn column : candidates) {
        if (sources[d] == null && column.axis(d) >= 0) {
          sources[d] = column.source();
          axes[d] = column.axis(d);
        }
      }
    }
    return new GridSource(sources, axes, extents.clone());
  }

  private static double chunkCells(GridColumn column, Map<String, ZarrArray> arrays) {
    ZarrArray array = arrays.get(column.name());
    if (array == null) {
      throw new IllegalArgumentException("there is no variable " + column.name());
    }
    double cells = 1;
    Shape chunk = array.chunkGrid().largestChunkShape();
    for (int axis = 0; axis < column.dimensions().length; axis++) {
      cells *= chunk.extent(axis);
    }
    return cells;
  }

  /**
   * The edges along each dimension.
   *
   * @param chunks those of chunks, or of shards
   * @param inner those of the inner chunks of shards, or of chunks where there are no shards
   */
  public record Edges(List<ChunkEdges> chunks, List<ChunkEdges> inner) {
    /**
     * Divides a split into blocks: some chunks, one chunk, or of a shard that is too large for the
     * memory some of its inner chunks.
     */
    public List<IndexBox> blocks(IndexBox split, double bytesPerCell) {
      List<IndexBox> blocks = new ArrayList<>();
      double weight = Math.max(1, bytesPerCell);
      SplitPlanner byChunk = new SplitPlanner(weight, BLOCK_BYTES, Integer.MAX_VALUE);
      SplitPlanner byInner = new SplitPlanner(weight, BLOCK_BYTES, Integer.MAX_VALUE);
      for (IndexBox block : byChunk.plan(chunks, split).splits()) {
        if (block.cells() * weight <= MOST_BYTES) {
          blocks.add(block);
        } else {
          byInner.plan(inner, block).splits().forEach(part -> addInts(part, blocks));
        }
      }
      return blocks;
    }

    /** Adds a block, cut where its rows could not be counted. */
    private static void addInts(IndexBox block, List<IndexBox> blocks) {
      if (block.cells() <= MOST_CELLS) {
        blocks.add(block);
        return;
      }
      List<ChunkEdges> single = new ArrayList<>();
      for (var indices : block.dimensions()) {
        long end = indices.stop(indices.runs() - 1);
        single.add(ChunkGrid.regular(Shape.of(end), Shape.of(1)).dimension(0));
      }
      blocks.addAll(
          new SplitPlanner(1, MOST_CELLS, Integer.MAX_VALUE).plan(single, block).splits());
    }
  }

  /** Finds the edges in the metadata of the variables; without a request, but for drafts. */
  public Mono<Edges> edges(ZarrHierarchy hierarchy) {
    return Flux.range(0, extents.length)
        .concatMap(
            d -> {
              VariableSource source = sources[d];
              if (source == null) {
                ChunkEdges whole = whole(extents[d]);
                return Mono.just(new ChunkEdges[] {whole, whole});
              }
              return source
                  .open(hierarchy)
                  .map(
                      opened ->
                          new ChunkEdges[] {
                            opened.array().chunkGrid().dimension(axes[d]), inner(opened.array(), d)
                          });
            })
        .collectList()
        .map(
            all ->
                new Edges(
                    all.stream().map(pair -> pair[0]).toList(),
                    all.stream().map(pair -> pair[1]).toList()));
  }

  private static ChunkEdges whole(long extent) {
    return ChunkGrid.regular(Shape.of(extent), Shape.of(Math.max(1, extent))).dimension(0);
  }

  /** Returns the edges of inner chunks, or those of chunks where there are no shards. */
  private ChunkEdges inner(ZarrArray array, int dimension) {
    int axis = axes[dimension];
    for (NamedConfiguration codec : array.metadata().codecs()) {
      LocatedJson shape = codec.optional("chunk_shape");
      if (codec.name().equals("sharding_indexed")
          && shape != null
          && shape.value() instanceof JsonArray lengths
          && lengths.elements().size() == array.shape().rank()
          && lengths.elements().get(axis) instanceof JsonNumber length) {
        long extent = Math.max(1, array.shape().extent(axis));
        return ChunkGrid.regular(Shape.of(extent), Shape.of(Long.parseLong(length.text())))
            .dimension(0);
      }
    }
    return array.chunkGrid().dimension(axis);
  }
}
