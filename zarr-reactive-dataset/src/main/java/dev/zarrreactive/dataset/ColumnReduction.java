package dev.zarrreactive.dataset;

import dev.zarrreactive.array.Axis;
import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.ChunkWork;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.DimensionSelection;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.cf.CfDecoding;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.internal.flow.ByteBudget;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.internal.guard.MemoryGuard;
import dev.zarrreactive.internal.statistics.CellAxis;
import dev.zarrreactive.internal.statistics.Columns;
import dev.zarrreactive.internal.statistics.Quantiles;
import dev.zarrreactive.internal.statistics.RankSearch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Quantiles, which need all values of a cell: tiles of the kept dimensions are read with all
 * positions of the others, and codec threads find the quantiles of each. Where a column does not
 * fit into memory, or chunks would be read for many tiles, the chunks are read in several passes.
 */
final class ColumnReduction {
  /** The most bytes of one column, whatever may be in flight. */
  private static final long MOST_BYTES = 1L << 30;

  /** The passes that most values take. */
  private static final long PASSES = 4;

  /** The fewest counters of a range in a pass. */
  private static final int COUNTERS = 16;

  private final Variable variable;
  private final BiFunction<String, Axis, CellAxis> ofDimension;
  private final List<CellAxis> axes;
  private final boolean keepsMissing;
  private final Quantiles quantiles;
  private final VariableValues source;
  private final int[] strides;
  private final long cells;

  ColumnReduction(
      Variable variable,
      BiFunction<String, Axis, CellAxis> ofDimension,
      boolean keepsMissing,
      Quantiles quantiles) {
    this.variable = variable;
    this.ofDimension = ofDimension;
    this.axes = variable.cells(ofDimension);
    this.keepsMissing = keepsMissing;
    this.quantiles = quantiles;
    variable.requireNumbers();
    this.source = AlongValues.floats(variable.values());
    this.strides = new int[axes.size()];
    long count = 1;
    for (int d = strides.length - 1; d >= 0; d--) {
      if (!axes.get(d).isReduced()) {
        strides[d] = (int) Math.min(Integer.MAX_VALUE, count);
        count = ByteBudget.product(count, axes.get(d).cells());
      }
    }
    this.cells = count;
  }

  /** Computes the quantiles, which are the first dimension of the result. */
  Mono<NdArray> compute() {
    long budget = source.options().maxInFlightBytes();
    long bytes = ByteBudget.product(ByteBudget.product(cells, quantiles.count()), Double.BYTES);
    if (bytes > Math.min(budget, Integer.MAX_VALUE)) {
      throw new UnsupportedFeatureException(
          "quantiles of "
              + variable
              + " for each of "
              + kept()
              + " take "
              + bytes
              + " bytes, more than the "
              + budget
              + " of maxInFlightBytes; reduce further dimensions, or a part at a time",
          Location.UNKNOWN);
    }
    List<String> columns =
        axes.stream().filter(axis -> !axis.isKept()).map(CellAxis::name).toList();
    long column = source.dataType().memorySize();
    for (int d = 0; d < axes.size(); d++) {
      column = axes.get(d).isKept() ? column : ByteBudget.product(column, source.shape().extent(d));
    }
    BlockGrid parts = parts(budget);
    if (column > Math.min(budget, MOST_BYTES)) {
      return passes(parts, budget);
    }
    BlockGrid grid =
        new BlockGrid(
            source.dimensions(),
            List.of(variable.values()),
            List.of(source),
            BlockGrid.Needs.of(List.of(source)).whole(columns),
            Math.min(budget, MOST_BYTES));
    if (grid.readsOfChunk() > ByteBudget.product(PASSES, parts.readsOfChunk())) {
      return passes(parts, budget);
    }
    double[] results =
        MemoryGuard.allocating(
            "of quantiles",
            bytes,
            Location.UNKNOWN,
            () -> new double[(int) cells * quantiles.count()]);
    Arrays.fill(results, Double.NaN);
    return Concurrently.map(
            Flux.fromIterable(grid.blocks()), grid.ahead(), block -> tile(block, results))
        .then(Mono.fromSupplier(() -> NdArray.ofDoubles(shape(), results)));
  }

  private List<String> keptNames() {
    return axes.stream().filter(CellAxis::isKept).map(CellAxis::name).toList();
  }

  /** Returns the bytes of counters, and of values that are collected in passes. */
  private static long memory(long budget) {
    return Math.min(budget, MOST_BYTES) / 4;
  }

  /** Returns the tiles of the kept dimensions of which each pass is. */
  private BlockGrid parts(long budget) {
    int ranks = 2 * quantiles.count();
    long groups =
        axes.stream()
            .filter(CellAxis::isGrouped)
            .mapToLong(CellAxis::cells)
            .reduce(1, ByteBudget::product);
    long tile = Math.max(1, memory(budget) / Long.BYTES / ranks / COUNTERS / groups);
    return new BlockGrid(
        keptNames(),
        List.of(source),
        List.of(source),
        BlockGrid.Needs.none(),
        ByteBudget.product(tile, 8L * source.dataType().memorySize()));
  }

  /** Finds the quantiles in several passes over all chunks, tile by tile. */
  private Mono<NdArray> passes(BlockGrid parts, long budget) {
    List<String> names = keptNames();
    PlacedElements whole =
        PlacedElements.allocate("of quantiles", DataTypes.FLOAT64, shape(), Location.UNKNOWN);
    return Concurrently.mapInOrder(
            Flux.fromIterable(parts.blocks()),
            1,
            block -> passes(block, names, memory(budget), whole))
        .then(Mono.fromSupplier(whole::array));
  }

  private Mono<Boolean> passes(
      BlockGrid.Block block, List<String> names, long memory, PlacedElements whole) {
    Variable part = new Variable(variable.name(), variable.attributes(), source);
    for (int d = 0; d < names.size(); d++) {
      part = part.with(names.get(d), block.axes().get(d));
    }
    Variable tile = part;
    List<CellAxis> its = tile.cells(ofDimension);
    boolean isNarrow = source.dataType().equals(DataTypes.FLOAT32);
    List<Axis> places = new ArrayList<>();
    places.add(new Axis.Range(0, quantiles.count(), 1, false));
    for (CellAxis axis : its) {
      int d = names.indexOf(axis.name());
      if (!axis.isReduced()) {
        places.add(d < 0 ? new Axis.Range(0, axis.cells(), 1, false) : block.axes().get(d));
      }
    }
    long[] extents = places.stream().mapToLong(Axis::count).toArray();
    return Mono.fromSupplier(() -> new RankSearch(quantiles, its, keepsMissing, isNarrow, memory))
        .flatMap(search -> pass(search, tile, its))
        .map(
            search -> {
              whole.put(NdArray.ofDoubles(Shape.of(extents), search.results()), places);
              return true;
            });
  }

  /** Makes passes until all quantiles are found. */
  private static Mono<RankSearch> pass(RankSearch search, Variable tile, List<CellAxis> its) {
    CfDecoding decoding = tile.values().decoding();
    ChunkWork<RankSearch.Found> work =
        new ChunkWork<>() {
          @Override
          public RankSearch.Found apply(Chunk chunk) {
            return search.find(decoding, its, chunk);
          }

          @Override
          public int growth() {
            DataType type = decoding == null ? tile.dataType() : decoding.storedType();
            return Math.max(1, Integer.BYTES * 2 / Math.max(1, type.itemSize()));
          }

          @Override
          public boolean retainsChunk() {
            return false;
          }
        };
    return tile.values()
        .chunks(true, work)
        .reduce(search, RankSearch::add)
        .map(RankSearch::endPass)
        .flatMap(found -> found.isDone() ? Mono.just(found) : pass(found, tile, its));
  }

  private List<String> kept() {
    return axes.stream().filter(axis -> !axis.isReduced()).map(CellAxis::name).toList();
  }

  private Shape shape() {
    List<Long> extents = new ArrayList<>(List.of((long) quantiles.count()));
    axes.stream()
        .filter(axis -> !axis.isReduced())
        .forEach(axis -> extents.add((long) axis.cells()));
    return Shape.of(extents.stream().mapToLong(extent -> extent).toArray());
  }

  private Mono<Integer> tile(BlockGrid.Block block, double... results) {
    DimensionSelection[] box = new DimensionSelection[axes.size()];
    Arrays.setAll(box, d -> DimensionSelection.slice(block.from().get(d), block.to().get(d)));
    return source
        .read(Selection.of(box))
        .publishOn(source.options().codecScheduler())
        .map(values -> find(values, block, results));
  }

  /** Finds the quantiles of a tile; returns how many cells it has. */
  private int find(NdArray values, BlockGrid.Block block, double... results) {
    boolean[] isAlong = new boolean[axes.size()];
    int[] firsts = {0};
    int[] groups = {0};
    int groupStride = 0;
    int groupCount = 0;
    for (int d = 0; d < isAlong.length; d++) {
      CellAxis axis = axes.get(d);
      int extent = (int) values.shape().extent(d);
      isAlong[d] = !axis.isKept();
      if (axis.isKept()) {
        firsts = cells(firsts, extent, block.from().get(d).intValue(), strides[d]);
      } else {
        groups = groups(groups, extent, axis);
        groupStride = axis.isGrouped() ? strides[d] : groupStride;
        groupCount = axis.isGrouped() ? axis.cells() : groupCount;
      }
    }
    Columns columns = new Columns(values, isAlong);
    int[] places = firsts;
    if (groupCount == 0) {
      columns.each(
          (cell, column) ->
              quantiles.find(
                  column, column.length, keepsMissing, results, places[cell], (int) cells));
    } else {
      GroupedColumn parts = new GroupedColumn(groups, groupCount);
      int stride = groupStride;
      columns.each(
          (cell, column) ->
              parts.each(
                  column,
                  (group, its, count) ->
                      quantiles.find(
                          its,
                          count,
                          keepsMissing,
                          results,
                          places[cell] + group * stride,
                          (int) cells)));
    }
    return columns.cells();
  }

  private static int[] cells(int[] before, int extent, int from, int stride) {
    int[] all = new int[before.length * extent];
    Arrays.setAll(all, i -> before[i / extent] + (from + i % extent) * stride);
    return all;
  }

  /** Returns the group of each position of a column, with a further dimension. */
  private static int[] groups(int[] before, int extent, CellAxis axis) {
    int[] all = new int[before.length * extent];
    Arrays.setAll(all, i -> axis.isGrouped() ? axis.group(i % extent) : before[i / extent]);
    return all;
  }

  /** Takes the values of a group. */
  private interface GroupConsumer {
    void accept(int group, double[] values, int count);
  }

  /** Divides columns into groups. */
  private static final class GroupedColumn {
    private final int[] counts;
    private final double[] values;
    private final int[] members;
    private final int[] starts;

    GroupedColumn(int[] groups, int count) {
      this.counts = new int[count];
      for (int group : groups) {
        if (group >= 0) {
          counts[group]++;
        }
      }
      this.starts = new int[count + 1];
      for (int g = 0; g < count; g++) {
        starts[g + 1] = starts[g] + counts[g];
      }
      this.members = new int[starts[count]];
      int[] next = starts.clone();
      for (int i = 0; i < groups.length; i++) {
        if (groups[i] >= 0) {
          members[next[groups[i]]++] = i;
        }
      }
      this.values = new double[Arrays.stream(counts).max().orElse(0)];
    }

    void each(double[] column, GroupConsumer consumer) {
      for (int g = 0; g < counts.length; g++) {
        for (int i = 0; i < counts[g]; i++) {
          values[i] = column[members[starts[g] + i]];
        }
        consumer.accept(g, values, counts[g]);
      }
    }
  }
}
