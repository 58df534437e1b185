package dev.zarrreactive.spark;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.chunkgrid.ChunkEdges;
import dev.zarrreactive.chunkgrid.ChunkGrid;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.LocatedJson;
import dev.zarrreactive.spark.partition.IndexBox;
import dev.zarrreactive.spark.partition.SplitPlanner;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The chunks by which rows are divided: into splits on the driver, and on the executors into
 * blocks, each of which is read and handed on as one batch. Executors find the chunks in the
 * metadata.
 */
final class GridSource implements Serializable {
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
  GridSource(@Nullable VariableSource[] sources, int[] axes, long[] extents) {
    this.sources = sources;
    this.axes = axes;
    this.extents = extents;
  }

  /** The edges of chunks, or of shards, and of the inner chunks of shards. */
  record Edges(List<ChunkEdges> chunks, List<ChunkEdges> inner) {
    /**
     * Divides a split into blocks: some chunks, one chunk, or of a shard that is too large for the
     * memory some of its inner chunks.
     */
    List<IndexBox> blocks(IndexBox split, double bytesPerCell) {
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
  Mono<Edges> edges(ZarrHierarchy hierarchy) {
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
