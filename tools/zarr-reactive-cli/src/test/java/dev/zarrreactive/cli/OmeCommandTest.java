package dev.zarrreactive.cli;

import static dev.zarrreactive.cli.CommandRun.zarr;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.ome.OmeImage;
import dev.zarrreactive.ome.OmeLevel;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code zarr ome}, and warnings of {@code zarr validate} about conventions. */
class OmeCommandTest {
  @TempDir Path directory;

  private String array() {
    String at = directory.resolve("a.zarr").toString();
    ZarrHierarchy hierarchy = Zarr.at(at).newHierarchy().block();
    hierarchy
        .createArray("v", ArrayMetadata.v3(Shape.of(600, 300), DataTypes.UINT16).build())
        .flatMap(array -> array.write(Selection.all(), 7))
        .block();
    return at + "/v";
  }

  @Test
  void an_image_is_made_from_an_array() {
    String image = directory.resolve("i.zarr").toString();
    CommandRun run =
        zarr(
            "ome",
            "create",
            array(),
            image,
            "--axes",
            "y,x",
            "--spacing",
            "y=0.5,x=0.25",
            "--axis-unit",
            "micrometer",
            "--ome",
            "0.6");
    assertThat(run.exitCode()).as(run.err()).isZero();
    OmeImage opened = OmeImage.open(Zarr.at(image)).block();
    assertThat(opened.metadata().version()).isEqualTo("0.6");
    assertThat(opened.metadata().problems()).isEmpty();
    assertThat(opened.levels())
        .extracting(level -> level.array().shape())
        .containsExactly(Shape.of(600, 300), Shape.of(300, 150), Shape.of(150, 75));
    OmeLevel coarse = opened.levels().get(2);
    assertThat(coarse.scale("x")).isEqualTo(1);
    assertThat(coarse.array().read("3,4").block().getInt()).isEqualTo(7);
    assertThat(zarr("validate", image).err()).doesNotContain("OME-Zarr");
  }

  @Test
  void levels_are_added_to_an_image_that_has_one() {
    String image = directory.resolve("i.zarr").toString();
    assertThat(zarr("ome", "create", array(), image, "--axes", "y,x", "--levels", "1").exitCode())
        .isZero();
    CommandRun run = zarr("ome", "levels", image, "--method", "nearest");
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out() + run.err()).contains("[600, 300], [300, 150], [150, 75]");
    CommandRun again = zarr("ome", "levels", image);
    assertThat(again.exitCode()).isOne();
    assertThat(again.err()).contains("the image has 3 levels");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "create A",
        "create A B",
        "create A B --axes x",
        "create A B --axes y,x --ome 0.7",
        "create A B --axes y,x --spacing z=1",
        "create A B --axes y,x --levels 99",
        "create A B.zip --axes y,x",
        "levels A B",
        "levels A --axes y,x",
        "other A"
      })
  void a_line_that_cannot_be_is_wrong_usage(String line) {
    CommandRun run = zarr(("ome " + line).split(" ", -1));
    assertThat(run.exitCode()).as(run.err()).isEqualTo(2);
  }

  @Test
  void validate_warns_of_broken_rules_of_conventions() {
    String at = directory.resolve("c.zarr").toString();
    assertThat(zarr("create", at).exitCode()).isZero();
    assertThat(zarr("attrs", at, "proj:code=4326").exitCode()).isZero();
    CommandRun run = zarr("validate", at);
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.err()).contains("/proj:code: expected an authority and a code");
  }

  @Test
  void an_image_where_something_is_names_the_place_that_is_taken() {
    String image = directory.resolve("i.zarr").toString();
    String array = array();
    assertThat(zarr("ome", "create", array, image, "--axes", "y,x").exitCode()).isZero();
    CommandRun again = zarr("ome", "create", array, image, "--axes", "y,x");
    assertThat(again.exitCode()).isOne();
    assertThat(again.err())
        .startsWith(
            "zarr: error: " + image + ": a node exists here; choose another DST, or zarr rm");
  }

  @Test
  void the_levels_of_an_image_are_no_table() {
    String image = directory.resolve("i.zarr").toString();
    assertThat(zarr("ome", "create", array(), image, "--axes", "y,x").exitCode()).isZero();
    CommandRun run = zarr("read", image, "--format", "csv");
    assertThat(run.exitCode()).isOne();
    assertThat(run.out()).isEmpty();
    assertThat(run.err())
        .contains("give a dimension several extents: 0 [600, 300], 1 [300, 150], 2 [150, 75]")
        .contains("name one of them, or choose with --variables, such as --variables 0");
    CommandRun level = zarr("read", image, "--format", "csv", "--variables", "0");
    assertThat(level.exitCode()).as(level.err()).isZero();
    assertThat(level.out()).startsWith("y,x,0\r\n0,0,7\r\n").hasLineCount(600 * 300 + 1);
  }
}
