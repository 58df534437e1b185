package dev.zarrreactive.dataset;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.cf.CfCalendar;
import dev.zarrreactive.cf.CfDecoding;
import dev.zarrreactive.cf.TimeCoding;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.Datetime64Type;
import dev.zarrreactive.datatype.FixedLengthUtf32Type;
import dev.zarrreactive.datatype.NumpyUnit;
import dev.zarrreactive.datatype.StringType;
import dev.zarrreactive.datatype.TimeType;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.internal.expression.NumberTypes;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.metadata.ArrayMetadata;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The type in which the variables of one name of several datasets are together: of numbers that of
 * NumPy, of times the finest unit of them, which has each time exactly.
 */
final class CommonType {
  private static final String UNITS = "units";
  private static final String CALENDAR = "calendar";

  private final List<Dataset> datasets;
  private final List<Variable> variables;
  private final DataType type;
  private final @Nullable TimeCoding coding;

  private CommonType(
      List<Dataset> datasets,
      List<Variable> variables,
      DataType type,
      @Nullable TimeCoding coding) {
    this.datasets = datasets;
    this.variables = variables;
    this.type = type;
    this.coding = coding;
  }

  /**
   * Finds the type of variables of one name.
   *
   * @param variables one of each dataset
   * @throws MetadataException if they do not go together; the message names both datasets
   */
  static CommonType of(List<Dataset> datasets, List<Variable> variables) {
    boolean areTimes = isTime(variables.get(0));
    for (int k = 1; k < variables.size(); k++) {
      if (isTime(variables.get(k)) != areTimes) {
        throw refused(datasets, variables, k, "type", Variable::dataType);
      }
    }
    return areTimes ? ofTimes(datasets, variables) : ofOthers(datasets, variables);
  }

  private static boolean isTime(Variable variable) {
    return variable.times().isPresent() || variable.dataType() instanceof TimeType;
  }

  private static CommonType ofOthers(List<Dataset> datasets, List<Variable> variables) {
    DataType type = variables.get(0).dataType();
    for (int k = 1; k < variables.size(); k++) {
      DataType other = variables.get(k).dataType();
      if (isText(type) && isText(other)) {
        type = type.equals(other) ? type : DataTypes.STRING;
      } else if (NumberTypes.areNumbers(type) && NumberTypes.areNumbers(other)) {
        type = NumberTypes.common(type, other);
      } else if (!type.equals(other)) {
        throw refused(datasets, variables, k, "type", Variable::dataType);
      }
      String units = Dataset.text(variables.get(0).attributes(), UNITS);
      String its = Dataset.text(variables.get(k).attributes(), UNITS);
      if (!units.isEmpty() && !its.isEmpty() && !units.equals(its)) {
        throw refused(
            datasets, variables, k, UNITS, each -> Dataset.text(each.attributes(), UNITS));
      }
    }
    return new CommonType(datasets, variables, type, null);
  }

  private static boolean isText(DataType type) {
    return type instanceof StringType || type instanceof FixedLengthUtf32Type;
  }

  private static CommonType ofTimes(List<Dataset> datasets, List<Variable> variables) {
    Variable finest = variables.get(0);
    boolean agree = true;
    for (int k = 1; k < variables.size(); k++) {
      Variable other = variables.get(k);
      if (!calendar(other).equals(calendar(variables.get(0)))) {
        throw refused(datasets, variables, k, CALENDAR, CommonType::calendar);
      }
      agree &= units(other).equals(units(variables.get(0)));
      boolean areEqual = other.dataType().equals(finest.dataType());
      if (!areEqual && (perSecond(other) == 0 || perSecond(finest) == 0)) {
        throw refused(datasets, variables, k, "type", Variable::dataType);
      }
      finest = perSecond(other) > perSecond(finest) ? other : finest;
    }
    TimeCoding coding = finest.times().orElse(null);
    if (coding != null && !agree) {
      coding = sinceEpoch(coding);
    }
    return new CommonType(datasets, variables, finest.dataType(), coding);
  }

  /** Returns the calendar of times, or what else they are. */
  private static String calendar(Variable times) {
    Optional<TimeCoding> coding = times.times();
    if (coding.isPresent()) {
      return coding.get().calendar().map(CfCalendar::cfName).orElse("none: lengths of time");
    }
    return times.dataType() instanceof Datetime64Type
        ? "none: numpy.datetime64"
        : "none: lengths of time";
  }

  private static String units(Variable times) {
    return times.times().map(TimeCoding::units).orElse("");
  }

  private static NumpyUnit unit(Variable times) {
    return times
        .times()
        .map(TimeCoding::unit)
        .orElseGet(() -> ((TimeType) times.dataType()).unit());
  }

  /** Returns the counts of a second; 0 for units of another kind. */
  private static long perSecond(Variable times) {
    if (times.dataType() instanceof TimeType type && type.scaleFactor() != 1) {
      return 0;
    }
    return switch (unit(times)) {
      case SECOND -> 1;
      case MILLISECOND -> 1000;
      case MICROSECOND -> 1_000_000;
      case NANOSECOND -> 1_000_000_000;
      default -> 0;
    };
  }

  /** Returns a coding of the same unit, in which each count is stored as it is. */
  private static TimeCoding sinceEpoch(TimeCoding coding) {
    String unit =
        switch (coding.unit()) {
          case MILLISECOND -> "milliseconds";
          case MICROSECOND -> "microseconds";
          case NANOSECOND -> "nanoseconds";
          default -> "seconds";
        };
    JsonObject attributes =
        coding
            .calendar()
            .map(
                calendar ->
                    JsonObject.EMPTY
                        .with(UNITS, new JsonString(unit + " since 1970-01-01"))
                        .with(CALENDAR, new JsonString(calendar.cfName())))
            .orElseGet(() -> JsonObject.EMPTY.with(UNITS, new JsonString(unit)));
    ArrayMetadata counts =
        ArrayMetadata.v3(Shape.SCALAR, DataTypes.INT64).attributes(attributes).build();
    return CfDecoding.of(counts).times().orElseThrow();
  }

  private static MetadataException refused(
      List<Dataset> datasets,
      List<Variable> variables,
      int other,
      String what,
      Function<Variable, Object> of) {
    Variable first = variables.get(0);
    return new MetadataException(
        first.name()
            + " has the "
            + what
            + " "
            + of.apply(first)
            + " in "
            + datasets.get(0).place()
            + ", but "
            + of.apply(variables.get(other))
            + " in "
            + datasets.get(other).place(),
        Location.UNKNOWN);
  }

  /** Returns the values of one of the variables in this type. */
  ConvertedValues converted(int number) {
    Variable variable = variables.get(number);
    long factor =
        isTime(variable) && perSecond(variable) > 0 ? ofTarget() / perSecond(variable) : 1;
    String store =
        variable.values() instanceof StoredValues stored
            ? stored.array().store().toString()
            : datasets.get(number).group().store().toString();
    return new ConvertedValues(
        variable.values(), type, coding, factor, Location.UNKNOWN.store(store));
  }

  /** Returns the counts of a second in this type. */
  private long ofTarget() {
    return variables.stream().mapToLong(CommonType::perSecond).max().orElse(1);
  }

  DataType type() {
    return type;
  }

  @Nullable TimeCoding coding() {
    return coding;
  }

  /** Returns the attributes of the first variable that hold for all. */
  JsonObject attributes() {
    JsonObject first = variables.get(0).attributes();
    boolean areInMemory =
        variables.stream().allMatch(each -> each.values() instanceof MemoryValues);
    JsonObject kept = areInMemory ? first : FormulaAttributes.ofValues(first);
    TimeCoding its = coding;
    if (its == null || Objects.equals(its.units(), Dataset.text(first, UNITS))) {
      return kept;
    }
    boolean hasUnits = first.get(UNITS) != null;
    kept = hasUnits ? kept.with(UNITS, new JsonString(its.units())) : kept;
    return hasUnits && its.calendar().isPresent()
        ? kept.with(CALENDAR, new JsonString(its.calendar().get().cfName()))
        : kept;
  }

  /**
   * Compares the values of two of the variables; NaN equals NaN.
   *
   * @param some values of the first variable in this type
   * @param others values of another one in this type
   * @return a sentence that names both datasets; empty for equal values
   */
  Optional<String> difference(NdArray some, NdArray others, int number) {
    if (some.equals(others)) {
      return Optional.empty();
    }
    ComparedValues these = new ComparedValues(some, coding);
    ComparedValues those = new ComparedValues(others, coding);
    int differing = these.differing(those);
    if (differing < 0 && these.size() == those.size()) {
      return Optional.empty();
    }
    boolean isShorter = differing < 0;
    return Optional.of(
        variables.get(0).name()
            + " differs: it has "
            + (isShorter ? these.size() + " values" : these.text(differing))
            + " in "
            + datasets.get(0).place()
            + ", but "
            + (isShorter ? those.size() + " values" : those.text(differing))
            + " in "
            + datasets.get(number).place()
            + "; select the same part of both");
  }
}
