package dev.zarrreactive.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.datatype.JsonType;
import dev.zarrreactive.datatype.ListType;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonString;
import org.junit.jupiter.api.Test;

class VariableLengthArrayTest {
  private final NdArray texts =
      NdArray.ofStrings(DataTypes.STRING, Shape.of(2, 2), "a", "", "na\u00efve", "it's");

  @Test
  void texts_are_given_as_strings() {
    assertThat(texts.getString(1, 0)).isEqualTo("na\u00efve");
    assertThat(texts.toStringArray()).containsExactly("a", "", "na\u00efve", "it's");
    assertThat(texts.toJson(3)).isEqualTo(new JsonString("it's"));
    assertThat(texts).hasToString("string [2, 2]\n[['a' '']\n ['na\u00efve' 'it\\'s']]");
    assertThat(texts.reshape(Shape.of(4)).getString(3)).isEqualTo("it's");
  }

  @Test
  void byte_strings_are_given_as_bytes() {
    NdArray array = NdArray.ofByteStrings(Shape.of(2), Bytes.utf8("ab"), Bytes.EMPTY);
    assertThat(array.getByteString(0)).isEqualTo(Bytes.utf8("ab"));
    assertThat(array.getRaw(0)).isEqualTo(Bytes.utf8("ab"));
    assertThat(array).hasToString("bytes [2]\n[b'ab' b'']");
    assertThat(array.toJson(0)).isEqualTo(new JsonString("YWI="));
  }

  @Test
  void lists_and_json_values_are_given_as_such() {
    Bytes oneTwo = NdArray.ofShorts(DataTypes.INT16, Shape.of(2), (short) 1, (short) 2).bytes();
    NdArray lists = NdArray.ofValues(new ListType(DataTypes.INT16), Shape.of(1), oneTwo);
    assertThat(lists.getList(0).toIntArray()).containsExactly(1, 2);
    assertThat(lists.toJson(0)).hasToString("[1,2]");
    NdArray json = NdArray.ofValues(new JsonType(), Shape.of(1), JsonNumber.of(7));
    assertThat(json.toJson(0)).isEqualTo(JsonNumber.of(7));
  }

  @Test
  void an_accessor_of_another_type_is_refused_with_the_right_one() {
    assertThatThrownBy(() -> texts.getInt(0, 0))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("getString");
    assertThatThrownBy(texts::bytes)
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("string");
    assertThatThrownBy(texts::asByteBuffer).isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(texts::asIntBuffer).isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> texts.field("x")).isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> texts.getString(2, 0)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> texts.elements.stringAt(4))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void only_elements_of_the_type_are_taken() {
    assertThatThrownBy(() -> NdArray.ofValues(DataTypes.STRING, Shape.of(1), 7))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> NdArray.ofStrings(DataTypes.STRING, Shape.of(1), "\ud83d"))
        .hasMessageContaining("surrogate");
    assertThatThrownBy(() -> NdArray.ofStrings(DataTypes.STRING, Shape.of(2), "a"))
        .hasMessage("string of shape [2] takes 2 values, not 1");
    assertThatThrownBy(
            () ->
                NdArray.ofValues(
                    new ListType(DataTypes.INT16), Shape.of(1), Bytes.wrap(new byte[3])))
        .hasMessageContaining("3 bytes");
  }

  @Test
  void arrays_are_equal_where_type_shape_and_elements_are() {
    NdArray same =
        NdArray.ofStrings(DataTypes.STRING, Shape.of(2, 2), "a", "", "na\u00efve", "it's");
    assertThat(texts).isEqualTo(same).hasSameHashCodeAs(same);
    assertThat(texts).isNotEqualTo(same.reshape(Shape.of(4)));
    NdArray filled = NdArray.filled(Shape.of(2), FillValue.ofValue(DataTypes.STRING, "x"));
    assertThat(filled).isEqualTo(NdArray.ofStrings(DataTypes.STRING, Shape.of(2), "x", "x"));
  }
}
