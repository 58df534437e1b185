package dev.zarrreactive.dataset;

import dev.zarrreactive.array.Shape;
import dev.zarrreactive.cf.CfCalendar;
import dev.zarrreactive.cf.CfFlags;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.Datetime64Type;
import dev.zarrreactive.datatype.FloatType;
import dev.zarrreactive.datatype.NumpyUnit;
import dev.zarrreactive.datatype.TimeType;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import dev.zarrreactive.metadata.DimensionNames;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How a variable of a {@link NewDataset} is stored. Without settings elements have the type of the
 * values, and times are {@code int64} counts since 1970-01-01 in their own unit. Floats have the
 * fill value NaN; other types have no missing values unless {@link #missing} chooses one.
 *
 * <p>Values are encoded by the attributes that result, as {@link
 * dev.zarrreactive.cf.CfDecoding#encode} says. Not thread-safe.
 */
public final class NewVariable {
  private static final String UNITS = "units";

  private @Nullable DataType stored;
  private @Nullable Number missing;
  private boolean isRaw;
  private JsonObject attributes = JsonObject.EMPTY;
  private UnaryOperator<ArrayMetadataBuilder> layout = UnaryOperator.identity();

  NewVariable() {}

  /** Sets an attribute: a text, a number, a boolean, a list or a map of them, or a JSON value. */
  public NewVariable attribute(String name, Object value) {
    return attributes(JsonObject.ofMap(Map.of(name, value)));
  }

  /** Adds attributes, in the place of others with their names. */
  public NewVariable attributes(JsonObject others) {
    others.members().forEach((name, value) -> attributes = attributes.with(name, value));
    return this;
  }

  /** Stores elements of another type: floats are rounded to the nearest, also to integers. */
  public NewVariable stored(DataType type) {
    stored = type;
    return this;
  }

  /**
   * Stores {@code (value - addOffset) / scaleFactor} (CF 8.1); integers are rounded to the nearest,
   * ties to even. A value beyond the type is refused.
   */
  public NewVariable packed(DataType type, double scaleFactor, double addOffset) {
    if (!Double.isFinite(scaleFactor) || scaleFactor == 0 || !Double.isFinite(addOffset)) {
      throw new IllegalArgumentException(
          "packed: expected finite numbers and a scale other than 0, found "
              + scaleFactor
              + " and "
              + addOffset);
    }
    return stored(type).attribute("scale_factor", scaleFactor).attribute("add_offset", addOffset);
  }

  /**
   * Sets the stored number that stands for missing values, {@code _FillValue} (CF 2.5.1): NaN and
   * NaT become it, and elements that are never written. Times need an integer, as their type is
   * one.
   */
  public NewVariable missing(Number value) {
    missing = value;
    return this;
  }

  /** Counts times in these units, such as {@code hours since 1900-01-01} (CF 4.4). */
  public NewVariable times(String units) {
    return attribute(UNITS, units);
  }

  /** Counts times in these units, in a calendar. */
  public NewVariable times(String units, CfCalendar calendar) {
    return times(units).attribute("calendar", calendar.cfName());
  }

  /** Says what the numbers mean (CF 3.5): {@code flag_meanings}, with their values and masks. */
  public NewVariable flags(CfFlags flags) {
    List<CfFlags.Flag> all = flags.flags();
    if (all.stream().anyMatch(flag -> flag.value() != flag.mask())) {
      numbers("flag_values", all.stream().mapToLong(CfFlags.Flag::value).toArray());
    }
    if (all.stream().anyMatch(flag -> flag.mask() != -1)) {
      numbers("flag_masks", all.stream().mapToLong(CfFlags.Flag::mask).toArray());
    }
    return attribute(
        "flag_meanings", all.stream().map(CfFlags.Flag::meaning).collect(Collectors.joining(" ")));
  }

  private void numbers(String name, long... numbers) {
    attributes = attributes.with(name, JsonArray.ofIntegers(numbers));
  }

  /** Takes the values for stored elements, which are not encoded. */
  public NewVariable raw() {
    isRaw = true;
    return this;
  }

  /** Sets the shape of chunks; as {@link ArrayMetadataBuilder#chunkShape}. */
  public NewVariable chunkShape(long... shape) {
    return array(array -> array.chunkShape(shape));
  }

  /** Sets the shape of shards; as {@link ArrayMetadataBuilder#shardShape}. */
  public NewVariable shardShape(long... shape) {
    return array(array -> array.shardShape(shape));
  }

  /**
   * Changes anything else of the array, such as its codecs. Attributes, names of dimensions and the
   * format are set afterwards.
   */
  public NewVariable array(UnaryOperator<ArrayMetadataBuilder> change) {
    UnaryOperator<ArrayMetadataBuilder> before = layout;
    layout = array -> change.apply(before.apply(array));
    return this;
  }

  boolean isRaw() {
    return isRaw;
  }

  JsonObject attributes() {
    return attributes;
  }

  /**
   * Returns the metadata of the array.
   *
   * @param values the type of the values
   * @param others attributes that the dataset adds
   */
  ArrayMetadata metadata(
      int zarrFormat, List<String> dimensions, Shape shape, DataType values, JsonObject others) {
    boolean areTimes = values instanceof TimeType && !isRaw;
    DataType type = stored != null ? stored : areTimes ? DataTypes.INT64 : values;
    ArrayMetadataBuilder array = ArrayMetadata.v3(shape, type).zarrFormat(zarrFormat);
    JsonObject all = attributes;
    for (Map.Entry<String, JsonValue> other : others.members().entrySet()) {
      all = all.get(other.getKey()) == null ? all.with(other.getKey(), other.getValue()) : all;
    }
    if (areTimes && all.get(UNITS) == null) {
      all = withUnits(all, (TimeType) values);
    }
    if (missing != null) {
      fill(array, type, missing);
      all = zarrFormat == 3 ? all.with("_FillValue", json(type, missing)) : all;
    } else if (type instanceof FloatType) {
      array.fillValue(Double.NaN);
    } else if (zarrFormat == 2) {
      array.noFillValue(); // xarray takes a fill value of Zarr v2 for a missing one
    }
    layout.apply(array).zarrFormat(zarrFormat);
    return zarrFormat == 3
        ? array.attributes(all).dimensionNames(dimensions.toArray(String[]::new)).build()
        : array.attributes(all.with(DimensionNames.ATTRIBUTE, names(dimensions))).build();
  }

  private static JsonArray names(List<String> dimensions) {
    return new JsonArray(dimensions.stream().<JsonValue>map(JsonString::new).toList());
  }

  private static JsonObject withUnits(JsonObject attributes, TimeType type) {
    String unit = words(type.unit());
    return type instanceof Datetime64Type
        ? attributes
            .with(UNITS, unit + " since 1970-01-01")
            .with("calendar", CfCalendar.PROLEPTIC_GREGORIAN.cfName())
        : attributes.with(UNITS, unit);
  }

  private static String words(NumpyUnit unit) {
    return switch (unit) {
      case WEEK, DAY -> "days";
      case HOUR -> "hours";
      case MINUTE -> "minutes";
      case MILLISECOND -> "milliseconds";
      case MICROSECOND -> "microseconds";
      case NANOSECOND -> "nanoseconds";
      default -> "seconds";
    };
  }

  private static void fill(ArrayMetadataBuilder array, DataType type, Number value) {
    if (type instanceof FloatType) {
      array.fillValue(value.doubleValue());
    } else {
      array.fillValue(whole(value));
    }
  }

  private static long whole(Number value) {
    if (value.doubleValue() != value.longValue()) {
      throw new IllegalArgumentException("missing: expected an integer, found " + value);
    }
    return value.longValue();
  }

  /** Returns the attribute as xarray has it in Zarr v3: floats are base64 of a double. */
  private static JsonValue json(DataType type, Number value) {
    if (!(type instanceof FloatType)) {
      return JsonNumber.of(whole(value));
    }
    ByteBuffer bytes = ByteBuffer.allocate(Double.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putDouble(value.doubleValue());
    return new JsonString(Base64.getEncoder().encodeToString(bytes.array()));
  }
}
