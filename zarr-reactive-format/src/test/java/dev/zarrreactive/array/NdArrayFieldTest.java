package dev.zarrreactive.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.Datetime64Type;
import dev.zarrreactive.datatype.NumpyUnit;
import dev.zarrreactive.datatype.StructField;
import dev.zarrreactive.datatype.StructType;
import dev.zarrreactive.datatype.Timedelta64Type;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Structs: one field of all items as an array, an item as JSON, and in print. */
class NdArrayFieldTest {
  private static final StructType INNER =
      DataTypes.struct(
          new StructField("p", DataTypes.FLOAT32), new StructField("q", DataTypes.UINT16));
  private static final StructType TYPE =
      DataTypes.struct(
          new StructField("a", DataTypes.UINT8),
          new StructField("n", INNER),
          new StructField("s", DataTypes.fixedLengthUtf32(1)));

  /** Two items, with something before and after them in memory. */
  private static final NdArray ITEMS =
      NdArray.wrap(
          TYPE,
          Shape.of(2, 1),
          Bytes.wrap(
              new byte[] {
                99, 7, 0, 0, -128, 63, 1, 1, 'x', 0, 0, 0, //
                -1, 0, 0, 0, -64, 2, 0, 0, 0, 0, 0, 99
              },
              1,
              22));

  @Test
  void a_field_is_an_array_of_the_same_shape() {
    NdArray a = ITEMS.field("a");
    assertThat(a.shape()).isEqualTo(Shape.of(2, 1));
    assertThat(a.dataType()).isEqualTo(DataTypes.UINT8);
    assertThat(a.toIntArray()).containsExactly(7, 255);
    assertThat(ITEMS.field("s").toStringArray()).containsExactly("x", "");
  }

  @Test
  void a_field_of_a_field_is_too() {
    assertThat(ITEMS.field("n").dataType()).isEqualTo(INNER);
    assertThat(ITEMS.field("n").field("p").toFloatArray()).containsExactly(1, -2);
    assertThat(ITEMS.field("n").field("q").getInt(0, 0)).isEqualTo(257);
  }

  @Test
  void an_item_is_json() {
    assertThat(ITEMS.toJson(0)).hasToString("{\"a\":7,\"n\":{\"p\":1.0,\"q\":257},\"s\":\"x\"}");
  }

  @Test
  void items_are_printed_as_tuples() {
    assertThat(ITEMS)
        .hasToString(
            """
            struct{a: uint8, n: struct{p: float32, q: uint16}, s: fixed_length_utf32[4]} [2, 1]
            [[(7, (1., 257), 'x')]
             [(255, (-2., 2), '')]]""");
    DataType one = DataTypes.struct(new StructField("a", DataTypes.INT8));
    assertThat(NdArray.wrap(one, Shape.SCALAR, Bytes.wrap(new byte[] {5})))
        .hasToString("struct{a: int8} []\n(5,)");
  }

  @Test
  void what_is_no_field_is_refused() {
    assertThatThrownBy(() -> ITEMS.field("z"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("no field \"z\"; there are a, n, s");
    assertThatThrownBy(() -> ITEMS.getLong(0, 0))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageEndingWith("cannot be read as a long without loss; use field(name)");
    assertThatThrownBy(() -> NdArray.ofDoubles(Shape.of(1), 1.0).field("a"))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessage(
            "float64 cannot be read as fields without loss; use getDouble or toDoubleArray");
  }

  @Test
  void an_array_without_items_has_fields_without_values() {
    NdArray none = NdArray.wrap(TYPE, Shape.of(0, 3), Bytes.wrap(new byte[0]));
    assertThat(none.field("n").field("q").shape()).isEqualTo(Shape.of(0, 3));
    assertThat(none).hasToString(TYPE + " [0, 3]\n[]");
  }

  @Test
  void many_items_are_shown_by_their_edges() {
    StructType type =
        DataTypes.struct(new StructField("t", DataTypes.datetime64(NumpyUnit.DAY, 1)));
    NdArray many = NdArray.wrap(type, Shape.of(2000), Bytes.wrap(new byte[16000]));
    String day = "(1970-01-01,)";
    assertThat(many.toString().lines().skip(1).toList())
        .isEqualTo(
            Arrays.asList("[" + String.join(" ", day, day, day, "...", day, day), " " + day + "]"));
  }

  @Test
  void structs_are_made_of_their_fields() {
    NdArray made = NdArray.ofFields(TYPE, ITEMS.field("a"), ITEMS.field("n"), ITEMS.field("s"));
    assertThat(made).isEqualTo(ITEMS);
    NdArray a = ITEMS.field("a");
    assertThatThrownBy(() -> NdArray.ofFields(TYPE, a))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageEndingWith("has 3 fields, not 1");
    assertThatThrownBy(() -> NdArray.ofFields(TYPE, a, a, a))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "the field \"n\" is of " + INNER + " and shape [2, 1], not of uint8 and shape [2, 1]");
    assertThatThrownBy(
            () -> NdArray.ofFields(TYPE, a, ITEMS.field("n").squeeze(), ITEMS.field("s")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("and shape [2]");
  }

  @Test
  void times_are_made_of_java_times() {
    Instant time = Instant.parse("2026-11-23T12:30:00Z");
    NdArray times = NdArray.ofInstants(new Datetime64Type(NumpyUnit.MINUTE, 15), Shape.of(1), time);
    assertThat(times.getInstant(0)).isEqualTo(time);
    assertThatThrownBy(
            () -> NdArray.ofInstants(new Datetime64Type(NumpyUnit.DAY, 1), Shape.of(1), time))
        .isInstanceOf(DateTimeException.class);
    NdArray lengths =
        NdArray.ofDurations(
            new Timedelta64Type(NumpyUnit.SECOND, 1), Shape.of(1), Duration.ofMinutes(-2));
    assertThat(lengths.getLong(0)).isEqualTo(-120);
    assertThatThrownBy(() -> NdArray.ofInstants(new Datetime64Type(NumpyUnit.DAY, 1), Shape.of(2)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
