package dev.zarrreactive.dataset;

import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.Axis;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.cf.TimeCoding;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.internal.flow.ByteBudget;
import dev.zarrreactive.internal.flow.Concurrently;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The values of another variable at points: each has one position of some dimensions, which become
 * one dimension of the points, at the place of the first of them. Points in one chunk are read
 * together, so each chunk is requested once.
 */
final class PointValues extends AssembledValues {
  private static final int MOST_AHEAD = 8;

  private final VariableValues source;

  /** The dimensions of the source in which points are, at least one. */
  private final List<String> inside;

  /** The position of each point, in each of these dimensions. */
  private final long[][] positions;

  private final String dimension;

  /**
   * Creates values.
   *
   * @param inside dimensions of the source, in any order
   * @param positions of the points in each of them
   * @param dimension the name of the dimension of points
   */
  PointValues(VariableValues source, List<String> inside, long[][] positions, String dimension) {
    this.source = source;
    this.inside = List.copyOf(inside);
    this.positions = positions.clone();
    this.dimension = dimension;
    if (dimensions().stream().distinct().count() != shape().rank()) {
      throw new IllegalArgumentException(
          "the dimension of points cannot be " + dimension + ", which the variable has");
    }
  }

  /** Returns the values of a selection of points, in one dimension. */
  static PointValues of(VariableValues source, ResolvedSelection.Points points) {
    long[][] positions = new long[points.rank()][points.count()];
    for (int d = 0; d < positions.length; d++) {
      for (int p = 0; p < points.count(); p++) {
        positions[d][p] = points.index(d, p);
      }
    }
    return new PointValues(source, source.dimensions(), positions, "points");
  }

  private int count() {
    return positions[0].length;
  }

  /** Returns the number of the dimension of points. */
  private int place() {
    List<String> names = source.dimensions();
    int place = 0;
    while (!inside.contains(names.get(place))) {
      place++;
    }
    return place;
  }

  @Override
  public Map<String, Boolean> along() {
    Map<String, Boolean> along = new LinkedHashMap<>(source.along());
    along.keySet().retainAll(dimensions());
    return along;
  }

  @Override
  Mono<NdArray> gather() {
    return Mono.defer(
        () -> {
          PlacedElements whole = PlacedElements.allocate(dataType(), shape(), location());
          List<Box> boxes = boxes();
          return Concurrently.map(
                  Flux.fromIterable(boxes),
                  ahead(boxes),
                  box ->
                      box.part().read(Selection.all()).doOnNext(values -> put(values, box, whole)))
              .then(Mono.fromSupplier(whole::array));
        });
  }

  /**
   * Points in one chunk, and the box around them.
   *
   * @param from the first position of the box in each dimension that points have
   */
  private record Box(VariableValues part, List<Long> from, List<Integer> points) {}

  private List<Box> boxes() {
    List<long[]> edges =
        inside.stream().map(name -> RunEnds.of(source, source.dimensions().indexOf(name))).toList();
    Map<List<Integer>, List<Integer>> together = new LinkedHashMap<>();
    for (int p = 0; p < count(); p++) {
      List<Integer> chunk = new ArrayList<>();
      for (int d = 0; d < inside.size(); d++) {
        int found = Arrays.binarySearch(edges.get(d), positions[d][p] + 1);
        chunk.add(found < 0 ? -found - 1 : found);
      }
      together.computeIfAbsent(chunk, any -> new ArrayList<>()).add(p);
    }
    return together.values().stream().map(this::box).toList();
  }

  private Box box(Collection<Integer> points) {
    List<Long> from = new ArrayList<>();
    VariableValues part = source;
    for (int d = 0; d < inside.size(); d++) {
      long[] its = positions[d];
      long first = points.stream().mapToLong(p -> its[p]).min().orElse(0);
      long to = points.stream().mapToLong(p -> its[p]).max().orElse(0);
      part = part.with(inside.get(d), new Axis.Range(first, to - first + 1, 1, false));
      from.add(first);
    }
    return new Box(part, from, List.copyOf(points));
  }

  /** Returns how many boxes may be read at a time. */
  private int ahead(List<Box> boxes) {
    long largest = 1;
    for (Box box : boxes) {
      long count = box.part().shape().elementCountUpTo(Long.MAX_VALUE);
      largest = Math.max(largest, ByteBudget.product(count, dataType().memorySize()));
    }
    return (int) Math.max(1, Math.min(MOST_AHEAD, options().maxInFlightBytes() / 4 / largest));
  }

  private void put(NdArray values, Box box, PlacedElements whole) {
    List<String> names = source.dimensions();
    int place = place();
    for (int p : box.points()) {
      List<Axis> taken = new ArrayList<>();
      List<Axis> places = new ArrayList<>();
      for (int d = 0; d < names.size(); d++) {
        int its = inside.indexOf(names.get(d));
        if (its < 0) {
          Axis all = new Axis.Range(0, values.shape().extent(d), 1, false);
          taken.add(all);
          places.add(all);
        } else {
          taken.add(new Axis.Range(positions[its][p] - box.from().get(its), 1, 1, true));
          if (d == place) {
            places.add(new Axis.Range(p, 1, 1, true));
          }
        }
      }
      whole.put(values.slice(any -> new ResolvedSelection.Orthogonal(taken)), places);
    }
  }

  @Override
  public DataType dataType() {
    return source.dataType();
  }

  @Override
  public List<String> dimensions() {
    List<String> names = new ArrayList<>();
    int place = place();
    for (int d = 0; d < source.dimensions().size(); d++) {
      String name = source.dimensions().get(d);
      if (d == place) {
        names.add(dimension);
      } else if (!inside.contains(name)) {
        names.add(name);
      }
    }
    return names;
  }

  @Override
  public Shape shape() {
    return Shape.of(
        dimensions().stream()
            .mapToLong(name -> name.equals(dimension) ? count() : extent(name))
            .toArray());
  }

  private long extent(String name) {
    return source.shape().extent(source.dimensions().indexOf(name));
  }

  private int inSource(int number) {
    return source.dimensions().indexOf(dimensions().get(number));
  }

  @Override
  public Axis divided(int number) {
    return number == place() ? positions(number) : source.divided(inSource(number));
  }

  @Override
  public Optional<Long> chunk(int number) {
    return number == place() ? Optional.empty() : source.chunk(inSource(number));
  }

  @Override
  public long[] edges(int number) {
    return number == place() ? new long[0] : source.edges(inSource(number));
  }

  @Override
  public AssembledValues with(String name, Axis selected) {
    if (!name.equals(dimension)) {
      return new PointValues(source.with(name, selected), inside, positions, dimension);
    }
    DimensionPart part = new DimensionPart(selected);
    if (part.isDropped()) {
      VariableValues at = source;
      for (int d = 0; d < inside.size(); d++) {
        long index = positions[d][(int) part.index(0)];
        at = at.with(inside.get(d), new Axis.Range(index, 1, 1, true));
      }
      return ConvertedValues.of(at);
    }
    long[][] some = new long[positions.length][(int) part.size()];
    for (int d = 0; d < some.length; d++) {
      for (int p = 0; p < some[d].length; p++) {
        some[d][p] = positions[d][(int) part.index(p)];
      }
    }
    return new PointValues(source, inside, some, dimension);
  }

  @Override
  public PointValues renamed(String name, String other) {
    return name.equals(dimension)
        ? new PointValues(source, inside, positions, other)
        : new PointValues(source.renamed(name, other), inside, positions, dimension);
  }

  @Override
  public Optional<TimeCoding> times() {
    return source.times();
  }

  @Override
  public ZarrOptions options() {
    return source.options();
  }

  @Override
  public Location location() {
    return source.location();
  }
}
