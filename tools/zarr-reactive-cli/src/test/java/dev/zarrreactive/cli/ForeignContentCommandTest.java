package dev.zarrreactive.cli;

import static dev.zarrreactive.cli.CommandRun.EARTH;
import static dev.zarrreactive.cli.CommandRun.zarr;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.store.memory.MemoryStore;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Archives with any name are read, and what is no Zarr is named. */
class ForeignContentCommandTest {
  private static final Path FOREIGN =
      Path.of("src/test/resources/dev/zarrreactive/cli/foreign").toAbsolutePath();

  private static final String TREE =
      """
      %s
      ├── sub
      │   └── b  float64 [3]
      └── temp é  int32 [4, 4]
      """;

  @TempDir Path directory;
  private final MemoryStore values = MemoryStore.create();
  private final FaultyServer server = FaultyServer.of(values);

  @AfterEach
  void close() {
    server.close();
  }

  private static String good(String... arguments) {
    CommandRun run = zarr(arguments);
    assertThat(run.exitCode()).as(run.err()).isZero();
    return run.out();
  }

  private static String bad(String... arguments) {
    CommandRun run = zarr(arguments);
    assertThat(run.exitCode()).as(run.out()).isOne();
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).hasLineCount(1);
    return run.err();
  }

  private String put(String key, byte[] value) {
    values.set(StoreKey.of(key), Bytes.wrap(value)).block();
    return server.uri() + "/" + key;
  }

  @ParameterizedTest
  @ValueSource(strings = {"img.ozx", "backslash.zip"})
  void an_archive_is_read_by_any_name_here_and_over_http(String resource) throws IOException {
    byte[] archive = Files.readAllBytes(FOREIGN.resolve(resource));
    Path plain = Files.write(directory.resolve("plain"), archive);
    String ozx = directory.resolve("Img.OZX").toString();
    Files.write(Path.of(ozx), archive);
    for (String at :
        List.of(
            FOREIGN.resolve(resource).toString(),
            plain.toString(),
            ozx,
            put("d/" + resource, archive),
            put("d/img.ozx", archive),
            put("d/plain", archive))) {
      assertThat(good("tree", at)).isEqualTo(TREE.formatted(at));
    }
    assertThat(good("read", "--format=json", plain + "/sub/b")).isEqualTo("1.0\n2.0\n3.0\n");
    assertThat(good("validate", "--data", plain.toString()))
        .contains("5 stored chunks: no findings");
    String copy = directory.resolve("copy.zarr").toString();
    good("copy", plain.toString(), copy, "-q");
    good("diff", FOREIGN.resolve("img.ozx").toString(), copy);
  }

  @Test
  void a_copy_to_ozx_is_an_archive() throws IOException {
    String at = directory.resolve("new.ozx").toString();
    good("copy", EARTH.toString(), at, "-q");
    assertThat(Files.readAllBytes(Path.of(at)))
        .startsWith("PK".getBytes(StandardCharsets.US_ASCII));
    good("diff", EARTH.toString(), at);
  }

  @ParameterizedTest
  @CsvSource({
    "zarr.json,../sub/zarr.json",
    "zarr.json,C:\\sub\\zarr.json",
    "zarr.json,a/b\\zarr.json",
    "C:\\zarr.json,C:\\sub\\zarr.json",
    "a/b\\zarr.json,a/c\\zarr.json",
  })
  void every_command_names_an_entry_that_it_cannot_place(String root, String name)
      throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      for (String each : new String[] {root, name}) {
        zip.putNextEntry(new ZipEntry(each));
        zip.write("{\"zarr_format\":3,\"node_type\":\"group\"}".getBytes(StandardCharsets.UTF_8));
      }
    }
    Path archive = Files.write(directory.resolve("odd.zip"), bytes.toByteArray());
    for (String command :
        new String[] {"tree", "header", "ls", "validate", "stats", "copy", "info"}) {
      CommandRun run =
          command.equals("copy")
              ? zarr(command, archive.toString(), directory.resolve("new.zarr").toString())
              : zarr(command, archive.toString());
      assertThat(run.exitCode()).as(command + ": " + run.out()).isOne();
      assertThat(run.out() + run.err())
          .as(command)
          .contains("has an entry \"", ", which cannot be a key and may hold a value");
    }
  }

  @Test
  void a_directory_or_an_archive_that_holds_nodes_names_them() throws IOException {
    good("copy", EARTH.toString(), directory.resolve("b.zarr").toString(), "-q");
    assertThat(bad("info", directory.toString()))
        .endsWith(
            "not a Zarr directory: no zarr.json, .zarray or .zgroup in it; it holds the node b.zarr:"
                + " name that\n");
    Files.createDirectories(directory.resolve("c.zarr"));
    Files.writeString(directory.resolve("c.zarr/zarr.json.partial"), "{}");
    assertThat(bad("info", directory.toString()))
        .contains("it holds the nodes ", "b.zarr", "c.zarr (unfinished)", ": name one of them");
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      zip.putNextEntry(new ZipEntry("top.zarr/zarr.json"));
      zip.write("{\"zarr_format\":3,\"node_type\":\"group\"}".getBytes(StandardCharsets.UTF_8));
    }
    Path archive = Files.write(directory.resolve("top.zip"), bytes.toByteArray());
    assertThat(bad("info", archive.toString())).contains("it holds the node top.zarr: name that");
    assertThat(good("tree", archive + "/top.zarr")).contains("top.zarr");
  }

  @Test
  void references_are_opened_and_said_to_be_some() throws IOException {
    Path references = FOREIGN.resolve("kerchunk.json");
    CommandRun tree = zarr("tree", references.toString());
    assertThat(tree.exitCode()).as(tree.err()).isZero();
    assertThat(tree.out()).contains("a  int32 [2]");
    assertThat(tree.err()).contains("opened as |kerchunk:");
    assertThat(good("read", "--format=json", references + "|kerchunk:a"))
        .contains("1")
        .contains("2");
    String served = put("d/kerchunk.json", Files.readAllBytes(references));
    assertThat(good("read", "--format=json", served + "|kerchunk:a"))
        .isEqualTo(good("read", "--format=json", references + "|kerchunk:a"));

    Path parquet = Files.createDirectory(directory.resolve("refs.parq"));
    Files.writeString(
        parquet.resolve(".zmetadata"),
        "{\"metadata\":{\".zgroup\":{\"zarr_format\":2}},\"record_size\":10}");
    assertThat(zarr("tree", parquet.toString()).err()).contains("opened as |kerchunk:");
    good("info", parquet + "|kerchunk:");
  }

  @Test
  void references_are_served() throws Exception {
    String references = FOREIGN.resolve("kerchunk.json") + "|kerchunk:";
    try (ServeCommandTest.Running serving =
        new ServeCommandTest.Running("serve", references, "--port", "0")) {
      assertThat(good("read", "--format=json", serving.url + "/a"))
          .isEqualTo(good("read", "--format=json", references + "a"))
          .contains("1", "2");
      assertThat(good("tree", serving.url)).contains("a  int32 [2]");
      assertThat(serving.out()).doesNotContain("Its versions");
    }
    try (ServeCommandTest.Running serving =
        new ServeCommandTest.Running(
            "serve", FOREIGN.resolve("kerchunk.json").toString(), "--port", "0")) {
      assertThat(good("tree", serving.url)).contains("a  int32 [2]");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "x.nc | \\211HDF\\r\\n\\032\\n0 | HDF5, which netCDF-4 is too",
        "y.nc | CDF\\001000 | netCDF-3",
        "z.tif | II*\\000 | a TIFF picture",
        "big.tif | MM\\0+0 | a TIFF picture",
        "zarr.json | {\"zarr_format\": 3} | the metadata document of a node",
        "a.tar.gz | \\037\\2130 | gzip has compressed",
        "x.npy | \\223NUMPY | zarr import makes an array of it",
        "repo | ICE\\360\\237\\247\\212CHUNK | a file of an Icechunk repository",
      })
  void a_file_of_another_format_is_named(String name, String start, String message)
      throws IOException {
    byte[] content = start.translateEscapes().getBytes(StandardCharsets.ISO_8859_1);
    Path file = Files.write(directory.resolve(name), content);
    assertThat(bad("info", file.toString())).contains(message);
    assertThat(bad("tree", put("d/" + name, content))).contains(message);
    if (name.endsWith(".nc")) {
      assertThat(bad("import", file.toString(), directory.resolve("new").toString()))
          .contains(message, "to_zarr");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "repo | ICE\\360\\237\\247\\212CHUNK rest | Icechunk repository",
        "attributes.json | {\"n5\":\"2.0.0\"} | a container of N5",
      })
  void a_directory_of_another_program_is_named(String key, String value, String message)
      throws IOException {
    byte[] content = value.translateEscapes().getBytes(StandardCharsets.ISO_8859_1);
    Path place = Files.createDirectory(directory.resolve("other"));
    Files.write(place.resolve(key), content);
    assertThat(bad("tree", place.toString())).contains(message);
    put("d/other/" + key, content);
    assertThat(bad("tree", server.uri() + "/d/other")).contains(message);
  }
}
