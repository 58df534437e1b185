package dev.zarrreactive.internal.pyramid;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.pyramid.Downsampling;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Levels of resolution, the finest one first: their shapes, and how their elements are written. The
 * factors are the extents of a cell along each dimension; 1 for one that stays as it is.
 */
public final class Pyramid {
  private static final int MOST_LEVELS = 32;

  /** The extent along reduced dimensions of a level after which no further one is usual. */
  private static final long SMALLEST = 256;

  private Pyramid() {}

  /**
   * Checks the number of levels.
   *
   * @throws IllegalArgumentException for less than 1 or more than 32
   */
  public static void checkLevels(int count) {
    if (count < 1 || count > MOST_LEVELS) {
      throw new IllegalArgumentException("1 to " + MOST_LEVELS + " levels: " + count);
    }
  }

  /** Returns the shapes of so many levels; for 0 until each reduced dimension is short enough. */
  public static List<Shape> shapes(Shape finest, List<Integer> factors, int levels) {
    List<Shape> shapes = new ArrayList<>(Collections.singletonList(finest));
    while (shapes.size() < (levels == 0 ? MOST_LEVELS : levels)) {
      Shape last = shapes.get(shapes.size() - 1);
      long[] next = last.toArray();
      long longest = 0;
      for (int d = 0; d < next.length; d++) {
        longest = factors.get(d) > 1 ? Math.max(longest, next[d]) : longest;
        next[d] = (next[d] + factors.get(d) - 1) / factors.get(d);
      }
      if (levels == 0 ? longest <= SMALLEST : Arrays.equals(next, last.toArray())) {
        break;
      }
      shapes.add(Shape.of(next));
    }
    return shapes;
  }

  /** Writes all levels of an array in memory. */
  public static Mono<Void> write(
      List<ZarrArray> all, NdArray elements, List<Integer> factors, Downsampling method) {
    return all.get(0)
        .write(Selection.all(), elements)
        .then(Mono.defer(() -> fill(all, factors, method)));
  }

  /** Writes all levels of blocks that follow one another along the first dimension. */
  public static Mono<Void> write(
      List<ZarrArray> all, Publisher<NdArray> blocks, List<Integer> factors, Downsampling method) {
    return all.get(0)
        .write(Selection.all(), blocks)
        .then(Mono.defer(() -> fill(all, factors, method)));
  }

  /** Writes all levels of an array of any store. */
  public static Mono<Void> copy(
      ZarrArray elements, List<ZarrArray> all, List<Integer> factors, Downsampling method) {
    List<Integer> ones = Collections.nCopies(elements.shape().rank(), 1);
    return new PyramidWriting(elements, all.get(0), ones, Downsampling.NEAREST)
        .write()
        .then(Mono.defer(() -> fill(all, factors, method)));
  }

  /** Fills each level but the finest, one after the other, of the one before it. */
  public static Mono<Void> fill(List<ZarrArray> all, List<Integer> factors, Downsampling method) {
    return Flux.range(1, all.size() - 1)
        .concatMap(
            i -> {
              ZarrArray source = all.get(i - 1);
              ZarrArray target = all.get(i);
              return new PyramidWriting(
                      source, target, stepped(factors, source.shape(), target.shape()), method)
                  .write();
            })
        .then();
  }

  /** Returns the factors of one step: 1 along a dimension that has not become shorter. */
  private static List<Integer> stepped(List<Integer> factors, Shape source, Shape target) {
    List<Integer> stepped = new ArrayList<>();
    for (int d = 0; d < factors.size(); d++) {
      stepped.add(source.extent(d) == target.extent(d) ? Integer.valueOf(1) : factors.get(d));
    }
    return stepped;
  }
}
