package dev.zarrreactive.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.convention.ConventionProblem;
import dev.zarrreactive.convention.DeclaredConvention;
import dev.zarrreactive.convention.ZarrConvention;
import dev.zarrreactive.convention.ZarrConventions;
import dev.zarrreactive.dataset.Dataset;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.encodings.ColourMap;
import dev.zarrreactive.encodings.ColourScale;
import dev.zarrreactive.encodings.Encodings;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.geo.AffineTransform;
import dev.zarrreactive.geo.GeoLevel;
import dev.zarrreactive.geo.GeoReference;
import dev.zarrreactive.geo.MapTiles;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.GroupMetadata;
import dev.zarrreactive.ome.OmeAxis;
import dev.zarrreactive.ome.OmeBox;
import dev.zarrreactive.ome.OmeChannel;
import dev.zarrreactive.ome.OmeCoordinates;
import dev.zarrreactive.ome.OmeImage;
import dev.zarrreactive.ome.OmeLevel;
import dev.zarrreactive.ome.OmeMapping;
import dev.zarrreactive.ome.OmePicture;
import dev.zarrreactive.ome.OmePlate;
import dev.zarrreactive.ome.OmeProblem;
import dev.zarrreactive.ome.OmeRegion;
import dev.zarrreactive.ome.OmeSystem;
import dev.zarrreactive.ome.OmeTile;
import dev.zarrreactive.pyramid.Downsampling;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.memory.MemoryStore;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The samples of docs/ome.md and docs/geo.md, over the images of zarr-reactive-ome. With {@code
 * -Dzarr.docs.write=true} the picture of the page is written.
 */
class OmeSamplesTest {
  private static final Path PLATE = Pages.ROOT.resolve("docs/ome-plate.png");

  @TempDir static Path directory;

  @BeforeAll
  static void unzip() throws IOException {
    Path images = Pages.ROOT.resolve("zarr-reactive-ome/src/test/resources/ome/images.zip");
    try (InputStream in = Files.newInputStream(images);
        ZipInputStream zip = new ZipInputStream(in)) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        Path file = directory.resolve(entry.getName());
        Files.createDirectories(file.getParent());
        Files.write(file, zip.readAllBytes());
      }
    }
  }

  private static String location(String name) {
    return directory.resolve(name).resolve("data.zarr").toString();
  }

  @Test
  void opening() throws IOException {
    String location = location("ome-zarr-0.5-image");
    // docs: ome-open
    OmeImage image = OmeImage.open(Zarr.at(location)).block();
    System.out.println(image.axes());
    for (OmeLevel level : image.levels()) {
      System.out.println(level.path() + " " + level.array().shape() + " x " + level.scale("x"));
    }
    // docs: end
    StringBuilder printed = new StringBuilder(image.axes() + "\n");
    for (OmeLevel level : image.levels()) {
      printed.append(level.path() + " " + level.array().shape() + " x " + level.scale("x") + "\n");
    }
    assertThat(Files.readString(Pages.ROOT.resolve("docs/ome.md")))
        .contains("```text\n" + printed + "```");
  }

  private static final String PLANE =
      "'axes': [{'name': 'y', 'type': 'space'}, {'name': 'x', 'type': 'space'}]";

  private static JsonObject json(String text) {
    return (JsonObject)
        JsonDocument.parse(
                ByteBuffer.wrap(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8)),
                Location.UNKNOWN,
                1L << 20)
            .value();
  }

  /** Writes a scene with one image, whose elements are half a unit apart. */
  private static String scene(Path where) {
    ZarrHierarchy scene = Zarr.at(where.toString()).newHierarchy().block();
    scene
        .createGroup(
            "",
            GroupMetadata.of(
                3,
                json(
                    "{'ome': {'version': '0.6', 'scene': {'coordinateSystems': [{'name': 'world', "
                        + PLANE
                        + "}], 'coordinateTransformations': [{'type': 'affine', 'affine':"
                        + " [[0, 2, 30], [2, 0, 24]], 'input': {'path': 'tile', 'name':"
                        + " 'physical'}, 'output': {'name': 'world'}}]}}}")))
        .then(
            scene.createGroup(
                "tile",
                GroupMetadata.of(
                    3,
                    json(
                        "{'ome': {'version': '0.6', 'multiscales': [{'coordinateSystems':"
                            + " [{'name': 'physical', "
                            + PLANE
                            + "}, {'name': 'stage', "
                            + PLANE
                            + "}], 'datasets': [{'path': 's0', 'coordinateTransformations':"
                            + " [{'type': 'scale', 'scale': [0.5, 0.5], 'input': {'path': 's0'},"
                            + " 'output': {'name': 'physical'}}]}], 'coordinateTransformations':"
                            + " [{'type': 'affine', 'affine': [[0, 2, 30], [2, 0, 24]],"
                            + " 'input': {'name': 'physical'}, 'output': {'name': 'stage'}}]}]}}"))))
        .then(
            scene.createArray(
                "tile/s0", ArrayMetadata.v3(Shape.of(8, 10), DataTypes.UINT8).build()))
        .block();
    return where.toString();
  }

  @Test
  void systems_of_coordinates() {
    String location = scene(directory.resolve("scene.zarr"));
    // docs: ome-systems
    OmeCoordinates scene = Zarr.at(location).openGroup().flatMap(OmeCoordinates::of).block();
    OmeSystem world = scene.system("world");
    OmeSystem pixels = scene.system("tile/s0", "");
    OmeMapping mapping = scene.mapping(pixels, world).block();
    double[] corner = mapping.point(0, 0).block();
    OmeBox whole = mapping.box(new OmeBox(List.of(0.0, 0.0), List.of(7.0, 9.0))).block();
    // docs: end
    assertThat(corner).containsExactly(30, 24);
    assertThat(whole).isEqualTo(new OmeBox(List.of(30.0, 24.0), List.of(39.0, 31.0)));
  }

  @Test
  void a_tile_by_a_system() {
    String location = scene(directory.resolve("stage.zarr")) + "/tile";
    // docs: ome-system-tile
    OmeImage image = OmeImage.open(Zarr.at(location)).block();
    Mono<OmeTile> tile =
        image
            .coordinates()
            .flatMap(
                all ->
                    all.tile(
                        image.levels().get(0),
                        all.system("stage"),
                        OmeBox.all(2).range(0, 30, 40).range(1, 24, 36)));
    // docs: end
    assertThat(tile.block().values().shape()).isEqualTo(Shape.of(8, 10));
  }

  @Test
  void writing_a_place() {
    ZarrHierarchy hierarchy = Zarr.hierarchy(MemoryStore.create());
    // docs: geo-write
    GeoReference place =
        GeoReference.of(
            "EPSG:32633",
            new AffineTransform(500_000, 10, 0, 5_000_000, 0, -10),
            "y",
            "x",
            900,
            1_200);
    Mono<ZarrArray> raster =
        hierarchy.createArray(
            "reflectance",
            ArrayMetadata.v3(Shape.of(900, 1_200), DataTypes.UINT16)
                .dimensionNames("y", "x")
                .attributes(place.attributes())
                .build());
    // docs: end
    ZarrNode node = raster.block();
    // docs: conventions
    List<DeclaredConvention> declared = ZarrConventions.declared(node.attributes());
    List<ConventionProblem> problems = ZarrConventions.problems(node);
    Mono<? extends ZarrNode> changed =
        node.updateAttributes(
            attributes -> ZarrConventions.declare(attributes, ZarrConvention.LICENSE));
    // docs: end
    Flux<NdArray> blocks =
        Flux.range(0, 9)
            .map(i -> NdArray.filled(Shape.of(100, 1_200), FillValue.of(DataTypes.UINT16, i)));
    // docs: geo-overviews
    Mono<ZarrGroup> written =
        place
            .raster("reflectance")
            .levels(4)
            .downsampling(Downsampling.MEAN)
            .layout(array -> array.chunkShape(256, 256))
            .write(hierarchy, "scene", Shape.of(900, 1_200), DataTypes.UINT16, blocks);
    // docs: end
    ZarrGroup scene = written.block();
    assertThat(GeoLevel.of(scene.attributes())).hasSize(4);
    assertThat(ZarrConventions.problems(scene)).isEmpty();
    assertThat(ZarrConventions.problems(scene.open("3").block())).isEmpty();
    assertThat(declared).hasSize(2);
    assertThat(problems).isEmpty();
    assertThat(ZarrConventions.problems(changed.block())).hasSize(1);
  }

  @Test
  void writing_an_image() {
    ZarrHierarchy hierarchy = Zarr.hierarchy(MemoryStore.create());
    NdArray elements = NdArray.ofBytes(DataTypes.UINT8, Shape.of(600, 500), new byte[600 * 500]);
    // docs: ome-write
    List<OmeAxis> axes =
        List.of(new OmeAxis("y", "space", "micrometer"), new OmeAxis("x", "space", "micrometer"));
    Mono<OmeImage> written =
        OmeImage.builder(axes)
            .name("cells")
            .version("0.6")
            .scale("y", 0.5)
            .scale("x", 0.5)
            .layout(array -> array.chunkShape(256, 256).shardShape(2048, 2048))
            .write(hierarchy, "cells", elements);
    // docs: end
    assertThat(written.block().levels()).hasSize(3);
  }

  @Test
  void reading_a_tile() {
    OmeImage image = OmeImage.open(Zarr.at(location("ome-zarr-0.5-image"))).block();
    // docs: ome-tile
    OmeRegion region =
        OmeRegion.all()
            .range("y", 8, 24)
            .range("x", 2, 10)
            .at("z", 2.1)
            .index("c", 1)
            .index("t", 0);
    Mono<OmeTile> sharp = image.levelForResolution("x", 0.5).tile(region);
    Mono<OmeTile> small = image.tile(region, 16);
    // docs: end
    assertThat(sharp.block().level()).isEqualTo("s1");
    assertThat(small.block().transform().scale()).containsExactly(1.0, 0.5);
  }

  @Test
  void drawing_a_plate() throws IOException {
    String location = location("ome-zarr-0.5-plate");
    // docs: ome-plate
    Mono<byte[]> png =
        OmePlate.open(Zarr.at(location))
            .flatMap(plate -> plate.thumbnail(194))
            .map(picture -> picture.png().toByteArray());
    // docs: end
    byte[] drawn = png.block();
    if (Boolean.getBoolean("zarr.docs.write")) {
      Files.write(PLATE, drawn);
    }
    BufferedImage picture = ImageIO.read(new ByteArrayInputStream(drawn));
    BufferedImage shown = ImageIO.read(PLATE.toFile());
    assertThat(pixels(picture)).isEqualTo(pixels(shown));
  }

  private static int[] pixels(BufferedImage image) {
    return image.getRGB(0, 0, image.getWidth(), image.getHeight(), null, 0, image.getWidth());
  }

  @Test
  void drawing_an_image_and_its_labels() {
    String location = location("ome-zarr-0.5-image");
    // docs: ome-picture
    Mono<OmePicture> picture =
        OmeImage.open(Zarr.at(location)).flatMap(image -> image.picture(480, 640));
    Mono<OmePicture> cells =
        OmeImage.open(Zarr.at(location))
            .flatMap(image -> image.label("cells"))
            .flatMap(labels -> labels.thumbnail(256));
    // docs: end
    assertThat(picture.block().height()).isEqualTo(64);
    assertThat(cells.block().width()).isEqualTo(48);
  }

  @Test
  void drawing_a_tile() {
    OmeImage image = OmeImage.open(Zarr.at(location("ome-zarr-0.5-image"))).block();
    long row = 1;
    long column = 0;
    // docs: ome-colours
    OmeLevel level = image.levels().get(0);
    OmeRegion tile =
        OmeRegion.all()
            .indices("y", row * 40, (row + 1) * 40)
            .indices("x", column * 40, (column + 1) * 40)
            .index("z", 2);
    OmeChannel.Window otherwise = new OmeChannel.Window(0, 4_000, 0, 65_535);
    Mono<OmePicture> drawn = image.picture(level, tile, 40, 40, otherwise);
    // docs: end
    assertThat(drawn.block().rgb().shape()).hasToString("[40, 40, 4]");
  }

  @Test
  void drawing_tiles_of_a_map() {
    Store store = MemoryStore.create();
    ZarrHierarchy hierarchy = Zarr.hierarchy(store);
    hierarchy.createGroup("").block();
    hierarchy
        .createArray(
            "t2m",
            ArrayMetadata.v3(Shape.of(2, 3, 4), DataTypes.FLOAT32)
                .dimensionNames("time", "lat", "lon")
                .build())
        .block();
    coordinate(hierarchy, "lat", "degrees_north", 60, 0, -60);
    coordinate(hierarchy, "lon", "degrees_east", 45, 135, 225, 315);
    Dataset dataset = Dataset.open(hierarchy, "").block();
    // docs: map-tile
    ColourScale kelvin = ColourScale.of(ColourMap.VIRIDIS, 250, 310);
    Mono<Bytes> png =
        MapTiles.of(dataset.isel("time", 0), "t2m")
            .flatMap(tiles -> tiles.picture(3, 4, 2, MapTiles.Warp.BILINEAR, kelvin))
            .map(rgba -> Encodings.encode(Encodings.png(), rgba));
    // docs: end
    assertThat(png.block().size()).isPositive();
  }

  private static void coordinate(
      ZarrHierarchy hierarchy, String name, String units, double... labels) {
    hierarchy
        .createArray(
            name,
            ArrayMetadata.v3(Shape.of(labels.length), DataTypes.FLOAT64)
                .dimensionNames(name)
                .attributes(JsonObject.EMPTY.with("units", units))
                .build())
        .flatMap(array -> array.write("...", NdArray.ofDoubles(Shape.of(labels.length), labels)))
        .block();
  }

  @Test
  void checking() {
    String location = location("ome-zarr-0.4-image");
    // docs: ome-problems
    Mono<List<OmeProblem>> problems =
        OmeImage.open(Zarr.at(location)).map(image -> image.metadata().problems());
    // docs: end
    assertThat(problems.block()).isEmpty();
  }

  @Test
  void finding_a_place_on_the_earth() {
    String location = location("rioxarray-v3-utm");
    // docs: ome-geo
    GeoReference place =
        Dataset.open(Zarr.at(location))
            .flatMap(dataset -> GeoReference.of(dataset, "reflectance"))
            .block();
    AffineTransform pixels = place.transform().orElseThrow();
    int epsg = place.epsg().orElseThrow();
    long column = (long) Math.floor(pixels.column(600_123, 4_999_950));
    // docs: end
    assertThat(epsg).isEqualTo(32633);
    assertThat(column).isEqualTo(12);
  }
}
