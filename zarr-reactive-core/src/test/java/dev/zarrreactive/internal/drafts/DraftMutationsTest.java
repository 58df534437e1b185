package dev.zarrreactive.internal.drafts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.metadata.Draft;
import dev.zarrreactive.metadata.Drafts;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Whatever stands in the place of a value of a draft's document: it is read, or a located error.
 */
class DraftMutationsTest {
  private static final List<String> VALUES =
      List.of(
          "null",
          "true",
          "0",
          "-1",
          "1.5",
          "1e400",
          "9223372036854775807",
          "''",
          "'x'",
          "'0x'",
          "'0b'",
          "'+Infinity'",
          "'F'",
          "'<f8'",
          "'>U9999999999'",
          "'r8'",
          "'r0'",
          "'|O'",
          "[]",
          "[null]",
          "[[]]",
          "['x']",
          "[-1]",
          "[9223372036854775807, 9223372036854775807]",
          "{}",
          "{'type': 'x'}",
          "{'type': null}",
          "{'name': null, 'type': 'gzip'}",
          "{'configuration': null}",
          "{'extension': 'TODO', 'type': []}",
          "{'extension': 'TODO', 'type': [['', []]]}",
          "{'must_understand': false}",
          "{'name': 'x', 'fallback': []}",
          "{'name': 'x', 'fallback': [{}, [], 'r8']}");

  private static final String OF_2022 =
      """
      {'shape': [2, 3], 'data_type': {'extension': 'TODO', 'type': '<i2', 'fallback': 'r16'},
       'chunk_memory_layout': 'F', 'fill_value': '0x0000',
       'chunk_grid': {'type': 'regular', 'chunk_shape': [1, 3], 'separator': '/'},
       'codecs': [{'type': 'https://purl.org/zarr/spec/codecs/transpose/1.0',
                   'configuration': {'order': 'F'}},
                  {'type': 'https://purl.org/zarr/spec/codecs/endian/1.0',
                   'configuration': {'endian': 'big'}},
                  {'type': 'https://purl.org/zarr/spec/codecs/blosc/1.0',
                   'configuration': {'cname': 'lz4', 'clevel': 1, 'shuffle': 1, 'blocksize': 0}}],
       'storage_transformers': [{
           'extension': 'https://purl.org/zarr/spec/storage_transformers/sharding/1.0',
           'type': 'indexed', 'configuration': {'chunks_per_shard': [2, 1]}}],
       'extensions': [{'extension': 'x', 'must_understand': false}],
       'attributes': {'filters': [{'id': 'delta', 'dtype': '<i2'}]}}
      """;

  private static final String OF_2023 =
      """
      {'zarr_format': 3, 'node_type': 'array', 'shape': [2, 3],
       'data_type': {'name': 'x', 'configuration': null, 'fallback': ['r16', {'name': 'int16'}]},
       'chunk_grid': {'type': 'regular', 'configuration': {'chunk_shape': [2, 3]}},
       'chunk_key_encoding': {'type': 'default', 'configuration': null},
       'fill_value': '0b0000000000000000', 'extensions': [{'must_understand': false}],
       'codecs': [{'name': 'transpose', 'configuration': {'order': 'F'}},
                  {'type': 'sharding_indexed', 'configuration': {'chunk_shape': [3, 1],
                      'codecs': [{'type': 'gzip', 'configuration': {'level': 1}}]}}]}
      """;

  private final MemoryStore store = MemoryStore.create();

  @Test
  void the_documents_themselves_are_read() {
    assertThat(open2022(Draft2022NodesTest.ENTRY_POINT, OF_2022).warnings()).isNotEmpty();
    assertThat(open2022(Draft2022NodesTest.OLDER_ENTRY_POINT, Draft2022NodesTest.ARRAY))
        .isNotNull();
    assertThat(open2023(OF_2023).warnings()).isNotEmpty();
  }

  @Test
  void an_array_of_2022() {
    for (String document : mutations(OF_2022)) {
      readOrRefused(() -> open2022(Draft2022NodesTest.ENTRY_POINT, document), document);
      readOrRefused(() -> open2022(Draft2022NodesTest.OLDER_ENTRY_POINT, document), document);
    }
  }

  @Test
  void an_entry_point_of_2022() {
    for (String entryPoint : mutations(Draft2022NodesTest.ENTRY_POINT)) {
      readOrRefused(() -> open2022(entryPoint, Draft2022NodesTest.ARRAY), entryPoint);
    }
    for (String entryPoint : mutations(Draft2022NodesTest.OLDER_ENTRY_POINT)) {
      readOrRefused(() -> open2022(entryPoint, Draft2022NodesTest.ARRAY), entryPoint);
    }
  }

  @Test
  void an_array_of_2023() {
    for (String document : mutations(OF_2023)) {
      readOrRefused(() -> open2023(document), document);
    }
  }

  private static void readOrRefused(Runnable opening, String document) {
    try {
      opening.run();
    } catch (ZarrException e) {
      assertThat(e.getMessage()).as(document).containsPattern("\\((node|key) ");
    } catch (RuntimeException e) {
      throw new AssertionError(document, e);
    }
  }

  private ZarrNode open2022(String entryPoint, String array) {
    put("zarr.json", entryPoint);
    put("meta/array.json", array);
    put("meta/root.array.json", array);
    return open(Draft.OF_2022);
  }

  private ZarrNode open2023(String array) {
    put("zarr.json", array);
    return open(Draft.OF_2023);
  }

  private ZarrNode open(Draft draft) {
    ZarrOptions options =
        ZarrOptions.defaults().withDrafts(Drafts.of(draft).withFallbackDataTypes());
    return Zarr.hierarchy(store, options).open("").block();
  }

  /** The document with each of its values taken out or replaced by each of others. */
  private static List<String> mutations(String text) {
    JsonObject document = Json.object(text);
    List<String> places = new ArrayList<>();
    collect(document, "", places);
    List<String> mutations = new ArrayList<>();
    for (String place : places) {
      mutations.add(Json.edited(document, "-" + place).toString());
      for (String value : VALUES) {
        mutations.add(Json.edited(document, place + "=" + value).toString());
      }
    }
    return mutations;
  }

  private static void collect(JsonValue value, String place, List<String> places) {
    if (!place.isEmpty()) {
      places.add(place);
    }
    if (value instanceof JsonObject object) {
      for (Map.Entry<String, JsonValue> member : object.members().entrySet()) {
        collect(member.getValue(), place + "/" + member.getKey(), places);
      }
    } else if (value instanceof JsonArray array) {
      for (int i = 0; i < array.elements().size(); i++) {
        collect(array.elements().get(i), place + "/" + i, places);
      }
    }
  }

  private void put(String key, String json) {
    store.set(StoreKey.of(key), Bytes.utf8(json.replace('\'', '"'))).block();
  }
}
