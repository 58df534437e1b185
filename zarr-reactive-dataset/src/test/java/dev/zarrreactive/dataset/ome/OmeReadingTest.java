package dev.zarrreactive.dataset.ome;

import static dev.zarrreactive.testing.Waiting.await;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.error.NodeNotFoundException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonBoolean;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.JsonNull;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.GroupMetadata;
import dev.zarrreactive.store.memory.MemoryStore;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** Attributes that break rules: what is read all the same, and what is refused. */
class OmeReadingTest {
  private static JsonObject json(String text) {
    ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    return (JsonObject) JsonDocument.parse(bytes, Location.UNKNOWN).value();
  }

  private static ZarrGroup stored(JsonObject attributes, Shape... levels) {
    ZarrHierarchy hierarchy = Zarr.hierarchy(MemoryStore.create());
    await(hierarchy.createGroup("", GroupMetadata.of(3, attributes)));
    for (int i = 0; i < levels.length; i++) {
      await(
          hierarchy.createArray(
              Integer.toString(i), ArrayMetadata.v3(levels[i], DataTypes.FLOAT32).build()));
    }
    return requireNonNull(await(hierarchy.openGroup("")));
  }

  private static OmeImage image(String attributes, Shape... levels) {
    return requireNonNull(await(OmeImage.of(stored(json(attributes), levels))));
  }

  @Test
  void the_first_versions_have_five_axes_and_levels_by_their_shapes() {
    OmeImage image =
        image(
            "{\"multiscales\": [{\"version\": \"0.1\", \"datasets\": [{\"path\": \"0\"},"
                + " {\"path\": \"1\"}]}]}",
            Shape.of(1, 2, 3, 40, 60),
            Shape.of(1, 2, 3, 20, 30));
    assertThat(image.axes()).extracting(OmeAxis::name).containsExactly("t", "c", "z", "y", "x");
    assertThat(image.levels().get(1).scale("x")).isEqualTo(2);
    assertThat(image.levels().get(1).translation("x")).isEqualTo(0.5);
    assertThat(image.metadata().problems()).isNotEmpty().noneMatch(OmeProblem::stopsReading);
    assertThat(await(image.thumbnail(10))).isNotNull();
  }

  @Test
  void axes_that_are_names_have_the_usual_types() {
    OmeImage image =
        image(
            "{\"multiscales\": [{\"version\": \"0.3\", \"axes\": [\"c\", \"y\", \"x\"],"
                + " \"datasets\": [{\"path\": \"0\"}]}]}",
            Shape.of(2, 4, 4));
    assertThat(image.axes()).extracting(OmeAxis::type).containsExactly("channel", "space", "space");
  }

  @Test
  void an_image_of_several_is_chosen_by_its_name() {
    String level =
        "{\"path\": \"0\", \"coordinateTransformations\": [{\"type\": \"scale\","
            + " \"scale\": [2, 2]}]}";
    String axes =
        "[{\"name\": \"y\", \"type\": \"space\"}, {\"name\": \"x\", \"type\": \"space\"}]";
    String one = "\"axes\": " + axes + ", \"datasets\": [" + level + "]}";
    ZarrGroup group =
        stored(
            json(
                "{\"ome\": {\"version\": \"0.5\", \"multiscales\": [{\"name\": \"a\", "
                    + one
                    + ", {\"name\": \"b\", "
                    + one
                    + "]}}"),
            Shape.of(3, 3));
    assertThat(requireNonNull(await(OmeImage.of(group, "b"))).name()).isEqualTo("b");
    assertThatThrownBy(() -> await(OmeImage.of(group, "c")))
        .isInstanceOf(MetadataException.class)
        .hasMessageContaining("[a, b]");
  }

  @Test
  void arrays_that_do_not_fit_are_refused() {
    String attributes =
        "{\"multiscales\": [{\"axes\": [\"y\", \"x\"], \"datasets\": [{\"path\": \"0\"},"
            + " {\"path\": \"1\"}]}]}";
    assertThatThrownBy(() -> image(attributes, Shape.of(3, 3)))
        .isInstanceOf(NodeNotFoundException.class)
        .hasMessageContaining("/1");
    assertThatThrownBy(() -> image(attributes, Shape.of(3, 3), Shape.of(3)))
        .isInstanceOf(MetadataException.class)
        .hasMessageContaining("the array 1 has 1 dimensions, the image the axes [y, x]");
    assertThatThrownBy(() -> image("{\"multiscales\": [{\"datasets\": [{\"path\": \"../0\"}]}]}"))
        .isInstanceOf(MetadataException.class)
        .hasMessageContaining("the path of a node below this group");
  }

  @Test
  void a_well_that_the_store_lacks_is_grey_and_an_image_without_its_array_an_error() {
    ZarrHierarchy hierarchy = Zarr.hierarchy(MemoryStore.create());
    JsonObject plate =
        json(
            "{\"plate\": {\"rows\": [{\"name\": \"A\"}], \"columns\": [{\"name\": \"1\"}],"
                + " \"wells\": [{\"path\": \"A/1\", \"rowIndex\": 0, \"columnIndex\": 0}]}}");
    OmePlate sparse =
        OmePlate.of(requireNonNull(await(hierarchy.createGroup("", GroupMetadata.of(3, plate)))));
    OmePicture picture = requireNonNull(await(sparse.thumbnail(4)));
    assertThat(picture.rgb().getInt(3, 3, 0)).isEqualTo(40);
    JsonObject well = json("{\"well\": {\"images\": [{\"path\": \"0\"}]}}");
    await(hierarchy.createGroup("A/1", GroupMetadata.of(3, well)));
    JsonObject image =
        json("{\"multiscales\": [{\"axes\": [\"y\", \"x\"], \"datasets\": [{\"path\": \"9\"}]}]}");
    await(hierarchy.createGroup("A/1/0", GroupMetadata.of(3, image)));
    assertThatThrownBy(() -> await(sparse.thumbnail(4)))
        .isInstanceOf(NodeNotFoundException.class)
        .hasMessageContaining("/A/1/0/9");
  }

  @Test
  void later_versions_are_refused_with_their_version() {
    assertThatThrownBy(
            () ->
                image(
                    "{\"ome\": {\"version\": \"0.6\", \"multiscales\": [{\"coordinateSystems\": [],"
                        + " \"datasets\": [{\"path\": \"0\", \"coordinateTransformations\": []}]}]}}",
                    Shape.of(3, 3)))
        .isInstanceOf(MetadataException.class)
        .hasMessageContaining("the version is 0.6, and 0.1 to 0.5 are read");
  }

  @Test
  void a_scale_may_be_negative_and_never_zero() {
    String attributes =
        "{\"multiscales\": [{\"axes\": [\"y\", \"x\"], \"datasets\": [{\"path\": \"0\","
            + " \"coordinateTransformations\": [{\"type\": \"scale\", \"scale\": [-2, %s]}]}]}]}";
    OmeLevel level = image(attributes.formatted("1"), Shape.of(10, 10)).levels().get(0);
    OmeTile tile =
        requireNonNull(await(level.tile(OmeRegion.all().range("y", -7.9, -4.1).at("x", 3))));
    assertThat(tile.values().shape()).isEqualTo(Shape.of(3));
    assertThat(tile.transform().translation()).containsExactly(-4.0);
    assertThatThrownBy(() -> image(attributes.formatted("0"), Shape.of(10, 10)))
        .isInstanceOf(MetadataException.class)
        .hasMessageContaining("a number other than 0");
  }

  @Property(tries = 500)
  void changed_documents_are_read_or_refused(@ForAll long seed) {
    Random random = new Random(seed);
    List<JsonObject> documents = new ArrayList<>();
    OmeTestData.specification()
        .forEach(
            (path, suite) ->
                OmeTestData.list(suite.get("tests"))
                    .forEach(
                        t ->
                            documents.add((JsonObject) requireNonNull(OmeTestData.at(t, "data")))));
    JsonObject document = documents.get(random.nextInt(documents.size()));
    for (int i = random.nextInt(3); i >= 0; i--) {
      document = changed(document, random) instanceof JsonObject object ? object : document;
    }
    OmeMetadata metadata = OmeMetadata.of(document);
    assertThat(metadata.problems())
        .allSatisfy(problem -> assertThat(problem.toString()).isNotEmpty());
    ZarrGroup group = stored(document, Shape.of(2, 3));
    try {
      OmeImage image = requireNonNull(await(OmeImage.of(group)));
      requireNonNull(await(image.thumbnail(3)));
    } catch (ZarrException refused) {
      assertThat(refused).hasMessageNotContaining("internal");
    }
  }

  private static JsonValue changed(JsonValue value, Random random) {
    if (random.nextInt(6) == 0) {
      return switch (random.nextInt(8)) {
        case 0 -> JsonNull.NULL;
        case 1 -> new JsonBoolean(true);
        case 2 -> JsonNumber.of(random.nextInt(5) - 2);
        case 3 -> new JsonNumber("1e300");
        case 4 -> new JsonString("x");
        case 5 -> JsonArray.of(JsonNumber.of(-1), new JsonString(""));
        case 6 -> JsonArray.of();
        default -> JsonObject.EMPTY.with("scale", 3);
      };
    } else if (value instanceof JsonObject object && !object.members().isEmpty()) {
      Map<String, JsonValue> members = new LinkedHashMap<>(object.members());
      List<String> names = List.copyOf(members.keySet());
      String name = names.get(random.nextInt(names.size()));
      if (random.nextInt(5) == 0) {
        members.remove(name);
      } else {
        members.put(name, changed(requireNonNull(members.get(name)), random));
      }
      return new JsonObject(members);
    } else if (value instanceof JsonArray list && !list.elements().isEmpty()) {
      List<JsonValue> elements = new ArrayList<>(list.elements());
      int i = random.nextInt(elements.size());
      elements.set(i, changed(elements.get(i), random));
      return new JsonArray(elements);
    }
    return value;
  }
}
