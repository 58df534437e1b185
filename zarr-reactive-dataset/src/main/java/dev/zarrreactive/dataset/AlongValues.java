package dev.zarrreactive.dataset;

import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.Axis;
import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.ChunkWork;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.DimensionSelection;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.cf.CfDecoding;
import dev.zarrreactive.cf.TimeCoding;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.IntegerType;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.internal.expression.Formula;
import dev.zarrreactive.internal.flow.ByteBudget;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.internal.statistics.Along;
import dev.zarrreactive.internal.statistics.ColumnPass;
import dev.zarrreactive.internal.statistics.Columns;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Values that are calculated along a dimension of others. Blocks of the others are read ahead, tile
 * by tile of the remaining dimensions and in their order along the dimension; what a later block
 * needs of an earlier one is kept. So each block is read once for a stream of all values.
 */
final class AlongValues extends CalculatedValues {
  private static final long MOST_EXACT = 1L << 53;

  private final VariableValues source;
  private final String dimension;
  private final Along how;

  /** The positions along the dimension of the source that have values here. */
  private final DimensionPart part;

  private AlongValues(VariableValues source, String dimension, Along how, DimensionPart part) {
    this.source = source;
    this.dimension = dimension;
    this.how = how;
    this.part = part;
  }

  /** Returns what is calculated along a dimension that the source has. */
  static AlongValues of(VariableValues source, String dimension, Along how) {
    VariableValues floats = floats(source);
    long extent = floats.shape().extent(floats.dimensions().indexOf(dimension));
    return new AlongValues(floats, dimension, how, DimensionPart.whole(extent));
  }

  /** Returns numbers as {@code float32} or {@code float64}. */
  static VariableValues floats(VariableValues numbers) {
    if (Columns.isRead(numbers.dataType())) {
      return numbers;
    }
    boolean isLong =
        numbers.dataType() instanceof IntegerType integer && integer.bits() == Long.SIZE;
    return ComputedValues.of(
        List.of(numbers),
        of -> isLong ? Formula.wide(of.get(0), AlongValues::exact) : Formula.wide(of.get(0)));
  }

  private static double exact(double value) {
    if (Math.abs(value) >= MOST_EXACT) {
      throw new UnsupportedFeatureException(
          "an element is 2^53 or beyond, where doubles are not exact", Location.UNKNOWN);
    }
    return value;
  }

  @Override
  public DataType dataType() {
    return how.keepsFloats() ? source.dataType() : DataTypes.FLOAT64;
  }

  @Override
  public List<String> dimensions() {
    return source.dimensions().stream()
        .filter(name -> !(part.isDropped() && name.equals(dimension)))
        .toList();
  }

  @Override
  public Shape shape() {
    return Shape.of(
        dimensions().stream()
            .mapToLong(
                name ->
                    name.equals(dimension) ? part.size() : source.shape().extent(inSource(name)))
            .toArray());
  }

  private int inSource(String name) {
    return source.dimensions().indexOf(name);
  }

  @Override
  public Axis positions(int d) {
    String name = dimensions().get(d);
    Axis its = source.positions(inSource(name));
    return name.equals(dimension) ? new DimensionPart(its).select(part.axis()).axis() : its;
  }

  @Override
  public Optional<Long> chunk(int d) {
    return source.chunk(inSource(dimensions().get(d)));
  }

  @Override
  public Axis divided(int d) {
    String name = dimensions().get(d);
    Axis its = source.divided(inSource(name));
    return name.equals(dimension) ? new DimensionPart(its).select(part.axis()).axis() : its;
  }

  @Override
  public long[] edges(int d) {
    String name = dimensions().get(d);
    return name.equals(dimension) ? new long[0] : source.edges(inSource(name));
  }

  @Override
  public Map<String, Boolean> along() {
    Map<String, Boolean> along = new LinkedHashMap<>(source.along());
    along.merge(dimension, how.before() == Long.MAX_VALUE, Boolean::logicalOr);
    along.keySet().retainAll(dimensions());
    return along;
  }

  @Override
  public AlongValues with(String name, Axis positions) {
    return name.equals(dimension)
        ? new AlongValues(source, dimension, how, part.isDropped() ? part : part.select(positions))
        : new AlongValues(source.with(name, positions), dimension, how, part);
  }

  @Override
  AlongValues with(List<Axis> axes) {
    AlongValues selected = this;
    List<String> names = dimensions();
    for (int d = 0; d < names.size(); d++) {
      selected = selected.with(names.get(d), axes.get(d));
    }
    return selected;
  }

  @Override
  public AlongValues renamed(String name, String other) {
    return new AlongValues(
        source.renamed(name, other), dimension.equals(name) ? other : dimension, how, part);
  }

  @Override
  public Optional<TimeCoding> times() {
    return Optional.empty();
  }

  @Override
  public @Nullable CfDecoding decoding() {
    return null;
  }

  @Override
  public ZarrOptions options() {
    return source.options();
  }

  @Override
  public Location location() {
    return source.location();
  }

  /**
   * Some values, and their place.
   *
   * @param axes the positions of this variable, by dimension
   */
  private record Piece(BlockGrid.Block block, List<Axis> axes, NdArray values) {}

  /** Streams the values in pieces. */
  private Flux<Piece> pieces() {
    return Flux.defer(
        () -> {
          if (shape().elementCountUpTo(1) == 0) {
            return Flux.empty();
          }
          long first = Long.MAX_VALUE;
          long last = 0;
          for (long k = 0; k < part.size(); k++) {
            first = Math.min(first, part.index(k));
            last = Math.max(last, part.index(k));
          }
          long extent = source.shape().extent(inSource(dimension));
          long from = Math.max(0, first - Math.min(first, how.before()));
          long to = Math.min(extent, last + 1 + how.after());
          return pieces(new Axis.Range(from, to - from, 1, false));
        });
  }

  /** Streams the values that need some positions along the dimension of the source. */
  private Flux<Piece> pieces(Axis.Range rows) {
    VariableValues read = source.with(dimension, rows);
    List<String> order = new ArrayList<>(read.dimensions());
    order.remove(dimension);
    order.add(dimension);
    long beside = how.before() == Long.MAX_VALUE ? 0 : how.before() + how.after();
    checkWindow(Math.min(rows.count(), beside + 1));
    BlockGrid.Needs needs = BlockGrid.Needs.of(List.of(read));
    BlockGrid grid =
        new BlockGrid(
            order,
            List.of(read),
            List.of(read, ComputedValues.of(List.of(read), of -> Formula.wide(of.get(0)))),
            new BlockGrid.Needs(needs.whole(), needs.longest(), Map.of(dimension, beside)),
            options().maxInFlightBytes());
    ColumnPass<BlockGrid.Block> pass =
        new ColumnPass<>(how, inSource(dimension), dataType(), rows.count());
    int along = order.size() - 1;
    return Concurrently.mapInOrder(
            Flux.fromIterable(grid.blocks()),
            grid.ahead(),
            block ->
                read.read(box(read.dimensions(), order, block))
                    .map(
                        values ->
                            new ColumnPass.Block<>(
                                block, block.from().get(along), block.to().get(along), values)))
        .publishOn(options().codecScheduler(), 1)
        .concatMapIterable(
            block ->
                pass
                    .add(block, (from, to) -> wanted(rows.start() + from, rows.start() + to))
                    .stream()
                    .map(
                        ready ->
                            new Piece(ready.key(), axes(order, ready.key(), ready), ready.values()))
                    .toList(),
            1);
  }

  /** Checks that the positions that one result needs fit into memory. */
  private void checkWindow(long positions) {
    long bytes = ByteBudget.product(positions, Double.BYTES);
    if (bytes > options().maxInFlightBytes()) {
      throw new UnsupportedFeatureException(
          "a window of "
              + positions
              + " positions of "
              + dimension
              + " takes "
              + bytes
              + " bytes, more than the "
              + options().maxInFlightBytes()
              + " of maxInFlightBytes; take a shorter one",
          location());
    }
  }

  private static Selection box(List<String> names, List<String> order, BlockGrid.Block block) {
    DimensionSelection[] box = new DimensionSelection[names.size()];
    Arrays.setAll(
        box,
        d -> {
          int in = order.indexOf(names.get(d));
          return DimensionSelection.slice(block.from().get(in), block.to().get(in));
        });
    return Selection.of(box);
  }

  /**
   * Returns which of these values are of positions of the source in a range: their numbers here,
   * and their places from the beginning of the range on.
   */
  private ColumnPass.Wanted wanted(long from, long to) {
    if (part.axis() instanceof Axis.Range range) {
      long step = range.step();
      long least = Math.max(0, Math.floorDiv(from - range.start() + step - 1, step));
      long end = Math.min(part.size(), Math.floorDiv(to - range.start() + step - 1, step));
      long count = Math.max(0, end - least);
      return new ColumnPass.Wanted(
          new Axis.Range(least, count, 1, false),
          new Axis.Range(part.index(least) - from, count, step, false));
    }
    long[] numbers =
        LongStream.range(0, part.size())
            .filter(k -> part.index(k) >= from && part.index(k) < to)
            .toArray();
    return new ColumnPass.Wanted(
        axis(numbers),
        new Axis.Indices(LongStream.of(numbers).map(k -> part.index(k) - from).toArray()));
  }

  private List<Axis> axes(
      List<String> order, BlockGrid.Block block, ColumnPass.Ready<BlockGrid.Block> ready) {
    List<Axis> axes = new ArrayList<>();
    for (String name : dimensions()) {
      int in = order.indexOf(name);
      long from = block.from().get(in);
      axes.add(
          name.equals(dimension)
              ? ready.wanted().numbers()
              : new Axis.Range(from, block.to().get(in) - from, 1, false));
    }
    return axes;
  }

  private static Axis axis(long... numbers) {
    boolean isRange = numbers.length > 0;
    for (int i = 1; i < numbers.length; i++) {
      isRange &= numbers[i] == numbers[0] + i;
    }
    return isRange
        ? new Axis.Range(numbers[0], numbers.length, 1, false)
        : new Axis.Indices(numbers);
  }

  /** Returns the values of a piece without the dimension, where it is dropped. */
  private NdArray shaped(Piece piece) {
    long[] extents = piece.axes().stream().mapToLong(Axis::count).toArray();
    return piece.values().reshape(Shape.of(extents));
  }

  @Override
  public Flux<Chunk> chunks(Selection selection) {
    ResolvedSelection resolved = selection.resolve(shape());
    if (resolved instanceof ResolvedSelection.Orthogonal box) {
      AlongValues selected = with(box.axes());
      return selected.pieces().map(piece -> selected.chunk(piece, box.axes()));
    }
    return readPoints((ResolvedSelection.Points) resolved)
        .map(values -> new Chunk(new long[shape().rank()], resolved, values))
        .flux();
  }

  @Override
  public Flux<Chunk> chunksInOrder(Selection selection) {
    return ComputedValues.of(List.of(this), of -> of.get(0)).chunksInOrder(selection);
  }

  @Override
  public <T> Flux<T> chunks(boolean isInOrder, ChunkWork<T> work) {
    List<Axis> all = new ArrayList<>();
    for (int d = 0; d < shape().rank(); d++) {
      all.add(positions(d));
    }
    return pieces().map(piece -> work.apply(chunk(piece, all)));
  }

  /**
   * Returns a piece as a chunk of others.
   *
   * @param axes the place of these values in the others
   */
  private Chunk chunk(Piece piece, List<Axis> axes) {
    List<Axis> places = new ArrayList<>();
    long[] index = new long[axes.size()];
    int next = 0;
    for (int d = 0; d < index.length; d++) {
      if (axes.get(d) instanceof Axis.Range range && range.dropped()) {
        places.add(range);
      } else {
        places.add(new DimensionPart(axes.get(d)).select(piece.axes().get(next)).axis());
        index[d] = piece.block().index().get(next++);
      }
    }
    return new Chunk(index, new ResolvedSelection.Orthogonal(places), shaped(piece));
  }

  @Override
  Mono<Void> assemble(PlacedElements whole) {
    return pieces().doOnNext(piece -> whole.put(piece.values(), piece.axes())).then();
  }

  /** Reads points one by one, each with the positions that it needs. */
  @Override
  Mono<NdArray> readPoints(ResolvedSelection.Points points) {
    List<Integer> numbers = new ArrayList<>();
    for (int p = 0; p < points.count(); p++) {
      numbers.add(p);
    }
    int rank = shape().rank();
    return Concurrently.mapInOrder(
            Flux.fromIterable(numbers),
            options().maxConcurrency(),
            p -> {
              List<Axis> axes = new ArrayList<>();
              for (int d = 0; d < rank; d++) {
                axes.add(new Axis.Range(points.index(d, p), 1, 1, true));
              }
              return with(axes).readAll();
            })
        .collectList()
        .map(
            all -> {
              ByteBuffer joined =
                  ByteBuffer.allocate(Math.multiplyExact(all.size(), dataType().itemSize()));
              all.forEach(one -> one.copyTo(joined));
              return NdArray.wrap(dataType(), Shape.of(all.size()), Bytes.wrap(joined.array()));
            });
  }
}
