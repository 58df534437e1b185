package dev.zarrreactive.array.selection;

import static dev.zarrreactive.array.selection.DimensionSelection.at;
import static dev.zarrreactive.array.selection.DimensionSelection.ellipsis;
import static dev.zarrreactive.array.selection.DimensionSelection.every;
import static dev.zarrreactive.array.selection.DimensionSelection.from;
import static dev.zarrreactive.array.selection.DimensionSelection.full;
import static dev.zarrreactive.array.selection.DimensionSelection.indices;
import static dev.zarrreactive.array.selection.DimensionSelection.slice;
import static dev.zarrreactive.array.selection.DimensionSelection.to;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.Shape;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SelectionParseTest {

  @Test
  void numpy_notation_says_what_the_methods_say() {
    assertThat(Selection.parse("0:10,::2,5"))
        .isEqualTo(Selection.of(slice(0, 10), every(2), at(5)));
    assertThat(Selection.parse("3:,:-3,:")).isEqualTo(Selection.of(from(3), to(-3), full()));
    assertThat(Selection.parse("1:9:3")).isEqualTo(Selection.of(slice(1, 9, 3)));
    assertThat(Selection.parse("...")).isEqualTo(Selection.all());
    assertThat(Selection.parse("-1,...,[1,5,7]"))
        .isEqualTo(Selection.of(at(-1), ellipsis(), indices(1, 5, 7)));
    assertThat(Selection.parse("[]")).isEqualTo(Selection.of(indices()));
    assertThat(Selection.parse("::")).isEqualTo(Selection.of(full()));
    assertThat(Selection.parse("1:2:")).isEqualTo(Selection.of(slice(1, 2)));
    assertThat(Selection.parse("9223372036854775807")).isEqualTo(Selection.of(at(Long.MAX_VALUE)));
  }

  @Test
  void white_space_counts_for_nothing() {
    assertThat(Selection.parse(" 0 : 10 , [ 1 , 2 ] ,\t... "))
        .isEqualTo(Selection.parse("0:10,[1,2],..."));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "...",
        "5",
        "-5",
        ":",
        "::2",
        "1:",
        ":1",
        "1:2",
        "1:2:3",
        "-3:-1",
        "[1,-5,7]",
        "[]",
        "0:10,::2,5",
        "...,0",
        "1,...,[2],:"
      })
  void is_printed_in_the_same_notation(String notation) {
    assertThat(Selection.parse(notation)).hasToString(notation);
  }

  @ParameterizedTest(name = "\"{0}\"")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "`` | 1 | expected an integer, a slice such as 0:10 or ::2, a list such as [1,5,7], or ..., found the end",
        "`  ` | 3 | found the end",
        "0:10,,5 | 6 | a list such as [1,5,7], or ..., found \",\"",
        "5, | 3 | found the end",
        "a | 1 | found \"a\"",
        "1.5 | 2 | expected a comma or the end, found \".\"",
        "1 2 | 3 | expected a comma or the end, found \"2\"",
        ".. | 1 | found \".\"",
        "0:b | 3 | expected a comma or the end, found \"b\"",
        "1:2:3:4 | 6 | expected a comma or the end, found \":\"",
        "-,1 | 2 | expected a digit, found \",\"",
        "- 1 | 3 | expected a digit, found \"1\"",
        "0:10:0 | 6 | the step of a slice is positive, not 0",
        "1,::-1 | 5 | the step of a slice is positive, not -1",
        "0,[1,2 | 7 | expected a comma or ], found the end",
        "[1,] | 4 | expected an integer, found \"]\"",
        "[1:2] | 3 | expected a comma or ], found \":\"",
        "[[1]] | 2 | expected an integer, found \"[\"",
        "...,1,... | 7 | a second ellipsis",
        "9223372036854775808 | 1 | expected a 64-bit integer, found 9223372036854775808",
        "٣ | 1 | found \"٣\"",
      })
  void what_is_no_selection_is_refused_where_it_goes_wrong(
      String notation, int position, String message) {
    assertThatThrownBy(() -> Selection.parse(notation))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("selection \"" + notation + "\", position " + position + ": ")
        .hasMessageContaining(message);
  }

  @Test
  void a_list_of_a_million_indices_is_no_trouble() {
    String list = "[" + "0,".repeat(1_000_000) + "0]";
    ResolvedSelection.Orthogonal resolved =
        (ResolvedSelection.Orthogonal) Selection.parse(list).resolve(Shape.of(1));
    assertThat(resolved.axes().get(0).count()).isEqualTo(1_000_001);
  }
}
