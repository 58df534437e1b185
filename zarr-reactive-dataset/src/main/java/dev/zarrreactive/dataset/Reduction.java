package dev.zarrreactive.dataset;

import dev.zarrreactive.array.Axis;
import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.ChunkWork;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.cf.CfDecoding;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.IntegerType;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.expression.Formula;
import dev.zarrreactive.internal.expression.Operator;
import dev.zarrreactive.internal.flow.ByteBudget;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.internal.guard.MemoryGuard;
import dev.zarrreactive.internal.statistics.Accumulated;
import dev.zarrreactive.internal.statistics.CellAxis;
import dev.zarrreactive.internal.statistics.ChosenValues;
import dev.zarrreactive.internal.statistics.ChunkStatistics;
import dev.zarrreactive.internal.statistics.Quantiles;
import dev.zarrreactive.internal.statistics.Totals;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Statistics of a variable over some of its dimensions, or over parts of them, in a memory of the
 * size of the result. Immutable.
 *
 * <p>Publishers are cold. Chunks stream as of {@link Variable#chunks()}: codec threads make
 * statistics of each one, and these are added in the order of the chunks. So results are the same
 * bits each time, whatever arrives first. Sums of a chunk are of float64, one value after the
 * other, or of integers of up to 16 bits exact; sums of chunks keep their rounding errors. A cancel
 * ends the requests.
 *
 * <p>Values that are NaN, as missing ones are, are left out, as with xarray's {@code skipna=True}.
 * A mean, a variance or an extreme of nothing is NaN. {@link #keepingMissing()} gives NaN to each
 * cell with a missing value, but for counts. Integers are exact up to 2^53; a greater one of 64
 * bits is an error.
 *
 * <p>{@link UnsupportedFeatureException} for values other than numbers, and for a result that takes
 * more bytes than {@link dev.zarrreactive.ZarrOptions#maxInFlightBytes}. Results count beside the
 * bytes in flight. Sums, counts and extremes of all cells are up to 48 bytes a cell; where these
 * take more than that, they are computed of tiles of the kept dimensions, one after the other, each
 * of whole chunks where these fit.
 */
public final class Reduction {
  /** The part of the bytes in flight that a tile takes whose sums are not those of all cells. */
  private static final int TILES = 4;

  private final Variable variable;
  private final BiFunction<String, Axis, CellAxis> cells;
  private final List<CellAxis> axes;
  private final boolean keepsMissing;
  private final @Nullable Variable weights;

  /**
   * Creates the statistics of a variable.
   *
   * @param cells the cells of a dimension, by its name and its positions
   * @param weights of the values; null for none
   */
  Reduction(
      Variable variable,
      BiFunction<String, Axis, CellAxis> cells,
      boolean keepsMissing,
      @Nullable Variable weights) {
    this.variable = variable;
    this.cells = cells;
    this.axes = variable.cells(cells);
    this.keepsMissing = keepsMissing;
    this.weights = weights;
  }

  /** Returns the same statistics, which are missing where a value is: {@code skipna=False}. */
  public Reduction keepingMissing() {
    return new Reduction(variable, cells, true, weights);
  }

  /**
   * Returns sums and means with weights, as {@code over("lat").weighted(cosines)}: the sum of the
   * products, and that sum divided by the sum of the weights. A value that is missing, or has no
   * weight, counts in neither. Products and sums are of {@code float64}; where the weights have the
   * sum 0, the mean is NaN.
   *
   * @param weights numbers, whose dimensions the variable has
   * @throws IllegalArgumentException if the variable lacks one, or has another extent
   */
  public Reduction weighted(Variable weights) {
    if (!variable.dimensions().containsAll(weights.dimensions())) {
      throw new IllegalArgumentException(
          variable + " lacks a dimension of its weights, which have " + weights.dimensions());
    }
    weighing(variable, weights);
    return new Reduction(variable, cells, keepsMissing, weights);
  }

  /** Returns the products of values and weights, and the weights of values that are there. */
  private static ComputedValues weighing(Variable variable, Variable weights) {
    return ComputedValues.ofSeveral(
        List.of(variable.values(), weights.values()),
        of -> {
          Formula product =
              Formula.of(Operator.TIMES, Formula.wide(of.get(0)), Formula.wide(of.get(1)));
          Formula isThere = Formula.not(new Formula.Missing(product));
          return List.of(product, Formula.where(isThere, Formula.wide(of.get(1))));
        });
  }

  /** The dimensions of the results, slowest first. */
  public List<String> dimensions() {
    return axes.stream().filter(axis -> !axis.isReduced()).map(CellAxis::name).toList();
  }

  /** Computes {@link Statistic#MEAN}. */
  public Mono<NdArray> mean() {
    return only(Statistic.MEAN);
  }

  /** Computes {@link Statistic#SUM}. */
  public Mono<NdArray> sum() {
    return only(Statistic.SUM);
  }

  /** Computes {@link Statistic#MIN}. */
  public Mono<NdArray> min() {
    return only(Statistic.MIN);
  }

  /** Computes {@link Statistic#MAX}. */
  public Mono<NdArray> max() {
    return only(Statistic.MAX);
  }

  /** Computes {@link Statistic#STD}. */
  public Mono<NdArray> std() {
    return only(Statistic.STD);
  }

  /** Computes {@link Statistic#COUNT}. */
  public Mono<NdArray> count() {
    return only(Statistic.COUNT);
  }

  /**
   * Computes the medians: of an even number of values the mean of both in the middle. Otherwise as
   * {@link #quantiles}, without a dimension of quantiles.
   */
  public Mono<NdArray> median() {
    return ofColumns(Quantiles.median()).map(Reduction::first);
  }

  /**
   * Computes one quantile; otherwise as {@link #quantiles}, without a dimension of quantiles.
   *
   * @throws IllegalArgumentException for a quantile that is not from 0 to 1
   */
  public Mono<NdArray> quantile(double quantile) {
    return quantiles(quantile).map(Reduction::first);
  }

  /**
   * Computes exact quantiles, which are interpolated linearly as NumPy's are by default: {@code
   * float64}. Tiles of the kept dimensions are read with all positions of the others, as {@link
   * DatasetBlock} chooses blocks: a tile has whole chunks, so that each is requested once, where
   * these take no more than a third of {@code maxInFlightBytes}; else chunks are requested for
   * several tiles. Where a column does not fit, or that reads less, all chunks are read in several
   * passes, which count values in a further quarter of {@code maxInFlightBytes}: three to five
   * passes over most data. {@link UnsupportedFeatureException} if there are weights, and for values
   * that change meanwhile. {@link Variable#quantiles} finds those of all values from a sketch, in
   * one pass.
   *
   * @param quantiles from 0 to 1
   * @return an array whose first dimension is the quantiles, in their order
   * @throws IllegalArgumentException for a quantile that is not from 0 to 1
   */
  public Mono<NdArray> quantiles(double... quantiles) {
    Variable.checkQuantiles(quantiles);
    return ofColumns(Quantiles.of(quantiles));
  }

  /**
   * Chooses the first value of each cell, in C order, that is not missing; of the type of the
   * values, of integers in periods {@code float64}. Without a value it is NaN.
   */
  public Mono<NdArray> first() {
    return ofCells("first values", cells -> cells.values(ChosenValues.Choice.FIRST));
  }

  /** Chooses the last value of each cell; otherwise as {@link #first}. */
  public Mono<NdArray> last() {
    return ofCells("last values", cells -> cells.values(ChosenValues.Choice.LAST));
  }

  /**
   * Finds where the least value of each cell is, the first of equal ones: {@code int64}. It is the
   * position along the dimension, also in groups, and the number in C order among several reduced
   * dimensions. Without a value it is -1.
   */
  public Mono<NdArray> argMin() {
    return ofCells("positions", cells -> cells.places(ChosenValues.Choice.LEAST));
  }

  /** Finds where the greatest value of each cell is; otherwise as {@link #argMin}. */
  public Mono<NdArray> argMax() {
    return ofCells("positions", cells -> cells.places(ChosenValues.Choice.GREATEST));
  }

  /**
   * Counts the values of each cell between edges that ascend; as {@link Variable#histogram}.
   *
   * @return counts of {@code int64}, whose last dimension is the {@code edges.length - 1} bins
   * @throws IllegalArgumentException for less than two edges, and for edges that do not ascend
   */
  public Mono<NdArray> histogram(double... edges) {
    double[] ascending = Variable.checkedEdges(edges);
    return ofCells("histograms", cells -> cells.histograms(ascending));
  }

  private Mono<NdArray> ofCells(String what, Function<CellReduction, Mono<NdArray>> work) {
    Location location = variable.values().location();
    return Mono.defer(
            () -> {
              requireNoWeights(what);
              return work.apply(new CellReduction(variable, axes, keepsMissing));
            })
        .onErrorMap(ZarrException.class, error -> error.at(location));
  }

  private Mono<NdArray> ofColumns(Quantiles quantiles) {
    Location location = variable.values().location();
    return Mono.defer(
            () -> {
              requireNoWeights("quantiles");
              return new ColumnReduction(variable, cells, keepsMissing, quantiles).compute();
            })
        .onErrorMap(ZarrException.class, error -> error.at(location));
  }

  private void requireNoWeights(Object what) {
    if (weights != null) {
      throw new UnsupportedFeatureException(
          "weights are of sums and means, not of " + what, Location.UNKNOWN);
    }
  }

  /** Returns the first part of an array. */
  private static NdArray first(NdArray all) {
    return all.slice(Selection.parse("0")).toContiguous();
  }

  private Mono<NdArray> only(Statistic statistic) {
    return statistics(statistic).map(all -> Objects.requireNonNull(all.get(statistic)));
  }

  /** Computes several statistics while it reads the chunks once. */
  public Mono<Map<Statistic, NdArray>> statistics(Statistic... statistics) {
    Set<Statistic> wanted = EnumSet.noneOf(Statistic.class);
    wanted.addAll(List.of(statistics));
    Location location = variable.values().location();
    return Mono.defer(
            () -> {
              check(wanted);
              return bytes(wanted) > budget() ? tiles(wanted) : all(wanted);
            })
        .onErrorMap(ZarrException.class, error -> error.at(location));
  }

  private Mono<Map<Statistic, NdArray>> all(Set<Statistic> wanted) {
    return weights == null ? reduce(wanted) : reduce(wanted, weights);
  }

  /** Computes the statistics of tiles of the kept dimensions, one tile after the other. */
  private Mono<Map<Statistic, NdArray>> tiles(Set<Statistic> wanted) {
    List<String> kept = axes.stream().filter(CellAxis::isKept).map(CellAxis::name).toList();
    VariableValues values = variable.values();
    long tile = Math.max(1, budget() / TILES / bytesOfGroups(wanted));
    BlockGrid grid =
        new BlockGrid(
            kept,
            List.of(values),
            List.of(values),
            BlockGrid.Needs.none(),
            ByteBudget.product(tile, 8L * values.dataType().memorySize()));
    Map<Statistic, PlacedElements> whole = new EnumMap<>(Statistic.class);
    return Concurrently.mapInOrder(
            Flux.fromIterable(grid.blocks()),
            1,
            block -> tile(kept, block).all(wanted).doOnNext(its -> put(its, kept, block, whole)))
        .then(
            Mono.fromSupplier(
                () -> {
                  Map<Statistic, NdArray> results = new EnumMap<>(Statistic.class);
                  whole.forEach((statistic, all) -> results.put(statistic, all.array()));
                  return results;
                }));
  }

  private Reduction tile(List<String> kept, BlockGrid.Block block) {
    Variable part = variable;
    Variable by = weights;
    for (int d = 0; d < kept.size(); d++) {
      part = part.with(kept.get(d), block.axes().get(d));
      by = by == null ? null : by.with(kept.get(d), block.axes().get(d));
    }
    return new Reduction(part, cells, keepsMissing, by);
  }

  private void put(
      Map<Statistic, NdArray> tile,
      List<String> kept,
      BlockGrid.Block block,
      Map<Statistic, PlacedElements> whole) {
    List<Axis> places =
        axes.stream()
            .filter(axis -> !axis.isReduced())
            .map(
                axis ->
                    axis.isKept()
                        ? block.axes().get(kept.indexOf(axis.name()))
                        : new Axis.Range(0, axis.cells(), 1, false))
            .toList();
    Shape shape =
        Shape.of(
            axes.stream().filter(axis -> !axis.isReduced()).mapToLong(CellAxis::cells).toArray());
    tile.forEach(
        (statistic, values) ->
            whole
                .computeIfAbsent(
                    statistic,
                    any ->
                        PlacedElements.allocate(
                            "of statistics", values.dataType(), shape, Location.UNKNOWN))
                .put(values, places));
  }

  private Mono<Map<Statistic, NdArray>> reduce(Set<Statistic> wanted) {
    Totals totals = allocating(wanted, () -> new Totals(axes, Statistic.accumulated(wanted)));
    return variable
        .values()
        .chunks(true, work(wanted))
        .reduce(totals, Totals::add)
        .map(all -> allocating(wanted, () -> results(all, wanted)));
  }

  private Mono<Map<Statistic, NdArray>> reduce(Set<Statistic> wanted, Variable by) {
    ComputedValues both = weighing(variable, by);
    List<CellAxis> its = new Variable(variable.name(), variable.attributes(), both).cells(cells);
    Accumulated kept = Statistic.accumulated(Set.of(Statistic.SUM));
    Totals sums = allocating(wanted, () -> new Totals(its, kept));
    Totals shares = allocating(wanted, () -> new Totals(its, kept));
    return both.chunksOfAll(
            chunks ->
                List.of(
                    new ChunkStatistics(null, its, kept, chunks.get(0)),
                    new ChunkStatistics(null, its, kept, chunks.get(1))))
        .reduce(
            sums,
            (all, chunk) -> {
              shares.add(chunk.get(1));
              return all.add(chunk.get(0));
            })
        .map(
            all -> {
              Totals shown = keepsMissing ? all.keepMissing() : all;
              Map<Statistic, NdArray> results = new EnumMap<>(Statistic.class);
              for (Statistic statistic : wanted) {
                results.put(
                    statistic,
                    statistic == Statistic.SUM
                        ? shown.sums(DataTypes.FLOAT64)
                        : shown.quotients(shares));
              }
              return results;
            });
  }

  private Map<Statistic, NdArray> results(Totals all, Set<Statistic> wanted) {
    Map<Statistic, NdArray> results = new EnumMap<>(Statistic.class);
    if (wanted.contains(Statistic.COUNT)) {
      results.put(Statistic.COUNT, all.counts());
    }
    Totals shown = keepsMissing ? all.keepMissing() : all;
    for (Statistic statistic : wanted) {
      results.computeIfAbsent(statistic, any -> result(any, shown, variable.dataType()));
    }
    return results;
  }

  private static NdArray result(Statistic statistic, Totals totals, DataType values) {
    return switch (statistic) {
      case COUNT -> totals.counts();
      case SUM -> totals.sums(values);
      case MEAN -> totals.means();
      case VARIANCE -> totals.variances();
      case STD -> totals.deviations();
      case MIN -> totals.least(values);
      case MAX -> totals.greatest(values);
    };
  }

  private <T> T allocating(Set<Statistic> wanted, Supplier<T> work) {
    return MemoryGuard.allocating("of statistics", bytes(wanted), Location.UNKNOWN, work);
  }

  private void check(Set<Statistic> wanted) {
    variable.requireNumbers();
    if (!Set.of(Statistic.SUM, Statistic.MEAN).containsAll(wanted)) {
      requireNoWeights(wanted);
    }
    long most = budget();
    long needed = Math.max(bytesOfGroups(wanted), bytes(8L * wanted.size()));
    if (needed > most) {
      throw new UnsupportedFeatureException(
          wanted
              + " of "
              + variable
              + " for each of "
              + dimensions()
              + " take "
              + needed
              + " bytes, more than the "
              + most
              + " of maxInFlightBytes; reduce further dimensions, or a part at a time",
          Location.UNKNOWN);
    }
    boolean isWhole =
        variable.dataType() instanceof IntegerType || variable.dataType().equals(DataTypes.BOOL);
    boolean isEmpty = variable.shape().elementCountUpTo(1) == 0;
    if (isWhole && isEmpty && Statistic.accumulated(wanted).extremes()) {
      throw new UnsupportedFeatureException(
          variable + " is empty; only floats have an extreme of nothing, which is NaN",
          Location.UNKNOWN);
    }
  }

  private long budget() {
    return Math.min(variable.values().options().maxInFlightBytes(), Integer.MAX_VALUE * 8L);
  }

  private long bytes(Set<Statistic> wanted) {
    return bytes(Statistic.accumulated(wanted).bytesOfCell());
  }

  private long bytes(long bytesOfCell) {
    long bytes = bytesOfCell;
    for (CellAxis axis : axes) {
      bytes = ByteBudget.product(bytes, axis.cells());
    }
    return bytes;
  }

  /** Returns the bytes of all groups of a cell of the kept dimensions. */
  private long bytesOfGroups(Set<Statistic> wanted) {
    long bytes = Statistic.accumulated(wanted).bytesOfCell();
    for (CellAxis axis : axes) {
      bytes = axis.isKept() ? bytes : ByteBudget.product(bytes, axis.cells());
    }
    return bytes;
  }

  private ChunkWork<ChunkStatistics> work(Set<Statistic> wanted) {
    CfDecoding decoding = variable.values().decoding();
    Accumulated kept = Statistic.accumulated(wanted);
    return new ChunkWork<>() {
      @Override
      public ChunkStatistics apply(Chunk chunk) {
        return new ChunkStatistics(decoding, axes, kept, chunk);
      }

      @Override
      public int growth() {
        return Reduction.growth(variable, axes, Statistic.accumulated(wanted).bytesOfCell());
      }

      @Override
      public boolean retainsChunk() {
        return false;
      }
    };
  }

  /** Returns the bytes of a chunk's statistics for each byte of the chunk, at least 1. */
  static int growth(Variable variable, List<CellAxis> axes, long bytesOfCell) {
    VariableValues values = variable.values();
    double together = 1;
    for (int d = 0; d < axes.size(); d++) {
      long chunk = values.chunk(d).orElse(values.shape().extent(d));
      together *= (double) Math.max(1, chunk) / axes.get(d).mostCells(chunk);
    }
    CfDecoding decoding = values.decoding();
    DataType type = decoding == null ? values.dataType() : decoding.storedType();
    int each = type.itemSize();
    return (int) Math.max(1, Math.ceil(bytesOfCell / (each * together)));
  }
}
