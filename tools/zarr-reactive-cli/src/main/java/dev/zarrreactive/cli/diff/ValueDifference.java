package dev.zarrreactive.cli.diff;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.Axis;
import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.chunkgrid.ChunkGrid;
import dev.zarrreactive.cli.console.Quantities;
import dev.zarrreactive.cli.describe.ChunkLayout;
import dev.zarrreactive.cli.location.NodePlace;
import dev.zarrreactive.cli.output.ElementText;
import dev.zarrreactive.cli.stored.SparseChunks;
import dev.zarrreactive.cli.stream.WorkProgress;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.internal.context.HierarchyRequests;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.internal.hierarchy.StoredChunks;
import dev.zarrreactive.internal.planning.ChunkPlan;
import dev.zarrreactive.internal.planning.SaturatingSize;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The elements in which two arrays of one shape and data type differ. Not thread-safe. */
final class ValueDifference {
  /** How many elements are shown. */
  private static final int FIRST = 5;

  private static final int CONCURRENCY = 4;

  /** The most parts of sparse arrays that are known at a time. */
  private static final long MOST_PARTS = 1 << 18;

  private final ZarrArray one;
  private final ZarrArray other;
  private final HierarchyDifference.Sides sides;
  private final ElementComparison comparison;
  private final List<String> first = new ArrayList<>();
  private long count;
  private double largest = Double.NaN;

  private ValueDifference(
      ZarrArray one,
      ZarrArray other,
      HierarchyDifference.Options options,
      HierarchyDifference.Sides sides) {
    this.one = one;
    this.other = other;
    this.sides = sides;
    this.comparison = new ElementComparison(one.dataType(), options.tolerance(), options.bits());
  }

  /**
   * Emits a line that counts the differences and a line for each of the first ones, in the order of
   * the chunks; nothing if all elements are equal. One chunk after the other is in memory.
   */
  static Flux<String> lines(
      ZarrArray one,
      ZarrArray other,
      HierarchyDifference.Options options,
      HierarchyDifference.Sides sides,
      WorkProgress progress) {
    return Flux.defer(
        () -> {
          progress.begin(one.path().value(), SaturatingSize.bytes(one.shape(), one.dataType()));
          return Mono.zip(
                  sides.one().forManyChunks(one).onErrorMap(sides.first()),
                  sides.other().forManyChunks(other).onErrorMap(sides.second()))
              .flatMapMany(
                  both ->
                      new ValueDifference(both.getT1(), both.getT2(), options, sides)
                          .lines(progress));
        });
  }

  private Flux<String> lines(WorkProgress progress) {
    return listParts()
        .flatMapMany(parts -> Flux.fromIterable(parts).concatMap(this::pairs, 0))
        .doOnNext(this::compare)
        .doOnNext(pair -> progress.add(SaturatingSize.bytes(pair.one().shape(), one.dataType())))
        .then(Mono.fromSupplier(this::lines))
        .flatMapIterable(lines -> lines);
  }

  /**
   * Emits the parts to compare, in C order: those that two versions do not share, or of sparse
   * arrays of one fill value the chunks of one of them in which either has a stored one, or all as
   * one.
   */
  private Mono<List<Selection>> listParts() {
    return UnequalPlaces.list(one, other).switchIfEmpty(Mono.defer(this::listStoredParts));
  }

  private Mono<List<Selection>> listStoredParts() {
    Mono<List<Selection>> all = Mono.just(List.of(Selection.all()));
    NdArray fill = NdArray.filled(Shape.of(1), one.fillValue());
    NdArray otherFill = NdArray.filled(Shape.of(1), other.fillValue());
    if (!comparison.areEqual(fill, otherFill, 0)) {
      return all;
    }
    return Mono.zip(
            listStored(one, sides.one()).onErrorMap(sides.first()),
            listStored(other, sides.other()).onErrorMap(sides.second()))
        .flatMap(both -> Mono.justOrEmpty(union(both.getT1(), both.getT2())))
        .switchIfEmpty(all);
  }

  private static Mono<SparseChunks> listStored(ZarrArray array, NodePlace place) {
    return SparseChunks.of(array, Selection.all(), HierarchyRequests.of(place.hierarchy()));
  }

  /**
   * Returns the chunks of the coarser grid in which either array has a stored one; null for too
   * many.
   */
  private @Nullable List<Selection> union(SparseChunks stored, SparseChunks storedOfOther) {
    ChunkGrid grid = coarser(one.chunkGrid(), other.chunkGrid());
    Map<long[], Selection> parts = new TreeMap<>(Arrays::compare);
    for (SparseChunks each : List.of(stored, storedOfOther)) {
      for (StoredChunks.Stored chunk : each.stored()) {
        ChunkPlan touched = ChunkPlan.of(each.selection(chunk).resolve(one.shape()), grid);
        if (touched.size() > MOST_PARTS - parts.size()) {
          return null;
        }
        touched.forEachIndex(index -> parts.computeIfAbsent(index.clone(), i -> box(grid, i)));
      }
    }
    return List.copyOf(parts.values());
  }

  private static ChunkGrid coarser(ChunkGrid grid, ChunkGrid other) {
    BigInteger elements = grid.largestChunkShape().elementCount();
    return other.largestChunkShape().elementCount().compareTo(elements) > 0 ? other : grid;
  }

  /** Returns the elements that the array has of a chunk. */
  private Selection box(ChunkGrid grid, long[] index) {
    long[] start = grid.chunkStart(index);
    long[] extents = grid.chunkShape(index).toArray();
    Arrays.setAll(extents, d -> Math.min(extents[d], one.shape().extent(d) - start[d]));
    return Selection.box(start, extents);
  }

  /** The same part of both arrays. */
  private record Pair(ResolvedSelection place, NdArray one, NdArray other) {}

  /** Streams the chunks of the array with the larger ones, and reads the same of the other one. */
  private Flux<Pair> pairs(Selection part) {
    boolean isSecond =
        ChunkLayout.of(other)
                .innermost()
                .elementCount()
                .compareTo(ChunkLayout.of(one).innermost().elementCount())
            > 0;
    ZarrArray streamed = isSecond ? other : one;
    ZarrArray read = isSecond ? one : other;
    return Concurrently.mapInOrder(
        streamed.chunksInOrder(part).onErrorMap(isSecond ? sides.second() : sides.first()),
        CONCURRENCY,
        chunk ->
            read.read(box(chunk))
                .onErrorMap(isSecond ? sides.first() : sides.second())
                .map(
                    data ->
                        isSecond
                            ? new Pair(chunk.selection(), data, chunk.data())
                            : new Pair(chunk.selection(), chunk.data(), data)));
  }

  private static Selection box(Chunk chunk) {
    return Selection.box(start(chunk.selection()), chunk.data().shape().toArray());
  }

  /** Returns the index of the first element of a whole chunk. */
  private static long[] start(ResolvedSelection place) {
    return ((ResolvedSelection.Orthogonal) place)
        .axes().stream().mapToLong(axis -> ((Axis.Range) axis).start()).toArray();
  }

  private void compare(Pair pair) {
    if (comparison.areSame(pair.one(), pair.other())) {
      return;
    }
    long elements = pair.one().shape().elementCountUpTo(Integer.MAX_VALUE);
    NdArray left = pair.one().reshape(Shape.of(elements));
    NdArray right = pair.other().reshape(Shape.of(elements));
    for (int element = 0; element < elements; element++) {
      if (!comparison.areEqual(left, right, element)) {
        count++;
        largest = larger(largest, comparison.distance(left, right, element));
        if (first.size() < FIRST) {
          first.add(line(pair, element));
        }
      }
    }
  }

  private static double larger(double one, double other) {
    return Double.isNaN(one) || other > one ? other : one;
  }

  private String line(Pair pair, int element) {
    long[] index = start(pair.place());
    Shape shape = pair.one().shape();
    long rest = element;
    for (int d = index.length - 1; d >= 0; d--) {
      index[d] += rest % shape.extent(d);
      rest /= shape.extent(d);
    }
    return "  "
        + Arrays.toString(index)
        + ": "
        + ElementText.of(one.dataType(), pair.one().toJson(element))
        + ", "
        + ElementText.of(one.dataType(), pair.other().toJson(element));
  }

  private List<String> lines() {
    if (count == 0) {
      return List.of();
    }
    List<String> lines = new ArrayList<>();
    String elements = Quantities.plural(one.shape().elementCount(), "element");
    String most =
        Double.isNaN(largest)
            ? ""
            : ", by at most "
                + ElementText.of(
                    DataTypes.FLOAT64, NdArray.ofDoubles(Shape.SCALAR, largest).toJson(0));
    lines.add(
        Quantities.number(BigInteger.valueOf(count))
            + " of "
            + elements
            + (count == 1 ? " differs" : " differ")
            + most);
    lines.addAll(first);
    return lines;
  }
}
