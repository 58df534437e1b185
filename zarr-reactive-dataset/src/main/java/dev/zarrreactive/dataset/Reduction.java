package dev.zarrreactive.dataset;

import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.ChunkWork;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.dataset.cf.CfDecoding;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.IntegerType;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.flow.ByteBudget;
import dev.zarrreactive.internal.guard.MemoryGuard;
import dev.zarrreactive.internal.statistics.Accumulated;
import dev.zarrreactive.internal.statistics.CellAxis;
import dev.zarrreactive.internal.statistics.ChunkStatistics;
import dev.zarrreactive.internal.statistics.Totals;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
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
 * bytes in flight.
 */
public final class Reduction {
  private final Variable variable;
  private final List<CellAxis> axes;
  private final boolean keepsMissing;

  Reduction(Variable variable, List<CellAxis> axes, boolean keepsMissing) {
    this.variable = variable;
    this.axes = axes;
    this.keepsMissing = keepsMissing;
  }

  /** Returns the same statistics, which are missing where a value is: {@code skipna=False}. */
  public Reduction keepingMissing() {
    return new Reduction(variable, axes, true);
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

  private Mono<NdArray> only(Statistic statistic) {
    return statistics(statistic).map(all -> Objects.requireNonNull(all.get(statistic)));
  }

  /** Computes several statistics while it reads the chunks once. */
  public Mono<Map<Statistic, NdArray>> statistics(Statistic... statistics) {
    Set<Statistic> wanted = EnumSet.noneOf(Statistic.class);
    wanted.addAll(List.of(statistics));
    Location location = Location.ofNode(variable.array().path().value());
    return Mono.defer(
            () -> {
              check(wanted);
              return reduce(wanted);
            })
        .onErrorMap(ZarrException.class, error -> error.at(location));
  }

  private Mono<Map<Statistic, NdArray>> reduce(Set<Statistic> wanted) {
    Totals totals = allocating(wanted, () -> new Totals(axes, Statistic.accumulated(wanted)));
    return variable
        .array()
        .chunksInOrder(variable.storedSelection(Selection.all()), work(wanted))
        .reduce(totals, Totals::add)
        .map(all -> allocating(wanted, () -> results(all, wanted)));
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

  private <T> T allocating(Set<Statistic> wanted, java.util.function.Supplier<T> work) {
    return MemoryGuard.allocating("of statistics", bytes(wanted), Location.UNKNOWN, work);
  }

  private void check(Set<Statistic> wanted) {
    variable.requireNumbers();
    long most = variable.array().options().maxInFlightBytes();
    if (bytes(wanted) > Math.min(most, Integer.MAX_VALUE * 8L)) {
      throw new UnsupportedFeatureException(
          wanted
              + " of "
              + variable
              + " for each of "
              + dimensions()
              + " take "
              + bytes(wanted)
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

  private long bytes(Set<Statistic> wanted) {
    long cells = 1;
    for (CellAxis axis : axes) {
      cells = ByteBudget.product(cells, axis.cells());
    }
    return ByteBudget.product(cells, Statistic.accumulated(wanted).bytesOfCell());
  }

  private ChunkWork<ChunkStatistics> work(Set<Statistic> wanted) {
    CfDecoding decoding = variable.decoding();
    Accumulated kept = Statistic.accumulated(wanted);
    return new ChunkWork<>() {
      @Override
      public ChunkStatistics apply(Chunk chunk) {
        return new ChunkStatistics(decoding, axes, kept, chunk);
      }

      @Override
      public int growth() {
        return growthOf(wanted);
      }

      @Override
      public boolean retainsChunk() {
        return false;
      }
    };
  }

  /** Returns the bytes of a chunk's statistics for each byte of the chunk, at least 1. */
  private int growthOf(Set<Statistic> wanted) {
    Shape chunk = variable.array().chunkGrid().largestChunkShape();
    double together = 1;
    int next = 0;
    for (int d = 0; d < chunk.rank(); d++) {
      if (!variable.part(d).isDropped()) {
        together *= axes.get(next++).isReduced() ? chunk.extent(d) : 1;
      }
    }
    int each = variable.array().dataType().itemSize();
    return (int)
        Math.max(1, Math.ceil(Statistic.accumulated(wanted).bytesOfCell() / (each * together)));
  }
}
