package dev.zarrreactive.internal.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.metadata.Draft;
import dev.zarrreactive.metadata.Drafts;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.memory.MemoryStore;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The documents of arrays that were resized: nothing but the shape and the grid changes. */
class ResizedDocumentTest {
  private final Store store = MemoryStore.create();

  private ZarrArray open(String key, String document) {
    put(key, document);
    return Zarr.hierarchy(store).openArray("a").block();
  }

  private void put(String key, String document) {
    store.set(StoreKey.of(key), Bytes.utf8(document)).block();
  }

  private String stored(String key) {
    byte[] document = store.get(StoreKey.of(key)).block().toByteArray();
    return new String(document, StandardCharsets.UTF_8).replaceAll("\\s+", "");
  }

  private static NdArray bytes(int... values) {
    byte[] elements = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      elements[i] = (byte) values[i];
    }
    return NdArray.ofBytes(DataTypes.INT8, Shape.of(values.length), elements);
  }

  @Test
  void a_document_of_version_3_keeps_everything_but_the_extent() {
    String document =
        """
        {"extra": {"must_understand": false, "n": 1.50}, "zarr_format": 3, "node_type": "array",
         "shape": [2, 3], "dimension_names": ["time", null], "data_type": "float64",
         "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [4, 3]}},
         "chunk_key_encoding": "default", "fill_value": "0x7ff8000000000001",
         "codecs": [{"name": "bytes", "configuration": {"endian": "big"}}],
         "attributes": {"scale": 1e2, "missing": NaN, "big": 18446744073709551616}}
        """;
    ZarrArray array = open("a/zarr.json", document);
    NdArray block = NdArray.ofDoubles(Shape.of(1, 3), 1, 2, 3);
    ZarrArray longer = array.append(0, block).block();
    assertThat(stored("a/zarr.json"))
        .isEqualTo(document.replaceAll("\\s+", "").replace("[2,3]", "[3,3]"));
    assertThat(longer.metadata().dimensionNames()).containsExactly("time", null);
    assertThat(longer.read(Selection.parse("2:")).block()).isEqualTo(block);
    longer.resize(Shape.of(2, 3)).block();
    assertThat(stored("a/zarr.json")).isEqualTo(document.replaceAll("\\s+", ""));
  }

  @Test
  void a_document_of_version_2_keeps_everything_and_its_attributes_are_not_touched() {
    String document =
        """
        {"zarr_format": 2, "unknown": [1.0], "shape": [2], "chunks": [4], "dtype": "|i1",
         "compressor": null, "fill_value": 7, "order": "C", "filters": null,
         "dimension_separator": "/"}
        """;
    String attributes = "{\"_ARRAY_DIMENSIONS\":   [\"time\"], \"missing\": NaN}";
    put("a/.zattrs", attributes);
    ZarrArray array = open("a/.zarray", document);
    ZarrArray longer = array.append(0, bytes(1, 2, 3)).block();
    assertThat(stored("a/.zarray"))
        .isEqualTo(document.replaceAll("\\s+", "").replace("[2]", "[5]"));
    assertThat(store.get(StoreKey.of("a/.zattrs")).block()).isEqualTo(Bytes.utf8(attributes));
    assertThat(longer.attributes()).isEqualTo(array.attributes());
    assertThat(longer.read(Selection.all()).block()).isEqualTo(bytes(7, 7, 1, 2, 3));
  }

  private ZarrArray rectilinear(long extent, String edges) {
    return open(
        "a/zarr.json",
        """
        {"zarr_format": 3, "node_type": "array", "shape": [%d], "data_type": "int8",
         "chunk_grid": {"name": "rectilinear",
                        "configuration": {"kind": "inline", "chunk_shapes": [%s]}},
         "chunk_key_encoding": "default", "fill_value": 0, "codecs": ["bytes"]}
        """
            .formatted(extent, edges));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "59; [31,28]; 31; [31,28,31]", // each month is a chunk
        "3; [2,1]; 1; [2,[1,2]]",
        "5; [[2,2],1]; 2; [[2,2],1,2]",
        "4; [[2,2]]; 2; [[2,3]]",
        "4; [[2,2]]; 7; [[2,5],1]", // no chunk is longer than the longest
        "2; [1,3]; 4; [1,3,2]", // room at the end is filled first
        "2; [1,3]; 2; [1,3]",
        "0; []; 5; [5]",
        "3; 2; 5; 2" // one length for all
      })
  void edges_are_added_for_the_growth(long extent, String edges, int growth, String expected) {
    ZarrArray array = rectilinear(extent, edges);
    byte[] block = new byte[growth];
    Arrays.fill(block, (byte) 5);
    ZarrArray longer =
        array.append(0, NdArray.ofBytes(DataTypes.INT8, Shape.of(growth), block)).block();
    assertThat(stored("a/zarr.json")).contains("\"chunk_shapes\":[" + expected + "]");
    String added = extent + ":" + (extent + growth);
    assertThat(longer.read(Selection.parse(added)).block().toByteArray()).isEqualTo(block);
    longer.resize(Shape.of(1)).block();
    assertThat(stored("a/zarr.json"))
        .as("none is removed")
        .contains("\"chunk_shapes\":[" + expected + "]");
  }

  @Test
  void edges_that_do_not_fit_into_a_number_are_refused() {
    ZarrArray array = rectilinear(3, "[2,1]");
    ZarrArray longest = array.resize(Shape.of(Long.MAX_VALUE)).block();
    assertThat(longest.chunkGrid().dimension(0).count()).isGreaterThan(1L << 60);
    ZarrArray full = rectilinear(5, "[[" + Long.MAX_VALUE + ",1]]");
    assertThat(full.resize(Shape.of(Long.MAX_VALUE)).block().shape().extent(0))
        .isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void a_shard_of_a_length_that_inner_chunks_do_not_divide_is_refused() {
    ZarrArray array =
        open(
            "a/zarr.json",
            """
            {"zarr_format": 3, "node_type": "array", "shape": [4], "data_type": "int8",
             "chunk_grid": {"name": "rectilinear",
                            "configuration": {"kind": "inline", "chunk_shapes": [[4]]}},
             "chunk_key_encoding": "default", "fill_value": 0,
             "codecs": [{"name": "sharding_indexed", "configuration":
               {"chunk_shape": [2], "codecs": ["bytes"],
                "index_codecs": [{"name": "bytes", "configuration": {"endian": "little"}}]}}]}
            """);
    assertThat(array.append(0, bytes(1, 2)).block().read(Selection.parse("4:")).block())
        .isEqualTo(bytes(1, 2));
    String before = stored("a/zarr.json");
    assertThatThrownBy(() -> array.append(0, bytes(1)).block())
        .isInstanceOf(MetadataException.class)
        .hasMessageContaining("/a");
    assertThat(stored("a/zarr.json")).isEqualTo(before);
  }

  @Test
  void a_chunk_of_length_0_cannot_grow() {
    for (String key : new String[] {"a/zarr.json", "a/.zarray"}) {
      ZarrArray array =
          open(
              key,
              key.endsWith("json")
                  ? """
                    {"zarr_format": 3, "node_type": "array", "shape": [0], "data_type": "int8",
                     "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [0]}},
                     "chunk_key_encoding": "default", "fill_value": 0, "codecs": ["bytes"]}
                    """
                  : """
                    {"zarr_format": 2, "shape": [0], "chunks": [0], "dtype": "|i1",
                     "compressor": null, "fill_value": 0, "order": "C", "filters": null}
                    """);
      assertThatThrownBy(() -> array.append(0, bytes(1)).block())
          .isInstanceOf(MetadataException.class)
          .hasMessageContainingAll("found 0", "chunk", "/a");
      store.erase(StoreKey.of(key)).block();
    }
  }

  @Test
  void an_array_of_a_draft_and_one_that_is_not_all_understood_are_refused() {
    String document =
        """
        {"zarr_format": 3, "node_type": "array", "shape": [4], "data_type": "int8",
         "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [4]}},
         "chunk_key_encoding": "default", "fill_value": 0%s}
        """;
    put("a/zarr.json", document.formatted(""));
    ZarrOptions drafts = ZarrOptions.defaults().withDrafts(Drafts.of(Draft.OF_2023));
    ZarrArray draft = Zarr.hierarchy(store, drafts).openArray("a").block();
    ZarrArray unknown =
        open(
            "a/zarr.json",
            document.formatted(
                ", \"codecs\": [\"bytes\", {\"name\": \"odd\", \"must_understand\": false}]"));
    for (ZarrArray array : new ZarrArray[] {draft, unknown}) {
      assertThatThrownBy(() -> array.append(0, bytes(1)).block())
          .isInstanceOf(UnsupportedFeatureException.class);
      assertThatThrownBy(() -> array.resize(Shape.of(5)).block())
          .isInstanceOf(UnsupportedFeatureException.class);
    }
  }
}
