package dev.zarrreactive.cf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.NumpyUnit;
import dev.zarrreactive.datatype.TimeType;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.testing.Json;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** What {@link CfDecoding#encode} stores is decoded to the values again. */
class CfEncodingTest {
  private static CfDecoding coding(DataType type, String attributes) {
    return CfDecoding.of(
        ArrayMetadata.v3(Shape.of(4), type).attributes(Json.object(attributes)).build());
  }

  private static NdArray doubles(double... values) {
    return NdArray.ofDoubles(Shape.of(values.length), values);
  }

  private static NdArray seconds(long... counts) {
    return NdArray.ofLongs(
        DataTypes.datetime64(NumpyUnit.SECOND, 1), Shape.of(counts.length), counts);
  }

  @Property(tries = 300)
  void every_stored_integer_is_encoded_again(@ForAll short stored, @ForAll byte step) {
    double scale = (step == 0 ? 1 : step) / 64.0;
    CfDecoding coding =
        coding(
            DataTypes.INT16,
            "{'scale_factor': " + scale + ", 'add_offset': 273.15, '_FillValue': -32768}");
    NdArray elements = NdArray.ofShorts(DataTypes.INT16, Shape.of(1), stored);
    assertThat(coding.encode(coding.decode(elements))).isEqualTo(elements);
  }

  @Property(tries = 300)
  void every_hour_is_encoded_again(@ForAll int hours) {
    CfDecoding coding = coding(DataTypes.INT32, "{'units': 'hours since 1900-01-01 00:30'}");
    NdArray elements = NdArray.ofInts(DataTypes.INT32, Shape.of(1), hours);
    assertThat(coding.encode(coding.decode(elements))).isEqualTo(elements);
    CfDecoding reals = coding(DataTypes.FLOAT64, "{'units': 'days since 1900-01-01'}");
    NdArray days = doubles(hours / 24.0);
    assertThat(reals.decode(reals.encode(reals.decode(days)))).isEqualTo(reals.decode(days));
  }

  @Property(tries = 200)
  void every_day_of_a_model_is_encoded_again(@ForAll short day) {
    for (String calendar : List.of("noleap", "360_day", "all_leap")) {
      CfDecoding coding =
          coding(
              DataTypes.INT64,
              "{'units': 'days since 2000-01-01', 'calendar': '" + calendar + "'}");
      NdArray elements = NdArray.ofLongs(DataTypes.INT64, Shape.of(1), day);
      assertThat(coding.encode(coding.decode(elements))).isEqualTo(elements);
    }
  }

  @Test
  void long_arrays_are_encoded_block_by_block() {
    NdArray stored =
        NdArray.ofInts(DataTypes.INT32, Shape.of(3, 700), IntStream.range(0, 2100).toArray());
    for (String attributes :
        List.of(
            "{'scale_factor': 0.25, 'add_offset': 3}",
            "{'scale_factor': 7}",
            "{'_FillValue': 900}",
            "{'units': 'hours since 1900-01-01'}")) {
      CfDecoding coding = coding(DataTypes.INT32, attributes);
      assertThat(coding.encode(coding.decode(stored))).isEqualTo(stored);
    }
    double[] reals = stored.cast(DataTypes.FLOAT64).toDoubleArray();
    reals[1500] = 1e99;
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> coding(DataTypes.INT32, "{}").encode(NdArray.ofDoubles(stored.shape(), reals)))
        .withMessageContaining("at [2, 100] of the block");
    reals[1500] = 7;
    NdArray small = NdArray.ofDoubles(stored.shape(), reals).slice(Selection.parse(":,:7"));
    assertThat(coding(DataTypes.INT16, "{}").encode(small)).isEqualTo(small.cast(DataTypes.INT16));
    short[] shorts = new short[2100];
    shorts[1500] = 9;
    NdArray nine = NdArray.ofShorts(DataTypes.INT16, stored.shape(), shorts);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> coding(DataTypes.INT4, "{}").encode(nine))
        .withMessageContaining("[2, 100]");
  }

  @Test
  void integers_are_rounded_to_the_nearest_and_ties_to_even() {
    CfDecoding coding = coding(DataTypes.INT8, "{'scale_factor': 0.5}");
    assertThat(coding.encode(doubles(0.25, 0.75, -0.25, 0.3)).toByteArray())
        .containsExactly(0, 2, 0, 1);
    CfDecoding plain = coding(DataTypes.UINT8, "{}");
    assertThat(plain.encode(doubles(254.6, 0.5, 1.5)).toShortArray()).containsExactly(255, 0, 2);
  }

  @Test
  void missing_values_become_the_number_that_stands_for_them() {
    CfDecoding packed = coding(DataTypes.INT16, "{'scale_factor': 0.5, '_FillValue': -1}");
    assertThat(packed.encode(doubles(Double.NaN, 2)).toShortArray()).containsExactly(-1, 4);
    CfDecoding reals = coding(DataTypes.FLOAT32, "{'missing_value': -9999.0}");
    assertThat(reals.encode(doubles(Double.NaN, 2)).toFloatArray()).containsExactly(-9999, 2);
    CfDecoding times =
        coding(DataTypes.INT32, "{'units': 'days since 2000-01-01', '_FillValue': -1}");
    assertThat(times.encode(seconds(TimeType.NAT, 946_684_800 + 86_400)).toIntArray())
        .containsExactly(-1, 1);
    CfDecoding unsigned = coding(DataTypes.INT8, "{'_Unsigned': 'true', '_FillValue': -1}");
    assertThat(unsigned.encode(doubles(254, Double.NaN)).toByteArray()).containsExactly(-2, -1);
  }

  @Test
  void a_value_that_would_be_read_as_another_is_refused() {
    CfDecoding packed =
        coding(
            DataTypes.INT16, "{'scale_factor': 0.01, 'add_offset': 273.15, '_FillValue': -32768}");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> packed.encode(doubles(273.15, 700)))
        .withMessageContaining("the value 700.0 at [1] of the block does not fit int16; packed")
        .withMessageContaining("the numbers are -32768 to 32767");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> packed.encode(doubles(-54.53)))
        .withMessageContaining("would be stored as -32768, which stands for missing values");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> coding(DataTypes.INT16, "{}").encode(doubles(1, Double.NaN)))
        .withMessageContaining("the value NaN at [1] of the block has no int16")
        .withMessageContaining("_FillValue");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> coding(DataTypes.FLOAT32, "{}").encode(doubles(1e300)))
        .withMessageContaining("1.0E300 at [0] of the block does not fit float32");
    NdArray large = NdArray.ofLongs(DataTypes.INT64, Shape.of(2), 3, 300);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> coding(DataTypes.UINT8, "{}").encode(large))
        .withMessageContaining("the value 300 at [1] of the block does not fit uint8");
    NdArray negative = NdArray.ofLongs(DataTypes.INT64, Shape.of(1), -3);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> coding(DataTypes.UINT64, "{}").encode(negative))
        .withMessageContaining("the value -3");
    NdArray unsigned = NdArray.ofLongs(DataTypes.UINT64, Shape.of(1), -3);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> coding(DataTypes.INT64, "{}").encode(unsigned))
        .withMessageContaining("18446744073709551613");
  }

  @Test
  void a_time_between_two_integers_is_refused() {
    CfDecoding days = coding(DataTypes.INT32, "{'units': 'days since 2000-01-01'}");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> days.encode(seconds(946_684_800, 946_684_801)))
        .withMessageContaining("2000-01-01T00:00:01 at [1] of the block is no whole number in");
    NdArray millis =
        NdArray.ofLongs(
            DataTypes.datetime64(NumpyUnit.MILLISECOND, 1), Shape.of(1), 946_684_800_500L);
    assertThatIllegalArgumentException().isThrownBy(() -> days.encode(millis));
    CfDecoding reals = coding(DataTypes.FLOAT64, "{'units': 'seconds since 2000-01-01'}");
    assertThat(reals.encode(millis).toDoubleArray()).containsExactly(0.5);
    NdArray days64 =
        NdArray.ofLongs(DataTypes.datetime64(NumpyUnit.DAY, 1), Shape.of(1), 10_957 + 2);
    assertThat(days.encode(days64).toIntArray()).containsExactly(2);
  }

  @Test
  void values_of_another_kind_are_refused() {
    CfDecoding days = coding(DataTypes.INT32, "{'units': 'days since 2000-01-01'}");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> days.encode(doubles(1)))
        .withMessageContaining("values of float64 are no times")
        .withMessageContaining("raw()");
    NdArray texts = NdArray.ofStrings(DataTypes.STRING, Shape.of(1), "a");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> coding(DataTypes.INT16, "{}").encode(texts))
        .withMessageContaining("values of string cannot be stored as int16");
    CfDecoding booleans = coding(DataTypes.INT8, "{'dtype': 'bool'}");
    assertThat(booleans.encode(NdArray.ofBooleans(Shape.of(2), true, false)).toByteArray())
        .containsExactly(1, 0);
  }
}
