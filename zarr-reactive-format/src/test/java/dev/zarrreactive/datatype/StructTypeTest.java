package dev.zarrreactive.datatype;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteOrder;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Items of fields: packed in the order of their declaration, with what codecs need to know. */
class StructTypeTest {
  private static final StructType POINT =
      DataTypes.struct(
          new StructField("x", DataTypes.FLOAT32), new StructField("y", DataTypes.FLOAT32));

  @Test
  void fields_lie_one_after_another_without_padding() {
    StructType type =
        DataTypes.struct(
            new StructField("id", DataTypes.INT32),
            new StructField("flags", DataTypes.UINT8),
            new StructField("value", DataTypes.FLOAT64));
    assertThat(type.itemSize()).isEqualTo(13);
    assertThat(type.fields()).extracting(type::offset).containsExactly(0, 4, 5);
    assertThat(type.field("flags").dataType()).isEqualTo(DataTypes.UINT8);
    assertThat(type.components())
        .containsExactly(new Components(4, 1), new Components(1, 1), new Components(8, 1));
  }

  @Test
  void nested_fields_come_before_the_next_one() {
    StructType type =
        DataTypes.struct(
            new StructField("point", POINT), new StructField("value", DataTypes.FLOAT64));
    assertThat(type.itemSize()).isEqualTo(16);
    assertThat(type.offset(type.field("value"))).isEqualTo(8);
    assertThat(type.components()).containsExactly(new Components(4, 2), new Components(8, 1));
  }

  @Test
  void components_of_one_size_are_one_entry() {
    StructType type =
        DataTypes.struct(
            new StructField("a", DataTypes.INT32),
            new StructField("text", DataTypes.fixedLengthUtf32(5)),
            new StructField("z", DataTypes.COMPLEX64));
    assertThat(type.components()).containsExactly(new Components(4, 8));
  }

  @Test
  void a_struct_of_single_bytes_has_no_byte_order() {
    assertThat(DataTypes.struct(new StructField("r", DataTypes.raw(64))).hasByteOrder()).isFalse();
    assertThat(POINT.hasByteOrder()).isTrue();
  }

  @Test
  void a_fill_value_of_the_other_byte_order_is_turned_around_component_by_component() {
    StructType type =
        DataTypes.struct(
            new StructField("a", DataTypes.INT16),
            new StructField("r", DataTypes.raw(16)),
            new StructField("b", DataTypes.UINT32));
    byte[] packed = {1, 2, 3, 4, 5, 6, 7, 8};
    assertThat(FillValue.of(type, packed, ByteOrder.BIG_ENDIAN).image())
        .containsExactly(2, 1, 3, 4, 8, 7, 6, 5);
    assertThat(FillValue.of(type, packed, ByteOrder.LITTLE_ENDIAN).image()).containsExactly(packed);
  }

  @Test
  void an_item_in_an_array_is_read() {
    byte[] images = {9, 0, 0, -128, 63, 0, 0, 0, -64};
    assertThat(POINT.toJson(images, 1)).hasToString("{\"x\":1.0,\"y\":-2.0}");
  }

  @Test
  void structs_that_cannot_be_are_not_made() {
    assertThatThrownBy(DataTypes::struct)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a struct has at least one field");
    StructField a = new StructField("a", DataTypes.INT8);
    assertThatThrownBy(() -> DataTypes.struct(a, a)).hasMessage("two fields have the name \"a\"");
    assertThatThrownBy(() -> new StructField("", DataTypes.INT8))
        .hasMessageContaining("needs a name");
    StructField large = new StructField("large", DataTypes.raw(8 * (16 << 20)));
    assertThat(DataTypes.struct(large).itemSize()).isEqualTo(16 << 20);
    assertThatThrownBy(() -> DataTypes.struct(large, a)).hasMessageContaining("at most 16777216");
  }

  @Test
  void a_field_that_is_not_there_is_named_with_those_that_are() {
    assertThatThrownBy(() -> POINT.field("z"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("no field \"z\"; there are x, y");
  }

  @Test
  void the_old_name_goes_at_every_level() {
    StructType inner = new StructType("structured", POINT.fields());
    StructType outer = new StructType("structured", List.of(new StructField("p", inner)));
    assertThat(outer.toStruct().toMetadata().toString()).doesNotContain("structured");
    assertThat(outer.toStruct()).isEqualTo(outer);
  }
}
