package dev.zarrreactive.cli;

import static dev.zarrreactive.cli.CommandRun.zarr;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code zarr append} of arrays that say different things about their elements. */
class AppendedValuesTest {
  private static final String BITS = "; --bits appends the stored elements as they are\n";

  @TempDir Path directory;

  @BeforeEach
  void groups() {
    assertThat(zarr("create", at("a.zarr")).exitCode()).isZero();
    assertThat(zarr("create", at("b.zarr")).exitCode()).isZero();
  }

  private String at(String name) {
    return directory.resolve(name).toString();
  }

  private void array(String name, DataType type, Map<String, ?> attributes, long... elements) {
    array(
        name,
        NdArray.ofLongs(DataTypes.INT64, Shape.of(elements.length), elements),
        type,
        attributes);
  }

  private void array(String name, NdArray data, DataType type, Map<String, ?> attributes) {
    JsonObject json = JsonObject.EMPTY;
    for (Map.Entry<String, ?> each : attributes.entrySet()) {
      json =
          each.getValue() instanceof Number number
              ? json.with(each.getKey(), new JsonNumber(number.toString()))
              : each.getValue() instanceof JsonArray list
                  ? json.with(each.getKey(), list)
                  : json.with(each.getKey(), each.getValue().toString());
    }
    JsonObject all = json;
    long[] chunk = data.shape().toArray();
    chunk[0] = 2;
    String[] names = data.shape().rank() == 1 ? new String[] {"time"} : new String[] {"time", "b"};
    TestArrays.write(
        directory.resolve(name),
        data.cast(type),
        array -> array.chunkShape(chunk).dimensionNames(names).attributes(all));
  }

  private String append(String more, String... options) {
    String[] arguments = new String[options.length + 3];
    arguments[0] = "append";
    arguments[1] = at("a.zarr/v");
    arguments[2] = at(more);
    System.arraycopy(options, 0, arguments, 3, options.length);
    CommandRun run = zarr(arguments);
    assertThat(run.exitCode()).as(run.err()).isZero();
    return run.out();
  }

  private void refused(String more, String message) {
    CommandRun run = zarr("append", at("a.zarr/v"), at(more));
    assertThat(run.exitCode()).isOne();
    assertThat(run.err()).isEqualTo("zarr: error: " + at("a.zarr/v") + ": " + message + BITS);
    assertThat(zarr("info", at("a.zarr/v")).out()).contains("shape        [2]\n");
  }

  private String values() {
    return String.join(
        " ", zarr("read", at("a.zarr/v"), "--decode", "--format=json").out().split("\n"));
  }

  private String stored() {
    return String.join(
        " ", zarr("read", at("a.zarr/v"), "--raw", "--format=json").out().split("\n"));
  }

  @Test
  void times_since_another_date_are_the_same_times() {
    array("a.zarr/v", DataTypes.INT64, Map.of("units", "hours since 2024-01-01"), 24, 25);
    array("b.zarr/v", DataTypes.INT32, Map.of("units", "days since 2024-02-01"), 0, 1, 3);
    assertThat(append("b.zarr/v", "--dry-run"))
        .isEqualTo(
            "Would grow from [2] to [5], converted: data type int32 to int64, units \"days since"
                + " 2024-02-01\" to \"hours since 2024-01-01\", by a write of 2 chunks.\n");
    assertThat(append("b.zarr/v")).startsWith("Grown from [2] to [5], converted: ");
    assertThat(stored()).isEqualTo("24 25 744 768 816");
    assertThat(values())
        .endsWith("\"2024-02-01T00:00:00\" \"2024-02-02T00:00:00\" \"2024-02-04T00:00:00\"");
  }

  @Test
  void packed_numbers_are_packed_anew_and_missing_ones_stay_missing() {
    array(
        "a.zarr/v",
        DataTypes.INT16,
        Map.of("scale_factor", 0.5, "add_offset", 100, "_FillValue", -1, "units", "K"),
        10,
        -1);
    array(
        "b.zarr/v",
        DataTypes.INT16,
        Map.of("scale_factor", 0.25, "_FillValue", -9999, "units", "K"),
        420,
        -9999,
        402);
    assertThat(append("b.zarr/v"))
        .isEqualTo(
            "Grown from [2] to [5], converted: scale_factor 0.25 to 0.5, add_offset none to 100,"
                + " missing data -9999 to -1.\n");
    assertThat(stored()).isEqualTo("10 -1 10 -1 1");
    assertThat(values()).isEqualTo("105.0 \"NaN\" 105.0 \"NaN\" 100.5");
  }

  @Test
  void equal_attributes_append_the_stored_elements() {
    Map<String, Object> attributes =
        Map.of("scale_factor", 0.1, "units", "K", "valid_range", JsonArray.ofIntegers(0, 9));
    array("a.zarr/v", DataTypes.INT16, attributes, 1, 2);
    array("b.zarr/v", DataTypes.INT16, attributes, 30_000, 4);
    assertThat(append("b.zarr/v")).isEqualTo("Grown from [2] to [4].\n");
    assertThat(stored()).isEqualTo("1 2 30000 4");
  }

  @Test
  void the_option_bits_appends_stored_elements_as_they_are() {
    array("a.zarr/v", DataTypes.INT16, Map.of("units", "K", "scale_factor", 0.5), 1, 2);
    array("b.zarr/v", DataTypes.INT16, Map.of("units", "degC"), 3, 4);
    array("b.zarr/w", DataTypes.INT8, Map.of("units", "K"), 3, 4);
    assertThat(append("b.zarr/v", "--bits")).isEqualTo("Grown from [2] to [4].\n");
    assertThat(stored()).isEqualTo("1 2 3 4");
    assertThat(zarr("append", at("a.zarr/v"), at("b.zarr/w"), "--bits").err())
        .contains("elements of int8 cannot be appended to an array of int16");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "units | K | degC | the array has the attribute units \"K\", SRC has \"degC\", and other"
            + " units are not converted",
        "units | days since 2000-01-01 | K | the array has the attribute units \"days since"
            + " 2000-01-01\", SRC has \"K\", and one of them counts no time",
        "flag_meanings | a b | b a | the array has the attribute flag_meanings \"a b\", SRC has \"b"
            + " a\", which changes what the elements mean",
        "positive | up | down | the array has the attribute positive \"up\", SRC has \"down\", which"
            + " changes what the elements mean"
      })
  void what_cannot_be_converted_is_refused_with_both_values(
      String attribute, String one, String other, String message) {
    array("a.zarr/v", DataTypes.INT16, Map.of(attribute, one), 1, 2);
    array("b.zarr/v", DataTypes.INT16, Map.of(attribute, other), 3, 4);
    refused("b.zarr/v", message);
  }

  @Test
  void a_time_is_not_appended_to_counts_without_units() {
    array("a.zarr/v", DataTypes.INT16, Map.of("units", "days since 2000-01-01"), 1, 2);
    array("b.zarr/v", DataTypes.INT16, Map.of(), 3, 4);
    refused(
        "b.zarr/v",
        "the array has the attribute units \"days since 2000-01-01\", SRC has none, and one of them"
            + " counts no time");
  }

  @Test
  void dates_of_another_model_calendar_are_refused_and_those_of_the_same_one_converted() {
    array(
        "a.zarr/v",
        DataTypes.INT64,
        Map.of("units", "days since 2000-01-01", "calendar", "noleap"),
        0,
        1);
    array(
        "b.zarr/v",
        DataTypes.INT64,
        Map.of("units", "days since 2000-01-01", "calendar", "360_day"),
        0);
    array(
        "b.zarr/w",
        DataTypes.FLOAT64,
        Map.of("units", "hours since 2001-01-01", "calendar", "365_day"),
        24);
    refused(
        "b.zarr/v",
        "the array has the attribute calendar \"noleap\", SRC has \"360_day\", and their times"
            + " cannot be converted");
    append("b.zarr/w");
    assertThat(stored()).isEqualTo("0 1 366");
  }

  @Test
  void a_value_that_does_not_fit_is_refused_with_its_place_and_nothing_grows() {
    array(
        "a.zarr/v",
        DataTypes.INT8,
        Map.of("scale_factor", 0.5, "valid_max", 100, "_FillValue", -128),
        1,
        2);
    array("b.zarr/v", DataTypes.FLOAT32, Map.of(), 1, 2, 3, 4, 500);
    array("b.zarr/w", DataTypes.FLOAT32, Map.of(), 1, 2, 3, 55);
    array("b.zarr/m", DataTypes.FLOAT32, Map.of(), 1, 2, 3, -64);
    refused(
        "b.zarr/v",
        "SRC: the value 500.0 at [4] does not fit int8; packed it is 1000, and the numbers are -128"
            + " to 127");
    refused("b.zarr/w", "SRC: the value 55.0 at [3] is outside of the valid range of the array");
    refused(
        "b.zarr/m",
        "SRC: the value -64.0 at [3] would be stored as -128, which stands for missing values");
  }

  @Test
  void an_append_that_fails_before_the_array_grows_leaves_no_mark() throws IOException {
    array("a.zarr/v", DataTypes.INT32, Map.of(), 1, 2);
    array("b.zarr/v", DataTypes.INT32, Map.of(), 3, 4, 5, 6);
    Path chunk = directory.resolve("b.zarr/v/c/0");
    byte[] bytes = Files.readAllBytes(chunk);
    Files.write(chunk, new byte[1]);
    CommandRun broken = zarr("append", at("a.zarr/v"), at("b.zarr/v"));
    assertThat(broken.exitCode()).isOne();
    assertThat(broken.err()).startsWith("zarr: error: " + at("b.zarr/v") + ": ");
    assertThat(directory.resolve("a.zarr/v/zarr.json.partial")).doesNotExist();
    Files.write(chunk, bytes);
    append("b.zarr/v");
    assertThat(stored()).isEqualTo("1 2 3 4 5 6");
  }

  @Test
  void an_append_whose_source_fails_midway_says_how_to_resume() throws IOException {
    array("a.zarr/v", DataTypes.INT32, Map.of(), 1, 2);
    array("b.zarr/v", DataTypes.INT32, Map.of(), 3, 4, 5, 6);
    Path chunk = directory.resolve("b.zarr/v/c/1");
    byte[] bytes = Files.readAllBytes(chunk);
    Files.write(chunk, new byte[1]);
    CommandRun broken = zarr("append", at("a.zarr/v"), at("b.zarr/v"));
    assertThat(broken.err())
        .startsWith("zarr: error: " + at("b.zarr/v") + ": ")
        .contains("; the same command with --resume appends all of SRC to the shape [2], zarr");
    Files.write(chunk, bytes);
    append("b.zarr/v", "--resume");
    assertThat(stored()).isEqualTo("1 2 3 4 5 6");
  }

  @Test
  void a_missing_value_needs_one_in_the_array() {
    array("a.zarr/v", DataTypes.INT32, Map.of("add_offset", 1), 1, 2);
    array("b.zarr/v", DataTypes.INT32, Map.of("missing_value", 7), 5, 7);
    refused(
        "b.zarr/v",
        "SRC: the value NaN at [1] has no int32; choose one for missing values, as _FillValue");
  }

  @Test
  void large_integers_stay_exact_or_are_refused() {
    long large = (1L << 53) + 1;
    array("a.zarr/v", DataTypes.INT64, Map.of("_FillValue", -1), 1, 2);
    array("b.zarr/v", DataTypes.INT64, Map.of(), large);
    array("b.zarr/w", DataTypes.INT64, Map.of("_FillValue", -2), large);
    refused(
        "b.zarr/w",
        "SRC: the value 9.007199254740992E15 at [0] is one of several integers that a double stands"
            + " for");
    append("b.zarr/v");
    assertThat(stored()).isEqualTo("1 2 " + large);
  }

  @Test
  void signs_and_booleans_are_converted() {
    array("a.zarr/v", DataTypes.INT8, Map.of("_Unsigned", "true"), -1, 2);
    array("b.zarr/v", DataTypes.INT16, Map.of(), 200, 0);
    append("b.zarr/v");
    assertThat(stored()).isEqualTo("-1 2 -56 0");
    assertThat(values()).isEqualTo("255 2 200 0");
  }

  @Test
  void bounds_of_times_are_converted_as_their_coordinate() {
    Shape two = Shape.of(1, 2);
    for (String name : new String[] {"a.zarr", "b.zarr"}) {
      array(
          name + "/time",
          DataTypes.INT32,
          Map.of(
              "units",
              name.equals("a.zarr") ? "days since 2024-01-01" : "days since 2024-02-01",
              "bounds",
              "v"),
          0);
      array(name + "/v", NdArray.ofLongs(DataTypes.INT64, two, 0, 1), DataTypes.INT32, Map.of());
    }
    append("b.zarr/v");
    assertThat(stored()).isEqualTo("0 1 31 32");
  }

  @Test
  void an_array_that_cannot_be_longer_is_refused() {
    TestArrays.create(
        directory.resolve("a.zarr/v"),
        Shape.of(Long.MAX_VALUE),
        DataTypes.INT8,
        array -> array.chunkShape(1 << 20));
    CommandRun run = zarr("append", at("a.zarr/v"), at("a.zarr/v"), "--dry-run");
    assertThat(run.exitCode()).isOne();
    assertThat(run.err())
        .endsWith(" cannot grow by 9223372036854775807: an extent is at most 2^63 - 1\n");
  }

  @Test
  void other_dimensions_are_refused() {
    array("a.zarr/v", DataTypes.INT32, Map.of(), 1, 2);
    TestArrays.write(
        directory.resolve("b.zarr/v"),
        NdArray.ofInts(DataTypes.INT32, Shape.of(1), 3),
        array -> array.dimensionNames("lat"));
    refused("b.zarr/v", "the array has the dimensions time, SRC has lat");
  }
}
