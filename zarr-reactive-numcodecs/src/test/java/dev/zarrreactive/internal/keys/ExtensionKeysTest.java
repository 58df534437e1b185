package dev.zarrreactive.internal.keys;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.chunkkey.ChunkKeyEncoding;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.LocatedJson;
import dev.zarrreactive.testing.Json;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys by the encodings of zarr-extensions, as their descriptions and programs have them. */
class ExtensionKeysTest {
  private static ChunkKeyEncoding keys(String name, String configuration) {
    return ChunkKeyEncoding.of(Json.extension(name, configuration));
  }

  private static ChunkKeyEncoding template(String template, String separator) {
    return ChunkKeyEncoding.of(
        NamedConfiguration.of(
            "template", JsonObject.EMPTY.with("format", template).with("separator", separator)));
  }

  private static long[] index(String text) {
    return text.isEmpty()
        ? new long[0]
        : Arrays.stream(text.split(",")).mapToLong(Long::parseLong).toArray();
  }

  private static void assertKey(ChunkKeyEncoding keys, long[] index, String key) {
    assertThat(keys.encode(index)).isEqualTo(key);
    assertThat(keys.decode(key, index.length)).containsExactly(index);
  }

  @Test
  void the_encodings_are_found_and_named() {
    assertThat(ChunkKeyEncoding.names())
        .containsExactly("default", "fanout", "suffix", "template", "v2");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          c/{*}        | / | 11,22,33 | c/11/22/33
          {*}          | . | 11,22,33 | 11.22.33
          prefix/{*}   | / | 11,22,33 | prefix/11/22/33
          {*}.suffix   | _ | 11,22,33 | 11_22_33.suffix
          {2}/{0}/{1}  | . | 11,22,33 | 33/11/22
          {-1}/{*}     | / | 11,22,33 | 33/11/22
          {*:04}       | / | 11,22,33 | 0011/0022/0033
          {*:02}       | / | 111,2,33 | 111/02/33
          """)
  void a_template_has_the_keys_of_its_description(
      String template, String separator, String index, String key) {
    assertKey(template(template, separator), index(index), key);
  }

  @Test
  void a_template_has_the_keys_of_the_program_that_made_it() throws IOException {
    List<String> lines;
    try (InputStream in =
        requireNonNull(ExtensionKeysTest.class.getResourceAsStream("template-keys.tsv"))) {
      lines = new String(in.readAllBytes(), UTF_8).lines().toList();
    }
    assertThat(lines).hasSize(400);
    for (String line : lines) {
      String[] parts = line.split("\t");
      assertKey(template(parts[0], parts[1]), index(parts[2]), parts[3]);
    }
  }

  @Test
  void a_template_may_have_the_name_of_its_description() {
    assertKey(keys("template", "{'template': 'z{0}/y{1}'}"), index("3,4"), "z3/y4");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "plain",
        "{0}{1}",
        "{0}7{1}",
        "{0",
        "0}",
        "{x}",
        "{0:4}",
        "{00}",
        "/{0}",
        "{0}/../{1}",
        "a//{0}",
        "zarr.json{0}",
        "{0}/",
        "{*}/{*}",
        "\\{0}"
      })
  void a_template_that_is_none_is_refused_with_its_place(String template) {
    assertThatThrownBy(
            () ->
                ChunkKeyEncoding.of(
                    NamedConfiguration.of(
                        "template",
                        LocatedJson.of(
                            JsonObject.EMPTY.with("format", template).with("separator", "/")))))
        .isInstanceOf(MetadataException.class)
        .hasMessageContaining("/format");
  }

  @Test
  void a_template_is_refused_for_other_numbers_of_dimensions() {
    ChunkKeyEncoding two = template("{0}/{1}", "/");
    assertThatThrownBy(() -> two.encode(1)).hasMessageContaining("each of 1 dimensions once");
    assertThatThrownBy(() -> two.encode(1, 2, 3)).hasMessageContaining("each of 3 dimensions");
    assertThatThrownBy(() -> template("{0}/{-2}", "/").encode(1, 2))
        .hasMessageContaining("each of 2 dimensions once");
    assertThatThrownBy(() -> template("{0}/{*}", "/").encode(1))
        .hasMessageContaining("no dimension of 1 is left for {*}");
    assertThatThrownBy(() -> keys("template", "{'format': '{*}'}"))
        .hasMessageContaining("with a separator");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          ''           | c
          123          | d0/1/23/c
          1234,5,67890 | d0/12/34/d1/5/d2/6/78/90/c
          0,99,100     | d0/0/d1/99/d2/1/0/c
          9223372036854775807 | d0/9/22/33/72/3/68/54/77/58/7/c
          """)
  void fanout_splits_each_number_into_digits(String index, String key) {
    assertKey(keys("fanout", "{'max_children': 101}"), index(index), key);
  }

  @Test
  void fanout_has_1001_children_by_default() {
    assertKey(keys("fanout", "{}"), index("1234567"), "d0/1/234/567/c");
    assertThatThrownBy(() -> keys("fanout", "{'max_children': 3}"))
        .isInstanceOf(MetadataException.class)
        .hasMessageContaining("/max_children");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "c",
        "d0/c",
        "d0/01/c",
        "d0/1/23",
        "d0/1/23/c/",
        "d1/1/c",
        "d0//1/c",
        "d0/100/c",
        "d0/1/d1/2/c",
        "d0/99/99/99/99/99/99/99/99/99/99/c"
      })
  void a_key_of_no_chunk_has_no_index(String key) {
    assertThat(keys("fanout", "{'max_children': 101}").decode(key, 1)).isNull();
  }

  @Test
  void a_suffix_stands_behind_the_keys_of_another_encoding() {
    assertKey(
        keys("suffix", "{'suffix': '.tiff', 'base-encoding': {'name': 'default'}}"),
        index("1,2"),
        "c/1/2.tiff");
    ChunkKeyEncoding zip =
        keys("suffix", "{'suffix': '.shard.zip', 'base_encoding': {'name': 'v2'}}");
    assertKey(zip, index("1,2"), "1.2.shard.zip");
    assertThat(zip.decode("1.2", 2)).isNull();
    assertThat(zip.decode("1.2.3.shard.zip", 2)).isNull();
    assertThatThrownBy(() -> keys("suffix", "{'suffix': '.tiff'}"))
        .isInstanceOf(MetadataException.class)
        .hasMessageContaining("base_encoding");
    assertThatThrownBy(() -> keys("suffix", "{'suffix': '/../x', 'base_encoding': 'v2'}"))
        .isInstanceOf(MetadataException.class)
        .hasMessageContaining("/suffix");
  }

  @Test
  void no_two_chunks_have_one_key() {
    for (ChunkKeyEncoding keys :
        List.of(
            template("a{-1:02}1b1{*}", "0x0"),
            keys("fanout", "{'max_children': 4}"),
            keys("suffix", "{'suffix': '0', 'base_encoding': 'v2'}"))) {
      Set<String> seen = new HashSet<>();
      for (long i = 0; i < 30; i++) {
        for (long j = 0; j < 30; j++) {
          for (long k = 0; k < 12; k++) {
            String key = keys.encode(i, j, k);
            assertThat(seen.add(key)).as(key).isTrue();
            assertThat(keys.decode(key, 3)).containsExactly(i, j, k);
          }
        }
      }
    }
  }
}
