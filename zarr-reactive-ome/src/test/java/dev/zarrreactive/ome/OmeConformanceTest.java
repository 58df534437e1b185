package dev.zarrreactive.ome;

import static dev.zarrreactive.ome.OmeTestData.at;
import static dev.zarrreactive.testing.Waiting.await;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.json.JsonBoolean;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * OME-Zarr 0.6rc0 by the documents of its specification, in a copy of ome/ngff-spec that {@code
 * -Dzarr.ome.specification} names, and by the cases of ome-zarr-transformations-conformance 0.1.2,
 * in the directory that {@code -Dzarr.ome.transformations} names.
 */
class OmeConformanceTest {
  private static final Pattern NUMBER = Pattern.compile("-?[0-9][0-9.e+-]*");

  /** Documents that their schema accepts, and that break a rule of the text. */
  private static final Set<String> BREAK_THE_TEXT =
      Set.of(
          // a scale of two numbers for three axes
          "spec/valid/image/mismatch_axes_units.json",
          // a byDimension without one of three axes
          "spec/valid/image/multiscales_transform_additional_transforms.json",
          // columns and rows are exchanged
          "spec/valid/plate/minimal_acquisitions.json",
          "spec/valid/plate/minimal_no_acquisitions.json",
          "spec/valid/plate/non_alphanumeric_row.json",
          "strict/valid/plate/strict_acquisitions.json",
          "strict/valid/plate/strict_no_acquisitions.json",
          // a system that is named nowhere
          "strict/valid/image/image_omero.json",
          // an input with the path of another level
          "strict/valid/image/multiscales_example.json");

  /** A document without anything of OME-Zarr but the version. */
  private static final String NOTHING = "spec/invalid/scene/scene_missing_scene.json";

  private static Path directory(String property) {
    String named = System.getProperty(property, "");
    assumeTrue(!named.isEmpty(), "no directory of conformance cases is named by -D" + property);
    return Path.of(named);
  }

  private static List<Path> documents(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(file -> file.toString().endsWith(".json")).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static JsonObject json(Path file) {
    try {
      byte[] text = // some examples have comments
          Files.readString(file)
              .replaceAll("(?m)(^|[\\s,])//.*$", "$1")
              .getBytes(StandardCharsets.UTF_8);
      return (JsonObject)
          JsonDocument.parse(ByteBuffer.wrap(text), Location.UNKNOWN, 1L << 40).value();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<OmeProblem> problems(JsonObject attributes) {
    return OmeMetadata.of(attributes).problems();
  }

  @Test
  void a_document_of_the_suite_has_a_problem_only_if_it_is_invalid() {
    Path suite = directory("zarr.ome.specification").resolve("tests/attributes");
    Set<String> wrong = new TreeSet<>();
    List<Path> documents = documents(suite);
    assertThat(documents).hasSizeGreaterThan(120);
    for (Path file : documents) {
      JsonObject document = json(file);
      boolean isValid =
          !(at(document, "_conformance", "valid") instanceof JsonBoolean valid) || valid.value();
      boolean isStrict =
          at(document, "_conformance", "strict") instanceof JsonBoolean strict && strict.value();
      List<OmeProblem> problems = problems(document.without("_conformance"));
      boolean isAccepted = problems.isEmpty();
      if (isAccepted != isValid && !(isStrict && !isValid)) {
        wrong.add(suite.relativize(file).toString());
      }
    }
    Set<String> known = new TreeSet<>(BREAK_THE_TEXT);
    known.add(NOTHING);
    assertThat(wrong).isEqualTo(known);
  }

  @Test
  void an_example_of_the_specification_has_no_problem() {
    Path examples = directory("zarr.ome.specification").resolve("examples");
    for (Path file : documents(examples)) {
      JsonObject document = json(file);
      if (at(document, "attributes", "ome") instanceof JsonObject) {
        assertThat(problems((JsonObject) requireNonNull(document.get("attributes"))))
            .as("%s", file)
            .isEmpty();
      }
    }
  }

  @Test
  void a_transformation_of_the_examples_is_read_unless_its_name_says_that_it_is_invalid() {
    Path examples = directory("zarr.ome.specification").resolve("examples/transformations");
    Set<String> broken = new TreeSet<>();
    for (Path file : documents(examples)) {
      JsonObject document = json(file);
      List<OmeProblem> problems = new ArrayList<>();
      OmeJson top = new OmeJson(document, "", problems);
      List<OmeSystem> systems = OmeLinks.systems(top.member("coordinateSystems"), false);
      problems.clear();
      for (OmeJson transform : top.member("coordinateTransformations").elements()) {
        OmeStep step =
            TransformReader.read(
                transform,
                rank(systems, transform.member("input")),
                rank(systems, transform.member("output")));
        if (step == null || !problems.isEmpty()) {
          broken.add(file.getFileName().toString());
        }
      }
    }
    assertThat(broken)
        .containsExactly(
            "byDimensionInvalid1.json",
            "byDimensionInvalid2.json",
            "byDimensionXarray.json", // of an older draft, read all the same
            "sequenceSubspace1.json"); // of an older draft
  }

  private static int rank(List<OmeSystem> systems, OmeJson end) {
    String name = OmeLinks.reference(end, systems).name();
    return systems.stream()
        .filter(system -> system.name().equals(name))
        .findFirst()
        .map(system -> system.axes().size())
        .orElse(OmeStep.ANY);
  }

  @Test
  void points_are_carried_as_the_cases_of_transformations_say() throws IOException {
    Path cases = directory("zarr.ome.transformations");
    List<Path> all;
    try (Stream<Path> files = Files.list(cases)) {
      all = files.filter(Files::isDirectory).sorted().toList();
    }
    assertThat(all).hasSizeGreaterThan(20);
    for (Path each : all) {
      String[] parts = Files.readString(each.resolve("conformance.toml")).split("\\[target\\]", 2);
      String from = name(parts[0]);
      String to = name(parts[1]);
      OmeCoordinates coordinates =
          requireNonNull(await(Zarr.at(each.toString()).openGroup().flatMap(OmeCoordinates::of)));
      if (parts[0].contains("should_error = true")) {
        assertThatThrownBy(
                () ->
                    await(
                        coordinates.mapping(
                            coordinates.system("", from), coordinates.system("", to))))
            .isInstanceOf(NoSuchElementException.class);
        continue;
      }
      OmeMapping mapping =
          requireNonNull(
              await(coordinates.mapping(coordinates.system(from), coordinates.system(to))));
      List<Double> points = numbers(parts[0]);
      List<Double> expected = numbers(parts[1]);
      int rank = mapping.from().axes().size();
      int outputs = mapping.to().axes().size();
      for (int p = 0; p * rank < points.size(); p++) {
        double[] point =
            points.subList(p * rank, (p + 1) * rank).stream().mapToDouble(x -> x).toArray();
        double[] carried = requireNonNull(await(mapping.point(point)));
        for (int d = 0; d < outputs; d++) {
          double right = expected.get(p * outputs + d);
          assertThat(carried[d])
              .as("%s", each)
              .isCloseTo(right, within(1e-6 + 1e-3 * Math.abs(right)));
        }
      }
    }
  }

  private static String name(String toml) {
    Matcher name = Pattern.compile("name = \"(.*?)\"").matcher(toml);
    assertThat(name.find()).isTrue();
    return name.group(1);
  }

  private static List<Double> numbers(String toml) {
    List<Double> numbers = new ArrayList<>();
    Matcher number = NUMBER.matcher(toml.substring(toml.indexOf("coordinates = ")));
    while (number.find()) {
      numbers.add(Double.valueOf(number.group()));
    }
    return numbers;
  }
}
