package dev.zarrreactive.cli;

import static dev.zarrreactive.cli.CommandRun.zarr;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AttrsCommandTest {
  @TempDir Path directory;
  private String earth = "";
  private String lat = "";

  @BeforeEach
  void a_hierarchy() {
    earth = directory + "/earth.zarr";
    lat = earth + "/earth/lat";
    assertThat(zarr("demo", "--save", earth).exitCode()).isZero();
  }

  @Test
  void all_attributes_are_shown_as_json_and_one_as_a_text() {
    CommandRun all = zarr("attrs", lat);
    assertThat(all.exitCode()).isZero();
    assertThat(all.out()).startsWith("{\n  \"standard_name\": \"latitude\",\n").endsWith("\n}\n");
    assertThat(zarr("attrs", lat, "units").out()).isEqualTo("degrees_north\n");
    assertThat(zarr("attrs", lat, "units", "axis", "--json").out())
        .isEqualTo("\"degrees_north\"\n\"Y\"\n");
    assertThat(zarr("attrs", earth + "/earth/relief", "valid_range").out())
        .isEqualTo("[ 0.0, 1.0 ]\n");
  }

  @Test
  void a_value_is_json_or_else_a_text_and_the_others_stay() {
    CommandRun run =
        zarr("attrs", lat, "units=m", "a=1.50", "b={\"c\": [null]}", "d=x = y", "e=", "f=\"1\"");
    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).isEqualTo("Set 6 attributes, deleted 0; there are 8.\n");
    assertThat(
            zarr("attrs", lat, "standard_name", "units", "a", "b", "d", "e", "f", "--json").out())
        .isEqualTo(
            """
            "latitude"
            "m"
            1.50
            {
              "c": [ null ]
            }
            "x = y"
            ""
            "1"
            """);
  }

  @Test
  void attributes_are_deleted_and_one_that_is_not_there_changes_nothing() {
    assertThat(zarr("attrs", lat, "--delete", "axis", "--delete=units").exitCode()).isZero();
    assertThat(zarr("attrs", lat).out()).isEqualTo("{\n  \"standard_name\": \"latitude\"\n}\n");
    CommandRun run = zarr("attrs", lat, "--delete=standard_name", "--delete=axis", "x=1");
    assertThat(run.exitCode()).isOne();
    assertThat(run.err())
        .isEqualTo("zarr: error: " + lat + ": no attribute axis: there are none\n");
    assertThat(zarr("attrs", lat).out()).contains("latitude").doesNotContain("x");
    assertThat(zarr("attrs", lat, "sea").err())
        .isEqualTo("zarr: error: " + lat + ": no attribute sea; there are standard_name\n");
  }

  @Test
  void the_consolidated_metadata_above_are_removed_which_would_hide_the_change() {
    assertThat(zarr("consolidate", earth).exitCode()).isZero();
    CommandRun run = zarr("attrs", lat, "units=m");
    assertThat(run.exitCode()).isZero();
    assertThat(run.err())
        .isEqualTo(
            "removed the consolidated metadata of "
                + earth
                + ", which would hide the change; zarr consolidate writes them again\n");
    assertThat(zarr("info", earth).out()).doesNotContain("consolidated");
    assertThat(zarr("header", earth).out()).contains(" m  ");
  }

  @Test
  void attributes_of_groups_and_of_zarr_v2_change_too() throws IOException {
    assertThat(zarr("attrs", earth + "/earth", "a=1").exitCode()).isZero();
    assertThat(zarr("attrs", earth + "/earth", "a").out()).isEqualTo("1\n");
    Files.writeString(directory.resolve(".zgroup"), "{\"zarr_format\": 2}");
    assertThat(zarr("attrs", directory.toString(), "a=b").exitCode()).isZero();
    assertThat(directory.resolve(".zattrs")).content().contains("\"a\"");
    assertThat(zarr("attrs", directory.toString(), "a").out()).isEqualTo("b\n");
  }

  @Test
  void an_archive_is_not_written_to() {
    String archive = directory + "/a.zip";
    assertThat(zarr("copy", lat, archive, "-q").exitCode()).isZero();
    CommandRun run = zarr("attrs", archive, "a=1");
    assertThat(run.exitCode()).isOne();
    assertThat(run.err()).contains("this store can only be read, not written to");
  }

  @Test
  void to_show_and_to_change_at_once_is_wrong_usage() {
    for (String[] words :
        new String[][] {{"a", "b=1"}, {"a", "--delete=b"}, {"=1"}, {""}, {"a", "--set", "b"}}) {
      String[] line = new String[words.length + 2];
      line[0] = "attrs";
      line[1] = lat;
      System.arraycopy(words, 0, line, 2, words.length);
      CommandRun run = zarr(line);
      assertThat(run.exitCode()).as(run.err()).isEqualTo(2);
      assertThat(run.err()).startsWith("zarr: error: ").contains("Try 'zarr attrs --help'");
    }
  }

  @Test
  void a_node_that_cannot_be_read_shows_its_attributes_and_is_never_changed() throws IOException {
    Path document = Path.of(lat).resolve("zarr.json");
    Files.writeString(document, Files.readString(document).replace("float64", "float63"));
    assertThat(zarr("attrs", lat, "units").out()).isEqualTo("degrees_north\n");
    CommandRun run = zarr("attrs", lat, "units=m");
    assertThat(run.exitCode()).isOne();
    assertThat(run.err()).contains("float63");
    Files.writeString(document, "{");
    assertThat(zarr("attrs", lat, "units=m").exitCode()).isOne();
    assertThat(document).hasContent("{");
  }
}
