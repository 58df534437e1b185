package dev.zarrreactive.internal.icechunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.json.JsonObject;
import org.junit.jupiter.api.Test;

/** The configuration of version 1, as icechunk writes it. */
class YamlConfigTest {
  @Test
  void lists_in_lists_and_tags_in_them_are_read() {
    JsonObject config =
        read(
            """
            manifest:
              splitting:
                split_sizes:
                - - !name_matches
                    regex: split.*
                  - - condition: !Axis 0
                      num_chunks: 2
                    - condition: Any
                      num_chunks: 3
            virtual_chunk_containers: null
            """);
    assertThat(config)
        .hasToString(
            "{\"manifest\":{\"splitting\":{\"split_sizes\":[[{\"name_matches\":{\"regex\":\"split.*\"}},"
                + "[{\"condition\":{\"Axis\":\"0\"},\"num_chunks\":\"2\"},"
                + "{\"condition\":\"Any\",\"num_chunks\":\"3\"}]]]}},"
                + "\"virtual_chunk_containers\":null}");
  }

  @Test
  void other_yaml_is_refused_with_its_line() {
    assertThatThrownBy(() -> read("a: 1\nb: {c: 2}\n"))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("line 2");
    assertThatThrownBy(() -> read("- ".repeat(200) + "a\n"))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("depth");
  }

  private static JsonObject read(String yaml) {
    return YamlConfig.read(Bytes.utf8(yaml), "config.yaml");
  }
}
