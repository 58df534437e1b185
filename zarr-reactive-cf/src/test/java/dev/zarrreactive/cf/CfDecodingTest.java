package dev.zarrreactive.cf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.TimeType;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.testing.Json;
import java.util.List;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

/** Each rule alone. */
class CfDecodingTest {
  private static CfDecoding decoding(DataType type, String attributes) {
    JsonObject object = Json.object(attributes);
    return CfDecoding.of(ArrayMetadata.v3(Shape.of(4), type).build(), object, CfRule.all(), false);
  }

  private static NdArray decoded(NdArray stored, String attributes) {
    return decoding(stored.dataType(), attributes).decode(stored);
  }

  private static NdArray shorts(int... values) {
    return NdArray.ofInts(DataTypes.INT32, Shape.of(values.length), values).cast(DataTypes.INT16);
  }

  @Test
  void nothing_changes_without_attributes() {
    CfDecoding decoding = decoding(DataTypes.INT16, "{'units': 'm'}");
    assertThat(decoding.isIdentity()).isTrue();
    NdArray stored = shorts(1, 2);
    assertThat(decoding.decode(stored)).isSameAs(stored);
  }

  @Test
  void fill_value() {
    NdArray values = decoded(shorts(1, -9), "{'_FillValue': -9}");
    assertThat(values.dataType()).isEqualTo(DataTypes.FLOAT32);
    assertThat(values.toFloatArray()).containsExactly(1, Float.NaN);
    assertThat(decoding(DataTypes.INT16, "{'_FillValue': -9}").rules())
        .containsExactly(CfRule.FILL_VALUE);
    assertThat(decoded(shorts(1, -9), "{'_FillValue': -9.5}").toFloatArray())
        .containsExactly(1, -9);
  }

  @Test
  void nan_is_missing_where_an_attribute_names_it() {
    assertThat(decoding(DataTypes.FLOAT32, "{'_FillValue': 'NaN'}").isNanMissing()).isTrue();
    assertThat(decoding(DataTypes.FLOAT32, "{'missing_value': [1, 'NaN']}").isNanMissing())
        .isTrue();
    assertThat(decoding(DataTypes.FLOAT32, "{'_FillValue': 1e20}").isNanMissing()).isFalse();
    assertThat(decoding(DataTypes.FLOAT32, "{}").isNanMissing()).isFalse();
  }

  @Test
  void whole_scales_are_of_the_sign_that_the_attributes_name() {
    NdArray bytes = NdArray.ofBytes(DataTypes.INT8, Shape.of(2), (byte) 3, (byte) -1);
    NdArray values = decoded(bytes, "{'_Unsigned': 'true', 'scale_factor': 2}");
    assertThat(values.dataType()).isEqualTo(DataTypes.INT64);
    assertThat(values.toLongArray()).containsExactly(6, 510);
    NdArray large = NdArray.ofLongs(DataTypes.UINT64, Shape.of(2), 5, -1);
    assertThatExceptionOfType(UnsupportedFeatureException.class)
        .isThrownBy(() -> decoded(large, "{'scale_factor': 2}"))
        .withMessageContaining("a number is beyond the range of int64");
  }

  @Test
  void unusual_numbers_are_decoded_as_usual_ones() {
    NdArray stored = shorts(1, -2, 7, -8);
    for (DataType type : List.of(DataTypes.INT4, DataTypes.BFLOAT16)) {
      NdArray values = decoded(stored.cast(type), "{'_FillValue': 7, 'scale_factor': 0.5}");
      assertThat(values.toDoubleArray()).containsExactly(0.5, -1, Double.NaN, -4);
    }
  }

  @Test
  void missing_values_may_be_several() {
    assertThat(decoded(shorts(1, 2, 3), "{'missing_value': [1, 3]}").toFloatArray())
        .containsExactly(Float.NaN, 2, Float.NaN);
  }

  @Test
  void missing_integers_are_compared_exactly() {
    NdArray longs =
        NdArray.ofLongs(DataTypes.INT64, Shape.of(2), Long.MAX_VALUE, Long.MAX_VALUE - 1);
    assertThat(decoded(longs, "{'_FillValue': 9223372036854775807}").toDoubleArray())
        .containsExactly(Double.NaN, 0x1p63);
  }

  @Test
  void valid_range_is_of_packed_values_unless_it_has_fractions() {
    assertThat(decoded(shorts(1, 5, 11), "{'valid_min': 2, 'valid_max': 10}").toFloatArray())
        .containsExactly(Float.NaN, 5, Float.NaN);
    assertThat(
            decoded(shorts(1, 5, 11), "{'valid_range': [2, 10], 'scale_factor': 0.5}")
                .toDoubleArray())
        .containsExactly(Double.NaN, 2.5, Double.NaN);
    assertThat(
            decoded(shorts(1, 5, 11), "{'valid_range': [0.0, 3.0], 'scale_factor': 0.5}")
                .toDoubleArray())
        .containsExactly(0.5, 2.5, Double.NaN);
    CfDecoding xarray =
        CfDecoding.of(
            ArrayMetadata.v3(Shape.of(3), DataTypes.INT16).build(),
            Json.object("{'valid_min': 2}"),
            CfRule.xarray(),
            false);
    assertThat(xarray.isIdentity()).isTrue();
  }

  @Test
  void scale_and_offset() {
    assertThat(decoded(shorts(1, 2), "{'scale_factor': 0.5, 'add_offset': 1}").toDoubleArray())
        .containsExactly(1.5, 2);
    assertThat(decoded(shorts(1, 2), "{'scale_factor': [0.5]}").toDoubleArray())
        .containsExactly(0.5, 1);
  }

  @Test
  void unsigned() {
    NdArray bytes = NdArray.ofBytes(DataTypes.INT8, Shape.of(2), (byte) -1, (byte) 1);
    assertThat(decoded(bytes, "{'_Unsigned': 'true'}").toIntArray()).containsExactly(255, 1);
    assertThat(
            decoded(bytes, "{'_Unsigned': 'true', 'valid_max': -2, 'scale_factor': 2.0}")
                .toDoubleArray())
        .containsExactly(Double.NaN, 2);
  }

  @Test
  void booleans() {
    NdArray bytes = NdArray.ofBytes(DataTypes.INT8, Shape.of(2), (byte) 0, (byte) 1);
    assertThat(decoded(bytes, "{'dtype': 'bool'}").toBooleanArray()).containsExactly(false, true);
  }

  @Test
  void flags() {
    CfFlags flags =
        decoding(
                DataTypes.UINT8,
                "{'flag_masks': [1, 6, 6], 'flag_values': [1, 2, 4], 'flag_meanings': 'a b c'}")
            .flags()
            .orElseThrow();
    assertThat(flags.meanings(3)).containsExactly("a", "b");
    assertThat(flags.meanings(4)).containsExactly("c");
    assertThat(flags.meanings(6)).isEmpty();
    assertThat(CfFlags.of(Json.object("{'flag_values': [1], 'flag_meanings': 'a b'}"))).isEmpty();
  }

  @Test
  void times_of_real_calendars_are_instants() {
    NdArray times = decoded(shorts(0, 31), "{'units': 'days since 2000-01-01 12:00 +01:00'}");
    assertThat(times.getInstant(1)).isEqualTo("2000-02-01T11:00:00Z");
    NdArray julian = decoded(shorts(1), "{'units': 'days since 1900-02-28', 'calendar': 'Julian'}");
    assertThat(julian.getInstant(0)).isEqualTo("1900-03-13T00:00:00Z");
  }

  @Test
  void times_of_models_are_counts_with_dates() {
    CfDecoding decoding =
        decoding(DataTypes.INT16, "{'units': 'days since 2000-02-28', 'calendar': '360_day'}");
    NdArray counts = decoding.decode(shorts(2));
    assertThat(counts.dataType()).isEqualTo(DataTypes.INT64);
    assertThat(decoding.times().orElseThrow().text(counts.getLong(0)))
        .isEqualTo("2000-02-30T00:00:00");
  }

  @Test
  void missing_times_are_nat() {
    NdArray times = decoded(shorts(-1, 1), "{'units': 'days since 2000-01-01', '_FillValue': -1}");
    assertThat(times.toLongArray()[0]).isEqualTo(TimeType.NAT);
    NdArray reals = NdArray.ofDoubles(Shape.of(2), Double.NaN, 0.5);
    assertThat(decoded(reals, "{'units': 'hours since 1970-01-01'}").toLongArray())
        .containsExactly(TimeType.NAT, 1_800_000_000L);
  }

  @Property
  void floats_of_days_are_exact_to_the_microsecond(
      @ForAll @LongRange(min = -200_000_000_000_000L, max = 200_000_000_000_000L) long micros,
      @ForAll @DoubleRange(min = -1e5, max = 1e5) double days) {
    TimeCoding coding = TimeCoding.since("days since 1970-01-01", CfCalendar.STANDARD, false);
    assertThat(coding.decode(micros / 86_400e6)).isEqualTo(micros);
    double nearest = coding.decode(days) / 86_400e6;
    assertThat(Math.abs(nearest - days)).isLessThan(1e-10);
  }

  @Test
  void units_that_name_no_time_are_refused_when_they_are_read() {
    CfDecoding decoding = decoding(DataTypes.INT16, "{'units': 'moons since 2000-01-01'}");
    assertThatExceptionOfType(UnsupportedFeatureException.class)
        .isThrownBy(() -> decoding.decode(shorts(1)))
        .withMessageContaining("the units \"moons since 2000-01-01\" name no time")
        .withMessageContaining("raw() has the stored numbers");
    assertThatExceptionOfType(UnsupportedFeatureException.class)
        .isThrownBy(
            () -> decoded(shorts(1), "{'units': 'days since 2000-01-01', 'calendar': 'lunar'}"))
        .withMessageContaining("the calendar \"lunar\" is unknown");
    assertThatExceptionOfType(UnsupportedFeatureException.class)
        .isThrownBy(() -> decoded(shorts(1), "{'units': 'months since 2000-01-01'}"))
        .withMessageContaining("differ in length");
    assertThatExceptionOfType(UnsupportedFeatureException.class)
        .isThrownBy(
            () ->
                decoded(
                    NdArray.ofLongs(DataTypes.INT64, Shape.of(1), Long.MAX_VALUE),
                    "{'units': 'days since 2000-01-01'}"))
        .withMessageContaining("beyond the range");
  }

  @Test
  void lengths_of_time() {
    assertThat(decoded(shorts(36), "{'units': 'hours'}").getDuration(0)).hasHours(36);
  }

  @Test
  void each_rule_can_be_left_out() {
    ArrayMetadata array = ArrayMetadata.v3(Shape.of(1), DataTypes.INT16).build();
    JsonObject attributes = Json.object("{'_FillValue': 1, 'scale_factor': 2.0}");
    CfDecoding scaled = CfDecoding.of(array, attributes, Set.of(CfRule.SCALE_AND_OFFSET), false);
    assertThat(scaled.decode(shorts(1)).toDoubleArray()).containsExactly(2);
    assertThat(CfDecoding.of(array, attributes, Set.of(), false).isIdentity()).isTrue();
  }

  @Test
  void small_types_are_widened_first() {
    NdArray small = NdArray.ofBytes(DataTypes.INT4, Shape.of(2), (byte) -1, (byte) 7);
    assertThat(decoded(small, "{'_FillValue': -1}").toFloatArray()).containsExactly(Float.NaN, 7);
  }
}
