package dev.zarrreactive.dataset;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.DimensionSelection;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.internal.flow.ByteBudget;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.internal.guard.MemoryGuard;
import dev.zarrreactive.internal.statistics.CellAxis;
import dev.zarrreactive.internal.statistics.Columns;
import dev.zarrreactive.internal.statistics.Quantiles;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Quantiles, which need all values of a cell at a time: tiles of the kept dimensions are read with
 * all positions of the others, and codec threads find the quantiles of each.
 */
final class ColumnReduction {
  /** The most bytes of one column, whatever may be in flight. */
  private static final long MOST_BYTES = 1L << 30;

  private final Variable variable;
  private final List<CellAxis> axes;
  private final boolean keepsMissing;
  private final Quantiles quantiles;
  private final VariableValues source;
  private final int[] strides;
  private final long cells;

  ColumnReduction(
      Variable variable, List<CellAxis> axes, boolean keepsMissing, Quantiles quantiles) {
    this.variable = variable;
    this.axes = axes;
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
    BlockGrid grid =
        new BlockGrid(
            source.dimensions(),
            List.of(variable.values()),
            List.of(source),
            BlockGrid.Needs.of(List.of(source)).whole(columns),
            Math.min(budget, MOST_BYTES));
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
