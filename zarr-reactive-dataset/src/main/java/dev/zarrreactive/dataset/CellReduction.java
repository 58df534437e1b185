package dev.zarrreactive.dataset;

import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.ChunkWork;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.cf.CfDecoding;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.IntegerType;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.internal.flow.ByteBudget;
import dev.zarrreactive.internal.guard.MemoryGuard;
import dev.zarrreactive.internal.statistics.CellAxis;
import dev.zarrreactive.internal.statistics.CellHistograms;
import dev.zarrreactive.internal.statistics.ChosenValues;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;

/** What is chosen or counted of each cell, while chunks stream once. */
final class CellReduction {
  private final Variable variable;
  private final List<CellAxis> axes;
  private final boolean keepsMissing;

  CellReduction(Variable variable, List<CellAxis> axes, boolean keepsMissing) {
    this.variable = variable;
    this.axes = axes;
    this.keepsMissing = keepsMissing;
  }

  /** Computes the chosen values. */
  Mono<NdArray> values(ChosenValues.Choice choice) {
    boolean isWhole =
        variable.dataType() instanceof IntegerType || variable.dataType().equals(DataTypes.BOOL);
    if (isWhole && variable.shape().elementCountUpTo(1) == 0) {
      throw new UnsupportedFeatureException(
          variable + " is empty; only floats have a value of nothing, which is NaN",
          Location.UNKNOWN);
    }
    return chosen(choice).map(all -> all.values(axes, variable.dataType()));
  }

  /** Computes the places of the chosen values. */
  Mono<NdArray> places(ChosenValues.Choice choice) {
    return chosen(choice).map(all -> all.places(axes));
  }

  private Mono<ChosenValues> chosen(ChosenValues.Choice choice) {
    CfDecoding decoding = variable.values().decoding();
    return fold(
            ChosenValues.BYTES,
            cells -> ChosenValues.none(choice, cells),
            chunk -> ChosenValues.of(choice, decoding, axes, chunk),
            ChosenValues::add)
        .map(all -> keepsMissing ? all.keepMissing(axes) : all);
  }

  /** Computes the histograms, whose bins are the last dimension. */
  Mono<NdArray> histograms(double... edges) {
    CfDecoding decoding = variable.values().decoding();
    int bins = edges.length - 1;
    return fold(
            ByteBudget.product(bins, Long.BYTES),
            cells -> CellHistograms.none(cells, bins),
            chunk -> CellHistograms.of(edges, decoding, axes, chunk),
            CellHistograms::add)
        .map(all -> all.counts(axes));
  }

  private <T> Mono<T> fold(
      long bytesOfCell, Function<Integer, T> none, Function<Chunk, T> of, BiFunction<T, T, T> add) {
    variable.requireNumbers();
    long cells = 1;
    for (CellAxis axis : axes) {
      cells = ByteBudget.product(cells, axis.cells());
    }
    long bytes = ByteBudget.product(cells, bytesOfCell);
    long most = variable.values().options().maxInFlightBytes();
    if (bytes > Math.min(most, Integer.MAX_VALUE)) {
      throw new UnsupportedFeatureException(
          "results of "
              + variable
              + " for each cell take "
              + bytes
              + " bytes, more than the "
              + most
              + " of maxInFlightBytes; reduce further dimensions, or a part at a time",
          Location.UNKNOWN);
    }
    int count = (int) cells;
    Supplier<T> begin = () -> none.apply(count);
    return variable
        .values()
        .chunks(true, work(of, bytesOfCell))
        .reduce(MemoryGuard.allocating("of results", bytes, Location.UNKNOWN, begin), add);
  }

  private <T> ChunkWork<T> work(Function<Chunk, T> of, long bytesOfCell) {
    return new ChunkWork<>() {
      @Override
      public T apply(Chunk chunk) {
        return of.apply(chunk);
      }

      @Override
      public int growth() {
        return Reduction.growth(variable, axes, bytesOfCell);
      }

      @Override
      public boolean retainsChunk() {
        return false;
      }
    };
  }
}
