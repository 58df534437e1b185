package dev.zarrreactive.ome;

import static dev.zarrreactive.ome.OmeTestData.at;
import static dev.zarrreactive.ome.OmeTestData.list;
import static dev.zarrreactive.ome.OmeTestData.numbers;
import static dev.zarrreactive.ome.OmeTestData.text;
import static dev.zarrreactive.testing.Waiting.await;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.json.JsonBoolean;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.GroupMetadata;
import dev.zarrreactive.store.memory.MemoryStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every example and every test document of the specification, 0.4 and 0.5. */
class OmeSpecificationTest {
  /** Documents that their schema accepts, and that break a rule of the text. */
  private static final Set<String> BREAK_THE_TEXT =
      Set.of(
          // a scale of two numbers for three axes
          "0.4/image/valid/mismatch_axes_units.json");

  /** The documents that cannot be read; others that are invalid can. */
  private static final Set<String> STOP =
      Set.of(
          "image/invalid/duplicate_axes.json",
          "image/invalid/invalid_axes_count.json",
          "image/invalid/invalid_multiscales_transformations.json",
          "image/invalid/invalid_path.json",
          "image/invalid/missing_axes.json",
          "image/invalid/missing_axes_name.json",
          "image/invalid/missing_datasets.json",
          "image/invalid/missing_path.json",
          "image/invalid/no_axes.json",
          "image/invalid/no_datasets.json",
          "image/invalid/no_multiscales.json",
          "plate/plate/empty_columns",
          "plate/plate/empty_rows",
          "plate/plate/empty_wells",
          "plate/plate/missing_column_name",
          "plate/plate/missing_columns",
          "plate/plate/missing_row_name",
          "plate/plate/missing_rows",
          "plate/plate/missing_well_columnIndex",
          "plate/plate/missing_well_path",
          "plate/plate/missing_well_rowIndex",
          "plate/plate/missing_wells",
          "plate/plate/well_1group",
          "plate/plate/well_3groups",
          "well/well/empty_images");

  private record Document(String name, boolean valid, JsonObject attributes) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static Stream<Document> suites(boolean valid) {
    List<Document> documents = new ArrayList<>();
    OmeTestData.specification()
        .forEach(
            (path, suite) -> {
              if (path.contains("/tests/")) {
                String kind = path.replace("tests/", "").replace("_suite.json", "");
                for (JsonValue test : list(suite.get("tests"))) {
                  documents.add(
                      new Document(
                          kind + "/" + text(at(test, "formerly")),
                          ((JsonBoolean) requireNonNull(at(test, "valid"))).value(),
                          (JsonObject) requireNonNull(at(test, "data"))));
                }
              }
            });
    return documents.stream().filter(document -> document.valid == valid);
  }

  static Stream<Document> valid() {
    return suites(true);
  }

  static Stream<Document> invalid() {
    return suites(false);
  }

  /** The examples of the specification; those of 0.5 are whole documents of groups. */
  static Stream<Document> examples() {
    return OmeTestData.specification().entrySet().stream()
        .filter(entry -> entry.getKey().contains("/examples/"))
        .map(
            entry ->
                new Document(
                    entry.getKey(),
                    true,
                    entry.getValue().get("attributes") instanceof JsonObject inside
                        ? inside
                        : entry.getValue()));
  }

  @Test
  void every_document_of_the_specification_is_there() {
    assertThat(valid()).hasSize(43);
    assertThat(invalid()).hasSize(135);
    assertThat(examples()).hasSize(20);
  }

  @ParameterizedTest
  @MethodSource({"valid", "examples"})
  void a_valid_document_has_no_problem(Document document) {
    assertThat(problems(document).isEmpty())
        .as("%s", problems(document))
        .isEqualTo(!BREAK_THE_TEXT.contains(document.name));
  }

  @ParameterizedTest
  @MethodSource({"valid", "examples"})
  void a_valid_image_opens_with_its_axes_levels_and_transforms(Document document) {
    JsonValue top = document.attributes.get("ome");
    JsonObject ome = top instanceof JsonObject inside ? inside : document.attributes;
    JsonValue multiscale = list(ome.get("multiscales")).stream().findFirst().orElse(null);
    if (multiscale == null || BREAK_THE_TEXT.contains(document.name)) {
      return;
    }
    OmeImage image = requireNonNull(await(OmeImage.of(stored(document.attributes))));
    List<JsonValue> axes = list(at(multiscale, "axes"));
    assertThat(image.axes())
        .isEqualTo(
            axes.stream()
                .map(
                    axis ->
                        new OmeAxis(
                            text(at(axis, "name")), text(at(axis, "type")), text(at(axis, "unit"))))
                .toList());
    List<JsonValue> datasets = list(at(multiscale, "datasets"));
    assertThat(image.levels()).hasSameSizeAs(datasets);
    for (int i = 0; i < datasets.size(); i++) {
      OmeLevel level = image.levels().get(i);
      assertThat(level.path()).isEqualTo(text(at(datasets.get(i), "path")));
      for (int d = 0; d < axes.size(); d++) {
        double at3 = applied(at(datasets.get(i), "coordinateTransformations"), d, 3);
        double expected = applied(at(multiscale, "coordinateTransformations"), d, at3);
        assertThat(level.transform().coordinate(d, 3)).isEqualTo(expected);
      }
    }
  }

  /** The plates of the suites of 0.4 name their columns A and their rows 1, against the text. */
  private static List<OmeProblem> problems(Document document) {
    return OmeMetadata.of(document.attributes).problems().stream()
        .filter(
            problem ->
                !(document.name.startsWith("0.4/")
                    && document.name.contains("/plate/")
                    && problem.pointer().matches("/plate/wells/\\d+/path")
                    && problem.expected().matches("A?1/A")))
        .toList();
  }

  private static double applied(@Nullable JsonValue steps, int axis, double value) {
    double result = value;
    for (JsonValue step : list(steps)) {
      result =
          text(at(step, "type")).equals("scale")
              ? result * numbers(at(step, "scale")).get(axis)
              : result + numbers(at(step, "translation")).get(axis);
    }
    return result;
  }

  /** Returns a group with the attributes, and with arrays of 8 in each direction. */
  private static ZarrGroup stored(JsonObject attributes) {
    ZarrHierarchy hierarchy = Zarr.hierarchy(MemoryStore.create());
    ZarrGroup group =
        requireNonNull(await(hierarchy.createGroup("", GroupMetadata.of(3, attributes))));
    OmeMetadata metadata = OmeMetadata.of(attributes);
    for (OmeMultiscale multiscale : metadata.multiscales()) {
      long[] extents = new long[multiscale.axes().size()];
      Arrays.fill(extents, 8);
      for (OmeMultiscale.Dataset dataset : multiscale.datasets()) {
        await(
            group.createArray(
                dataset.path(), ArrayMetadata.v3(Shape.of(extents), DataTypes.UINT8).build()));
      }
    }
    return requireNonNull(await(hierarchy.openGroup("")));
  }

  @ParameterizedTest
  @MethodSource("invalid")
  void an_invalid_document_has_a_located_problem(Document document) {
    boolean isStrict = document.name.contains("strict_");
    if (isStrict) { // members that should be there, and need not
      assertThat(problems(document)).isEmpty();
      return;
    }
    assertThat(problems(document))
        .isNotEmpty()
        .allSatisfy(
            problem -> {
              assertThat(problem.pointer()).startsWith("/");
              assertThat(problem.expected()).isNotEmpty();
              assertThat(problem.found()).isNotEmpty();
            });
  }

  @Test
  void the_documents_that_cannot_be_read_are_known() {
    Set<String> stop = new TreeSet<>();
    invalid()
        .filter(
            d ->
                OmeMetadata.of(d.attributes).problems().stream().anyMatch(OmeProblem::stopsReading))
        .forEach(d -> stop.add(d.name.substring(d.name.indexOf('/') + 1)));
    assertThat(stop).containsExactlyInAnyOrderElementsOf(STOP);
  }

  @Test
  void an_image_that_cannot_be_read_is_refused_with_its_place() {
    Map<String, String> places =
        Map.of(
            "0.5/image/invalid/invalid_path.json", "/attributes/ome/multiscales/0/datasets/0/path",
            "0.4/image/invalid/missing_axes_name.json", "/attributes/multiscales/0/axes/0/name");
    invalid()
        .filter(document -> places.containsKey(document.name))
        .forEach(
            document -> {
              ZarrHierarchy hierarchy = Zarr.hierarchy(MemoryStore.create());
              await(hierarchy.createGroup("", GroupMetadata.of(3, document.attributes)));
              assertThatThrownBy(() -> await(OmeImage.open(hierarchy, "")))
                  .isInstanceOf(MetadataException.class)
                  .hasMessageContaining("expected")
                  .hasMessageContaining(places.get(document.name));
            });
  }
}
