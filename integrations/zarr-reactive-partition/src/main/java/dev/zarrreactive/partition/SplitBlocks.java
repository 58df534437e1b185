package dev.zarrreactive.partition;

import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.DimensionSelection;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.cf.CfDecoding;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.partition.VariableSource.Opened;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Reads splits of a table: block after block, of all columns at the same time, the next blocks
 * while the engine works on one. Variables that lack a dimension of the rows, such as coordinates,
 * are read once for the split; each block takes its part.
 *
 * @param columns the columns that are read
 * @param grid the chunks that divide the rows
 * @param rank the number of the rows' dimensions
 * @param bytesPerCell the bytes of the values of a row, about; it decides how large blocks are
 * @param concurrency the most blocks that are read at a time
 */
public record SplitBlocks<C extends GridColumn>(
    List<C> columns, GridSource grid, int rank, double bytesPerCell, int concurrency) {
  /** Copies {@code columns}. */
  public SplitBlocks {
    columns = List.copyOf(columns);
  }

  /** The cells of a block, in C order. */
  public static final class Block {
    private final IndexBox box;
    private final Map<String, Opened> variables;
    private final Map<String, NdArray> stored;

    private Block(IndexBox box, Map<String, Opened> variables, Map<String, NdArray> stored) {
      this.box = box;
      this.variables = variables;
      this.stored = stored;
    }

    /** The cells. */
    public IndexBox box() {
      return box;
    }

    /** The number of indices of each dimension of the rows. */
    public int[] extents() {
      return box.dimensions().stream()
          .mapToInt(indices -> Math.toIntExact(indices.count()))
          .toArray();
    }

    /** Returns what the stored values of a column mean; null for an index. */
    public @Nullable CfDecoding decoding(GridColumn column) {
      Opened opened = variables.get(column.name());
      return opened == null ? null : opened.decoding();
    }

    /**
     * Returns the values of a column that the rows of the block have, over the dimensions of the
     * column: stored elements of a variable, {@code int64} for an index.
     */
    public NdArray stored(GridColumn column) {
      if (!variables.containsKey(column.name())) {
        long[] indices = box.dimensions().get(column.dimensions()[0]).toArray();
        return NdArray.ofLongs(DataTypes.INT64, Shape.of(indices.length), indices);
      }
      NdArray found = stored.get(column.name());
      if (found == null) {
        throw new IllegalStateException("the variable " + column.name() + " was not read");
      }
      return found;
    }
  }

  /**
   * Reads the cells of a split, in the order of its blocks. A block is read where {@code chosen}
   * asks for it and the subscriber is about to; a cancel ends the requests.
   *
   * @param split all cells of the split, and maybe others
   * @param parts the cells that are read
   * @param chosen leaves out some of the blocks, such as the first ones
   * @param result makes the result of a block, on a thread that must not block
   */
  public <T> Flux<T> read(
      ZarrHierarchy hierarchy,
      IndexBox split,
      List<IndexBox> parts,
      UnaryOperator<Flux<IndexBox>> chosen,
      Function<Block, T> result) {
    Mono<Map<String, Opened>> variables =
        Flux.fromIterable(columns)
            .concatMap(
                column -> {
                  VariableSource source = column.source();
                  return source == null
                      ? Mono.<Map.Entry<String, Opened>>empty()
                      : source.open(hierarchy).map(opened -> Map.entry(column.name(), opened));
                })
            .collectMap(Map.Entry::getKey, Map.Entry::getValue);
    return Mono.zip(variables, grid.edges(hierarchy))
        .flatMapMany(
            known ->
                stored(split, known.getT1(), true, 8)
                    .flatMapMany(
                        shared -> {
                          Flux<IndexBox> blocks =
                              Flux.fromIterable(parts)
                                  .concatMapIterable(
                                      part -> known.getT2().blocks(part, bytesPerCell));
                          return Concurrently.mapInOrder(
                              chosen.apply(blocks),
                              concurrency,
                              box ->
                                  stored(box, known.getT1(), false, 16)
                                      .map(
                                          whole ->
                                              result.apply(
                                                  ofBlock(
                                                      split, box, known.getT1(), shared, whole))));
                        }));
  }

  private boolean isShared(GridColumn column) {
    return column.dimensions().length < rank;
  }

  /** Reads the variables that lack a dimension of the rows, or those that lack none. */
  private Mono<Map<String, NdArray>> stored(
      IndexBox box, Map<String, Opened> variables, boolean areShared, int concurrently) {
    return Concurrently.map(
            Flux.fromIterable(columns)
                .filter(column -> column.source() != null && isShared(column) == areShared),
            concurrently,
            column -> stored(column, variables, box).map(data -> Map.entry(column.name(), data)))
        .collectMap(Map.Entry::getKey, Map.Entry::getValue);
  }

  private static Mono<NdArray> stored(
      GridColumn column, Map<String, Opened> variables, IndexBox box) {
    Opened opened = variables.get(column.name());
    if (opened == null) {
      return Mono.error(new IllegalStateException("not opened: " + column.name()));
    }
    DimensionSelection[] selection = new DimensionSelection[opened.array().shape().rank()];
    Arrays.fill(selection, DimensionSelection.full());
    for (int axis = 0; axis < column.dimensions().length; axis++) {
      selection[axis] = box.dimensions().get(column.dimensions()[axis]).selection();
    }
    return opened.array().read(Selection.of(selection));
  }

  /** Returns a block with its parts of what was read for the split. */
  private Block ofBlock(
      IndexBox split,
      IndexBox box,
      Map<String, Opened> variables,
      Map<String, NdArray> shared,
      Map<String, NdArray> whole) {
    Map<String, NdArray> stored = new HashMap<>(whole);
    for (C column : columns) {
      NdArray ofSplit = shared.get(column.name());
      if (ofSplit != null) {
        stored.put(column.name(), part(column, split, box, ofSplit));
      }
    }
    return new Block(box, variables, stored);
  }

  private static NdArray part(GridColumn column, IndexBox split, IndexBox box, NdArray shared) {
    if (shared.shape().rank() == 0) {
      return shared;
    }
    DimensionSelection[] selection = new DimensionSelection[shared.shape().rank()];
    Arrays.fill(selection, DimensionSelection.full());
    for (int axis = 0; axis < column.dimensions().length; axis++) {
      int dimension = column.dimensions()[axis];
      IndexRanges whole = split.dimensions().get(dimension);
      selection[axis] = box.dimensions().get(dimension).within(whole).selection();
    }
    return shared.slice(Selection.of(selection)).toContiguous();
  }
}
