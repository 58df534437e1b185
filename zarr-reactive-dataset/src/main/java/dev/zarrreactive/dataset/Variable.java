package dev.zarrreactive.dataset;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.array.Axis;
import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.DimensionSelection;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.dataset.cf.CfDecoding;
import dev.zarrreactive.dataset.cf.CfFlags;
import dev.zarrreactive.dataset.cf.CfRule;
import dev.zarrreactive.dataset.cf.TimeCoding;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FloatType;
import dev.zarrreactive.datatype.IntegerType;
import dev.zarrreactive.error.InvalidInputException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.internal.statistics.CellAxis;
import dev.zarrreactive.json.JsonObject;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * An array of a dataset, or a part of one, with named dimensions and decoded values. Immutable.
 *
 * <p>Publishers are cold; their thread, demand, cancel and errors are those of {@link ZarrArray}.
 * {@link CfDecoding} says how elements are decoded and of which type they become. A selection that
 * does not fit throws {@link IllegalArgumentException} at once.
 */
public final class Variable {
  private final String name;
  private final ZarrArray array;
  private final CfDecoding decoding;
  private final JsonObject attributes;
  private final List<String> stored;
  private final List<DimensionPart> parts;

  Variable(
      String name,
      ZarrArray array,
      CfDecoding decoding,
      JsonObject attributes,
      List<String> stored,
      List<DimensionPart> parts) {
    this.name = name;
    this.array = array;
    this.decoding = decoding;
    this.attributes = attributes;
    this.stored = List.copyOf(stored);
    this.parts = List.copyOf(parts);
  }

  /**
   * Returns the variable that an array is in the dataset of its group. Other arrays there decide
   * whether characters are joined to texts, and which units bounds of times have.
   *
   * @param beside the nodes of the group, with or without the array; needed unless {@link
   *     #isDecodedAlone}
   * @param rules by which elements are decoded
   */
  public static Variable of(
      ZarrArray array, Collection<? extends ZarrNode> beside, Set<CfRule> rules) {
    List<ZarrArray> arrays =
        beside.stream().filter(ZarrArray.class::isInstance).map(ZarrArray.class::cast).toList();
    return DatasetBuilder.variable(array, arrays, rules);
  }

  /** Returns true if an array is decoded in the same way, whatever arrays are beside it. */
  public static boolean isDecodedAlone(ZarrArray array) {
    return DatasetBuilder.isDecodedAlone(array.metadata());
  }

  /** The name in its dataset. */
  public String name() {
    return name;
  }

  /** The whole stored array. */
  public ZarrArray array() {
    return array;
  }

  /** How stored elements become values. */
  public CfDecoding decoding() {
    return decoding;
  }

  /** The attributes, without the names of dimensions of Zarr v2. */
  public JsonObject attributes() {
    return attributes;
  }

  /** The type of the values. */
  public DataType dataType() {
    return decoding.dataType();
  }

  /** The coding of times, which says the calendar and the date of a count; empty for others. */
  public Optional<TimeCoding> times() {
    return decoding.times();
  }

  /** The meanings of flags; empty without. */
  public Optional<CfFlags> flags() {
    return decoding.flags();
  }

  /** The number of dimensions of the stored array that values have. */
  private int valueRank() {
    return stored.size() - (decoding.joinsCharacters() ? 1 : 0);
  }

  /** The names of the dimensions, slowest first; single indices have dropped theirs. */
  public List<String> dimensions() {
    List<String> names = new ArrayList<>();
    for (int d = 0; d < valueRank(); d++) {
      if (!parts.get(d).isDropped()) {
        names.add(stored.get(d));
      }
    }
    return List.copyOf(names);
  }

  /** The extents of the dimensions. */
  public Shape shape() {
    return Shape.of(
        parts.subList(0, valueRank()).stream()
            .filter(part -> !part.isDropped())
            .mapToLong(DimensionPart::size)
            .toArray());
  }

  List<String> storedDimensions() {
    return stored;
  }

  /** The part of a stored dimension. */
  DimensionPart part(int dimension) {
    return parts.get(dimension);
  }

  /**
   * Returns the same part of the array with its stored elements. Characters that are joined to
   * texts have their dimension back.
   */
  public Variable raw() {
    CfDecoding none = CfDecoding.of(array.metadata(), array.attributes(), Set.of(), false);
    return new Variable(name, array, none, attributes, stored, parts);
  }

  /**
   * Selects indices of a dimension in NumPy notation, as {@code isel("lon", "0:10")}: an index,
   * which drops the dimension, a slice, or a list.
   */
  public Variable isel(String dimension, String indices) {
    return with(dimension, positions(Selection.parse(indices), extent(dimension)));
  }

  /**
   * Selects one index of a dimension, and drops the dimension. Negative ones count from the end.
   */
  public Variable isel(String dimension, long index) {
    return isel(dimension, DimensionSelection.at(index));
  }

  /** Selects indices of a dimension. */
  public Variable isel(String dimension, DimensionSelection indices) {
    return with(dimension, positions(Selection.of(indices), extent(dimension)));
  }

  private long extent(String dimension) {
    int d = dimensions().indexOf(dimension);
    if (d < 0) {
      throw new InvalidInputException(
          "the variable " + name + " has the dimensions " + dimensions() + ", not " + dimension);
    }
    return shape().extent(d);
  }

  /** Resolves a selection of one dimension. */
  static Axis positions(Selection selection, long extent) {
    return ((ResolvedSelection.Orthogonal) selection.resolve(Shape.of(extent))).axes().get(0);
  }

  /** Returns this variable with positions of a dimension selected, where it has the dimension. */
  Variable with(String dimension, Axis positions) {
    List<DimensionPart> selected = new ArrayList<>(parts);
    for (int d = 0; d < valueRank(); d++) {
      if (stored.get(d).equals(dimension) && !parts.get(d).isDropped()) {
        selected.set(d, parts.get(d).select(positions));
      }
    }
    return new Variable(name, array, decoding, attributes, stored, selected);
  }

  /** Reads the values into one array. */
  public Mono<NdArray> read() {
    return read(Selection.all());
  }

  /** Reads a selection in NumPy notation, as {@link #read(Selection)}. */
  public Mono<NdArray> read(String selection) {
    return read(Selection.parse(selection));
  }

  /**
   * Reads a selection of this variable's {@link #shape} into one array of {@link #dataType}; {@link
   * CfDecoding#read} says how. {@link UnsupportedFeatureException} if that is more than 2 GiB.
   */
  public Mono<NdArray> read(Selection selection) {
    return decoding.read(array, storedSelection(selection));
  }

  /**
   * Reads a selection of this variable's {@link #shape} into the caller's memory, as images of
   * {@link #dataType}; {@link CfDecoding#readInto} says how.
   *
   * @throws IllegalArgumentException also if too few bytes remain in the buffer
   */
  public Mono<ByteBuffer> readInto(Selection selection, ByteBuffer target) {
    return decoding.readInto(array, storedSelection(selection), target);
  }

  /** Reads the values chunk by chunk, as {@link #chunks(Selection)}. */
  public Flux<Chunk> chunks() {
    return chunks(Selection.all());
  }

  /**
   * Reads a selection of this variable's {@link #shape} chunk by chunk, decoded, in the order in
   * which they arrive, as {@link ZarrArray#chunks(Selection)} does. The places of the chunks are
   * those of the stored array.
   */
  public Flux<Chunk> chunks(Selection selection) {
    return decoding.chunks(array, storedSelection(selection));
  }

  /**
   * Returns statistics over some dimensions, or over all where none is named.
   *
   * @throws IllegalArgumentException if the variable lacks one of them
   */
  public Reduction over(String... dimensions) {
    Set<String> reduced = Set.copyOf(List.of(dimensions));
    reduced.forEach(this::extent);
    return new Reduction(
        this,
        cells(
            (name, axis) ->
                reduced.isEmpty() || reduced.contains(name)
                    ? CellAxis.reduced(name, axis)
                    : CellAxis.kept(name, axis)),
        false);
  }

  /**
   * Counts all values between edges that ascend, as NumPy's {@code histogram}: a bin has its lower
   * edge, and the last one its upper edge, too. NaN and values outside are left out. Signals are as
   * of {@link Reduction}.
   *
   * @return the counts of {@code edges.length - 1} bins
   * @throws IllegalArgumentException for less than two edges, and for edges that do not ascend
   */
  public Mono<long[]> histogram(double... edges) {
    double[] ascending = edges.clone();
    for (int i = 1; i < ascending.length; i++) {
      if (!(ascending[i - 1] < ascending[i])) {
        throw new IllegalArgumentException(
            "edges ascend: " + ascending[i] + " follows " + ascending[i - 1]);
      }
    }
    if (ascending.length < 2) {
      throw new IllegalArgumentException("a histogram has at least two edges");
    }
    return new ValueDistribution(this).histogram(ascending);
  }

  /**
   * Finds quantiles of all values by a sketch (DDSketch): values near the elements that have the
   * ranks {@code quantile * (count - 1)}, rounded down. NaN is left out; without any value all
   * quantiles are NaN. Results are the same each time. A sketch takes about {@code 10 / accuracy}
   * bytes for each power of ten between the values, at most 2 MiB of either sign; beyond that, 20
   * powers of ten at least, quantiles of the values nearest to 0 are less accurate. Signals are as
   * of {@link Reduction}; an infinite value is an {@link UnsupportedFeatureException}.
   *
   * @param accuracy the greatest distance from the element, relative to it, such as 0.001; from
   *     1e-4 to 0.1
   * @param quantiles from 0 to 1
   * @throws IllegalArgumentException if one of them is outside
   */
  public Mono<double[]> quantiles(double accuracy, double... quantiles) {
    double[] wanted = quantiles.clone();
    if (!(accuracy >= 1e-4 && accuracy <= 0.1)) {
      throw new IllegalArgumentException("an accuracy is from 1e-4 to 0.1, not " + accuracy);
    }
    for (double quantile : wanted) {
      if (!(quantile >= 0 && quantile <= 1)) {
        throw new IllegalArgumentException("a quantile is from 0 to 1, not " + quantile);
      }
    }
    return new ValueDistribution(this).quantiles(accuracy, wanted);
  }

  /**
   * Checks that the values are numbers.
   *
   * @throws UnsupportedFeatureException if they are others
   */
  void requireNumbers() {
    DataType type = dataType();
    boolean isNumber =
        type instanceof IntegerType || type instanceof FloatType || type.equals(DataTypes.BOOL);
    if (!isNumber || times().isPresent()) {
      throw new UnsupportedFeatureException(
          "statistics are of numbers, and " + this + " has none; raw() has the stored elements",
          Location.UNKNOWN);
    }
  }

  /** Returns what is made of each dimension that is selected. */
  List<CellAxis> cells(BiFunction<String, Axis, CellAxis> make) {
    List<CellAxis> axes = new ArrayList<>();
    for (int d = 0; d < valueRank(); d++) {
      if (!parts.get(d).isDropped()) {
        axes.add(make.apply(stored.get(d), parts.get(d).axis()));
      }
    }
    return List.copyOf(axes);
  }

  /** Returns a selection of this variable as one of the stored array. */
  public Selection storedSelection(Selection selection) {
    ResolvedSelection resolved = selection.resolve(shape());
    if (resolved instanceof ResolvedSelection.Points points) {
      return points(points);
    }
    List<Axis> axes = ((ResolvedSelection.Orthogonal) resolved).axes();
    DimensionSelection[] entries = new DimensionSelection[stored.size()];
    int next = 0;
    for (int d = 0; d < entries.length; d++) {
      DimensionPart part = parts.get(d);
      boolean isSelected = d < valueRank() && !part.isDropped();
      entries[d] = (isSelected ? part.select(axes.get(next++)) : part).selection();
    }
    return Selection.of(entries);
  }

  private Selection points(ResolvedSelection.Points points) {
    if (decoding.joinsCharacters()) {
      throw new UnsupportedFeatureException(
          "points select no texts of joined characters; select boxes",
          Location.ofNode(array.path().value()));
    }
    long[][] coordinates = new long[points.count()][stored.size()];
    for (int p = 0; p < coordinates.length; p++) {
      int next = 0;
      for (int d = 0; d < stored.size(); d++) {
        DimensionPart part = parts.get(d);
        coordinates[p][d] = part.index(part.isDropped() ? 0 : points.index(next++, p));
      }
    }
    return Selection.points(coordinates);
  }

  /** Returns true if the variable is a whole array of one dimension that has its name. */
  boolean isIndex() {
    return valueRank() == 1 && stored.get(0).equals(name);
  }

  /** Returns this variable without any selection. */
  Variable whole() {
    DimensionPart[] all = new DimensionPart[stored.size()];
    Arrays.setAll(all, d -> DimensionPart.whole(array.shape().extent(d)));
    return new Variable(name, array, decoding, attributes, stored, List.of(all));
  }

  /** Returns one line: {@code t2m (time, lat) float64}. */
  @Override
  public String toString() {
    return name + " (" + String.join(", ", dimensions()) + ") " + dataType();
  }
}
