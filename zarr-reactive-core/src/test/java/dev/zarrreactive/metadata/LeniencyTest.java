package dev.zarrreactive.metadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.UnreadableNode;
import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.Leniency;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.store.memory.MemoryStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The table of {@code docs/leniencies.md}, and what the reader of nodes reports. */
class LeniencyTest {
  private static final Path PAGE = Path.of("../docs/leniencies.md");

  private static final Pattern ROW = Pattern.compile("\\| `([a-z0-9-]+)` \\|.*\\| (.*) \\|");

  private static final String V2_ARRAY =
      "{'zarr_format': 2, 'shape': [4], 'chunks': [2], 'dtype': '<f4', 'compressor': null,"
          + " 'fill_value': 0, 'order': 'C', 'filters': null}";
  private static final String V2_GROUP = "{'zarr_format': 2}";
  private static final String V3_ARRAY =
      "{'zarr_format': 3, 'node_type': 'array', 'shape': [2], 'data_type': 'r16',"
          + " 'chunk_grid': {'name': 'regular', 'configuration': {'chunk_shape': [2]}},"
          + " 'chunk_key_encoding': {'name': 'default'}, 'fill_value': [1, 2],"
          + " 'codecs': [{'name': 'bytes'}]}";
  private static final String V3_GROUP = "{'zarr_format': 3, 'node_type': 'group'}";
  private static final String DRAFT = "https://purl.org/zarr/spec/protocol/core/3.0";

  private static final String SHARDED =
      V3_ARRAY
          .replace("'shape': [2]", "'shape': [4]")
          .replace("'chunk_shape': [2]", "'chunk_shape': [4]")
          .replace(
              "[{'name': 'bytes'}]",
              "[{'name': 'sharding_indexed', 'configuration': {'chunk_shape': [2], 'codecs':"
                  + " [{'name': 'bytes'}], 'index_codecs': [{'name': 'bytes', 'configuration':"
                  + " {'endian': 'little'}}]}}]");
  private static final String EDGES =
      "{'name': 'rectilinear', 'configuration': {'kind': 'inline', 'chunk_shapes': [%s]}}";

  /** Documents by key, each set of which is read with one leniency. */
  private static final Map<Leniency, List<Map<String, String>>> SAMPLES =
      new EnumMap<>(Leniency.class);

  static {
    sample(Leniency.TOKEN_AS_FILL_VALUE, v2("<f4", "NaN"));
    sample(Leniency.TOKEN_AS_FILL_VALUE, v2("<c16", "[0, -Infinity]"));
    sample(
        Leniency.TOKEN_IN_ATTRIBUTES, Map.of("a/.zarray", V2_ARRAY, "a/.zattrs", "{'x': [NaN]}"));
    sample(
        Leniency.TOKEN_IN_ATTRIBUTES,
        Map.of("a/zarr.json", with(V3_GROUP, "'attributes': {'x': Infinity}")));
    sample(
        Leniency.TOKEN_IN_CONSOLIDATED_METADATA,
        Map.of("a/zarr.json", consolidated("{'b': {'fill_value': NaN}}")));
    sample(
        Leniency.TOKEN_IN_CONSOLIDATED_METADATA,
        Map.of(
            "a/.zgroup",
            V2_GROUP,
            "a/.zmetadata",
            "{'zarr_consolidated_format': 1, 'metadata': {'b/.zarray': {'x': NaN}}}"));
    sample(
        Leniency.DUPLICATE_MEMBER,
        Map.of("a/zarr.json", with(V3_GROUP, "'attributes': {'x': 1, 'x': 2}")));
    sample(
        Leniency.DUPLICATE_MEMBER,
        Map.of("a/zarr.json", consolidated("{'b': " + V3_GROUP + ", 'b': " + V3_GROUP + "}")));
    sample(Leniency.BYTE_ORDER_MARK, Map.of("a/zarr.json", "\uFEFF" + V3_GROUP));
    sample(Leniency.BYTE_ORDER_MARK, Map.of("a/.zgroup", "\uFEFF" + V2_GROUP));
    sample(Leniency.NULL_ATTRIBUTES, Map.of("a/zarr.json", with(V3_GROUP, "'attributes': null")));
    sample(Leniency.QUOTED_FILL_VALUE, v2("<i4", "'-7'"));
    sample(Leniency.QUOTED_FILL_VALUE, v2("|b1", "'false'"));
    sample(Leniency.ZERO_AS_EMPTY_FILL_VALUE, v2("<U3", "0"));
    sample(Leniency.NUMBER_AS_BOOLEAN_FILL_VALUE, v2("|b1", "1"));
    sample(Leniency.DECIMAL_AS_INTEGER_FILL_VALUE, v2("<i4", "3.0"));
    sample(Leniency.PLAIN_TEXT_FILL_VALUE, v2("|S3", "'a b'"));
    sample(
        Leniency.BASE64_FILL_VALUE, Map.of("a/zarr.json", V3_ARRAY.replace("[1, 2],", "'AQI=',")));
    sample(
        Leniency.EMPTY_CHUNK,
        Map.of(
            "a/.zarray",
            V2_ARRAY.replace("'shape': [4], 'chunks': [2]", "'shape': [0], 'chunks': [0]")));
    sample(
        Leniency.EMPTY_CHUNK,
        Map.of(
            "a/zarr.json",
            V3_ARRAY
                .replace("'shape': [2]", "'shape': [0]")
                .replace("'chunk_shape': [2]", "'chunk_shape': [0]")));
    sample(
        Leniency.SPELLED_CHUNK_EXTENT,
        Map.of("a/.zarray", V2_ARRAY.replace("'chunks': [2]", "'chunks': [true]")));
    sample(
        Leniency.SPELLED_CHUNK_EXTENT,
        Map.of("a/zarr.json", V3_ARRAY.replace("'chunk_shape': [2]", "'chunk_shape': [true]")));
    sample(
        Leniency.SPELLED_CHUNK_EXTENT,
        Map.of("a/zarr.json", SHARDED.replace("'chunk_shape': [2]", "'chunk_shape': [true]")));
    sample(Leniency.SPELLED_CHUNK_EXTENT, Map.of("a/zarr.json", grid("[2]", EDGES, "[[2.0, 1]]")));
    sample(
        Leniency.EDGES_IN_REGULAR_GRID,
        Map.of(
            "a/zarr.json",
            grid(
                "[2, 4]",
                "{'name': 'regular', 'configuration': {'chunk_shape': %s}}",
                "[1, [1, 3]]")));
    sample(Leniency.ARRAY_AND_GROUP, Map.of("a/.zarray", V2_ARRAY, "a/.zgroup", V2_GROUP));
    sample(
        Leniency.SLASH_IN_CONSOLIDATED_METADATA,
        Map.of("a/zarr.json", consolidated("{'/b': " + V3_GROUP + "}")));
    sample(
        Leniency.FALLBACK_DATA_TYPE,
        Map.of(
            "a/zarr.json",
            V3_ARRAY.replace(
                "'data_type': 'r16'", "'data_type': {'name': 'new', 'fallback': 'r16'}")));
    sample(Leniency.DRAFT_2023, Map.of("a/zarr.json", with(V3_GROUP, "'extensions': []")));
    sample(
        Leniency.DRAFT_2022,
        Map.of(
            "zarr.json",
            "{'zarr_format': '%s', 'metadata_encoding': '%s', 'metadata_key_suffix': '.json'}"
                .formatted(DRAFT, DRAFT),
            "meta/root/a.group.json",
            "{'attributes': {}}"));
  }

  private static void sample(Leniency leniency, Map<String, String> documents) {
    SAMPLES.computeIfAbsent(leniency, any -> new ArrayList<>()).add(documents);
  }

  private static Map<String, String> v2(String dtype, String fillValue) {
    String document = V2_ARRAY.replace("<f4", dtype);
    return Map.of("a/.zarray", document.replace("'fill_value': 0", "'fill_value': " + fillValue));
  }

  private static String grid(String shape, String grid, String edges) {
    return V3_ARRAY
        .replace("'shape': [2]", "'shape': " + shape)
        .replace(
            "{'name': 'regular', 'configuration': {'chunk_shape': [2]}}", grid.formatted(edges));
  }

  private static String with(String document, String member) {
    return document.substring(0, document.length() - 1) + ", " + member + "}";
  }

  private static String consolidated(String metadata) {
    return with(
        V3_GROUP, "'consolidated_metadata': {'kind': 'inline', 'metadata': " + metadata + "}");
  }

  @ParameterizedTest
  @EnumSource
  void every_leniency_is_a_warning_as_the_table_says(Leniency leniency) throws IOException {
    Pattern said =
        Pattern.compile(
            Arrays.stream(table().get(leniency.toString()).split("…", -1))
                .map(Pattern::quote)
                .collect(Collectors.joining(".*")));
    assertThat(SAMPLES).containsKey(leniency);
    for (Map<String, String> documents : SAMPLES.get(leniency)) {
      List<MetadataWarning> warnings = warnings(documents);
      assertThat(warnings)
          .as("%s", documents)
          .filteredOn(warning -> warning.leniency() == leniency)
          .isNotEmpty()
          .allSatisfy(warning -> assertThat(warning.location().storeKey()).isNotNull())
          .anySatisfy(warning -> assertThat(warning.statement()).matches(said));
      if (!leniency.isByOption()) {
        assertThat(warnings).extracting(MetadataWarning::leniency).containsOnly(leniency);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void without_leniencies_the_node_is_unreadable_and_its_error_names_the_leniency(
      Leniency leniency) {
    for (Map<String, String> documents : SAMPLES.get(leniency)) {
      ZarrHierarchy strict = hierarchy(documents, false);
      String path = leniency == Leniency.DRAFT_2022 ? "" : "a";
      String name = leniency.isByOption() ? "" : leniency.toString(); // a draft is named first
      assertThatThrownBy(() -> strict.open(path).block())
          .isInstanceOf(MetadataException.class)
          .hasMessageContaining("refuse the leniency " + name);
      assertThat(strict.inspect(path).block())
          .isInstanceOfSatisfying(
              UnreadableNode.class,
              node -> assertThat(node.error().getMessage()).contains("the leniency " + name));
    }
  }

  @Test
  void without_leniencies_an_entry_of_consolidated_metadata_is_unreadable_alone() {
    ZarrHierarchy strict =
        hierarchy(
            Map.of(
                "a/zarr.json",
                consolidated(
                    "{'b': " + with(V3_GROUP, "'attributes': null") + ", 'c': " + V3_GROUP + "}")),
            false);
    assertThat(strict.openGroup("a").block().children().collectList().block())
        .extracting(node -> node instanceof UnreadableNode)
        .containsExactly(true, false);
  }

  private static List<MetadataWarning> warnings(Map<String, String> documents) {
    return hierarchy(documents, true).open("a").block().warnings();
  }

  private static ZarrHierarchy hierarchy(Map<String, String> documents, boolean lenient) {
    MemoryStore store = MemoryStore.create();
    documents.forEach(
        (key, text) -> store.set(StoreKey.of(key), Bytes.utf8(text.replace('\'', '"'))).block());
    Drafts drafts = Drafts.of(Draft.OF_2022, Draft.OF_2023).withFallbackDataTypes();
    return Zarr.hierarchy(store, ZarrOptions.defaults().withDrafts(drafts).withLeniencies(lenient));
  }

  @Test
  void the_table_has_every_leniency_once_in_the_order_of_the_enum() throws IOException {
    assertThat(table().keySet())
        .containsExactlyElementsOf(
            Arrays.stream(Leniency.values()).map(Leniency::toString).toList());
  }

  @Test
  void a_node_by_the_specification_has_no_warning() {
    assertThat(warnings(Map.of("a/.zarray", V2_ARRAY, "a/.zattrs", "{'x': 1}"))).isEmpty();
    assertThat(warnings(Map.of("a/zarr.json", V3_ARRAY))).isEmpty();
    assertThat(warnings(Map.of("a/zarr.json", consolidated("{'b': " + V3_GROUP + "}")))).isEmpty();
  }

  /** What the table says of each leniency. */
  private static Map<String, String> table() throws IOException {
    Map<String, String> rows = new LinkedHashMap<>();
    for (String line : Files.readAllLines(PAGE)) {
      Matcher row = ROW.matcher(line);
      if (row.matches()) {
        assertThat(rows.put(row.group(1), row.group(2))).as(row.group(1)).isNull();
        assertThat(line.replace("\\|", "").split("\\|")).as("cells of %s", line).hasSize(6);
      }
    }
    return rows;
  }
}
