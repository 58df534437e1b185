package dev.zarrreactive.ome;

import static dev.zarrreactive.testing.Waiting.await;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.error.NodeNotFoundException;
import dev.zarrreactive.error.StoreException;
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
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.ReportedData;
import dev.zarrreactive.testkit.InstrumentedStore;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
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
    assertThatThrownBy(() -> image(attributes, Shape.of(3, 3), Shape.of(3)))
        .isInstanceOf(MetadataException.class)
        .hasMessageContaining("the array 1 has 1 dimensions, the image the axes [y, x]");
    assertThatThrownBy(() -> image("{\"multiscales\": [{\"datasets\": [{\"path\": \"../0\"}]}]}"))
        .isInstanceOf(MetadataException.class)
        .hasMessageContaining("the path of a node below this group");
  }

  @Test
  void a_level_that_is_missing_is_a_gap() {
    String attributes =
        "{\"multiscales\": [{\"axes\": [\"y\", \"x\"], \"datasets\": [{\"path\": \"7\"},"
            + " {\"path\": \"0\"}, {\"path\": \"1\"}, {\"path\": \"8\"}]}]}";
    OmeImage image = image(attributes, Shape.of(8, 8), Shape.of(4, 4));
    assertThat(image.levels()).extracting(OmeLevel::path).containsExactly("0", "1");
    assertThat(image.levels().get(1).scale("x")).isEqualTo(2);
    assertThat(image.gaps()).extracting(gap -> gap.path().value()).containsExactly("/7", "/8");
    assertThat(image.level("1").array().shape()).isEqualTo(Shape.of(4, 4));
    assertThatThrownBy(() -> image.level("8"))
        .isInstanceOf(NodeNotFoundException.class)
        .hasMessageContaining("node /8");
    assertThatThrownBy(() -> image.level("9")).isInstanceOf(NoSuchElementException.class);
    OmePicture picture = requireNonNull(await(image.thumbnail(4)));
    assertThat(picture.gaps()).isEqualTo(image.gaps());
    assertThat(await(OmeGap.in(image.group()))).hasSize(2);
    assertThatThrownBy(() -> image(attributes))
        .isInstanceOf(NodeNotFoundException.class)
        .hasMessageContaining("node /7");
  }

  @Test
  void a_level_with_broken_metadata_is_a_gap_and_a_failed_request_an_error() {
    MemoryStore memory = MemoryStore.create();
    ZarrHierarchy hierarchy = Zarr.hierarchy(memory);
    String attributes =
        "{\"multiscales\": [{\"axes\": [\"y\", \"x\"], \"datasets\": [{\"path\": \"0\"},"
            + " {\"path\": \"1\"}]}]}";
    await(hierarchy.createGroup("", GroupMetadata.of(3, json(attributes))));
    await(hierarchy.createArray("0", ArrayMetadata.v3(Shape.of(2, 2), DataTypes.FLOAT32).build()));
    await(memory.set(StoreKey.of("1/zarr.json"), Bytes.utf8("{\"zarr_format\": 3")));
    OmeImage image = requireNonNull(await(OmeImage.open(hierarchy, "")));
    assertThat(image.levels()).hasSize(1);
    assertThat(image.gaps().get(0).error()).isInstanceOf(MetadataException.class);
    assertThat(image.gaps()).asString().contains("/1");
    Store failing =
        InstrumentedStore.of(memory)
            .fail(
                request -> request.target().startsWith("1/"),
                () -> new StoreException("down", Location.UNKNOWN));
    assertThatThrownBy(() -> await(OmeImage.open(Zarr.hierarchy(failing), "")))
        .isInstanceOf(StoreException.class);
  }

  private static OmePlate plate(ZarrHierarchy hierarchy, String... wells) {
    List<String> listed = new ArrayList<>();
    for (int i = 0; i < wells.length; i++) {
      listed.add(
          "{\"path\": \"A/%s\", \"rowIndex\": 0, \"columnIndex\": %d}".formatted(wells[i], i));
    }
    String columns =
        String.join(
            ", ", List.of(wells).stream().map(name -> "{\"name\": \"" + name + "\"}").toList());
    JsonObject plate =
        json(
            "{\"plate\": {\"rows\": [{\"name\": \"A\"}], \"columns\": [%s], \"wells\": [%s]}}"
                .formatted(columns, String.join(", ", listed)));
    return OmePlate.of(
        requireNonNull(await(hierarchy.createGroup("", GroupMetadata.of(3, plate)))));
  }

  private static final String ONE_LEVEL =
      "{\"multiscales\": [{\"axes\": [\"y\", \"x\"], \"datasets\": [{\"path\": \"9\"}]}]}";

  @Test
  void wells_and_images_that_cannot_be_opened_are_grey_and_gaps() {
    MemoryStore memory = MemoryStore.create();
    ZarrHierarchy hierarchy = Zarr.hierarchy(memory);
    OmePlate plate = plate(hierarchy, "1", "2", "3", "4", "5", "6");
    JsonObject well = json("{\"well\": {\"images\": [{\"path\": \"0\"}]}}");
    for (String whole : List.of("1", "2", "3")) {
      await(hierarchy.createGroup("A/" + whole, GroupMetadata.of(3, well)));
    }
    await(hierarchy.createGroup("A/2/0", GroupMetadata.of(3, json(ONE_LEVEL))));
    await(hierarchy.createGroup("A/3/0", GroupMetadata.of(3, json(ONE_LEVEL))));
    ArrayMetadata white = ArrayMetadata.v3(Shape.of(4, 4), DataTypes.UINT8).fillValue(255).build();
    await(hierarchy.createArray("A/3/0/9", white));
    await(hierarchy.createGroup("A/5", GroupMetadata.of(3, json("{\"well\": {\"images\": 3}}"))));
    await(memory.set(StoreKey.of("A/6/zarr.json"), Bytes.utf8("no json")));
    OmePicture picture = requireNonNull(await(plate.picture(4, 29)));
    assertThat(picture.gaps())
        .extracting(gap -> gap.path().value())
        .containsExactly("/A/1/0", "/A/2/0/9", "/A/4", "/A/5", "/A/6");
    for (int column = 0; column < 6; column++) {
      assertThat(picture.rgb().getInt(2, 5 * column + 1, 0)).isEqualTo(column == 2 ? 255 : 40);
    }
    assertThat(await(OmeGap.in(plate.group())))
        .extracting(gap -> gap.path().value())
        .containsExactly("/A/4", "/A/6");
  }

  @Test
  void a_plate_without_any_well_is_grey() {
    OmePlate plate = plate(Zarr.hierarchy(MemoryStore.create()), "1", "2");
    OmePicture picture = requireNonNull(await(plate.thumbnail(9)));
    assertThat(picture.gaps()).hasSize(2);
    assertThat(picture.rgb().getInt(1, 1, 0)).isEqualTo(40);
  }

  @Test
  void the_first_image_that_can_be_opened_stands_for_a_well() {
    ZarrHierarchy hierarchy = Zarr.hierarchy(MemoryStore.create());
    JsonObject images =
        json("{\"well\": {\"images\": [{\"path\": \"0\"}, {\"path\": \"1\"}, {\"path\": \"2\"}]}}");
    OmeWell well =
        OmeWell.of(requireNonNull(await(hierarchy.createGroup("", GroupMetadata.of(3, images)))));
    assertThatThrownBy(() -> await(well.firstImage()))
        .isInstanceOf(NodeNotFoundException.class)
        .hasMessageContaining("node /0");
    await(hierarchy.createGroup("1", GroupMetadata.of(3, json(ONE_LEVEL))));
    await(hierarchy.createGroup("2", GroupMetadata.of(3, json(ONE_LEVEL))));
    await(hierarchy.createArray("2/9", ArrayMetadata.v3(Shape.of(4, 4), DataTypes.UINT8).build()));
    OmeImage image = requireNonNull(await(well.firstImage()));
    assertThat(image.group().path().value()).isEqualTo("/2");
    assertThat(image.gaps()).extracting(gap -> gap.path().value()).containsExactly("/0", "/1/9");
    assertThatThrownBy(() -> await(well.image(0)))
        .isInstanceOf(NodeNotFoundException.class)
        .hasMessageContaining("node /0");
  }

  @Test
  void images_of_a_series_that_are_missing_are_gaps() {
    ZarrHierarchy hierarchy = Zarr.hierarchy(MemoryStore.create());
    String root = "{\"ome\": {\"version\": \"0.5\", \"bioformats2raw.layout\": 3}}";
    ZarrGroup group =
        requireNonNull(await(hierarchy.createGroup("", GroupMetadata.of(3, json(root)))));
    OmeSeries empty = requireNonNull(await(OmeSeries.of(group)));
    assertThatThrownBy(() -> await(empty.firstImage()))
        .isInstanceOf(MetadataException.class)
        .hasMessageContaining("the series has no image");
    String series = "{\"ome\": {\"version\": \"0.5\", \"series\": [\"a\", \"b\"]}}";
    await(hierarchy.createGroup("OME", GroupMetadata.of(3, json(series))));
    await(hierarchy.createGroup("b", GroupMetadata.of(3, json(ONE_LEVEL))));
    await(hierarchy.createArray("b/9", ArrayMetadata.v3(Shape.of(4, 4), DataTypes.UINT8).build()));
    OmeSeries named = requireNonNull(await(OmeSeries.of(group)));
    OmeImage image = requireNonNull(await(named.firstImage()));
    assertThat(image.group().path().value()).isEqualTo("/b");
    assertThat(image.gaps()).extracting(gap -> gap.path().value()).containsExactly("/a");
    assertThat(await(OmeGap.in(group))).extracting(gap -> gap.path().value()).containsExactly("/a");
  }

  @Test
  void a_label_image_that_is_missing_is_named() {
    ZarrHierarchy hierarchy = Zarr.hierarchy(MemoryStore.create());
    await(hierarchy.createGroup("", GroupMetadata.of(3, json(ONE_LEVEL))));
    await(hierarchy.createArray("9", ArrayMetadata.v3(Shape.of(4, 4), DataTypes.UINT8).build()));
    String labels = "{\"labels\": [\"cells\"]}";
    await(hierarchy.createGroup("labels", GroupMetadata.of(3, json(labels))));
    OmeImage image = requireNonNull(await(OmeImage.open(hierarchy, "")));
    assertThat(await(image.labels())).containsExactly("cells");
    assertThatThrownBy(() -> await(image.label("cells")))
        .isInstanceOf(NodeNotFoundException.class)
        .hasMessageContaining("node /labels/cells");
  }

  @Test
  void reported_images_without_a_level_or_an_image_are_read() {
    OmeImage image =
        requireNonNull(
            await(
                OmeImage.open(
                    Zarr.at(
                        ReportedData.unpacked("009-ome-missing-level")
                            .resolve("missinglevel.zarr")
                            .toString()))));
    assertThat(image.levels()).extracting(OmeLevel::path).containsExactly("0", "1");
    assertThatThrownBy(() -> image.level("2")).hasMessageContaining("node /2");
    OmePlate plate =
        requireNonNull(
            await(
                OmePlate.open(
                    Zarr.at(
                        ReportedData.unpacked("010-ome-plate-missing-image")
                            .resolve("plate.zarr")
                            .toString()))));
    assertThat(requireNonNull(await(plate.thumbnail(40))).gaps())
        .extracting(gap -> gap.path().value())
        .containsExactly("/A/2", "/B/1/0");
    OmeImage flat =
        requireNonNull(
            await(
                OmeImage.open(
                    Zarr.at(
                        ReportedData.unpacked("011-ome-scale-zero")
                            .resolve("zeroscale.zarr")
                            .toString()))));
    assertThat(flat.levels()).hasSize(2);
    assertThat(flat.levels().get(0).scale("t")).isZero();
    assertThat(flat.metadata().problems()).hasSize(2).noneMatch(OmeProblem::stopsReading);
    OmeTile tile =
        requireNonNull(
            await(flat.levels().get(0).tile(OmeRegion.all().at("t", 0).range("x", 0, 0.5))));
    assertThat(tile.values().shape().rank()).isEqualTo(4);
  }

  @Test
  void later_versions_are_refused_with_their_version() {
    assertThatThrownBy(
            () ->
                image(
                    "{\"ome\": {\"version\": \"0.7\", \"multiscales\": [{\"coordinateSystems\": [],"
                        + " \"datasets\": [{\"path\": \"0\", \"coordinateTransformations\": []}]}]}}",
                    Shape.of(3, 3)))
        .isInstanceOf(MetadataException.class)
        .hasMessageContaining("the version is 0.7, and 0.1 to 0.6 are read");
  }

  private static final String SCALED =
      "{\"multiscales\": [{\"axes\": [\"y\", \"x\"], \"datasets\": [{\"path\": \"0\","
          + " \"coordinateTransformations\": [{\"type\": \"scale\"%s},"
          + " {\"type\": \"translation\", \"translation\": [1, %s]}]}]}]}";

  private static OmeLevel scaled(String scale, String translation, Shape shape) {
    OmeImage image = image(SCALED.formatted(scale, translation), shape);
    return image.levels().get(0);
  }

  @Test
  void a_scale_may_be_negative() {
    OmeLevel level = scaled(", \"scale\": [-2, 1]", "0", Shape.of(10, 10));
    OmeTile tile =
        requireNonNull(await(level.tile(OmeRegion.all().range("y", -6.9, -3.1).at("x", 3))));
    assertThat(tile.values().shape()).isEqualTo(Shape.of(3));
    assertThat(tile.transform().translation()).containsExactly(-3.0);
  }

  @Test
  void along_an_axis_with_the_scale_0_all_indices_have_one_coordinate() {
    OmeLevel one = scaled(", \"scale\": [0.0, 2]", "0", Shape.of(1, 10));
    for (OmeRegion region :
        List.of(
            OmeRegion.all(), OmeRegion.all().range("y", 1, 1), OmeRegion.all().range("y", -3, 8))) {
      assertThat(requireNonNull(await(one.tile(region))).values().shape())
          .isEqualTo(Shape.of(1, 10));
    }
    assertThat(requireNonNull(await(one.tile(OmeRegion.all().at("y", 1)))).values().shape())
        .isEqualTo(Shape.of(10));
    assertThatThrownBy(() -> one.tile(OmeRegion.all().at("y", 1.5)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("outside of the image, whose coordinates are 1.0 to 1.0");
    OmeLevel many = scaled(", \"scale\": [0, 2]", "0", Shape.of(3, 10));
    assertThat(requireNonNull(await(many.tile(OmeRegion.all().range("y", 0, 1)))).values().shape())
        .isEqualTo(Shape.of(3, 10));
    assertThatThrownBy(() -> many.tile(OmeRegion.all().at("y", 1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("all 3 indices of the axis y have the coordinate 1.0")
        .hasMessageContaining("OmeRegion.index");
    assertThat(requireNonNull(await(many.tile(OmeRegion.all().index("y", 2)))).values().shape())
        .isEqualTo(Shape.of(10));
  }

  @Test
  void numbers_of_a_transform_that_are_missing_or_not_finite_follow_from_the_shapes() {
    for (String scale : List.of("", ", \"scale\": null", ", \"scale\": [\"NaN\", null]")) {
      OmeLevel level = scaled(scale, "3", Shape.of(4, 4));
      assertThat(level.transform().scale()).as(scale).containsExactly(1.0, 1.0);
    }
    OmeLevel partly = scaled(", \"scale\": [0.5, \"Infinity\"]", "\"NaN\"", Shape.of(4, 4));
    assertThat(partly.transform().scale()).containsExactly(0.5, 1.0);
    assertThat(partly.transform().translation()).containsExactly(1.0, 0.0);
    OmeMetadata metadata = OmeMetadata.of(json(SCALED.formatted(", \"scale\": [1, \"NaN\"]", "0")));
    assertThat(metadata.problems()).extracting(OmeProblem::expected).contains("a finite number");
    assertThatThrownBy(() -> scaled(", \"scale\": [1]", "0", Shape.of(4, 4)))
        .isInstanceOf(MetadataException.class)
        .hasMessageContaining("a number for each of the 2 axes");
  }

  @Property(tries = 200)
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
