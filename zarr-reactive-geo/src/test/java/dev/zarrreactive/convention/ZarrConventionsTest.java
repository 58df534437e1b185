package dev.zarrreactive.convention;

import static dev.zarrreactive.testing.Waiting.await;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.memory.MemoryStore;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Conventions that attributes declare. */
class ZarrConventionsTest {
  private static JsonObject json(String text) {
    return (JsonObject)
        JsonDocument.parse(
                ByteBuffer.wrap(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8)),
                Location.UNKNOWN,
                1L << 30)
            .value();
  }

  private static List<String> problems(String attributes, boolean isGroup, ZarrConvention... all) {
    JsonObject declared = ZarrConventions.declare(json(attributes), all);
    return ZarrConventions.problems(declared, isGroup, List.of("y", "x")).stream()
        .map(ConventionProblem::toString)
        .toList();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'uuid': 'f17cb550-5864-4468-aeb7-f3180cfb622f'}",
        "{'schema_url': 'https://raw.githubusercontent.com/zarr-experimental/geo-proj/refs/tags/v1/schema.json'}",
        "{'schema_url': 'https://raw.githubusercontent.com/zarr-conventions/geo-proj/refs/tags/v1/schema.json'}",
        "{'spec_url': 'https://github.com/zarr-conventions/proj/blob/v0.1/README.md', 'name': 'proj'}"
      })
  void a_convention_is_known_by_its_uuid_and_by_each_of_its_urls(String declaration) {
    JsonObject attributes = json("{'zarr_conventions': [" + declaration + "]}");
    assertThat(ZarrConventions.declared(attributes))
        .singleElement()
        .extracting(DeclaredConvention::known)
        .isEqualTo(Optional.of(ZarrConvention.PROJ));
  }

  @Test
  void a_uuid_counts_more_than_a_url_and_others_are_listed_too() {
    JsonObject attributes =
        json(
            "{'zarr_conventions': [{'uuid': '00000000-0000-0000-0000-000000000000', 'name': 'own',"
                + " 'spec_url': 'https://github.com/zarr-conventions/spatial/blob/v1/README.md'},"
                + " 'text', {'name': 'nothing'}]}");
    List<DeclaredConvention> declared = ZarrConventions.declared(attributes);
    assertThat(declared).hasSize(1);
    assertThat(declared.get(0).known()).isEmpty();
    assertThat(declared.get(0)).hasToString("own");
    assertThat(ZarrConventions.problems(attributes, true, List.of()))
        .extracting(ConventionProblem::pointer)
        .containsExactly("/zarr_conventions/1", "/zarr_conventions/2");
  }

  @Test
  void declared_conventions_are_added_once() {
    JsonObject once =
        ZarrConventions.declare(json("{'a': 1}"), ZarrConvention.PROJ, ZarrConvention.SPATIAL);
    JsonObject twice =
        ZarrConventions.declare(once, ZarrConvention.SPATIAL, ZarrConvention.LICENSE);
    assertThat(ZarrConventions.declared(twice))
        .extracting(DeclaredConvention::name)
        .containsExactly("proj", "spatial", "license");
    assertThat(twice.get("a")).isNotNull();
  }

  @Test
  void attributes_that_follow_the_rules_have_no_problem() {
    assertThat(
            problems(
                "{'proj:code': 'EPSG:32633', 'spatial:dimensions': ['y', 'x'], 'spatial:transform':"
                    + " [10, 0, 500000, 0, -10, 5000000], 'spatial:bbox': [0, 0, 1, 1],"
                    + " 'spatial:shape': [2, 3], 'uom': {'ucum': {'unit': 'K', 'version': '2.2'}},"
                    + " 'license': {'spdx': 'CC0-1.0'}}",
                false,
                ZarrConvention.PROJ,
                ZarrConvention.SPATIAL,
                ZarrConvention.UOM,
                ZarrConvention.LICENSE))
        .isEmpty();
    assertThat(
            problems(
                "{'multiscales': {'layout': [{'asset': '0', 'transform': {'scale': [1, 1]}},"
                    + " {'asset': '1/b', 'derived_from': '0', 'transform': {'scale': [2, 2],"
                    + " 'translation': [0.5, 0.5]}, 'spatial:shape': [5, 6]}]}, 'stac:encoding':"
                    + " 'attribute', 'stac:item': {'type': 'Feature', 'id': 'i', 'assets': {'a':"
                    + " {'href': 'data/b'}}}}",
                true,
                ZarrConvention.MULTISCALES,
                ZarrConvention.STAC))
        .isEmpty();
    assertThat(problems("{'multiscales': [{'version': '0.4'}], 'license': 'MIT'}", true)).isEmpty();
  }

  @Test
  void attributes_that_are_used_and_not_declared_are_told() {
    assertThat(
            problems(
                "{'proj:code': 'EPSG:4326', 'spatial:bbox': [0, 0, 1, 1], 'multiscales': {'layout':"
                    + " [{'asset': '0'}]}}",
                true))
        .hasSize(3)
        .allMatch(line -> line.startsWith("/zarr_conventions: expected the convention "));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "PROJ | {} | /proj:code",
        "PROJ | {'proj:code': 4326} | /proj:code",
        "PROJ | {'proj:wkt2': 'EPSG:4326'} | /proj:wkt2",
        "PROJ | {'proj:projjson': '{}'} | /proj:projjson",
        "SPATIAL | {'spatial:dimensions': ['x']} | /spatial:dimensions",
        "SPATIAL | {'spatial:bbox': [3, 0, 1, 1]} | /spatial:bbox",
        "SPATIAL | {'spatial:transform': [1, 0, 0, 0, 1]} | /spatial:transform",
        "SPATIAL | {'spatial:shape': [0, 5]} | /spatial:shape",
        "SPATIAL | {'spatial:registration': 'cell'} | /spatial:registration",
        "MULTISCALES | {'multiscales': {'layout': []}} | /multiscales/layout",
        "MULTISCALES | {'multiscales': {'layout': [{'asset': '../a'}]}} | /multiscales/layout/0/asset",
        "MULTISCALES | {'multiscales': {'layout': [{'asset': 'b', 'derived_from': 'a'}]}} | /multiscales/layout/0/transform",
        "MULTISCALES | {'multiscales': {'layout': [{'asset': 'b', 'spatial:shape': [1]}]}} | /multiscales/layout/0/spatial:shape",
        "UOM | {'uom': 'K'} | /uom/ucum",
        "LICENSE | {'license': {}} | /license",
        "LICENSE | {'license': {'spdx': 1}} | /license/spdx",
        "STAC | {'stac:encoding': 'other', 'stac:key': 'stac.json'} | /stac:encoding",
        "STAC | {'stac:key': '../stac.json'} | /stac:key",
        "STAC | {'stac:link': {'href': 'a'}} | /stac:link/href",
        "STAC | {'stac:item': {'type': 'Feature', 'id': 'a'}, 'stac:key': 'a'} | /stac:item",
        "STAC | {'stac:encoding': 'link', 'stac:item': {'href': 'a'}} | /stac:item/href",
        "STAC | {'stac:encoding': 'link'} | /stac:item",
        "STAC | {'stac:encoding': 'attribute', 'stac:collection': {'type': 'Feature', 'id': 'a'}} | /stac:collection/type"
      })
  void a_broken_rule_has_its_place(ZarrConvention convention, String attributes, String pointer) {
    JsonObject declared = ZarrConventions.declare(json(attributes), convention);
    assertThat(ZarrConventions.problems(declared, true, List.of()))
        .singleElement()
        .extracting(ConventionProblem::pointer)
        .isEqualTo(pointer);
  }

  @Test
  void dimensions_of_an_array_are_those_that_it_has() {
    ZarrHierarchy hierarchy = Zarr.hierarchy(MemoryStore.create());
    JsonObject attributes =
        ZarrConventions.declare(
            json("{'spatial:dimensions': ['lat', 'x']}"), ZarrConvention.SPATIAL);
    assertThat(
            ZarrConventions.problems(
                requireNonNull(
                    await(
                        hierarchy.createArray(
                            "a",
                            ArrayMetadata.v3(Shape.of(2, 2), DataTypes.INT8)
                                .dimensionNames("y", "x")
                                .attributes(attributes)
                                .build())))))
        .singleElement()
        .hasToString(
            "/spatial:dimensions/0: expected one of the dimensions [y, x], found string \"lat\"");
  }

  @Test
  void units_and_licences_are_read() {
    assertThat(ZarrConventions.license(json("{'license': {'url': 'u', 'spdx': 'MIT'}}")))
        .contains("MIT");
    assertThat(ZarrConventions.license(json("{'license': 'MIT'}"))).isEmpty();
    assertThat(ZarrConventions.unit(json("{'uom': {'ucum': {'unit': 'm/s'}}}"))).contains("m/s");
  }
}
