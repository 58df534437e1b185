package dev.zarrreactive.cli;

import static dev.zarrreactive.cli.CommandRun.EARTH;
import static dev.zarrreactive.cli.CommandRun.TERMINAL;
import static dev.zarrreactive.cli.CommandRun.fed;
import static dev.zarrreactive.cli.CommandRun.on;
import static dev.zarrreactive.cli.CommandRun.zarr;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.cli.console.Terminal;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Options that mean the same in several commands, and {@code -} for standard streams. */
class ConsistentOptionsTest {
  private static final String LAT = EARTH + "/earth/lat";

  @TempDir Path directory;

  private String at(String name) {
    return directory.resolve(name).toString();
  }

  private String copied(String node, String name) {
    assertThat(zarr("copy", EARTH + "/earth/" + node, at(name), "--quiet").exitCode()).isZero();
    return at(name);
  }

  private static String printed(CommandRun run) {
    assertThat(run.exitCode()).as(run.err()).isZero();
    return run.out();
  }

  @Test
  void quiet_prints_results_without_notes_and_progress() throws Exception {
    Files.write(directory.resolve("t.npy"), zarr("read", LAT, "--format", "npy").output());
    String other = copied("lat", "other");
    List<List<String>> commands =
        List.of(
            List.of("create", at("a")),
            List.of("import", at("t.npy"), at("a/t")),
            List.of("append", at("a/t"), other),
            List.of("resize", at("a/t"), "100"),
            List.of("attrs", at("a/t"), "units=m"),
            List.of("consolidate", at("a")),
            List.of("mv", at("a/t"), "s"),
            List.of("copy", at("a/s"), at("b")),
            List.of("validate", at("b"), "--data"),
            List.of("view", EARTH + "/earth/relief", "-o", at("v.png")),
            List.of("clean", at("a")),
            List.of("rm", at("a/s"), "--yes"));
    for (List<String> command : commands) {
      List<String> words = new ArrayList<>(command);
      words.add("--quiet");
      CommandRun run = on(TERMINAL, words.toArray(String[]::new));
      assertThat(run.exitCode()).as(words + run.err()).isZero();
      assertThat(run.out() + run.err()).as(words.toString()).isEmpty();
    }
    assertThat(printed(zarr("stats", LAT, "-q"))).contains("mean");
  }

  @Test
  void quiet_differences_and_findings_are_an_exit_code() throws Exception {
    String other = copied("lat", "other");
    assertThat(zarr("attrs", other, "units=m", "-q").exitCode()).isZero();
    CommandRun diff = zarr("diff", LAT, other, "-q");
    assertThat(diff.exitCode()).isOne();
    assertThat(diff.out() + diff.err()).isEmpty();
    Files.writeString(directory.resolve("other/c/0"), "broken");
    CommandRun validate = zarr("validate", other, "--data", "-q");
    assertThat(validate.exitCode()).isOne();
    assertThat(validate.out() + validate.err()).isEmpty();
  }

  @Test
  void a_dry_run_says_what_a_change_would_do_and_does_nothing() {
    String lat = copied("lat", "lat");
    assertThat(printed(zarr("create", at("new"), "--shape", "4", "--dtype", "int8", "--dry-run")))
        .isEqualTo("Would create an array of int8 [4] in chunks of [4].\n");
    assertThat(directory.resolve("new")).doesNotExist();
    assertThat(printed(zarr("append", lat, LAT, "--dry-run")))
        .isEqualTo("Would grow from [360] to [720], by a write of 1 chunk.\n");
    assertThat(printed(zarr("resize", lat, "100", "--dry-run")))
        .isEqualTo("Would resize from [360] to [100].\n");
    assertThat(zarr("resize", lat, "10,10", "--dry-run").exitCode()).isOne();
    assertThat(printed(zarr("info", lat))).contains("shape        [360]");
    copied("lat", "g/lat");
    assertThat(printed(zarr("create", at("g"), "--dry-run"))).isEqualTo("Would create a group.\n");
    assertThat(zarr("create", at("h")).exitCode()).isZero();
    copied("lat", "h/lat");
    copied("lon", "h/lon");
    assertThat(printed(zarr("mv", at("h/lat"), "y", "--dry-run")))
        .isEqualTo("Would move /lat to /y.\n");
    assertThat(zarr("mv", at("h/lat"), "lon", "--dry-run").err()).contains("a node exists");
    assertThat(zarr("mv", at("h/lat"), "/lat/y", "--dry-run").exitCode()).isOne();
    assertThat(printed(zarr("tree", at("h")))).contains("lat ").doesNotContain(" y ");
  }

  @Test
  void globs_choose_nodes() {
    String earth = EARTH + "/earth";
    assertThat(printed(zarr("stats", earth, "--include", "l*", "--exclude", "lon")))
        .contains("/lat ")
        .doesNotContain("/lon", "/rgb", "/relief");
    assertThat(printed(zarr("header", EARTH.toString(), "--include", "earth/r*")))
        .contains("relief", "rgb")
        .doesNotContain("lat  ", "  lon  ");
    assertThat(printed(zarr("validate", earth, "--data", "--include", "lat")))
        .isEqualTo("Checked 1 node and 1 stored chunk: no findings.\n");
    assertThat(printed(zarr("ls", earth, "-r", "--include", "**/zarr.json", "--exclude", "r*")))
        .contains("lat/zarr.json", "lon/zarr.json")
        .doesNotContain("rgb", "/c/");
    zarr("copy", earth, at("e"), "--exclude", "r*", "-q");
    assertThat(zarr("diff", earth, at("e")).exitCode()).isOne();
    assertThat(zarr("diff", earth, at("e"), "--exclude", "r*").exitCode()).isZero();
    assertThat(zarr("diff", earth, at("e"), "--include", "rgb").out())
        .isEqualTo("/rgb: only in A\n");
  }

  @Test
  void lines_of_json_are_for_programs() throws Exception {
    assertThat(printed(zarr("tree", EARTH.toString(), "--json")).lines())
        .contains(
            "{\"path\":\"/earth\",\"node_type\":\"group\"}",
            "{\"path\":\"/earth/lat\",\"node_type\":\"array\",\"data_type\":\"float64\",\"shape\":[360]}");
    assertThat(printed(zarr("ls", LAT, "--json")))
        .isEqualTo("{\"name\":\"c/\"}\n{\"name\":\"zarr.json\",\"bytes\":741}\n");
    assertThat(printed(zarr("stream", LAT, "--json")))
        .isEqualTo(
            "{\"chunk\":[0],\"selection\":\"0:360\",\"shape\":[360],\"min\":-89.75,\"max\":89.75}\n");
    String other = copied("lat", "other");
    zarr("attrs", other, "units=m", "-q");
    CommandRun diff = zarr("diff", LAT, other, "--json");
    assertThat(diff.exitCode()).isOne();
    assertThat(diff.out()).startsWith("{\"difference\":\"/: attribute units").endsWith("\"}\n");
    Files.writeString(directory.resolve("other/c/0"), "broken");
    CommandRun validate = zarr("validate", other, "--data", "--json");
    assertThat(validate.exitCode()).isOne();
    assertThat(validate.out())
        .startsWith("{\"place\":\"")
        .contains("\"finding\":\"")
        .hasLineCount(1);
    assertThat(validate.err()).isEqualTo("Checked 1 node and 1 stored chunk: 1 finding.\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"read", "view", "stream", "stats", "validate", "diff", "copy", "append", "import"})
  void concurrency_is_one_or_more(String command) throws Exception {
    Files.write(directory.resolve("t.npy"), zarr("read", LAT, "--format", "npy").output());
    String first = command.equals("import") ? at("t.npy") : LAT;
    CommandRun run =
        command.equals("read")
                || command.equals("view")
                || command.equals("stats")
                || command.equals("stream")
                || command.equals("validate")
            ? zarr(command, EARTH + "/earth/relief", "--concurrency", "0")
            : zarr(command, first, at("x"), "--concurrency", "0");
    assertThat(run.exitCode()).as(run.err()).isEqualTo(2);
    assertThat(run.err()).contains("--concurrency must be 1 or more");
  }

  @Test
  void one_chunk_at_a_time_gives_the_same_elements() {
    String relief = EARTH + "/earth/relief";
    assertThat(zarr("read", relief, "--format", "raw", "--concurrency", "1").output())
        .isEqualTo(zarr("read", relief, "--format", "raw").output());
  }

  @Test
  void a_dash_is_a_standard_stream() throws Exception {
    assertThat(printed(zarr("read", LAT, "-o", "-"))).startsWith("float64 [360]\n");
    byte[] png = zarr("view", EARTH + "/earth/rgb", "-o", "-", "--size", "90").output();
    assertThat(ImageIO.read(new ByteArrayInputStream(png)).getWidth()).isEqualTo(90);
    assertThat(on(TERMINAL, "view", EARTH + "/earth/rgb", "-o", "-").exitCode()).isEqualTo(2);
    for (String node : List.of("", "/earth/lat")) {
      String document = zarr("info", EARTH + node, "--json").out();
      CommandRun made =
          fed(
              document.getBytes(StandardCharsets.UTF_8),
              Terminal.NONE,
              "create",
              at("like" + node.length()),
              "--metadata",
              "-");
      assertThat(made.exitCode()).as(made.err()).isZero();
    }
    assertThat(printed(zarr("info", at("like10"), "--json")))
        .isEqualTo(zarr("info", LAT, "--json").out());
  }

  @Test
  void metadata_of_a_file_that_is_broken_or_missing_create_nothing() throws Exception {
    Path file = directory.resolve("m.json");
    Files.writeString(file, "{\"zarr_format\": 3, \"node_type\": \"array\"}");
    CommandRun broken = zarr("create", at("x"), "--metadata", file.toString());
    assertThat(broken.exitCode()).isOne();
    assertThat(broken.err()).contains("m.json: ").hasLineCount(1);
    assertThat(zarr("create", at("x"), "--metadata", at("none.json")).err())
        .contains("none.json: no such file");
    assertThat(zarr("create", at("x"), "--metadata", file.toString(), "--shape", "3").exitCode())
        .isEqualTo(2);
    assertThat(directory.resolve("x")).doesNotExist();
  }
}
