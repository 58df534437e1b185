package dev.zarrreactive.dataset;

import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.Axis;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.cf.TimeCoding;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.TimeType;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.error.ZarrException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** The values of another variable in another type, exactly. */
final class ConvertedValues extends AssembledValues {
  private final VariableValues source;
  private final DataType type;
  private final @Nullable TimeCoding coding;
  private final long factor;

  /** The store, where it is one of several; else no place. */
  private final Location store;

  /**
   * Creates values.
   *
   * @param type of the values
   * @param coding of their times; null for other values, and for times without one
   * @param factor by which counts of times are multiplied; 1 for other values
   * @param store the place that errors name
   */
  ConvertedValues(
      VariableValues source,
      DataType type,
      @Nullable TimeCoding coding,
      long factor,
      Location store) {
    this.source = source;
    this.store = store;
    this.type = type;
    this.coding = coding;
    this.factor = factor;
  }

  /** Returns the same values. */
  static AssembledValues of(VariableValues source) {
    return source instanceof AssembledValues assembled
        ? assembled
        : new ConvertedValues(
            source, source.dataType(), source.times().orElse(null), 1, Location.UNKNOWN);
  }

  @Override
  public Map<String, Boolean> along() {
    return source.along();
  }

  @Override
  Mono<NdArray> gather() {
    return named(source.read(Selection.all()).map(this::convert));
  }

  /** Names the store in the errors of a read. */
  <T> Mono<T> named(Mono<T> read) {
    return read.onErrorMap(ZarrException.class, error -> error.at(store));
  }

  /** Returns values of the source in this type. */
  NdArray convert(NdArray values) {
    if (factor != 1) {
      long[] counts = values.toLongArray();
      return NdArray.ofLongs(
          type, values.shape(), Arrays.stream(counts).map(this::multiplied).toArray());
    } else if (values.dataType().equals(type)) {
      return values;
    } else if (type.equals(DataTypes.STRING)) {
      return NdArray.ofStrings(type, values.shape(), values.toStringArray());
    }
    return values.cast(type);
  }

  private long multiplied(long count) {
    try {
      return count == TimeType.NAT ? count : Math.multiplyExact(count, factor);
    } catch (ArithmeticException e) {
      throw new UnsupportedFeatureException(
          "the time " + count + " of " + source.dataType() + " is beyond the range of " + type,
          source.location());
    }
  }

  @Override
  public DataType dataType() {
    return type;
  }

  @Override
  public List<String> dimensions() {
    return source.dimensions();
  }

  @Override
  public Shape shape() {
    return source.shape();
  }

  @Override
  public Axis divided(int dimension) {
    return source.divided(dimension);
  }

  @Override
  public long[] edges(int dimension) {
    return source.edges(dimension);
  }

  @Override
  public Optional<Long> chunk(int dimension) {
    return source.chunk(dimension);
  }

  @Override
  public ConvertedValues with(String dimension, Axis positions) {
    return new ConvertedValues(source.with(dimension, positions), type, coding, factor, store);
  }

  @Override
  public ConvertedValues renamed(String dimension, String other) {
    return new ConvertedValues(source.renamed(dimension, other), type, coding, factor, store);
  }

  @Override
  public Optional<TimeCoding> times() {
    return Optional.ofNullable(coding);
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
