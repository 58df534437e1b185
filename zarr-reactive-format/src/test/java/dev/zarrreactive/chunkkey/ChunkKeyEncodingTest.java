package dev.zarrreactive.chunkkey;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.testing.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is refused is in {@code ArrayDocumentTest}. */
class ChunkKeyEncodingTest {
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      textBlock =
          """
          'default'                                                | c/1/23/45 | c/7 | c
          {'name': 'default'}                                      | c/1/23/45 | c/7 | c
          {'name': 'default', 'configuration': {'separator': '/'}} | c/1/23/45 | c/7 | c
          {'name': 'default', 'configuration': {'separator': '.'}} | c.1.23.45 | c.7 | c
          'v2'                                                     | 1.23.45   | 7   | 0
          {'name': 'v2', 'configuration': {}}                      | 1.23.45   | 7   | 0
          {'name': 'v2', 'configuration': {'separator': '.'}}      | 1.23.45   | 7   | 0
          {'name': 'v2', 'configuration': {'separator': '/'}}      | 1/23/45   | 7   | 0
          """)
  void a_chunk_is_named_by_its_index(String json, String three, String one, String none) {
    ChunkKeyEncoding encoding = ChunkKeyEncoding.of(Json.extension(json));
    assertThat(encoding.encode(1, 23, 45)).isEqualTo(three);
    assertThat(encoding.encode(7)).isEqualTo(one);
    assertThat(encoding.encode()).isEqualTo(none);
    assertThat(encoding.decode(three, 3)).containsExactly(1, 23, 45);
    assertThat(encoding.decode(one, 1)).containsExactly(7);
    assertThat(encoding.decode(none, 0)).isEmpty();
    assertThat(encoding.decode(three, 2)).isNull();
    assertThat(encoding.decode(one, 0)).isNull();
    assertThat(encoding.decode("zarr.json", 1)).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"c/01", "c/-1", "c/+1", "c/", "c", "c/1/", "c.1", "1", "c/9223372036854775808"})
  void a_key_of_no_chunk_has_no_index(String key) {
    assertThat(ChunkKeyEncoding.of(Json.extension("'default'")).decode(key, 1)).isNull();
  }

  @Test
  void the_largest_index_is_spelled_out() {
    assertThat(ChunkKeyEncoding.of(Json.extension("'default'")).encode(Long.MAX_VALUE, 0))
        .isEqualTo("c/9223372036854775807/0");
    assertThat(
            ChunkKeyEncoding.of(Json.extension("'default'")).decode("c/9223372036854775807/0", 2))
        .containsExactly(Long.MAX_VALUE, 0);
  }
}
