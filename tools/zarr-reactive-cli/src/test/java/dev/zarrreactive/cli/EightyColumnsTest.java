package dev.zarrreactive.cli;

import static dev.zarrreactive.cli.CommandRun.EARTH;
import static dev.zarrreactive.cli.CommandRun.zarr;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.array.Shape;
import dev.zarrreactive.cli.console.Colours;
import dev.zarrreactive.cli.console.Terminal;
import dev.zarrreactive.datatype.DataTypes;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables on a terminal of 80 columns, of which each line fits. */
class EightyColumnsTest {
  private static final Terminal PLAIN =
      new Terminal(false, true, true, 80, 24, Colours.NONE, true, StandardCharsets.UTF_8);

  private static final String TYPE =
      "{\"name\":\"struct\",\"configuration\":{\"fields\":["
          + "{\"name\":\"first_value\",\"data_type\":\"float32\"},"
          + "{\"name\":\"second_value\",\"data_type\":\"float32\"},"
          + "{\"name\":\"third_value\",\"data_type\":\"float32\"}]}}";

  @TempDir Path directory;

  private String at(String name) {
    return directory.resolve(name).toString();
  }

  /**
   * Makes a group with a long type, long names, a node that is broken, and one that misses data.
   */
  @BeforeEach
  void wide() throws Exception {
    good("create", at("a.zarr"));
    String name = "a.zarr/a_variable_with_quite_a_long_name";
    TestArrays.create(
        directory.resolve(name),
        Shape.of(1_000_000, 2_000_000, 3),
        DataTypes.INT16,
        array ->
            array
                .chunkShape(1000, 1000, 3)
                .dimensionNames("a_dimension_with_a_long_name", "another_long_one", "third"));
    good("attrs", at(name), "units=kg m-2 s-1 of something that needs many words to be named");
    good("create", at("a.zarr/s"), "--shape", "2,3", "--dtype", TYPE);
    good("create", at("a.zarr/broken"), "--shape", "2", "--dtype", "int8");
    Path document = directory.resolve("a.zarr/broken/zarr.json");
    String text = Files.readString(document);
    Files.writeString(document, text.replace("\"regular\"", "\"a grid that nobody has heard of\""));
  }

  private static String good(String... line) {
    CommandRun run = zarr(line);
    assertThat(run.exitCode()).as(run.err()).isZero();
    return run.out();
  }

  @ParameterizedTest
  @ValueSource(strings = {"header", "tree", "stats --exclude a*", "du", "validate"})
  void every_line_fits_the_terminal(String line) {
    String[] words = (line + " " + at("a.zarr")).split(" ");
    CommandRun run = CommandRun.on(PLAIN, words);
    List<String> table =
        run.out().lines().filter(each -> !each.contains(directory.toString())).toList();
    assertThat(table)
        .hasSizeGreaterThanOrEqualTo(2)
        .allSatisfy(each -> assertThat(each).hasSizeLessThanOrEqualTo(80));
    if (!line.equals("du")) {
      assertThat(String.join(" ", table).replaceAll("[ │|]+", " "))
          .as("an error is broken at spaces, and none of its words is left out")
          .contains("a grid that nobody has heard of");
      assertThat(zarr(words).out().lines())
          .as("a pipe gets whole lines")
          .anySatisfy(each -> assertThat(each).hasSizeGreaterThan(80));
    }
  }

  @Test
  void a_type_is_cut_before_a_shape() {
    assertThat(CommandRun.on(PLAIN, "tree", at("a.zarr")).out())
        .containsPattern("s +struct\\{first_val.*[.]{3} \\[2, 3]\n")
        .contains("a_variable_with_quite_a_long_name  int16 [1000000, 2000000, 3]\n");
    assertThat(CommandRun.on(PLAIN, "header", at("a.zarr")).out())
        .containsPattern("s +struct\\{first_val.*[.]{3} +\\[2, 3]\n");
  }

  @Test
  void differences_and_histories_are_broken_at_spaces() {
    good("copy", EARTH + "/earth", at("b.zarr"), "--quiet");
    String words = "a comment of so many words that no line of a terminal has room for all of them";
    good("attrs", at("b.zarr"), "comment_with_a_long_name=" + words + " " + words);
    good("attrs", at("b.zarr/rgb"), "colour_space=" + words);
    CommandRun difference = CommandRun.on(PLAIN, "diff", EARTH + "/earth", at("b.zarr"));
    assertThat(difference.exitCode()).isOne();
    assertThat(difference.out().lines())
        .hasSizeGreaterThan(2)
        .allSatisfy(each -> assertThat(each).hasSizeLessThanOrEqualTo(80));
    assertThat(difference.out().replaceAll("\\s+", " ")).contains(words);

    good("init", at("repo"));
    String array = at("repo") + "|icechunk:/an_array_with_a_long_name";
    for (int i = 0; i < 2; i++) {
      good("create", array + i, "--shape", "2", "--dtype", "int8", "--message", words);
    }
    CommandRun history = CommandRun.on(PLAIN, "history", at("repo"), "--changes");
    assertThat(history.out().lines())
        .hasSizeGreaterThan(6)
        .allSatisfy(each -> assertThat(each).hasSizeLessThanOrEqualTo(80));
    assertThat(history.out().replaceAll("\\s+", " ")).contains(words);
    assertThat(zarr("history", at("repo"), "--json").out()).contains(words);
  }
}
