package dev.zarrreactive.dataset;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.internal.cache.CachePolicy;
import dev.zarrreactive.internal.cache.Generations;
import dev.zarrreactive.internal.cache.LoadingCache;
import reactor.core.publisher.Mono;

/**
 * The values of the coordinates of one dataset, read once and shared by all its parts. Readers at
 * the same time share one read, which is cancelled with the last of them.
 */
final class CoordinateCache {
  /** The most bytes of all values that are kept; a larger coordinate is read each time. */
  private static final long MOST_BYTES = 64L << 20;

  private static final CachePolicy<String, String, NdArray> POLICY =
      new CachePolicy<>() {
        @Override
        public String groupOf(String key) {
          return key;
        }

        @Override
        public long weight(NdArray values) {
          return values.shape().elementCountUpTo(Integer.MAX_VALUE)
              * Math.max(8L, values.dataType().memorySize());
        }
      };

  private final LoadingCache<String, String, NdArray> cache =
      new LoadingCache<>(MOST_BYTES, POLICY, new Generations());

  /** Returns all values of a coordinate of one dimension, whatever part of it is given. */
  Mono<NdArray> values(Variable coordinate) {
    return Mono.defer(
        () -> cache.lookUp(coordinate.name(), () -> coordinate.whole().read()).value());
  }
}
