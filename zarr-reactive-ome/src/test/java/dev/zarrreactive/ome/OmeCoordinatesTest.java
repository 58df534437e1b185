package dev.zarrreactive.ome;

import static dev.zarrreactive.testing.Waiting.await;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.error.NodeNotFoundException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.GroupMetadata;
import dev.zarrreactive.store.memory.MemoryStore;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;

/** Systems of coordinates of OME-Zarr 0.6, and points, boxes and tiles between them. */
class OmeCoordinatesTest {
  private static final String PLANE =
      "\"axes\": [{\"name\": \"y\", \"type\": \"space\"}, {\"name\": \"x\", \"type\": \"space\"}]";

  private final ZarrHierarchy hierarchy = Zarr.hierarchy(MemoryStore.create());

  private static JsonObject json(String text) {
    return (JsonObject)
        JsonDocument.parse(
                ByteBuffer.wrap(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8)),
                Location.UNKNOWN,
                1L << 30)
            .value();
  }

  /** Stores an image whose level s0 has 8 times 10 elements of 2 by 3 units, from (10, 20). */
  private void image(String path, String systems, String transforms) {
    String text =
        "{'ome': {'version': '0.6', 'multiscales': [{'coordinateSystems': [{'name': 'physical', "
            + PLANE
            + "}"
            + systems
            + "], 'datasets': [{'path': 's0', 'coordinateTransformations': [{'type': 'sequence',"
            + " 'input': {'path': 's0'}, 'output': {'name': 'physical'}, 'transformations':"
            + " [{'type': 'scale', 'scale': [2, 3]},"
            + " {'type': 'translation', 'translation': [10, 20]}]}]}]"
            + (transforms.isEmpty() ? "" : ", 'coordinateTransformations': [" + transforms + "]")
            + "}]}}";
    await(hierarchy.createGroup(path, GroupMetadata.of(3, json(text))));
    numbers((path.isEmpty() ? "" : path + "/") + "s0", Shape.of(8, 10), counted(80));
  }

  private static double[] counted(int count) {
    double[] numbers = new double[count];
    for (int i = 0; i < count; i++) {
      numbers[i] = i;
    }
    return numbers;
  }

  private void numbers(String path, Shape shape, double... numbers) {
    await(
        hierarchy
            .createArray(path, ArrayMetadata.v3(shape, DataTypes.FLOAT64).build())
            .flatMap(array -> array.write("...", NdArray.ofDoubles(shape, numbers))));
  }

  private OmeCoordinates coordinates() {
    return requireNonNull(await(hierarchy.openGroup("").flatMap(OmeCoordinates::of)));
  }

  private static OmeMapping mapping(OmeCoordinates all, OmeSystem from, OmeSystem to) {
    return requireNonNull(await(all.mapping(from, to)));
  }

  private static double[] carried(OmeMapping mapping, double... point) {
    return requireNonNull(await(mapping.point(point)));
  }

  private static String system(String name) {
    return ", {'name': '" + name + "', " + PLANE + "}";
  }

  private static String transform(String type, String from, String to, String rest) {
    return "{'type': '"
        + type
        + "', 'input': {'name': '"
        + from
        + "'}, 'output': {'name': '"
        + to
        + "'}"
        + (rest.isEmpty() ? "" : ", " + rest)
        + "}";
  }

  @Test
  void an_image_has_levels_in_the_system_that_they_end_in() {
    image("", system("other"), transform("scale", "physical", "other", "'scale': [10, 10]"));
    OmeImage image = requireNonNull(await(OmeImage.open(hierarchy, "")));
    assertThat(image.metadata().problems()).isEmpty();
    assertThat(image.metadata().version()).isEqualTo("0.6");
    OmeLevel level = image.levels().get(0);
    assertThat(level.transform())
        .isEqualTo(new OmeTransform(List.of(2.0, 3.0), List.of(10.0, 20.0)));
    OmeCoordinates all = requireNonNull(await(image.coordinates()));
    assertThat(all.systems())
        .extracting(OmeSystem::toString)
        .containsExactly("physical", "other", "s0");
    OmeMapping there = mapping(all, all.system("s0", ""), all.system("other"));
    assertThat(carried(there, 1, 2)).containsExactly(120, 260);
    OmeMapping back = mapping(all, all.system("other"), all.system("s0", ""));
    assertThat(carried(back, 120, 260)).containsExactly(1, 2);
    assertThat(there.matrix().orElseThrow())
        .isDeepEqualTo(new double[][] {{20, 0, 100}, {0, 30, 200}});
    assertThat(await(there.box(new OmeBox(List.of(0.0, 0.0), List.of(1.0, 2.0)))))
        .isEqualTo(new OmeBox(List.of(100.0, 200.0), List.of(120.0, 260.0)));
    assertThat(carried(mapping(all, all.system("other"), all.system("other")), 4, 5))
        .containsExactly(4, 5);
  }

  @Test
  void a_tile_is_read_by_the_box_of_a_system_that_is_rotated() {
    image(
        "",
        system("turned"),
        transform("rotation", "physical", "turned", "'rotation': [[0, -1], [1, 0]]"));
    OmeImage image = requireNonNull(await(OmeImage.open(hierarchy, "")));
    OmeCoordinates all = requireNonNull(await(image.coordinates()));
    // turned (-23, 12) is physical (12, 23), which is the element (1, 1)
    OmeTile tile =
        requireNonNull(
            await(
                all.tile(
                    image.levels().get(0),
                    all.system("turned"),
                    OmeBox.all(2).range(0, -26, -23).range(1, 12, 14))));
    assertThat(tile.values().shape()).isEqualTo(Shape.of(2, 2));
    assertThat(tile.values().toDoubleArray()).containsExactly(11, 12, 21, 22);
    assertThat(tile.transform().translation()).containsExactly(12.0, 23.0);
    OmeTile whole =
        requireNonNull(await(all.tile(image.levels().get(0), all.system("turned"), OmeBox.all(2))));
    assertThat(whole.values().shape()).isEqualTo(Shape.of(8, 10));
    assertThatThrownBy(
            () ->
                await(
                    all.tile(
                        image.levels().get(0),
                        all.system("turned"),
                        OmeBox.all(2).range(0, 100, 200))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("outside of the image")
        .hasMessageContaining("axis x");
  }

  @Test
  void a_tile_is_read_by_the_box_of_a_system_with_transforms_by_dimension() {
    image(
        "",
        system("stage"),
        transform(
            "byDimension",
            "physical",
            "stage",
            "'transformations': [{'transformation': {'type': 'scale', 'scale': [0.5]},"
                + " 'inputAxes': [1], 'outputAxes': [0]}, {'transformation': {'type': 'affine',"
                + " 'affine': [[-1, 100]]}, 'inputAxes': [0], 'outputAxes': [1]}]"));
    OmeImage image = requireNonNull(await(OmeImage.open(hierarchy, "")));
    OmeCoordinates all = requireNonNull(await(image.coordinates()));
    OmeMapping there = mapping(all, all.system("s0", ""), all.system("stage"));
    assertThat(carried(there, 3, 4)).containsExactly(16, 84);
    OmeTile tile =
        requireNonNull(
            await(
                all.tile(
                    image.levels().get(0),
                    all.system("stage"),
                    OmeBox.all(2).range(0, 16, 16).range(1, 84, 84))));
    assertThat(tile.values().toDoubleArray()).containsExactly(34);
  }

  @Test
  void a_scene_leads_from_one_image_to_another() {
    String scene =
        "{'ome': {'version': '0.6', 'scene': {'coordinateSystems': [{'name': 'world', "
            + PLANE
            + "}], 'coordinateTransformations': [{'type': 'translation', 'translation': [100, 0],"
            + " 'input': {'path': 'a', 'name': 'physical'}, 'output': {'name': 'world'}},"
            + " {'type': 'affine', 'path': 'coordinateTransformations/m',"
            + " 'input': {'path': './b/', 'name': 'physical'}, 'output': {'name': 'world',"
            + " 'path': null}}, {'type': 'identity', 'input': {'path': 'c', 'name': 'physical'},"
            + " 'output': {'name': 'world'}}]}}}";
    await(hierarchy.createGroup("", GroupMetadata.of(3, json(scene))));
    image("a", "", "");
    image("b", "", "");
    numbers("coordinateTransformations/m", Shape.of(2, 3), 0, 1, 5, 1, 0, 7);
    OmeCoordinates all = coordinates();
    assertThat(OmeMetadata.of(all.group()).isScene()).isTrue();
    assertThat(OmeMetadata.of(all.group()).problems()).isEmpty();
    assertThat(all.gaps()).hasSize(1);
    assertThat(all.gaps().get(0).error()).isInstanceOf(NodeNotFoundException.class);
    assertThat(all.systems())
        .extracting(OmeSystem::toString)
        .containsExactly("world", "a physical", "a/s0", "b physical", "b/s0");
    OmeMapping mapping = mapping(all, all.system("a/s0", ""), all.system("b", "physical"));
    // (12, 23) is (112, 23) of the world, which is (23 - 7, 112 - 5) of b
    assertThat(carried(mapping, 1, 1)).containsExactly(16, 107);
    OmeMapping back = mapping(all, all.system("b/s0", ""), all.system("a", "physical"));
    assertThat(carried(back, 3, 29)).containsExactly(12, 23);
    assertThatThrownBy(() -> all.system("physical"))
        .isInstanceOf(NoSuchElementException.class)
        .hasMessageContaining("a physical");
    assertThatThrownBy(() -> await(OmeImage.open(hierarchy, "")))
        .isInstanceOf(MetadataException.class)
        .hasMessageContaining("it is a scene, see OmeCoordinates");
  }

  @Test
  void a_field_of_displacements_is_read_around_a_point() {
    field("'physical'", "'displacements'");
    OmeCoordinates all = coordinates();
    OmeMapping bent = mapping(all, all.system("physical"), all.system("bent"));
    assertThat(bent.matrix()).isEmpty();
    assertThat(carried(bent, 0, 0)).containsExactly(1, 2);
    assertThat(carried(bent, 2, 0)).containsExactly(2.5, 1.2);
    assertThat(carried(bent, 1, 0)).containsExactly(1.75, 1.6);
    assertThat(carried(bent, 1, 1)).containsExactly(1 + 0.375, 1 + 0.8);
    assertThat(await(bent.box(new OmeBox(List.of(0.0, 0.0), List.of(1.0, 1.0)))))
        .isEqualTo(new OmeBox(List.of(0.0, 0.0), List.of(2.0, 3.0)));
    assertThatThrownBy(() -> carried(bent, 7, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("outside of the field")
        .hasMessageContaining("0.0 to 2.0");
    assertThatThrownBy(() -> await(all.mapping(all.system("bent"), all.system("physical"))))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("displacements")
        .hasMessageContaining("has no inverse");
  }

  @Test
  void a_field_of_coordinates_replaces_a_point_and_the_nearest_vector_may_be_asked() {
    field("'physical'", "'coordinates', 'interpolation': 'nearest'");
    OmeCoordinates all = coordinates();
    OmeMapping there = mapping(all, all.system("physical"), all.system("bent"));
    assertThat(carried(there, 1.9, 0.2)).containsExactly(0.5, 1.2);
  }

  @Test
  void a_field_without_support_for_its_interpolation_is_refused_by_name() {
    field("'physical'", "'coordinates', 'interpolation': 'cubic'");
    OmeCoordinates all = coordinates();
    assertThatThrownBy(() -> await(all.mapping(all.system("physical"), all.system("bent"))))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("cubic")
        .hasMessageContaining("linear and nearest");
  }

  /** Stores an image and a field of 2 by 2 vectors, two units apart. */
  private void field(String from, String type) {
    String group =
        "{'ome': {'version': '0.6', 'multiscales': [{'coordinateSystems': [{'name': 'f', 'axes':"
            + " [{'name': 'd', 'type': 'displacement', 'discrete': true}, {'name': 'y', 'type':"
            + " 'space'}, {'name': 'x', 'type': 'space'}]}], 'datasets': [{'path': 's0',"
            + " 'coordinateTransformations': [{'type': 'scale', 'scale': [1, 2, 2], 'input':"
            + " {'path': 's0'}, 'output': {'name': 'f'}}]}]}]}}";
    await(hierarchy.erase("").onErrorComplete());
    image(
        "",
        system("bent"),
        transform("X", "physical", "bent", "'path': 'coordinateTransformations/field'")
            .replace("'physical'", from)
            .replace("'X'", type));
    await(
        hierarchy.createGroup("coordinateTransformations/field", GroupMetadata.of(3, json(group))));
    numbers("coordinateTransformations/field/s0", Shape.of(2, 2, 2), 1, 0, 0.5, 0, 2, 0, 1.2, 0);
  }

  @Test
  void a_bijection_is_followed_backwards_by_its_own_inverse() {
    image(
        "",
        system("far"),
        transform(
            "bijection",
            "physical",
            "far",
            "'forward': {'type': 'translation', 'translation': [1, 1]}, 'inverse': {'type':"
                + " 'translation', 'translation': [-10, -10]}"));
    OmeCoordinates all = coordinates();
    assertThat(carried(mapping(all, all.system("physical"), all.system("far")), 1, 2))
        .containsExactly(2, 3);
    assertThat(carried(mapping(all, all.system("far"), all.system("physical")), 1, 2))
        .containsExactly(-9, -8);
  }

  @Test
  void axes_are_created_and_dropped() {
    image(
        "",
        ", {'name': 'volume', 'axes': [{'name': 'z', 'type': 'space'}, {'name': 'y', 'type':"
            + " 'space'}, {'name': 'x', 'type': 'space'}]}",
        transform("projectAxis", "physical", "volume", "'createdOutputs': [0]"));
    OmeCoordinates all = coordinates();
    assertThat(carried(mapping(all, all.system("physical"), all.system("volume")), 1, 2))
        .containsExactly(0, 1, 2);
    assertThat(carried(mapping(all, all.system("volume"), all.system("physical")), 9, 1, 2))
        .containsExactly(1, 2);
  }

  @Test
  void a_broken_transformation_does_not_stop_the_image_and_is_located_where_it_is_needed() {
    image("", system("other"), transform("mapAxis", "physical", "other", "'mapAxis': [0, 0]"));
    OmeImage image = requireNonNull(await(OmeImage.open(hierarchy, "")));
    assertThat(image.metadata().problems()).noneMatch(OmeProblem::stopsReading);
    assertThat(image.metadata().problems())
        .extracting(OmeProblem::pointer)
        .contains("/attributes/ome/multiscales/0/coordinateTransformations/0/mapAxis/1");
    OmeCoordinates all = requireNonNull(await(image.coordinates()));
    assertThatThrownBy(() -> await(all.mapping(all.system("physical"), all.system("other"))))
        .isInstanceOf(MetadataException.class)
        .hasMessageContaining("/attributes/ome/multiscales/0/coordinateTransformations/0/mapAxis");
  }

  @Test
  void a_singular_matrix_has_no_inverse_and_is_named() {
    image(
        "",
        system("flat"),
        transform(
            "affine", "physical", "flat", "'name': 'squash', 'affine': [[1, 2, 0], [2, 4, 0]]"));
    OmeCoordinates all = coordinates();
    assertThat(carried(mapping(all, all.system("physical"), all.system("flat")), 1, 1))
        .containsExactly(3, 6);
    assertThatThrownBy(() -> await(all.mapping(all.system("flat"), all.system("physical"))))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("squash")
        .hasMessageContaining("has no inverse");
  }

  @Test
  void a_system_without_a_way_is_told() {
    image("", system("alone"), "");
    OmeCoordinates all = coordinates();
    assertThatThrownBy(() -> await(all.mapping(all.system("physical"), all.system("alone"))))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("from the system physical to the system alone");
  }

  @Test
  void a_matrix_of_another_shape_is_refused_at_its_array() {
    image("", system("other"), transform("affine", "physical", "other", "'path': 'm'"));
    numbers("m", Shape.of(2, 2), 1, 0, 0, 1);
    OmeCoordinates all = coordinates();
    assertThatThrownBy(() -> await(all.mapping(all.system("physical"), all.system("other"))))
        .isInstanceOf(MetadataException.class)
        .hasMessageContaining("from 2 to 2 axes")
        .hasMessageContaining("[2, 2]")
        .hasMessageContaining("/m");
  }

  @Test
  void an_image_of_an_older_version_has_one_system() {
    JsonObject attributes =
        json(
            "{'ome': {'version': '0.5', 'multiscales': [{'axes': [{'name': 'y', 'type': 'space'},"
                + " {'name': 'x', 'type': 'space'}], 'datasets': [{'path': '0',"
                + " 'coordinateTransformations': [{'type': 'scale', 'scale': [2, 4]}]}],"
                + " 'coordinateTransformations': [{'type': 'scale', 'scale': [3, 3]}]}]}}");
    await(hierarchy.createGroup("", GroupMetadata.of(3, attributes)));
    OmeCoordinates all = coordinates();
    assertThat(carried(mapping(all, all.system("0", ""), all.system("physical")), 1, 1))
        .containsExactly(6, 12);
  }

  @Test
  void a_group_without_images_is_refused() {
    await(hierarchy.createGroup(""));
    ZarrGroup group = requireNonNull(await(hierarchy.openGroup("")));
    assertThatThrownBy(() -> await(OmeCoordinates.of(group)))
        .isInstanceOf(MetadataException.class)
        .hasMessageContaining("lack multiscales and a scene");
  }
}
