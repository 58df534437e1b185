package dev.zarrreactive.internal.drafts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.metadata.Draft;
import dev.zarrreactive.metadata.Drafts;
import dev.zarrreactive.metadata.GroupMetadata;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.decorator.Stores;
import dev.zarrreactive.store.zip.ZipStore;
import dev.zarrreactive.testing.Json;
import java.net.URI;
import java.net.URL;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Hierarchies that zarr-python 2.18.7 wrote to the 2022 draft; draft_2022.py beside them did. */
class Draft2022OfZarrPythonTest {
  private static final ZarrOptions OPTIONS =
      ZarrOptions.defaults().withDrafts(Drafts.of(Draft.OF_2022));

  private static final Store ARCHIVE = archive();

  private final ZarrHierarchy hierarchy = hierarchy("store/");

  private static Store archive() {
    URL resource = Draft2022OfZarrPythonTest.class.getResource("draft-2022.zip");
    Path file = Path.of(URI.create(Objects.requireNonNull(resource).toString()));
    return Objects.requireNonNull(ZipStore.open(file).block());
  }

  private static ZarrHierarchy hierarchy(String prefix) {
    return Zarr.hierarchy(Stores.prefixed(ARCHIVE, StorePrefix.of(prefix)), OPTIONS);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a/b/deep | int8 | [3]",
        "bool | bool | [2]",
        "bz2 | uint16 | [100]",
        "cplx | complex128 | [2, 3]",
        "delta | int64 | [10]",
        "dots | uint8 | [2, 3]",
        "dt | numpy.datetime64 | [3]",
        "empty | int32 | [0, 3]",
        "f16 | float16 | [3]",
        "inf | float32 | [4]",
        "lz4 | uint16 | [100]",
        "lzma | uint16 | [100]",
        "nan | float32 | [4]",
        "nullfill | float64 | [4]",
        "s3 | null_terminated_bytes | [3]",
        "scalar | int32 | []",
        "shard | int32 | [6, 10]",
        "shardf | float64 | [7, 9]",
        "struct | struct | [3]",
        "u3 | fixed_length_utf32 | [3]",
        "v3 | r24 | [2]"
      })
  void every_array_is_read(String path, String type, String shape) {
    ZarrArray array = hierarchy.openArray(path).block();
    assertThat(array.dataType().name()).isEqualTo(type);
    assertThat(array.shape()).hasToString(shape);
    assertThat(array.metadata().draft()).isEqualTo(Draft.OF_2022);
    assertThat(array.read(Selection.all()).block().bytes().toByteArray())
        .isEqualTo(littleEndian(path, array));
  }

  /** The program kept the byte order in memory. */
  private static byte[] littleEndian(String path, ZarrArray array) {
    byte[] expected =
        ARCHIVE
            .get(StoreKey.of("expected/" + path.replace('/', '_') + ".bin"))
            .block()
            .toByteArray();
    String text = array.metadata().document().get("data_type").toString();
    int size = array.dataType().itemSize();
    for (int item = 0; item < expected.length && text.contains(">"); item += size) {
      int offset = path.equals("struct") ? item + 2 : item; // behind an int16 that is little-endian
      for (int i = 0, end = item + size - 1; offset + i < end - i; i++) {
        byte b = expected[offset + i];
        expected[offset + i] = expected[end - i];
        expected[end - i] = b;
      }
    }
    return expected;
  }

  @Test
  void texts_have_their_codec_among_the_filters() {
    NdArray texts = hierarchy.openArray("obj").block().read(Selection.all()).block();
    assertThat(texts.getString(0)).isEqualTo("a");
    assertThat(texts.getString(1)).isEqualTo("bc\u00e9");
    assertThat(texts.getString(2)).isEmpty();
  }

  @Test
  void a_part_of_a_shard_is_read_by_itself() {
    ZarrArray array = hierarchy.openArray("shard").block();
    assertThat(array.chunkGrid().largestChunkShape()).isEqualTo(Shape.of(4, 10));
    assertThat(array.read(Selection.parse("5,4:7")).block().toIntArray())
        .containsExactly(54, 55, 56);
  }

  @Test
  void the_filters_are_no_attributes_of_the_users() {
    ZarrArray array = hierarchy.openArray("delta").block();
    assertThat(array.attributes()).isEqualTo(Json.object("{}"));
    assertThat(array.metadata().document().get("attributes").toString()).contains("filters");
  }

  @Test
  void a_tree_has_groups_without_documents_too() {
    List<String> groups =
        hierarchy
            .openGroup("")
            .block()
            .tree()
            .filter(node -> node.metadata() instanceof GroupMetadata)
            .map(node -> node.path() + " " + ((GroupMetadata) node.metadata()).isImplicit())
            .collectList()
            .block();
    // "consolidated" is what that program left there; to the draft it is a group like any other.
    assertThat(groups).containsExactlyInAnyOrder("/a true", "/a/b true", "/consolidated false");
  }

  @Test
  void the_root_may_be_an_array() {
    ZarrArray array = hierarchy("root-array/").openArray("").block();
    assertThat(array.attributes()).isEqualTo(Json.object("{'a': 1}"));
    assertThat(array.read(Selection.parse("1:,2")).block().toShortArray()).containsExactly(6, 10);
  }
}
