package dev.zarrreactive.anndata;

import static dev.zarrreactive.testing.Waiting.await;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.anndata.SpatialElement.Kind;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.LocatedJson;
import dev.zarrreactive.testing.Json;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Elements of SpatialData are listed with the transformations that SpatialData reads. */
class SpatialDataTest {
  private static SpatialData open(String name) {
    return await(SpatialData.open(Zarr.at(AnnTestData.location(name))));
  }

  private static double number(JsonObject matrices, String system, int row, int column) {
    JsonArray matrix = (JsonArray) requireNonNull(matrices.get(system));
    JsonArray numbers = (JsonArray) matrix.elements().get(row);
    return ((JsonNumber) numbers.elements().get(column)).toDouble();
  }

  /** Returns the factor from an axis of the element to one of the system; "1" is what is added. */
  private static double factor(SpatialTransform transform, String to, String from) {
    double[] row = transform.matrix()[transform.systemAxes().indexOf(to)];
    return row[from.equals("1") ? row.length - 1 : transform.axes().indexOf(from)];
  }

  @ParameterizedTest
  @ValueSource(strings = {"spatial-v3", "spatial-v2"})
  void elements_are_listed_with_the_matrices_of_SpatialData(String name) {
    SpatialData slide = open(name);
    JsonObject expected = AnnTestData.expected(name);
    assertThat(slide.elements().stream().map(SpatialElement::toString))
        .containsExactlyInAnyOrderElementsOf(expected.members().keySet());
    for (SpatialElement element : slide.elements()) {
      JsonObject matrices = (JsonObject) requireNonNull(expected.get(element.toString()));
      assertThat(element.transforms().stream().map(SpatialTransform::system))
          .containsExactlyInAnyOrderElementsOf(matrices.members().keySet());
      for (SpatialTransform transform : element.transforms()) {
        List<String> axes = List.of("x", "y", "1");
        for (int row = 0; row < 2; row++) {
          for (int column = 0; column < 3; column++) {
            assertThat(factor(transform, axes.get(row), axes.get(column)))
                .as("%s %s", element, transform)
                .isEqualTo(number(matrices, transform.system(), row, column));
          }
        }
      }
    }
    assertThat(slide.systems()).containsExactlyInAnyOrder("global", "turned", "swapped");
  }

  @ParameterizedTest
  @ValueSource(strings = {"spatial-v3", "spatial-v2"})
  void images_labels_and_tables_are_opened(String name) {
    SpatialData slide = open(name);
    assertThat(await(slide.image("multi")).levels()).hasSize(2);
    assertThat(await(slide.image("image")).levels().get(0).array().shape())
        .isEqualTo(Shape.of(3, 32, 48));
    assertThat(await(slide.image("image")).levels().get(0).scale("x"))
        .as("its own coordinates, not those of a system")
        .isEqualTo(1);
    assertThat(await(slide.labels("labels")).levels().get(0).array().shape())
        .isEqualTo(Shape.of(32, 48));
    AnnData table = await(slide.table("cells"));
    assertThat(table.observations().rows()).isEqualTo(6);
    assertThat(AnnEncoding.text(table.group(), "region_key")).isEqualTo("region");
    assertThat(await(await(table.observations().column("region")).read()).text(0))
        .contains("labels");
  }

  @Test
  void a_point_is_carried_to_a_system() {
    SpatialTransform turned =
        open("spatial-v3").element(Kind.IMAGE, "image").transforms().stream()
            .filter(transform -> transform.system().equals("turned"))
            .findFirst()
            .orElseThrow();
    assertThat(turned.axes()).containsExactly("c", "y", "x");
    assertThat(turned.systemAxes()).containsExactly("c", "x", "y");
    assertThat(turned.point(0, 10, 20)).containsExactly(0, -15, 47);
    assertThatThrownBy(() -> turned.point(1, 2))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("[c, y, x]");
  }

  @Test
  void what_is_no_SpatialData_and_what_is_missing_is_refused() {
    assertThatThrownBy(() -> open("cells-v3"))
        .isInstanceOf(MetadataException.class)
        .hasMessageContaining("spatialdata_attrs");
    assertThatThrownBy(() -> open("spatial-v3").image("none"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("images/multi");
  }

  private static SpatialTransform transform(String text) {
    return new SpatialTransform(new LocatedJson(Json.object(text), Location.ofNode("/images/a")));
  }

  @Test
  void a_broken_transformation_is_refused_when_its_matrix_is_asked_for() {
    String input = "'input': {'axes': [{'name': 'y'}, {'name': 'x'}]}";
    SpatialTransform unknown =
        transform("{'type': 'displacements', " + input + ", 'output': {'name': 'global'}}");
    assertThat(unknown).hasToString("displacements to global");
    assertThatThrownBy(unknown::matrix)
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("displacements");
    for (String broken :
        List.of(
            "{'type': 'scale', 'scale': [1], " + input + "}",
            "{'type': 'scale', 'scale': [1, 'a'], " + input + "}",
            "{'type': 'affine', 'affine': [[1, 2, 3]], " + input + "}",
            "{'type': 'mapAxis', 'mapAxis': {'y': 'z', 'x': 'x'}, " + input + "}",
            "{'type': 'identity'}")) {
      assertThatThrownBy(transform(broken)::matrix)
          .as(broken)
          .isInstanceOf(MetadataException.class)
          .hasMessageContaining("/images/a");
    }
  }
}
