package dev.zarrreactive.cli.change;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.cf.CalendarDate;
import dev.zarrreactive.cf.CfDecoding;
import dev.zarrreactive.cf.CfRule;
import dev.zarrreactive.cf.TimeCoding;
import dev.zarrreactive.cli.console.CommandFailure;
import dev.zarrreactive.cli.console.Printable;
import dev.zarrreactive.cli.describe.SeenMetadata;
import dev.zarrreactive.dataset.Variable;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FixedLengthUtf32Type;
import dev.zarrreactive.datatype.FloatType;
import dev.zarrreactive.datatype.IntegerType;
import dev.zarrreactive.datatype.StringType;
import dev.zarrreactive.datatype.TimeType;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.metadata.DimensionNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The elements that an append stores. Elements of the source are stored as they are where both
 * arrays say the same about them. Else the source's values are encoded anew, as the array that
 * grows has them. Immutable.
 */
final class AppendedValues {
  /** The attributes that a conversion of values accounts for. */
  private static final List<String> CONVERTED =
      List.of(
          "calendar",
          "scale_factor",
          "add_offset",
          "missing_value",
          "_Unsigned",
          "dtype",
          "valid_min",
          "valid_max",
          "valid_range");

  /** The attributes that change the meaning of values, which nothing here converts. */
  private static final List<String> KEPT =
      List.of("flag_values", "flag_masks", "flag_meanings", "_Encoding", "positive");

  /** The integers beyond this one are no longer each a double. */
  private static final long LARGEST_EXACT = 1L << 53;

  private static final String BITS = "; --bits appends the stored elements as they are";

  private final CfDecoding from;
  private final CfDecoding to;
  private final List<String> differences;

  /** The end of an error: what helps. */
  private final String way;

  private AppendedValues(CfDecoding from, CfDecoding to, List<String> differences, String way) {
    this.from = from;
    this.to = to;
    this.differences = differences;
    this.way = way;
  }

  /** Returns the elements of the source as they are stored. */
  static AppendedValues stored(ZarrArray source) {
    CfDecoding none = CfDecoding.of(source.metadata(), source.attributes(), Set.of(), false);
    return new AppendedValues(none, none, List.of(), BITS);
  }

  /**
   * Compares what two arrays say about their elements.
   *
   * @param array the array that grows
   * @param source the array that is appended, decoded by the same rules
   * @param isOfDataset whether values of one type are converted to another without attributes that
   *     say so, as a dataset's append does
   * @throws CommandFailure where values cannot be converted; names both values
   */
  static AppendedValues of(Variable array, Variable source, boolean isOfDataset) {
    CfDecoding to = array.decoding();
    CfDecoding from = source.decoding();
    String way = isOfDataset ? "" : BITS;
    requireSameDimensions(array, source, way);
    for (String name : KEPT) {
      if (contradict(to.attributes().get(name), from.attributes().get(name))) {
        throw refused(
            name, to.attributes(), from.attributes(), "which changes what the elements mean", way);
      }
    }
    DataType type = to.storedType();
    List<String> differences = differences(array, source);
    boolean isPlain = to.rules().isEmpty() && from.rules().isEmpty();
    if (!type.equals(from.storedType())) {
      boolean areNumbers = isNumber(type) && isNumber(from.storedType());
      boolean areTexts = isText(type) && isText(from.storedType());
      if (isOfDataset ? !areNumbers && !areTexts : !areNumbers || isPlain) {
        throw new CommandFailure(
            "elements of " + from.storedType() + " cannot be appended to an array of " + type);
      }
      differences.add(0, "data type " + from.storedType() + " to " + type);
    } else if (isPlain) {
      differences.clear();
    }
    if (!isNumber(type) && !isText(type) && !differences.isEmpty()) {
      throw new CommandFailure(
          "the arrays differ in "
              + differences.get(0)
              + ", and "
              + type
              + " is not converted"
              + way);
    }
    if (!differences.isEmpty()) {
      requireReadable(from, way);
      requireReadable(to, way);
    }
    requireSameUnits(to, from, way);
    return new AppendedValues(from, to, List.copyOf(differences), way);
  }

  private static boolean isText(DataType type) {
    return type instanceof FixedLengthUtf32Type || type instanceof StringType;
  }

  private static boolean isNumber(DataType type) {
    return type instanceof IntegerType || type instanceof FloatType;
  }

  private static void requireReadable(CfDecoding decoding, String way) {
    if (!decoding.isReadable()) {
      throw new CommandFailure(
          "values of the units "
              + shown(decoding.attributes().get("units"))
              + ", calendar "
              + shown(decoding.attributes().get("calendar"))
              + ", cannot be decoded"
              + way);
    }
  }

  private static void requireSameDimensions(Variable array, Variable source, String way) {
    DimensionNames names = DimensionNames.of(array.array().metadata());
    DimensionNames others = DimensionNames.of(source.array().metadata());
    for (int d = 0; d < Math.min(names.names().size(), others.names().size()); d++) {
      String name = names.names().get(d);
      String other = others.names().get(d);
      if (name != null && other != null && !name.equals(other)) {
        throw new CommandFailure(
            "the array has the dimensions " + names + ", SRC has " + others + way);
      }
    }
  }

  /** Refuses units that differ, unless both are times of one kind. */
  private static void requireSameUnits(CfDecoding to, CfDecoding from, String way) {
    TimeCoding times = to.times().orElse(null);
    TimeCoding others = from.times().orElse(null);
    if (times != null && others != null) {
      boolean areConvertible =
          times.calendar().equals(others.calendar())
              || (times.dataType() instanceof TimeType
                  && others.dataType() instanceof TimeType
                  && times.calendar().isPresent()
                  && others.calendar().isPresent());
      if (!areConvertible) {
        throw refused(
            times.calendar().isPresent() && others.calendar().isPresent() ? "calendar" : "units",
            to.attributes(),
            from.attributes(),
            "and their times cannot be converted",
            way);
      }
    } else if (times != null || others != null) {
      throw refused(
          "units", to.attributes(), from.attributes(), "and one of them counts no time", way);
    } else if (contradict(to.attributes().get("units"), from.attributes().get("units"))) {
      throw refused(
          "units", to.attributes(), from.attributes(), "and other units are not converted", way);
    }
  }

  private static CommandFailure refused(
      String name, JsonObject array, JsonObject source, String why, String way) {
    return new CommandFailure(
        "the array has the attribute "
            + name
            + " "
            + shown(array.get(name))
            + ", SRC has "
            + shown(source.get(name))
            + ", "
            + why
            + way);
  }

  private static String shown(@Nullable JsonValue value) {
    return value == null ? "none" : Printable.of(value.toString());
  }

  /** Returns what differs and is converted, each with both values. */
  private static List<String> differences(Variable array, Variable source) {
    JsonObject its = array.decoding().attributes();
    JsonObject others = source.decoding().attributes();
    List<String> differences = new ArrayList<>();
    List<String> names = new ArrayList<>(CONVERTED);
    if (array.times().isPresent() || source.times().isPresent()) {
      names.add(0, "units");
    }
    for (String name : names) {
      if (!areSame(its.get(name), others.get(name))) {
        differences.add(name + " " + shown(others.get(name)) + " to " + shown(its.get(name)));
      }
    }
    SeenMetadata seen = SeenMetadata.of(array.array());
    SeenMetadata other = SeenMetadata.of(source.array());
    if (!seen.hasMaskOf(other)) {
      differences.add("missing data " + other.maskText() + " to " + seen.maskText());
    }
    return differences;
  }

  /** Returns true if both say something, and not the same. */
  private static boolean contradict(@Nullable JsonValue one, @Nullable JsonValue other) {
    return one != null && other != null && !areSame(one, other);
  }

  private static boolean areSame(@Nullable JsonValue one, @Nullable JsonValue other) {
    return Objects.equals(one, other)
        || (one instanceof JsonNumber number
            && other instanceof JsonNumber another
            && number.isFinite()
            && another.isFinite()
            && number.toBigDecimal().compareTo(another.toBigDecimal()) == 0);
  }

  /** Returns true if the stored elements of the source are appended as they are. */
  boolean areStored() {
    return differences.isEmpty();
  }

  /** Returns the decoding of what is read of the source. */
  CfDecoding decoding() {
    return from;
  }

  /** Returns what is converted, as {@code scale_factor 0.002 to 0.001}; empty for nothing. */
  @Override
  public String toString() {
    return String.join(", ", differences);
  }

  /**
   * Returns the stored elements of values of the source.
   *
   * @param values as {@link #decoding} makes them
   * @param start the index of the first one in the source
   * @throws CommandFailure for a value that the array cannot have, with its index
   */
  NdArray encoded(NdArray values, long... start) {
    try {
      checkExact(values, start);
      NdArray elements = to.encode(inUnits(values), start);
      checkRange(values, elements, start);
      return elements;
    } catch (IllegalArgumentException e) {
      throw new CommandFailure("SRC: " + e.getMessage() + way, e);
    }
  }

  /** Refuses integers of 64 bits that became doubles, and are not each a double. */
  private void checkExact(NdArray values, long... start) {
    boolean isLong =
        from.storedType() instanceof IntegerType integer
            && integer.bits() == Long.SIZE
            && values.dataType().equals(DataTypes.FLOAT64)
            && !from.rules().contains(CfRule.SCALE_AND_OFFSET);
    if (isLong) {
      double[] doubles = values.toDoubleArray();
      for (int i = 0; i < doubles.length; i++) {
        if (Math.abs(doubles[i]) >= LARGEST_EXACT) {
          throw new IllegalArgumentException(
              "the value "
                  + doubles[i]
                  + at(values.shape(), i, start)
                  + " is one of several integers that a double stands for");
        }
      }
    }
  }

  /** Refuses values that the array's valid range makes missing. */
  private void checkRange(NdArray values, NdArray elements, long... start) {
    NdArray back = to.decode(elements);
    if (!to.rules().contains(CfRule.VALID_RANGE)
        || !(back.dataType() instanceof FloatType)
        || !isNumber(values.dataType())) {
      return;
    }
    double[] after = back.cast(DataTypes.FLOAT64).toDoubleArray();
    double[] before = values.cast(DataTypes.FLOAT64).toDoubleArray();
    int bad =
        IntStream.range(0, after.length)
            .filter(i -> Double.isNaN(after[i]) && !Double.isNaN(before[i]))
            .findFirst()
            .orElse(-1);
    if (bad >= 0) {
      throw new IllegalArgumentException(
          "the value "
              + before[bad]
              + at(values.shape(), bad, start)
              + " is outside of the valid range of the array");
    }
  }

  private static String at(Shape shape, int element, long... start) {
    long[] index = start.clone();
    long rest = element;
    for (int d = index.length - 1; d >= 0; d--) {
      index[d] += rest % shape.extent(d);
      rest /= shape.extent(d);
    }
    return IntStream.range(0, index.length)
        .mapToObj(d -> Long.toString(index[d]))
        .collect(Collectors.joining(", ", " at [", "]"));
  }

  /** Returns counts of a model's calendar in the unit that the array has for them. */
  private NdArray inUnits(NdArray values) {
    TimeCoding theirs = from.times().orElse(null);
    TimeCoding ours = to.times().orElse(null);
    if (theirs == null
        || ours == null
        || theirs.dataType() instanceof TimeType
        || theirs.unit() == ours.unit()) {
      return values;
    }
    long[] counts = values.toLongArray();
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] != TimeType.NAT) {
        CalendarDate date = theirs.date(counts[i]);
        try {
          counts[i] = ours.count(date.epochSecond(), date.nano()).longValueExact();
        } catch (ArithmeticException e) {
          throw new IllegalArgumentException(
              "the time " + date + " is no whole number of " + ours.unit().symbol(), e);
        }
      }
    }
    return NdArray.ofLongs(DataTypes.INT64, values.shape(), counts);
  }
}
