package dev.zarrreactive.dataset;

import com.datadoghq.sketch.ddsketch.DDSketch;
import com.datadoghq.sketch.ddsketch.mapping.CubicallyInterpolatedMapping;
import com.datadoghq.sketch.ddsketch.store.CollapsingLowestDenseStore;
import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.ChunkWork;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.statistics.ElementReader;
import dev.zarrreactive.internal.statistics.Histogram;
import java.util.Arrays;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/** Histograms and quantiles of all values of a variable; NaN is left out. */
final class ValueDistribution {
  /** The most bins of a sketch; values beyond, the least of all, share one bin. */
  private static final int MOST_BINS = 1 << 18;

  private final Variable variable;

  ValueDistribution(Variable variable) {
    this.variable = variable;
  }

  /** Counts the values between edges that ascend. */
  Mono<long[]> histogram(double... edges) {
    return all(elements -> counts(elements, edges), new Histogram(edges), Histogram::add)
        .map(Histogram::counts);
  }

  private static Histogram counts(ElementReader elements, double... edges) {
    Histogram histogram = new Histogram(edges);
    for (int from = 0; from < elements.count(); ) {
      int size = elements.load(from, elements.count() - from);
      int at = elements.place(from);
      for (int i = 0; i < size; i++) {
        histogram.add(ElementReader.value(elements.values(), at + i * Double.BYTES), 1);
      }
      from += size;
    }
    return histogram;
  }

  /** Returns values near the quantiles; NaN for all where there is no value. */
  Mono<double[]> quantiles(double accuracy, double... quantiles) {
    return this.<DDSketch>all(
            chunk -> sketch(chunk, accuracy),
            empty(accuracy),
            (some, more) -> {
              some.mergeWith(more);
              return some;
            })
        .map(
            sketch ->
                Arrays.stream(quantiles)
                    .map(
                        quantile ->
                            sketch.isEmpty() ? Double.NaN : sketch.getValueAtQuantile(quantile))
                    .toArray());
  }

  private static DDSketch empty(double accuracy) {
    return new DDSketch(
        new CubicallyInterpolatedMapping(accuracy),
        () -> new CollapsingLowestDenseStore(MOST_BINS));
  }

  private static DDSketch sketch(ElementReader elements, double accuracy) {
    DDSketch sketch = empty(accuracy);
    for (int from = 0; from < elements.count(); ) {
      int size = elements.load(from, elements.count() - from);
      int at = elements.place(from);
      for (int i = 0; i < size; i++) {
        double value = ElementReader.value(elements.values(), at + i * Double.BYTES);
        if (Double.isInfinite(value)) {
          throw new UnsupportedFeatureException(
              "a value is " + value + ", of which a sketch has no quantiles", Location.UNKNOWN);
        } else if (!Double.isNaN(value)) {
          sketch.accept(value);
        }
      }
      from += size;
    }
    return sketch;
  }

  private <T> Mono<T> all(Function<ElementReader, T> ofChunk, T nothing, BinaryOperator<T> both) {
    VariableValues values = variable.values();
    ChunkWork<T> work =
        new ChunkWork<>() {
          @Override
          public T apply(Chunk chunk) {
            return ofChunk.apply(new ElementReader(values.decoding(), chunk.data()));
          }

          @Override
          public boolean retainsChunk() {
            return false;
          }
        };
    Location location = values.location();
    return Mono.defer(
            () -> {
              variable.requireNumbers();
              return values.chunks(false, work).reduce(both).defaultIfEmpty(nothing);
            })
        .onErrorMap(ZarrException.class, error -> error.at(location));
  }
}
