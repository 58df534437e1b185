package dev.zarrreactive.dataset;

import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.Axis;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.cf.TimeCoding;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FloatType;
import dev.zarrreactive.error.Location;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import reactor.core.publisher.Mono;

/**
 * The values of another variable between its positions along one dimension. A read takes the
 * positions that it needs from the source, each once. Several dimensions are one after the other.
 */
final class InterpolatedValues extends AssembledValues {
  private final VariableValues source;
  private final String dimension;
  private final List<Place> places;
  private final Interpolation how;
  private final boolean isDropped;

  /**
   * A label between two positions.
   *
   * @param lower the position with the lesser value; -1 outside
   * @param upper the position with the greater value; that of {@code lower} for an equal label
   * @param above the distance from the lesser value
   * @param gap the distance of both values
   */
  record Place(int lower, int upper, double above, double gap) {
    static final Place OUTSIDE = new Place(-1, -1, 0, 0);

    /** Returns the position that is nearer; of two the one with the lesser value. */
    Place nearest() {
      int nearest = above <= gap / 2 ? lower : upper;
      return new Place(nearest, nearest, 0, 0);
    }

    double of(double low, double high) {
      return lower == upper ? low : (high - low) / gap * above + low;
    }
  }

  private InterpolatedValues(
      VariableValues source,
      String dimension,
      List<Place> places,
      Interpolation how,
      boolean isDropped) {
    this.source = source;
    this.dimension = dimension;
    this.places = List.copyOf(places);
    this.how = how;
    this.isDropped = isDropped;
  }

  /** Returns values of numbers at places of a dimension that they have. */
  static InterpolatedValues of(
      VariableValues source, String dimension, List<Place> places, Interpolation how) {
    List<Place> all =
        how == Interpolation.NEAREST ? places.stream().map(Place::nearest).toList() : places;
    return new InterpolatedValues(source, dimension, all, how, false);
  }

  private int place() {
    return source.dimensions().indexOf(dimension);
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
          long[] needed =
              places.stream()
                  .flatMapToLong(place -> LongStream.of(place.lower(), place.upper()))
                  .filter(position -> position >= 0)
                  .distinct()
                  .sorted()
                  .toArray();
          VariableValues part = source.with(dimension, new Axis.Indices(needed));
          return part.read(Selection.all())
              .publishOn(options().codecScheduler())
              .map(values -> interpolated(values, needed));
        });
  }

  private NdArray interpolated(NdArray values, long... needed) {
    int d = place();
    double[] from = values.cast(DataTypes.FLOAT64).toDoubleArray();
    long[] extents = values.shape().toArray();
    int inner = 1;
    int outer = 1;
    for (int i = 0; i < extents.length; i++) {
      inner *= i > d ? (int) extents[i] : 1;
      outer *= i < d ? (int) extents[i] : 1;
    }
    extents[d] = places.size();
    double[] results = new double[outer * places.size() * inner];
    for (int o = 0; o < outer; o++) {
      for (int p = 0; p < places.size(); p++) {
        Place place = places.get(p);
        int to = (o * places.size() + p) * inner;
        if (place.lower() < 0) {
          Arrays.fill(results, to, to + inner, Double.NaN);
          continue;
        }
        int low = (o * needed.length + Arrays.binarySearch(needed, place.lower())) * inner;
        int high = (o * needed.length + Arrays.binarySearch(needed, place.upper())) * inner;
        for (int i = 0; i < inner; i++) {
          results[to + i] = place.of(from[low + i], from[high + i]);
        }
      }
    }
    NdArray all = NdArray.ofDoubles(Shape.of(extents), results).cast(dataType());
    return isDropped ? all.reshape(shape()) : all;
  }

  @Override
  public DataType dataType() {
    DataType type = source.dataType();
    return how == Interpolation.NEAREST && type instanceof FloatType ? type : DataTypes.FLOAT64;
  }

  @Override
  public List<String> dimensions() {
    List<String> names = new ArrayList<>(source.dimensions());
    if (isDropped) {
      names.remove(dimension);
    }
    return names;
  }

  @Override
  public Shape shape() {
    int d = place();
    long[] extents = source.shape().toArray();
    extents[d] = places.size();
    return isDropped
        ? new ResolvedSelection.Orthogonal(
                LongStream.range(0, extents.length)
                    .<Axis>mapToObj(i -> new Axis.Range(0, extents[(int) i], 1, i == d))
                    .toList())
            .shape()
        : Shape.of(extents);
  }

  private int inSource(int number) {
    return isDropped && number >= place() ? number + 1 : number;
  }

  private boolean isInterpolated(int number) {
    return inSource(number) == place();
  }

  @Override
  public Axis divided(int number) {
    return isInterpolated(number) ? positions(number) : source.divided(inSource(number));
  }

  @Override
  public Optional<Long> chunk(int number) {
    return isInterpolated(number) ? Optional.empty() : source.chunk(inSource(number));
  }

  @Override
  public long[] edges(int number) {
    return isInterpolated(number) ? new long[0] : source.edges(inSource(number));
  }

  @Override
  public AssembledValues with(String name, Axis positions) {
    if (!name.equals(dimension) || isDropped) {
      return new InterpolatedValues(
          source.with(name, positions), dimension, places, how, isDropped);
    }
    DimensionPart part = new DimensionPart(positions);
    List<Place> some =
        LongStream.range(0, part.size()).mapToObj(i -> places.get((int) part.index(i))).toList();
    return new InterpolatedValues(source, dimension, some, how, part.isDropped());
  }

  @Override
  public InterpolatedValues renamed(String name, String other) {
    return isDropped && name.equals(dimension)
        ? this
        : new InterpolatedValues(
            source.renamed(name, other),
            name.equals(dimension) ? other : dimension,
            places,
            how,
            isDropped);
  }

  @Override
  public Optional<TimeCoding> times() {
    return Optional.empty();
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
