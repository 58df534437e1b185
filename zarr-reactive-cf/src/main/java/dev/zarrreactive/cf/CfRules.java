package dev.zarrreactive.cf;

import dev.zarrreactive.array.ElementConversion;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.cf.NumberDecoding.Packing;
import dev.zarrreactive.cf.NumberDecoding.ValidRange;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.IntegerType;
import dev.zarrreactive.datatype.NullTerminatedBytesType;
import dev.zarrreactive.json.JsonNumber;
import java.math.BigInteger;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds the rules that apply to an array, and what they do to its elements. */
final class CfRules {
  private static final Map<DataType, DataType> OTHER_SIGN =
      Map.of(
          DataTypes.INT8, DataTypes.UINT8,
          DataTypes.INT16, DataTypes.UINT16,
          DataTypes.INT32, DataTypes.UINT32,
          DataTypes.INT64, DataTypes.UINT64,
          DataTypes.UINT8, DataTypes.INT8,
          DataTypes.UINT16, DataTypes.INT16,
          DataTypes.UINT32, DataTypes.INT32,
          DataTypes.UINT64, DataTypes.INT64);

  private final CfAttributes attributes;
  private final Set<CfRule> allowed;
  private final Set<CfRule> applied = EnumSet.noneOf(CfRule.class);
  private @Nullable String problem;

  CfRules(CfAttributes attributes, Set<CfRule> allowed) {
    this.attributes = attributes;
    this.allowed = allowed;
  }

  /** Returns the type of the same numbers that can be decoded. */
  static DataType usualType(DataType type) {
    if (NumberDecoding.isSource(type)) {
      return type;
    } else if (type instanceof IntegerType integer) {
      return integer.min().signum() < 0 ? DataTypes.INT8 : DataTypes.UINT8;
    }
    return DataTypes.FLOAT32;
  }

  private DataType storedType() {
    return attributes.array().dataType();
  }

  CfDecoding decoding(boolean joinsCharacters) {
    if (storedType() instanceof NullTerminatedBytesType) {
      return texts(joinsCharacters);
    }
    return attributes.isOfNumbers() ? numbers() : decoding(null, null);
  }

  private CfDecoding decoding(
      @Nullable NumberDecoding numbers, @Nullable ElementConversion conversion) {
    return new CfDecoding(
        attributes.array(),
        attributes.attributes(),
        Collections.unmodifiableSet(applied),
        numbers,
        conversion,
        problem);
  }

  private CfDecoding decoding(NumberDecoding numbers) {
    ElementConversion usual = new NumberConversion(numbers);
    return decoding(
        numbers,
        NumberDecoding.isSource(storedType()) ? usual : new UnusualNumbers(storedType(), usual));
  }

  private CfDecoding texts(boolean joins) {
    String encoding = attributes.text("_Encoding");
    if (!allowed.contains(CfRule.TEXT) || (encoding == null && !joins)) {
      return decoding(null, null);
    }
    Charset charset;
    try {
      charset = encoding == null ? StandardCharsets.UTF_8 : Charset.forName(encoding);
    } catch (IllegalArgumentException e) {
      problem = "the attribute _Encoding names the unknown encoding \"" + encoding + '"';
      charset = StandardCharsets.UTF_8;
    }
    applied.add(CfRule.TEXT);
    Shape shape = attributes.array().shape();
    OptionalInt joined =
        joins ? OptionalInt.of((int) shape.extent(shape.rank() - 1)) : OptionalInt.empty();
    return decoding(null, new TextConversion(charset, storedType().itemSize(), joined));
  }

  private boolean apply(CfRule rule, boolean applies) {
    if (applies && allowed.contains(rule)) {
      applied.add(rule);
      return true;
    }
    return false;
  }

  private CfDecoding numbers() {
    DataType type = signed(usualType(storedType()));
    boolean isWhole = type instanceof IntegerType;
    boolean keepsNan = false;
    List<JsonNumber> missing = new ArrayList<>();
    List<JsonNumber> fill = attributes.fillValues();
    if (apply(CfRule.FILL_VALUE, fill.stream().anyMatch(JsonNumber::isFinite))) {
      missing.addAll(fill);
    } else if (allowed.contains(CfRule.FILL_VALUE) && !fill.isEmpty()) {
      keepsNan = !isWhole;
    }
    List<JsonNumber> others = attributes.numbers(CfAttributes.MISSING_VALUE);
    if (apply(CfRule.MISSING_VALUE, others.stream().anyMatch(JsonNumber::isFinite))) {
      missing.addAll(others);
    } else if (allowed.contains(CfRule.MISSING_VALUE) && !others.isEmpty()) {
      keepsNan = !isWhole;
    }
    missing.removeIf(number -> !number.isFinite() && number.text().endsWith("N"));
    JsonNumber scale = attributes.number1("scale_factor");
    JsonNumber offset = attributes.number1("add_offset");
    boolean isPacked = apply(CfRule.SCALE_AND_OFFSET, scale != null || offset != null);
    ValidRange range = range(isWhole && isPacked);
    TimeCoding times = times(isWhole && !isPacked);
    if (isFlag(isWhole && !isPacked && times == null)) {
      return decoding(
          new NumberDecoding(type, DataTypes.BOOL, List.of(), List.of(), null, null, null));
    }
    boolean masks = !missing.isEmpty() || range != null;
    Long whole =
        scale != null && isLong(scale) && offset == null && isWhole && !masks && times == null
            ? Long.valueOf(scale.toBigInteger().longValue())
            : null;
    DataType decoded = type;
    if (times != null) {
      decoded = times.dataType();
    } else if (isPacked && whole != null) {
      decoded = DataTypes.INT64;
    } else if (isPacked && !(keepsNan && missing.isEmpty())) {
      decoded = DataTypes.FLOAT64;
    } else if (masks && isWhole) {
      decoded = type.itemSize() <= Short.BYTES ? DataTypes.FLOAT32 : DataTypes.FLOAT64;
    }
    if (applied.isEmpty()) {
      return decoding(null, null);
    }
    Packing packing = isPacked ? new Packing(value(scale), value(offset), whole) : null;
    return decoding(
        new NumberDecoding(
            type,
            decoded,
            isWhole ? wholes(missing, (IntegerType) type) : List.of(),
            isWhole ? List.of() : reals(missing, type),
            range,
            packing,
            times));
  }

  private static boolean isLong(JsonNumber number) {
    return number.isInteger() && number.toBigInteger().bitLength() < Long.SIZE;
  }

  private static boolean isFraction(@Nullable JsonNumber number) {
    return number != null && !number.isInteger();
  }

  private static @Nullable Double value(@Nullable JsonNumber number) {
    return number == null ? null : Double.valueOf(number.toDouble());
  }

  private boolean isFlag(boolean canBe) {
    return apply(CfRule.BOOLEAN, canBe && "bool".equals(attributes.text("dtype")));
  }

  private DataType signed(DataType type) {
    Boolean unsigned = attributes.unsigned();
    DataType other = OTHER_SIGN.get(type);
    if (other == null || unsigned == null || !(type instanceof IntegerType integer)) {
      return type;
    }
    boolean differs = unsigned == integer.min().signum() < 0;
    return apply(CfRule.UNSIGNED, differs) ? other : type;
  }

  /** Returns the bits of those numbers that the type has; a negative one may be unsigned. */
  private static List<Long> wholes(List<JsonNumber> numbers, IntegerType type) {
    List<Long> bits = new ArrayList<>();
    for (JsonNumber number : numbers) {
      BigInteger whole = whole(number);
      if (whole != null) {
        BigInteger other = whole.add(BigInteger.ONE.shiftLeft(type.bits()));
        BigInteger below = whole.subtract(BigInteger.ONE.shiftLeft(type.bits()));
        for (BigInteger candidate : List.of(whole, other, below)) {
          if (candidate.compareTo(type.min()) >= 0 && candidate.compareTo(type.max()) <= 0) {
            bits.add(candidate.longValue());
            break;
          }
        }
      }
    }
    return bits.stream().distinct().toList();
  }

  private static @Nullable BigInteger whole(JsonNumber number) {
    if (number.isInteger()) {
      return number.text().length() > 25 ? null : number.toBigInteger();
    }
    double value = number.toDouble();
    return value == Math.rint(value) && Math.abs(value) < 0x1p63
        ? BigInteger.valueOf((long) value)
        : null;
  }

  /** Returns the numbers as floats of the type have them. */
  private static List<Double> reals(List<JsonNumber> numbers, DataType type) {
    return numbers.stream()
        .mapToDouble(
            number -> {
              double value = number.toDouble();
              return type.equals(DataTypes.FLOAT64)
                  ? value
                  : type.equals(DataTypes.FLOAT32) ? (float) value : NumberDecoding.half(value);
            })
        .distinct()
        .boxed()
        .toList();
  }

  private @Nullable ValidRange range(boolean isPackedWhole) {
    List<JsonNumber> both = attributes.numbers("valid_range");
    JsonNumber min = both.size() == 2 ? both.get(0) : attributes.number1("valid_min");
    JsonNumber max = both.size() == 2 ? both.get(1) : attributes.number1("valid_max");
    if (!apply(CfRule.VALID_RANGE, min != null || max != null)) {
      return null;
    }
    boolean ofUnpacked = isPackedWhole && (isFraction(min) || isFraction(max));
    boolean wasSigned = applied.contains(CfRule.UNSIGNED);
    return new ValidRange(
        min == null ? Double.NEGATIVE_INFINITY : bound(min, wasSigned),
        max == null ? Double.POSITIVE_INFINITY : bound(max, wasSigned),
        ofUnpacked);
  }

  /** Returns a bound; a negative one of integers that are unsigned stands for its bits. */
  private double bound(JsonNumber number, boolean wasSigned) {
    double value = number.toDouble();
    return wasSigned && value < 0 && storedType() instanceof IntegerType type
        ? value + Math.scalb(1.0, type.bits())
        : value;
  }

  private @Nullable TimeCoding times(boolean isWhole) {
    String units = attributes.text("units");
    if (units == null) {
      return null;
    }
    try {
      if (TimeCoding.isSince(units)) {
        if (!allowed.contains(CfRule.TIME)) {
          return null;
        }
        String name = attributes.text("calendar");
        CfCalendar calendar =
            CfCalendar.of(name == null ? "standard" : name)
                .orElseThrow(
                    () ->
                        new IllegalArgumentException(
                            "the calendar \""
                                + name
                                + "\" is unknown; CF 4.4.1 has standard, proleptic_gregorian,"
                                + " julian, noleap, all_leap and 360_day"));
        TimeCoding times = TimeCoding.since(units, calendar, isWhole);
        applied.add(CfRule.TIME);
        return times;
      }
      Optional<TimeCoding> delta = TimeCoding.delta(units, isWhole);
      return delta.isPresent() && apply(CfRule.TIME_DELTA, true) ? delta.get() : null;
    } catch (IllegalArgumentException e) {
      problem = e.getMessage();
      return null;
    }
  }
}
