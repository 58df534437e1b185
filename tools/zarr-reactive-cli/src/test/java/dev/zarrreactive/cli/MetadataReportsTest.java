package dev.zarrreactive.cli;

import static dev.zarrreactive.cli.CommandRun.zarr;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.file.FileSystemStore;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.ReportedData;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Metadata that programs wrote in other ways than the specification has, as users met them. */
class MetadataReportsTest {
  @TempDir Path directory;

  private final Store values = MemoryStore.create();
  private final FaultyServer server = FaultyServer.of(values);

  @AfterEach
  void close() {
    server.close();
  }

  /** Unpacks an archive of a report, and returns the place of a hierarchy in it. */
  private String unpacked(String archive, String name) {
    return ReportedData.unpack(archive, directory).resolve(name).toString();
  }

  /** Puts a hierarchy behind a server that cannot list, and returns its URL. */
  private String served(String place) {
    Store files = FileSystemStore.open(Path.of(place));
    files
        .list()
        .flatMap(key -> files.get(key).flatMap(v -> values.set(StoreKey.of("data/" + key), v)))
        .blockLast();
    return server.uri() + "/data";
  }

  private static String good(String... arguments) {
    CommandRun run = zarr(arguments);
    assertThat(run.exitCode()).as(run.err()).isZero();
    return run.out();
  }

  private static CommandRun bad(String... arguments) {
    CommandRun run = zarr(arguments);
    assertThat(run.exitCode()).as(run.out()).isOne();
    return run;
  }

  private String copy() {
    return directory.resolve("copy.zarr").toString();
  }

  @Test
  void the_categories_of_anndata_are_a_group_like_others() throws Exception {
    String place = unpacked("001-v2-underscore-group-lost", "anndata07.zarr");
    for (String root : new String[] {place, served(place)}) {
      assertThat(good("tree", root))
          .contains("├── __categories\n│   │   └── cell_type  string [2]\n");
    }
    assertThat(good("validate", place)).isEqualTo("Checked 9 nodes: no findings.\n");
    assertThat(good("stats", place)).contains("/obs/cell_type");
    CommandRun copied = zarr("copy", place, copy());
    assertThat(copied.exitCode()).isZero();
    assertThat(copied.err()).doesNotContain("of no node", "warning");
    assertThat(good("read", copy() + "/obs/__categories/cell_type")).contains("['B' 'T']");
    assertThat(good("diff", place, copy())).isEmpty();
  }

  @Test
  void a_copy_to_zarr_3_refuses_a_reserved_name_before_its_first_write() throws Exception {
    String place = unpacked("001-v2-underscore-group-lost", "anndata07.zarr");
    assertThat(bad("copy", place, copy(), "--format", "3").err())
        .contains("begins with \"__\", which Zarr v3 reserves")
        .contains("node /obs/__categories");
    assertThat(Path.of(copy())).doesNotExist();
    good("copy", place, copy(), "--format", "3", "--exclude", "obs/__categories");
    assertThat(good("tree", copy())).contains("cell_type").doesNotContain("__categories");
  }

  @Test
  void tokens_in_the_consolidated_metadata_of_zarr_3_hide_nothing() throws Exception {
    String place = unpacked("002-v3-consolidated-nan-hides-hierarchy", "cons-v3.zarr");
    for (String root : new String[] {place, served(place)}) {
      assertThat(good("tree", root)).contains("lat  float64 [2]", "t2m  float32 [2, 2]");
      assertThat(good("info", root)).contains("consolidated metadata of 3 nodes");
      assertThat(good("read", root + "/t2m")).contains("[[271.5     nan]\n [280.   281.25]]");
    }
    CommandRun checked = zarr("validate", place);
    assertThat(checked.exitCode()).isZero();
    assertThat(checked.err())
        .startsWith("zarr: warning: the consolidated metadata have a token that JSON lacks")
        .contains("at /consolidated_metadata/metadata/t2m/fill_value");
    good("consolidate", place);
    CommandRun mended = zarr("validate", place);
    assertThat(mended.err()).isEmpty();
    assertThat(mended.out()).isEqualTo("Checked 4 nodes: no findings.\n");
    assertThat(Files.readString(Path.of(place, "zarr.json"))).doesNotContain(": NaN");
  }

  @Test
  void a_fill_value_that_is_a_token_is_its_value() throws Exception {
    String place = unpacked("003-v2-nan-token-fill", "xarray-v2.zarr");
    for (String root : new String[] {place, served(place)}) {
      assertThat(good("tree", root)).contains("lat  float64 [2]", "t2m  float32 [2, 2]");
      assertThat(good("read", root + "/t2m")).contains("[[271.5     nan]\n [280.   281.25]]");
      assertThat(good("info", root + "/t2m")).contains("fill value   NaN");
    }
    CommandRun checked = zarr("validate", place);
    assertThat(checked.exitCode()).isZero();
    assertThat(checked.err())
        .contains("the fill value is the token NaN without quotes, and read as \"NaN\" (node /t2m");
    good("copy", place, copy());
    assertThat(Files.readString(Path.of(copy(), "t2m", ".zarray")))
        .contains("\"fill_value\": \"NaN\"");
    assertThat(Files.readString(Path.of(copy(), ".zmetadata"))).doesNotContain(": NaN");
    assertThat(good("diff", place, copy())).isEmpty();
  }

  @Test
  void tokens_in_the_consolidated_metadata_of_zarr_2_hide_nothing_behind_a_server()
      throws Exception {
    String place = unpacked("005-v2-consolidated-nan-over-http", "cons-v2.zarr");
    String url = served(place);
    assertThat(good("tree", url))
        .isEqualTo(good("tree", place).replace(place, url))
        .contains("lat  float64 [2]", "lon  float64 [2]", "t2m  float32 [2, 2]");
    assertThat(good("info", url)).contains("children     3 (0 groups, 3 arrays)");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {                                    | not JSON
          []                                   | expected an object
          {"metadata": {}}                     | "zarr_consolidated_format" is missing
          {"zarr_consolidated_format": 2}      | expected the integer 1, found 2
          """)
  void broken_consolidated_metadata_are_called_broken_and_consolidate_mends_them(
      String text, String reason) throws Exception {
    String place = unpacked("005-v2-consolidated-nan-over-http", "cons-v2.zarr");
    Files.writeString(Path.of(place, ".zmetadata"), text);
    String url = served(place);
    assertThat(bad("tree", url).err())
        .contains("this store cannot list, and its consolidated metadata are broken: ", reason)
        .contains("key .zmetadata")
        .contains("zarr consolidate mends them")
        .doesNotContain("lacks");
    assertThat(good("info", url))
        .contains("consolidated metadata are broken")
        .contains("consolidated not used: ", reason);
    assertThat(good("tree", place)).contains("t2m  float32 [2, 2]");
    assertThat(bad("validate", place).out()).contains("consolidated metadata: ", reason);
    good("consolidate", place);
    assertThat(good("validate", place)).contains("no findings");
  }

  @Test
  void an_entry_that_no_node_can_have_is_named_and_the_others_are_used() throws Exception {
    String place = unpacked("005-v2-consolidated-nan-over-http", "cons-v2.zarr");
    Path document = Path.of(place, ".zmetadata");
    Files.writeString(document, Files.readString(document).replace("\"lat/", "\"../lat/"));
    String url = served(place);
    CommandRun tree = zarr("tree", url);
    assertThat(tree.exitCode()).isZero();
    assertThat(tree.out()).contains("lon  float64 [2]", "t2m  float32 [2, 2]");
    assertThat(tree.err())
        .contains("the consolidated metadata are broken, and nodes may be missing: invalid path");
    assertThat(good("info", url)).contains("consolidated broken in part: invalid path");
    assertThat(good("tree", place)).as("from the files").contains("lat  float64 [2]");
    assertThat(bad("validate", place).out())
        .contains("consolidated metadata: invalid path of a node below the group")
        .contains("consolidated metadata lack lat");
  }

  @Test
  void quoted_fill_values_are_numbers() throws Exception {
    String place = unpacked("006-v2-quoted-fill", "n5.zarr");
    assertThat(good("read", place + "/s0"))
        .contains("[[1 2 0 0]\n [3 4 0 0]\n [0 0 5 6]\n [0 0 7 8]]");
    assertThat(good("read", place + "/f")).contains("[1. 2. 0. 0.]");
    CommandRun checked = zarr("validate", place);
    assertThat(checked.exitCode()).isZero();
    assertThat(checked.err()).contains("the fill value \"0\" is quoted, and read as 0 (node /s0");
    good("copy", place, copy());
    assertThat(Files.readString(Path.of(copy(), "s0", ".zarray"))).contains("\"fill_value\": 0");
    assertThat(good("diff", place, copy())).isEmpty();
  }

  @Test
  void a_reserved_name_of_zarr_3_is_an_unreadable_node_among_the_others() throws Exception {
    String place = unpacked("008-v3-underscore-name-kills-consolidated", "dunder3.zarr");
    String reason = "begins with \"__\", which Zarr v3 reserves; give the node another name";
    for (String root : new String[] {place, served(place)}) {
      CommandRun tree = bad("tree", root);
      assertThat(tree.out())
          .contains("__internal  cannot be opened: the node name \"__internal\"", reason)
          .contains("a           int32 [2]");
      assertThat(tree.err()).contains("1 node cannot be opened").doesNotContain("lacks");
      assertThat(good("info", root))
          .contains("2 (0 groups, 1 array, 1 that cannot be opened)")
          .contains("consolidated metadata of 2 nodes");
      assertThat(good("read", root + "/a")).contains("[1 2]");
    }
    assertThat(bad("validate", place).out()).contains("/__internal: ", reason, ": 1 finding.");
    assertThat(bad("copy", place, copy()).err()).contains(reason, "node /__internal");
    good("copy", place, copy(), "--exclude", "__internal");
    good("consolidate", place);
    good("mv", place + "/__internal", place + "/internal");
    assertThat(good("tree", place)).contains("internal  int32 [2]");
    assertThat(good("validate", place)).contains("no findings");
  }

  @Test
  void the_error_names_the_node_that_is_missing() throws Exception {
    String image = unpacked("009-ome-missing-level", "missinglevel.zarr");
    assertThat(zarr("view", image, "-o", directory + "/v.png").err())
        .contains("/2")
        .doesNotContain("not a Zarr directory");
    String plate = unpacked("010-ome-plate-missing-image", "plate.zarr");
    assertThat(zarr("view", plate, "-o", directory + "/p.png").err())
        .contains("B/1/0")
        .doesNotContain("not a Zarr directory");
    assertThat(bad("info", plate + "/B/1/0").err()).contains("B/1/0");
    assertThat(bad("info", directory.toString()).err()).contains("not a Zarr directory");
  }

  @Test
  void an_unpaired_surrogate_stays_as_it_is_spelled() throws Exception {
    String place = unpacked("020-attribute-lone-surrogate", "lone.zarr");
    String units = "\"units\": \"m\\udcb3 s-1\"";
    good("copy", place, copy(), "--format", "3", "--bits", "--quiet");
    assertThat(good("attrs", copy(), "--json")).contains(units);
    assertThat(Files.readString(Path.of(copy(), "zarr.json"))).contains(units);
    assertThat(good("diff", place, copy())).isEmpty();
    good("attrs", place, "x=1");
    assertThat(Files.readString(Path.of(place, ".zattrs"))).contains(units);
    good("attrs", copy(), "units=m? s-1");
    assertThat(bad("diff", place, copy()).out()).contains("\"m\\udcb3 s-1\"", "\"m? s-1\"");
  }

  @Test
  void an_unpaired_surrogate_stays_in_consolidated_metadata_and_in_names() throws Exception {
    FileSystemStore store = FileSystemStore.open(directory);
    String text =
        "{\"zarr_format\":3,\"node_type\":\"group\",\"attributes\":{\"k\\udfff\":[\"\\ud800\"]}}";
    store
        .set(StoreKey.of("zarr.json"), Bytes.utf8("{\"zarr_format\":3,\"node_type\":\"group\"}"))
        .block();
    store.set(StoreKey.of("g/zarr.json"), Bytes.utf8(text)).block();
    ZarrGroup root = Zarr.hierarchy(store).openGroup("").block();
    root.consolidate().block();
    assertThat(Files.readString(directory.resolve("zarr.json")))
        .contains("\"k\\udfff\": [ \"\\ud800\" ]");
    JsonObject attributes =
        Zarr.hierarchy(store).openGroup("").block().openGroup("g").block().attributes();
    assertThat(attributes.members()).containsOnlyKeys("k\udfff");
    assertThat(good("validate", directory.toString())).contains("no findings");
  }

  @Test
  void an_unpaired_surrogate_in_the_name_of_a_dimension_is_shown_and_copied_and_refused_in_csv()
      throws Exception {
    FileSystemStore store = FileSystemStore.open(directory);
    String text =
        "{'zarr_format':3,'node_type':'array','shape':[2],'data_type':'uint8','chunk_grid':"
            + "{'name':'regular','configuration':{'chunk_shape':[2]}},'chunk_key_encoding':"
            + "{'name':'default'},'fill_value':7,'codecs':[{'name':'bytes'}],"
            + "'dimension_names':['a\\udcb3'],'attributes':{'\\udcb3k':1}}";
    store.set(StoreKey.of("v/zarr.json"), Bytes.utf8(text.replace('\'', '"'))).block();
    String place = directory + "/v";
    assertThat(good("info", place)).contains("dimensions   a\\udcb3");
    assertThat(good("header", place)).contains("dimensions: a\\udcb3 = 2", ":\\udcb3k = 1");
    assertThat(bad("read", place, "--format", "csv").err())
        .contains("CSV cannot hold the text \"a\\udcb3\"");
    assertThat(good("read", place, "--format", "json")).contains("7");
    good("copy", place, copy(), "--format", "2", "--quiet");
    assertThat(Files.readString(Path.of(copy(), ".zattrs"))).contains("[ \"a\\udcb3\" ]");
    good("copy", copy(), directory + "/back.zarr", "--format", "3", "--quiet");
    assertThat(Files.readString(directory.resolve("back.zarr/zarr.json")))
        .contains("\"dimension_names\": [ \"a\\udcb3\" ]");
  }

  @Test
  void an_array_that_is_a_group_too_is_an_array() throws Exception {
    String place = unpacked("025-array-and-group-at-once", "matlab.zarr");
    String url = served(place);
    for (String root : new String[] {place, url}) {
      assertThat(good("info", root + "/A/B/C")).startsWith("array ").contains("int32");
      assertThat(good("read", root + "/A/B/C")).contains("[1 2 0 0]");
    }
    assertThat(good("tree", place)).contains("└── C  int32 [4]");
    assertThat(good("stats", place)).contains("/A/B/C  int32");
    CommandRun checked = zarr("validate", place);
    assertThat(checked.exitCode()).isZero();
    assertThat(checked.err())
        .contains("the node has a .zarray and a .zgroup; it is read as an array")
        .contains("no group lists the node /A/B/C/D: /A/B/C is an array");
    CommandRun copied = zarr("copy", place, copy());
    assertThat(copied.exitCode()).isZero();
    assertThat(copied.err())
        .startsWith("zarr: warning: left out, because no group lists them: /A/B/C/D;");
    assertThat(good("read", copy() + "/A/B/C")).contains("[1 2 0 0]");
    good("consolidate", place);
    assertThat(good("tree", served(place))).contains("└── C  int32 [4]");
    assertThat(good("read", place + "/A/B/C/D")).startsWith("int32");
  }
}
