package dev.zarrreactive.ome;

import static dev.zarrreactive.testing.Waiting.await;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.internal.pyramid.PixelReduction;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.GroupMetadata;
import dev.zarrreactive.pyramid.Downsampling;
import dev.zarrreactive.store.memory.MemoryStore;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;

/** Images and their levels that are written. */
class OmeWritingTest {
  private static final OmeAxis Y = new OmeAxis("y", OmeAxis.SPACE, "micrometer");
  private static final OmeAxis X = new OmeAxis("x", OmeAxis.SPACE, "micrometer");
  private static final OmeAxis Z = new OmeAxis("z", OmeAxis.SPACE, "");
  private static final OmeAxis C = new OmeAxis("c", OmeAxis.CHANNEL, "");

  private final ZarrHierarchy hierarchy = Zarr.hierarchy(MemoryStore.create());

  private static NdArray counted(int rows, int columns) {
    short[] values = new short[rows * columns];
    for (int i = 0; i < values.length; i++) {
      values[i] = (short) i;
    }
    return NdArray.ofShorts(DataTypes.UINT16, Shape.of(rows, columns), values);
  }

  private static NdArray read(OmeLevel level) {
    return requireNonNull(await(level.array().read()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.5", "0.6"})
  void an_image_is_written_with_levels_that_cover_it(String version) {
    OmeImage image =
        requireNonNull(
            await(
                OmeImage.builder(List.of(Y, X))
                    .name("cells")
                    .version(version)
                    .scale("y", 0.5)
                    .scale("x", 0.25)
                    .translation("x", 10)
                    .levels(3)
                    .write(hierarchy, "a/b", counted(5, 8))));
    assertThat(image.metadata().problems()).isEmpty();
    assertThat(image.metadata().version()).isEqualTo(version);
    assertThat(image.name()).isEqualTo("cells");
    assertThat(image.axes()).containsExactly(Y, X);
    assertThat(image.levels())
        .extracting(level -> level.array().shape())
        .containsExactly(Shape.of(5, 8), Shape.of(3, 4), Shape.of(2, 2));
    assertThat(image.levels().get(1).transform())
        .isEqualTo(new OmeTransform(List.of(1.0, 0.5), List.of(0.25, 10.125)));
    assertThat(image.levels().get(2).transform())
        .isEqualTo(new OmeTransform(List.of(2.0, 1.0), List.of(0.75, 10.375)));
    assertThat(read(image.levels().get(0))).isEqualTo(counted(5, 8));
    assertThat(read(image.levels().get(1)).toIntArray())
        .containsExactly(5, 7, 9, 11, 21, 23, 25, 27, 33, 35, 37, 39);
    assertThat(image.levels().get(0).array().metadata().dimensionNames()).containsExactly("y", "x");
    OmeCoordinates all = requireNonNull(await(image.coordinates()));
    assertThat(all.systems()).extracting(OmeSystem::name).contains("physical");
    assertThat(await(hierarchy.openGroup("a"))).isNotNull();
  }

  @Test
  void an_image_has_the_channels_and_chunks_that_are_set_and_halves_the_axes_that_are_named() {
    OmeChannel.Window window = new OmeChannel.Window(0, 255, 0, 255);
    List<OmeChannel> channels =
        List.of(
            new OmeChannel("DAPI", 0x0000ff, Optional.of(window), true, false),
            new OmeChannel("", 0xff0000, Optional.of(window), false, false));
    OmeImage image =
        requireNonNull(
            await(
                OmeImage.builder(List.of(C, Z, Y, X))
                    .channels(channels)
                    .halving("z", "y", "x")
                    .levels(2)
                    .downsampling(Downsampling.NEAREST)
                    .layout(array -> array.chunkShape(1, 2, 4, 4).shardShape(1, 4, 8, 8))
                    .write(
                        hierarchy,
                        "",
                        NdArray.ofBytes(
                            DataTypes.UINT8, Shape.of(2, 4, 8, 8), new byte[2 * 4 * 64]))));
    assertThat(image.channels()).isEqualTo(channels);
    assertThat(image.metadata().problems()).isEmpty();
    OmeLevel coarse = image.levels().get(1);
    assertThat(coarse.array().shape()).isEqualTo(Shape.of(2, 2, 4, 4));
    assertThat(coarse.array().chunkGrid().largestChunkShape()).isEqualTo(Shape.of(1, 4, 8, 8));
    assertThat(coarse.transform())
        .isEqualTo(new OmeTransform(List.of(1.0, 2.0, 2.0, 2.0), List.of(0.0, 0.0, 0.0, 0.0)));
  }

  @Test
  void an_array_of_another_store_is_the_finest_level() {
    ZarrHierarchy other = Zarr.hierarchy(MemoryStore.create());
    ZarrArray array =
        requireNonNull(
            await(
                other.createArray(
                    "v",
                    ArrayMetadata.v2(Shape.of(300, 700), DataTypes.UINT16)
                        .chunkShape(64, 100)
                        .build())));
    await(array.write("...", counted(300, 700)));
    OmeImage image =
        requireNonNull(
            await(
                OmeImage.builder(List.of(Y, X))
                    .layout(a -> a.chunkShape(50, 60).shardShape(150, 120))
                    .write(hierarchy, "", array)));
    assertThat(image.levels())
        .extracting(level -> level.array().shape())
        .containsExactly(Shape.of(300, 700), Shape.of(150, 350), Shape.of(75, 175));
    assertThat(read(image.levels().get(0))).isEqualTo(counted(300, 700));
    assertThat(read(image.levels().get(2))).isEqualTo(reduced(reduced(counted(300, 700))));
  }

  private static NdArray reduced(NdArray elements) {
    return new PixelReduction(Downsampling.MEAN, List.of(2, 2)).of(elements);
  }

  @Test
  void blocks_are_written_as_they_come_and_little_is_in_memory() {
    ZarrOptions options = ZarrOptions.defaults().withMaxInFlightBytes(1 << 20);
    ZarrHierarchy small = Zarr.hierarchy(MemoryStore.create(), options);
    Flux<NdArray> rows =
        Flux.range(0, 64)
            .map(
                i -> {
                  short[] row = new short[16 * 1024];
                  Arrays.fill(row, (short) (int) i);
                  return NdArray.ofShorts(DataTypes.INT16, Shape.of(16, 1024), row);
                });
    OmeImage image =
        requireNonNull(
            await(
                OmeImage.builder(List.of(Y, X))
                    .levels(4)
                    .layout(a -> a.chunkShape(128, 128).shardShape(1024, 1024))
                    .write(small, "", Shape.of(1024, 1024), DataTypes.INT16, rows)));
    NdArray coarse = read(image.levels().get(3));
    assertThat(coarse.shape()).isEqualTo(Shape.of(128, 128));
    for (int row = 0; row < 128; row++) {
      assertThat(coarse.getShort(row, 5)).isEqualTo((short) (row / 2));
    }
    assertThat(small.bytesInFlight()).isZero();
  }

  @Test
  void labels_are_listed_below_their_image() {
    OmeImage image =
        requireNonNull(
            await(
                OmeImage.builder(List.of(Y, X))
                    .version("0.6")
                    .levels(2)
                    .write(hierarchy, "i", counted(4, 4))));
    NdArray cells =
        NdArray.ofInts(
            DataTypes.INT32, Shape.of(4, 4), 1, 1, 2, 3, 1, 2, 3, 3, 0, 0, 5, 4, 0, 7, 6, 4);
    for (String name : List.of("cells", "more", "cells2")) {
      await(OmeImage.builder(List.of(Y, X)).writeLabels(image, name, hierarchy, cells));
    }
    assertThat(await(image.labels())).containsExactly("cells", "more", "cells2");
    OmeImage labels = requireNonNull(await(image.label("cells")));
    assertThat(labels.isLabels()).isTrue();
    assertThat(labels.metadata().problems()).isEmpty();
    assertThat(read(labels.levels().get(1)).toIntArray()).containsExactly(1, 3, 0, 4);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.5", "0.6"})
  void levels_are_added_to_an_image_that_has_one(String version) {
    OmeImage first =
        requireNonNull(
            await(
                OmeImage.builder(List.of(Y, X))
                    .version(version)
                    .levels(1)
                    .scale("y", 2)
                    .write(hierarchy, "", counted(600, 520))));
    await(first.group().updateAttributes(attributes -> attributes.with("own", "stays")));
    OmeImage again = requireNonNull(await(OmeImage.open(hierarchy, "")));
    OmeImage image = requireNonNull(await(again.addLevels(0, List.of(), Downsampling.MEAN)));
    assertThat(image.metadata().problems()).isEmpty();
    assertThat(image.levels()).extracting(OmeLevel::path).containsExactly("0", "1", "2");
    assertThat(image.levels().get(2).scale("y")).isEqualTo(8);
    assertThat(read(image.levels().get(2))).isEqualTo(reduced(reduced(counted(600, 520))));
    assertThat(image.group().attributes().string("own")).contains("stays");
    assertThatThrownBy(() -> await(image.addLevels(4, List.of(), Downsampling.MEAN)))
        .isInstanceOf(MetadataException.class)
        .hasMessageContaining("has 3 levels");
  }

  @Test
  void what_cannot_be_is_refused_before_anything_is_stored() {
    assertThatThrownBy(() -> OmeImage.builder(List.of(X)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("two or three of the type space");
    assertThatThrownBy(() -> OmeImage.builder(List.of(Y, X, C)))
        .isInstanceOf(IllegalArgumentException.class);
    NewOmeImage image = OmeImage.builder(List.of(Y, X));
    assertThatThrownBy(() -> image.scale("z", 1)).hasMessageContaining("none named z");
    assertThatThrownBy(() -> image.version("0.7")).hasMessageContaining("0.7");
    assertThatThrownBy(() -> image.create(hierarchy, "", Shape.of(1, 2, 3), DataTypes.INT8))
        .hasMessageContaining("3 dimensions");
    assertThatThrownBy(() -> image.create(hierarchy, "", Shape.of(2, 3), DataTypes.STRING))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("string");
    assertThat(await(hierarchy.exists(""))).isFalse();
  }

  @Test
  void an_image_without_systems_of_version_0_4_gets_levels_too() {
    await(
        hierarchy.createGroup(
            "",
            GroupMetadata.of(
                3,
                JsonObject.EMPTY.with(
                    "multiscales",
                    OmeTestData.parsed(
                        "[{'version': '0.4', 'axes': [{'name': 'y', 'type': 'space'}, {'name': 'x',"
                            + " 'type': 'space'}], 'datasets': [{'path': 's0',"
                            + " 'coordinateTransformations': [{'type': 'scale', 'scale': [2, 2]}]}],"
                            + " 'coordinateTransformations': [{'type': 'scale', 'scale': [3, 3]}]}]")))));
    ZarrArray array =
        requireNonNull(
            await(
                hierarchy.createArray(
                    "s0", ArrayMetadata.v3(Shape.of(8, 8), DataTypes.UINT16).build())));
    await(array.write("...", counted(8, 8)));
    OmeImage image = requireNonNull(await(OmeImage.open(hierarchy, "")));
    OmeImage more = requireNonNull(await(image.addLevels(2, List.of(), Downsampling.MEAN)));
    assertThat(more.metadata().problems()).isEmpty();
    assertThat(more.levels()).extracting(OmeLevel::path).containsExactly("s0", "s1");
    assertThat(more.levels().get(0).transform()).isEqualTo(image.levels().get(0).transform());
    assertThat(more.levels().get(1).scale("y")).isEqualTo(12);
    assertThat(more.levels().get(1).translation("y")).isEqualTo(3);
  }
}
