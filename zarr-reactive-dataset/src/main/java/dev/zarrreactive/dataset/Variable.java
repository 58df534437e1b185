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
import dev.zarrreactive.cf.CfDecoding;
import dev.zarrreactive.cf.CfFlags;
import dev.zarrreactive.cf.CfRule;
import dev.zarrreactive.cf.TimeCoding;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FloatType;
import dev.zarrreactive.datatype.IntegerType;
import dev.zarrreactive.error.InvalidInputException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.internal.expression.Formula;
import dev.zarrreactive.internal.expression.Operator;
import dev.zarrreactive.internal.statistics.Along;
import dev.zarrreactive.internal.statistics.CellAxis;
import dev.zarrreactive.json.JsonObject;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Function;
import java.util.stream.IntStream;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * An array of a dataset, or a part of one, with named dimensions and decoded values; or a formula
 * of such variables. Immutable.
 *
 * <p>Publishers are cold; their thread, demand, cancel and errors are those of {@link ZarrArray}.
 * {@link CfDecoding} says how elements are decoded and of which type they become. A selection that
 * does not fit throws {@link IllegalArgumentException} at once.
 *
 * <p><b>Formulas.</b> {@link #plus}, {@link #where} and the like return a variable that reads
 * nothing until it is read itself. Variables are broadcast by the names of their dimensions; these
 * come in the order in which the variables have them. Types are NumPy's: {@code float32} and a Java
 * number make {@code float32}, integers wrap around. Codec threads calculate the values block by
 * block: a block has whole chunks of all sources as {@link DatasetBlock} has, and each source is
 * read once for it, however often the formula has it. Attributes that say how elements are encoded
 * are left out; of two variables the result keeps the attributes that do not contradict each other,
 * and a comparison keeps none. Formulas are of {@code bool}, integers and floats; {@link
 * IllegalArgumentException} for others, and for a dimension that has two extents. Labels are not
 * compared.
 */
public final class Variable {
  private final String name;
  private final JsonObject attributes;
  private final VariableValues values;

  Variable(String name, JsonObject attributes, VariableValues values) {
    this.name = name;
    this.attributes = attributes;
    this.values = values;
  }

  /**
   * Returns a variable of values in memory.
   *
   * @param dimensions the names of the dimensions, slowest first
   * @throws IllegalArgumentException if the shape has another number of dimensions
   */
  public static Variable of(String name, List<String> dimensions, NdArray values) {
    return new Variable(name, JsonObject.EMPTY, new MemoryValues(dimensions, values));
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

  /** Returns true if the values are those of an array of a store, and not calculated. */
  public boolean isStored() {
    return values instanceof StoredValues;
  }

  /**
   * The whole stored array.
   *
   * @throws UnsupportedFeatureException unless the variable {@linkplain #isStored is stored}
   */
  public ZarrArray array() {
    return stored().array();
  }

  /**
   * How stored elements become values.
   *
   * @throws UnsupportedFeatureException unless the variable {@linkplain #isStored is stored}
   */
  public CfDecoding decoding() {
    return stored().decoding();
  }

  /** Returns the values of a stored variable. */
  StoredValues stored() {
    if (values instanceof StoredValues stored) {
      return stored;
    }
    throw new UnsupportedFeatureException(
        name + " is calculated, and has no stored array", Location.UNKNOWN);
  }

  VariableValues values() {
    return values;
  }

  /** The attributes, without the names of dimensions of Zarr v2. */
  public JsonObject attributes() {
    return attributes;
  }

  /** The type of the values. */
  public DataType dataType() {
    return values.dataType();
  }

  /** The coding of times, which says the calendar and the date of a count; empty for others. */
  public Optional<TimeCoding> times() {
    return values.times();
  }

  /** The meanings of flags; empty without. */
  public Optional<CfFlags> flags() {
    boolean areKept = values instanceof AssembledValues && !(values instanceof InterpolatedValues);
    return areKept
        ? CfFlags.of(attributes)
        : Optional.ofNullable(values.decoding()).flatMap(CfDecoding::flags);
  }

  /** The names of the dimensions, slowest first; single indices have dropped theirs. */
  public List<String> dimensions() {
    return values.dimensions();
  }

  /** The extents of the dimensions. */
  public Shape shape() {
    return values.shape();
  }

  /**
   * Returns the same part of the array with its stored elements. Characters that are joined to
   * texts have their dimension back. Values that are not stored stay as they are.
   */
  public Variable raw() {
    return values instanceof StoredValues stored
        ? new Variable(name, attributes, stored.raw())
        : this;
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

  /**
   * Selects the value that equals a label, and drops the dimension; of a period of time, and of
   * equal labels, all values, and of a list those of all labels.
   *
   * @param labels a variable along one dimension of this one, such as its coordinate: {@code
   *     t2m.sel(dataset.variable("time"), "2020-02")}
   * @param label as of {@link DatasetSelection}
   * @return {@link InvalidInputException} for a label that is not there
   * @throws IllegalArgumentException if the labels have other dimensions
   */
  public Mono<Variable> sel(Variable labels, Object label) {
    return label instanceof List<?> several
        ? labelled(labels, index -> index.find(several, LabelMethod.EXACT, null))
        : labelled(labels, index -> index.exact(label));
  }

  /** Selects the value that a method finds, as {@link #sel(Variable, Object)}. */
  public Mono<Variable> sel(Variable labels, Object label, LabelMethod method) {
    return label instanceof List<?> several
        ? labelled(labels, index -> index.find(several, method, null))
        : labelled(labels, index -> index.find(label, method, null));
  }

  /**
   * Selects the values from one label to another, both included; as {@link
   * DatasetSelection#sel(String, Object, Object)}.
   */
  public Mono<Variable> sel(Variable labels, Object from, Object to) {
    return labelled(labels, index -> index.range(from, to));
  }

  private Mono<Variable> labelled(Variable labels, Function<CoordinateIndex<?>, Axis> found) {
    if (labels.dimensions().size() != 1) {
      throw new IllegalArgumentException("labels have one dimension, and " + labels + " has not");
    }
    String dimension = labels.dimensions().get(0);
    if (extent(dimension) != labels.shape().extent(0)) {
      throw new IllegalArgumentException(
          labels
              + " has "
              + labels.shape().extent(0)
              + " labels, and "
              + this
              + " has "
              + extent(dimension)
              + " of "
              + dimension
              + "; select the same part of both");
    }
    return labels
        .read()
        .map(values -> with(dimension, found.apply(CoordinateValues.index(labels, values))));
  }

  long extent(String dimension) {
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
    return new Variable(name, attributes, values.with(dimension, positions));
  }

  /** Returns this variable with another name of a dimension, where it has the dimension. */
  Variable renamed(String dimension, String other) {
    return new Variable(name, attributes, values.renamed(dimension, other));
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
    return values.read(selection);
  }

  /**
   * Reads a selection of this variable's {@link #shape} into the caller's memory, as images of
   * {@link #dataType}; {@link CfDecoding#readInto} says how.
   *
   * <p>This way no value is copied after its decoding where a chunk is one run of the result:
   * {@code ByteBuffer.wrap(bytes).order(LITTLE_ENDIAN).asFloatBuffer()} are the floats of the same
   * memory, as {@link NdArray#asFloatBuffer} are those of {@link #read()}. Other chunks, and direct
   * buffers, take one copy to their place. {@link NdArray#toFloatArray} and its like copy all
   * values once more, as a {@code float[]} of Java is no view of bytes.
   *
   * @throws IllegalArgumentException also if too few bytes remain in the buffer
   */
  public Mono<ByteBuffer> readInto(Selection selection, ByteBuffer target) {
    return values.readInto(selection, target);
  }

  /** Reads the values chunk by chunk, as {@link #chunks(Selection)}. */
  public Flux<Chunk> chunks() {
    return chunks(Selection.all());
  }

  /**
   * Reads a selection of this variable's {@link #shape} chunk by chunk, decoded, in the order in
   * which they arrive, as {@link ZarrArray#chunks(Selection)} does. The places of the chunks are
   * those of the stored array, and those of this variable where it is calculated.
   */
  public Flux<Chunk> chunks(Selection selection) {
    return values.chunks(selection);
  }

  /** Reads the values chunk by chunk, as {@link #chunksInOrder(Selection)}. */
  public Flux<Chunk> chunksInOrder() {
    return chunksInOrder(Selection.all());
  }

  /** As {@link #chunks(Selection)}, in C order of the chunks' indices. */
  public Flux<Chunk> chunksInOrder(Selection selection) {
    return values.chunksInOrder(selection);
  }

  /** Returns the same values under another name. */
  public Variable named(String other) {
    return new Variable(other, attributes, values);
  }

  /** Returns the same values with other attributes. */
  public Variable withAttributes(JsonObject others) {
    return new Variable(name, others, plain().values);
  }

  /** Returns the same values as a formula, which are encoded anew where they are written. */
  Variable plain() {
    return isStored() ? formula(name, plainAttributes(), List.of(values), of -> of.get(0)) : this;
  }

  /** Returns the sums of two variables. */
  public Variable plus(Variable other) {
    return combined(Operator.PLUS, other);
  }

  /** Returns each value plus a number. */
  public Variable plus(Number number) {
    return combined(Operator.PLUS, number);
  }

  /** Returns the differences of two variables. */
  public Variable minus(Variable other) {
    return combined(Operator.MINUS, other);
  }

  /** Returns each value minus a number. */
  public Variable minus(Number number) {
    return combined(Operator.MINUS, number);
  }

  /** Returns the products of two variables. */
  public Variable times(Variable other) {
    return combined(Operator.TIMES, other);
  }

  /** Returns each value times a number. */
  public Variable times(Number number) {
    return combined(Operator.TIMES, number);
  }

  /** Returns the quotients of two variables, which are floats. */
  public Variable dividedBy(Variable other) {
    return combined(Operator.DIVIDED_BY, other);
  }

  /** Returns each value divided by a number, as floats. */
  public Variable dividedBy(Number number) {
    return combined(Operator.DIVIDED_BY, number);
  }

  /**
   * Returns a function of each value, as {@code celsius.map(t -> t * 1.8 + 32)}: of the type of the
   * values where they are floats, else of {@code float64}. Codec threads call it, several at a
   * time.
   */
  public Variable map(DoubleUnaryOperator function) {
    return formula(
        name, plainAttributes(), List.of(values), of -> Formula.mapped(of.get(0), function));
  }

  /** Returns the values where a condition holds, and missing ones elsewhere. */
  public Variable where(Variable condition) {
    return formula(
        name,
        plainAttributes(),
        List.of(values, condition.values),
        of -> Formula.where(of.get(1), of.get(0)));
  }

  /** Returns the values where a condition holds, and those of another variable elsewhere. */
  public Variable where(Variable condition, Variable otherwise) {
    return formula(
        name,
        plainAttributes(),
        List.of(values, condition.values, otherwise.values),
        of -> Formula.where(of.get(1), of.get(0), of.get(2)));
  }

  /** Returns the values where a condition holds, and a number elsewhere. */
  public Variable where(Variable condition, Number otherwise) {
    return formula(
        name,
        plainAttributes(),
        List.of(values, condition.values),
        of -> Formula.where(of.get(1), of.get(0), Formula.beside(of.get(0), otherwise)));
  }

  /** Returns whether each value is less than that of another variable; NaN never does. */
  public Variable lessThan(Variable other) {
    return compared(Operator.LESS, other);
  }

  /** Returns whether each value is less than a number; NaN never does. */
  public Variable lessThan(Number number) {
    return compared(Operator.LESS, number);
  }

  /** Returns whether each value is at most that of another variable; NaN never does. */
  public Variable atMost(Variable other) {
    return compared(Operator.AT_MOST, other);
  }

  /** Returns whether each value is at most a number; NaN never does. */
  public Variable atMost(Number number) {
    return compared(Operator.AT_MOST, number);
  }

  /** Returns whether each value equals that of another variable; NaN never does. */
  public Variable equalTo(Variable other) {
    return compared(Operator.EQUAL, other);
  }

  /** Returns whether each value equals a number; NaN never does. */
  public Variable equalTo(Number number) {
    return compared(Operator.EQUAL, number);
  }

  /** Returns whether each value differs from that of another variable; NaN does. */
  public Variable notEqualTo(Variable other) {
    return compared(Operator.UNEQUAL, other);
  }

  /** Returns whether each value differs from a number; NaN does. */
  public Variable notEqualTo(Number number) {
    return compared(Operator.UNEQUAL, number);
  }

  /** Returns whether each value is greater than that of another variable; NaN never does. */
  public Variable greaterThan(Variable other) {
    return formula(
        name,
        JsonObject.EMPTY,
        List.of(values, other.values),
        of -> Formula.of(Operator.LESS, of.get(1), of.get(0)));
  }

  /** Returns whether each value is greater than a number; NaN never does. */
  public Variable greaterThan(Number number) {
    return formula(
        name,
        JsonObject.EMPTY,
        List.of(values),
        of -> Formula.of(Operator.LESS, Formula.comparedWith(of.get(0), number), of.get(0)));
  }

  /** Returns whether each value is at least that of another variable; NaN never does. */
  public Variable atLeast(Variable other) {
    return formula(
        name,
        JsonObject.EMPTY,
        List.of(values, other.values),
        of -> Formula.of(Operator.AT_MOST, of.get(1), of.get(0)));
  }

  /** Returns whether each value is at least a number; NaN never does. */
  public Variable atLeast(Number number) {
    return formula(
        name,
        JsonObject.EMPTY,
        List.of(values),
        of -> Formula.of(Operator.AT_MOST, Formula.comparedWith(of.get(0), number), of.get(0)));
  }

  /** Returns whether both conditions hold. */
  public Variable and(Variable condition) {
    return compared(Operator.AND, condition);
  }

  /** Returns whether one of two conditions holds, or both. */
  public Variable or(Variable condition) {
    return compared(Operator.OR, condition);
  }

  /** Returns whether the condition does not hold. */
  public Variable not() {
    return formula(name, JsonObject.EMPTY, List.of(values), of -> Formula.not(of.get(0)));
  }

  /** Returns whether each value is missing, which is NaN. */
  public Variable missing() {
    return formula(name, JsonObject.EMPTY, List.of(values), of -> new Formula.Missing(of.get(0)));
  }

  private Variable combined(Operator operator, Variable other) {
    return combined(other, of -> Formula.of(operator, of.get(0), of.get(1)));
  }

  /** Returns the results of an operator, which are {@code float32} where these values are. */
  Variable keeping(Operator operator, Variable other) {
    return combined(other, of -> Formula.keeping(operator, of.get(0), of.get(1)));
  }

  private Variable combined(Variable other, Function<List<Formula>, Formula> formula) {
    JsonObject kept = FormulaAttributes.agreeing(plainAttributes(), other.plainAttributes());
    return formula(name, kept, List.of(values, other.values), formula);
  }

  private Variable combined(Operator operator, Number number) {
    return formula(
        name,
        plainAttributes(),
        List.of(values),
        of -> Formula.of(operator, of.get(0), Formula.beside(of.get(0), number)));
  }

  private Variable compared(Operator operator, Variable other) {
    return formula(
        name,
        JsonObject.EMPTY,
        List.of(values, other.values),
        of -> Formula.of(operator, of.get(0), of.get(1)));
  }

  private Variable compared(Operator operator, Number number) {
    return formula(
        name,
        JsonObject.EMPTY,
        List.of(values),
        of -> Formula.of(operator, of.get(0), Formula.comparedWith(of.get(0), number)));
  }

  private Variable formula(
      String name,
      JsonObject attributes,
      List<VariableValues> operands,
      Function<List<Formula>, Formula> formula) {
    if (times().isPresent()) {
      throw new IllegalArgumentException(
          "formulas are of numbers, and " + this + " has times; raw() has their counts");
    }
    try {
      return new Variable(name, attributes, ComputedValues.of(operands, formula));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(name + ": " + e.getMessage(), e);
    }
  }

  /** Returns the attributes without those that say how elements are encoded. */
  JsonObject plainAttributes() {
    return isStored() ? FormulaAttributes.ofValues(attributes) : attributes;
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
        (name, axis) ->
            reduced.isEmpty() || reduced.contains(name)
                ? CellAxis.reduced(name, axis)
                : CellAxis.kept(name, axis),
        false,
        null);
  }

  /**
   * Returns statistics of the values around each position of a dimension, as xarray's {@code
   * rolling}: of a position and those before it, as many as the window has.
   *
   * @param window the number of positions
   * @throws IllegalArgumentException if the variable lacks the dimension, or for a window below 1
   */
  public Rolling rolling(String dimension, int window) {
    extent(dimension);
    return new Rolling(this, dimension, window);
  }

  /**
   * Returns what is accumulated along a dimension, up to each position.
   *
   * @throws IllegalArgumentException if the variable lacks the dimension
   */
  public Cumulative cumulative(String dimension) {
    extent(dimension);
    return new Cumulative(this, dimension);
  }

  /** Returns what is calculated along a dimension, with a method of CF 7.3. */
  Variable along(String dimension, Along how, JsonObject itsAttributes) {
    requireNumbers();
    return new Variable(name, itsAttributes, AlongValues.of(values, dimension, how));
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
    return new ValueDistribution(this).histogram(checkedEdges(edges));
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
    checkQuantiles(wanted);
    return new ValueDistribution(this).quantiles(accuracy, wanted);
  }

  /** Returns a copy of edges that ascend. */
  static double[] checkedEdges(double... edges) {
    double[] ascending = Arrays.stream(edges).map(edge -> edge == 0 ? 0.0 : edge).toArray();
    for (int i = 1; i < ascending.length; i++) {
      if (!(ascending[i - 1] < ascending[i])) {
        throw new IllegalArgumentException(
            "edges ascend: " + ascending[i] + " follows " + ascending[i - 1]);
      }
    }
    if (ascending.length < 2) {
      throw new IllegalArgumentException("a histogram has at least two edges");
    }
    return ascending;
  }

  static void checkQuantiles(double... wanted) {
    for (double quantile : wanted) {
      if (!(quantile >= 0 && quantile <= 1)) {
        throw new IllegalArgumentException("a quantile is from 0 to 1, not " + quantile);
      }
    }
  }

  /** Returns true if the values are numbers. */
  boolean isOfNumbers() {
    DataType type = dataType();
    boolean isNumber =
        type instanceof IntegerType || type instanceof FloatType || type.equals(DataTypes.BOOL);
    return isNumber && times().isEmpty();
  }

  /**
   * Checks that the values are numbers.
   *
   * @throws UnsupportedFeatureException if they are others
   */
  void requireNumbers() {
    if (!isOfNumbers()) {
      throw new UnsupportedFeatureException(
          "statistics are of numbers, and " + this + " has none; raw() has the stored elements",
          Location.UNKNOWN);
    }
  }

  /** Returns what is made of each dimension that is selected. */
  List<CellAxis> cells(BiFunction<String, Axis, CellAxis> make) {
    List<String> names = dimensions();
    return IntStream.range(0, names.size())
        .mapToObj(d -> make.apply(names.get(d), values.positions(d)))
        .toList();
  }

  /**
   * Returns a selection of this variable as one of the stored array.
   *
   * @throws UnsupportedFeatureException unless the variable {@linkplain #isStored is stored}
   */
  public Selection storedSelection(Selection selection) {
    return stored().stored(selection);
  }

  /** Returns true if the variable has the labels of the dimension of its name. */
  boolean isIndex() {
    return allDimensions().equals(List.of(name));
  }

  /** Returns true if one of the dimensions has the name of the variable. */
  boolean hasDimensionOfItsName() {
    return allDimensions().contains(name);
  }

  /** The names of the dimensions, those of single indices as well. */
  private List<String> allDimensions() {
    return values instanceof StoredValues stored ? stored.valueDimensions() : dimensions();
  }

  /** Returns one line: {@code t2m (time, lat) float64}. */
  @Override
  public String toString() {
    return name + " (" + String.join(", ", dimensions()) + ") " + dataType();
  }
}
