package dev.zarrreactive.cli;

import static dev.zarrreactive.cli.CommandRun.EARTH;
import static dev.zarrreactive.cli.CommandRun.zarr;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.cli.console.Colours;
import dev.zarrreactive.cli.console.Terminal;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.file.FileSystemStore;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TreeCommandTest {
  @TempDir Path directory;

  @BeforeEach
  void a_hierarchy() {
    ZarrHierarchy hierarchy = Zarr.hierarchy(FileSystemStore.open(directory));
    ArrayMetadata array = ArrayMetadata.v3(Shape.of(2, 3), DataTypes.INT16).uncompressed().build();
    hierarchy.createArray("b/deep/er/x", array).block();
    hierarchy.createArray("b/y", array).block();
    hierarchy.createArray("a-long-name", array).block();
    hierarchy.createGroup("c").block();
  }

  @Test
  void a_tree_is_drawn_depth_first_and_by_name() {
    CommandRun run = zarr("tree", directory.toString());
    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .isEqualTo(
            """
            %s
            ├── a-long-name  int16 [2, 3]
            ├── b
            │   ├── deep
            │   │   └── er
            │   │       └── x  int16 [2, 3]
            │   └── y  int16 [2, 3]
            └── c
            """
                .formatted(directory));
    assertThat(run.err()).isEmpty();
  }

  @Test
  void depth_ends_the_tree_early() {
    assertThat(zarr("tree", "--depth", "1", directory.toString()).out())
        .isEqualTo(
            """
            %s
            ├── a-long-name  int16 [2, 3]
            ├── b
            └── c
            """
                .formatted(directory));
    assertThat(zarr("tree", "--depth=0", directory.toString()).out()).isEqualTo(directory + "\n");
  }

  @Test
  void a_path_may_lead_into_a_hierarchy_and_to_an_array() {
    assertThat(zarr("tree", directory.resolve("b/deep").toString()).out())
        .endsWith("/b/deep\n└── er\n    └── x  int16 [2, 3]\n");
    assertThat(zarr("tree", EARTH + "/earth/lat").out())
        .isEqualTo(EARTH + "/earth/lat  float64 [360]\n");
  }

  @Test
  void a_terminal_without_box_characters_gets_ascii() {
    Terminal latin =
        new Terminal(false, true, true, 80, 24, Colours.NONE, true, StandardCharsets.ISO_8859_1);
    assertThat(CommandRun.on(latin, "tree", directory.resolve("b").toString()).out())
        .endsWith("|-- deep\n|   `-- er\n|       `-- x  int16 [2, 3]\n`-- y  int16 [2, 3]\n");
  }

  @Test
  void groups_and_arrays_have_their_colours_on_a_terminal() {
    assertThat(CommandRun.on(CommandRun.TERMINAL, "tree", directory.toString()).out())
        .contains("├── \u001b[1;35mb\u001b[0m\n")
        .contains("├── \u001b[1ma-long-name\u001b[0m  int16 \u001b[2m[2, 3]\u001b[0m\n");
  }

  @Test
  void a_child_that_cannot_be_opened_stands_in_its_place_with_the_reason() throws Exception {
    Files.writeString(directory.resolve("b/y/zarr.json"), "{");
    CommandRun run = zarr("tree", directory.toString());
    assertThat(run.exitCode()).isOne();
    assertThat(run.out())
        .contains("│   └── y  cannot be opened: not JSON: the document is cut short at line 1,")
        .contains("x  int16 [2, 3]\n")
        .endsWith("└── c\n");
    assertThat(run.err()).isEqualTo("zarr: error: " + directory + ": 1 node cannot be opened\n");
    assertThat(zarr("tree", directory.toString(), "--depth=1").exitCode()).isZero();
    assertThat(CommandRun.on(CommandRun.TERMINAL, "tree", directory.toString()).out())
        .contains("y  \u001b[1;31mcannot be opened:\u001b[0m not JSON");
  }

  @Test
  void a_node_that_nobody_may_read_stands_in_its_place_in_every_command() throws Exception {
    CommandRun tree = zarr("tree", "test://denied");
    assertThat(tree.exitCode()).isOne();
    assertThat(tree.out())
        .contains("lat     float64 [360]", "relief  float32 [360, 720]", "rgb     uint8")
        .contains("lon     cannot be opened: the file system denies access");
    assertThat(tree.err()).contains("1 node cannot be opened");
    CommandRun header = zarr("header", "test://denied");
    assertThat(header.exitCode()).isOne();
    assertThat(header.out()).contains("denies access", "rgb     uint8");
    CommandRun statistics = zarr("stats", "test://denied");
    assertThat(statistics.exitCode()).isOne();
    assertThat(statistics.out()).contains("/earth/rgb").contains("/earth/lat");
    CommandRun checked = zarr("validate", "test://denied");
    assertThat(checked.exitCode()).isOne();
    assertThat(checked.out()).contains("/earth/lon", "denies access", "Checked 6 nodes");
    CommandRun info = zarr("info", "test://denied/earth/rgb");
    assertThat(info.out())
        .contains("shape        [360, 720, 3]", "stored       unknown: the store denies a listing");
    String copy = directory.resolve("copy.zarr").toString();
    CommandRun copied = zarr("copy", "test://denied", copy);
    assertThat(copied.exitCode()).as("no copy that lacks an array passes for one").isOne();
    assertThat(copied.err()).contains("denies access");
    assertThat(zarr("consolidate", "test://denied").err()).contains("denies access");
  }
}
