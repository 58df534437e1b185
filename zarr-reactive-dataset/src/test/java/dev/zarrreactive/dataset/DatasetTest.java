package dev.zarrreactive.dataset;

import static dev.zarrreactive.testing.Waiting.await;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.cf.CalendarDate;
import dev.zarrreactive.cf.CfCalendar;
import dev.zarrreactive.cf.CfRule;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.InvalidInputException;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.file.FileSystemStore;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.Json;
import dev.zarrreactive.testing.ReportedData;
import dev.zarrreactive.testing.Waiting;
import dev.zarrreactive.testkit.InstrumentedStore;
import java.math.BigInteger;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.test.StepVerifier;

class DatasetTest {
  private final MemoryStore memory = MemoryStore.create();
  private final InstrumentedStore store = InstrumentedStore.of(memory);
  private final ZarrHierarchy hierarchy = Zarr.hierarchy(store);

  private void array(String path, NdArray data, String attributes, String... dimensions) {
    ArrayMetadata array =
        ArrayMetadata.v3(data.shape(), data.dataType())
            .dimensionNames(dimensions)
            .attributes(Json.object(attributes))
            .build();
    await(hierarchy.createArray(path, array).flatMap(a -> a.write(Selection.all(), data)));
  }

  private Dataset open() {
    return requireNonNull(await(Dataset.open(Zarr.hierarchy(store), "")));
  }

  private static NdArray doubles(double... values) {
    return NdArray.ofDoubles(Shape.of(values.length), values);
  }

  @Test
  void consolidated_metadata_take_one_request() {
    InstrumentedStore files =
        InstrumentedStore.of(FileSystemStore.open(XarrayDatasets.path("cmip-360_day-v3")));
    ZarrOptions options = ZarrOptions.defaults().withZarrFormat(3);
    Dataset dataset = requireNonNull(await(Dataset.open(Zarr.hierarchy(files, options), "")));
    assertThat(dataset.variables()).hasSize(8);
    assertThat(files.counts().total()).isEqualTo(1);
  }

  @Test
  void a_coordinate_is_read_once() {
    InstrumentedStore files =
        InstrumentedStore.of(FileSystemStore.open(XarrayDatasets.path("era5-v3")));
    Dataset dataset = requireNonNull(await(Dataset.open(Zarr.hierarchy(files), "")));
    files.counts().reset();
    DatasetSelection selection = dataset.sel("latitude", 55.2, LabelMethod.NEAREST);
    assertThat(requireNonNull(await(selection.dataset())).sizes()).doesNotContainKey("latitude");
    assertThat(files.counts().total()).isEqualTo(1);
    await(selection.dataset());
    await(dataset.isel("latitude", "3:9").sel("latitude", 57.0, 56.0).dataset());
    assertThat(files.counts().total()).isEqualTo(1);
    await(selection.isel("time", 0).isel("longitude", 0).read("t2m"));
    assertThat(files.counts().total()).isEqualTo(2);
  }

  @Test
  void the_summary_names_dimensions_coordinates_and_variables() {
    assertThat(XarrayDatasets.open("era5-v3"))
        .hasToString(
            """
            <dataset /> Size: 243kB
            Dimensions:    (latitude: 21, longitude: 16, time: 60)
            Coordinates:
              * latitude   (latitude) float32 84B  degrees_north
              * longitude  (longitude) float32 64B  degrees_east
              * time       (time) numpy.datetime64[s] 480B  hours since 1900-01-01, standard
            Data variables:
                t2m        (time, latitude, longitude) float64 161kB  K, chunks (24, 21, 16)
                tp         (time, latitude, longitude) float32 81kB  m, chunks (30, 10, 16)
            Attributes:
                Conventions:  CF-1.6\
            """);
  }

  @Test
  void the_summary_has_the_values_that_are_in_memory() {
    Dataset months =
        requireNonNull(
            await(
                XarrayDatasets.open("era5-v3")
                    .isel("latitude", 0)
                    .isel("longitude", 0)
                    .groupBy("time", CalendarPart.HOUR)
                    .count()));
    assertThat(months.toString())
        .contains("Dimensions:    (hour: ")
        .contains("  * hour       (hour) int64 ")
        .containsPattern("t2m        \\(hour\\) int64 [0-9]+B [0-9]+ ")
        .contains("    latitude   float32 4B  degrees_north");
  }

  @Test
  void dimensions_of_one_name_have_one_extent() {
    array("a", doubles(1, 2), "{}", "x");
    array("b", doubles(1, 2, 3), "{}", "x");
    assertThatExceptionOfType(MetadataException.class)
        .isThrownBy(this::open)
        .withMessageContaining("the dimension x has the extent 3, but 2 in /a")
        .withMessageContaining("/b");
  }

  @Test
  void dimensions_without_a_name_are_those_of_one_array() {
    array("a", doubles(1, 2), "{}");
    array("b", doubles(1, 2, 3), "{}");
    assertThat(open().sizes()).containsEntry("a_0", 2L).containsEntry("b_0", 3L);
  }

  @Test
  void coordinates_are_found_by_their_cf_keys() {
    Dataset landsat = XarrayDatasets.open("landsat-v3");
    assertThat(landsat.coordinate("X").orElseThrow().name()).isEqualTo("x");
    assertThat(landsat.coordinate("projection_y_coordinate").orElseThrow().name()).isEqualTo("y");
    Dataset era5 = XarrayDatasets.open("era5-v3");
    assertThat(era5.coordinate("latitude").orElseThrow().name()).isEqualTo("latitude");
    assertThat(era5.coordinate("T").orElseThrow().name()).isEqualTo("time");
    assertThat(era5.coordinate("Z")).isEmpty();
    array("depth", doubles(1, 2), "{'axis': 'Z'}", "layer");
    assertThat(open().coordinates()).containsOnlyKeys("depth");
  }

  @Test
  void labels_have_many_types() {
    Dataset era5 = XarrayDatasets.open("era5-v3");
    Instant time = Instant.parse("2020-02-29T05:00:00Z");
    for (Object label :
        List.of(
            time,
            "2020-02-29T05",
            "2020-02-29 05:00",
            CalendarDate.of(CfCalendar.STANDARD, 2020, 2, 29, 5, 0, 0, 0))) {
      Dataset part = requireNonNull(await(era5.sel("time", label).dataset()));
      assertThat(requireNonNull(await(part.variable("time").read())).getInstant()).isEqualTo(time);
    }
    assertThat(size(era5.selFrom("time", LocalDate.of(2020, 2, 29)))).isEqualTo(36);
    assertThat(size(era5.sel("time", "2020-02-29"))).isEqualTo(24);
    assertThat(size(era5.selTo("time", "2020-02"))).isEqualTo(48);
    assertThat(size(era5.sel("time", List.of(time, "2020-03-01T00")))).isEqualTo(2);
    assertThat(
            requireNonNull(
                    await(
                        era5.sel(
                                "time",
                                time.plusSeconds(60),
                                LabelMethod.NEAREST,
                                Duration.ofHours(1))
                            .dataset()))
                .sizes())
        .doesNotContainKey("time");
  }

  @ParameterizedTest
  @ValueSource(strings = {"since2000.zarr", "since2000-01.zarr", "since20000101.zarr"})
  void a_year_alone_a_month_and_packed_digits_are_dates(String name) {
    Path store = ReportedData.unpacked("027-units-year-alone").resolve(name);
    Dataset dataset = requireNonNull(await(Dataset.open(Zarr.at(store.toString()))));
    NdArray times = requireNonNull(await(dataset.variable("v").read()));
    List<Instant> found = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      found.add(times.getInstant(i));
    }
    assertThat(found)
        .containsExactly(
            Instant.parse("2000-01-01T00:00:00Z"),
            Instant.parse("2000-01-02T00:00:00Z"),
            Instant.parse("2000-02-01T00:00:00Z"));
  }

  @Test
  void labels_of_unsigned_integers_are_compared_without_a_sign() {
    long[] bits = {1, Long.MAX_VALUE, Long.MIN_VALUE, -3, -1};
    array("u", NdArray.ofLongs(DataTypes.UINT64, Shape.of(5), bits), "{}", "u");
    array("a", doubles(0, 1, 2, 3, 4), "{}", "u");
    Dataset dataset = open();
    assertThat(value(dataset.sel("u", 1))).isEqualTo(0);
    assertThat(value(dataset.sel("u", "9223372036854775808"))).isEqualTo(2);
    assertThat(value(dataset.sel("u", BigInteger.TWO.pow(64).subtract(BigInteger.ONE))))
        .isEqualTo(4);
    assertThat(value(dataset.sel("u", "18446744073709551612", LabelMethod.NEAREST))).isEqualTo(3);
    assertThat(value(dataset.sel("u", 2, LabelMethod.PAD))).isEqualTo(0);
    Dataset part = requireNonNull(await(dataset.selFrom("u", "9223372036854775807").dataset()));
    assertThat(part.sizes()).containsEntry("u", 4L);
    refused(dataset.sel("u", -1), "from 1 to 18446744073709551615");
    refused(dataset.sel("u", 5), "the nearest is 1");
  }

  @Test
  void neighbouring_labels_are_distinguished_in_large_integers() {
    long large = 1L << 60;
    array("n", NdArray.ofLongs(DataTypes.INT64, Shape.of(2), large, large + 3), "{}", "n");
    array("a", doubles(0, 1), "{}", "n");
    assertThat(value(open().sel("n", large + 1, LabelMethod.NEAREST))).isEqualTo(0);
    assertThat(value(open().sel("n", large + 2, LabelMethod.NEAREST))).isEqualTo(1);
  }

  @Test
  void truth_values_are_labels() {
    array("b", NdArray.ofBooleans(Shape.of(2), false, true), "{}", "b");
    array("a", doubles(5, 6), "{}", "b");
    Dataset dataset = open();
    for (Object label : List.of(true, "true", "True", 1)) {
      assertThat(value(dataset.sel("b", label))).isEqualTo(6);
    }
    assertThat(value(dataset.sel("b", false))).isEqualTo(5);
    refused(dataset.sel("b", "yes"), "its values are true and false");
    refused(dataset.sel("b", true, LabelMethod.NEAREST), "its values have no distances");
  }

  private static double value(DatasetSelection selection) {
    return requireNonNull(await(requireNonNull(await(selection.dataset())).variable("a").read()))
        .getDouble();
  }

  @Test
  void dimensions_have_the_names_of_netcdf_where_those_of_xarray_are_missing() {
    document(".zgroup", "{'zarr_format': 2}");
    String zarray =
        "{'zarr_format': 2, 'shape': [%s], 'chunks': [%s], 'dtype': '<i2', 'fill_value': -9,"
            + " 'order': 'C', 'compressor': null, 'filters': null%s}";
    document("x/.zarray", String.format(zarray, "3", "3", ""));
    document("x/.zattrs", "{'_nczarr_array': {'dimension_references': ['/x']}}");
    document(
        "a/.zarray",
        String.format(zarray, "2,3", "2,3", ", '_NCZARR_ARRAY': {'dimrefs': ['/y', '/x']}"));
    Dataset dataset = open();
    assertThat(dataset.sizes()).containsExactly(Map.entry("y", 2L), Map.entry("x", 3L));
    assertThat(dataset.coordinates()).containsOnlyKeys("x");
    assertThat(requireNonNull(await(dataset.variable("a").read())).getDouble(0, 0)).isNaN();
  }

  private void document(String key, String json) {
    await(memory.set(StoreKey.of(key), Bytes.utf8(json.replace('\'', '"'))));
  }

  @Test
  void a_group_is_checked_when_it_is_asked_for() {
    array("t", doubles(1, 2, 3), "{}", "x");
    array("pyramid/0", doubles(1, 2, 3, 4), "{}", "x");
    array("pyramid/1", doubles(1, 2), "{}", "x");
    array("pyramid/masks/m", doubles(1, 2), "{}", "x");
    array("other/x", doubles(1, 2), "{}", "x");
    array("other/v", doubles(1, 2), "{}", "x");
    await(memory.set(StoreKey.of("other/broken/zarr.json"), Bytes.utf8("{")));
    await(memory.set(StoreKey.of("zarr.json"), Bytes.utf8(GROUP)));
    for (String group : List.of("pyramid", "pyramid/masks", "other")) {
      await(memory.set(StoreKey.of(group + "/zarr.json"), Bytes.utf8(GROUP)));
    }
    Dataset dataset = open();
    assertThat(dataset.variables()).containsOnlyKeys("t");
    assertThat(await(dataset.variable("t").read())).isEqualTo(doubles(1, 2, 3));
    assertThat(dataset.groups()).containsOnlyKeys("other");
    assertThat(dataset.group("other")).isSameAs(dataset.groups().get("other"));
    assertThat(dataset.group("other").unreadable()).hasSize(1);
    assertThat(dataset.refusedGroups()).containsOnlyKeys("pyramid");
    assertThat(dataset)
        .asString()
        .contains("Groups: other")
        .contains("pyramid is no dataset: the dimension x has the extent 2, but 4 in /pyramid/0");
    assertThatExceptionOfType(MetadataException.class)
        .isThrownBy(() -> dataset.group("pyramid"))
        .withMessageContaining("/pyramid/1");
    assertThat(dataset.group("pyramid/masks").variables()).containsOnlyKeys("m");
    assertThat(dataset.isel("x", 1).group("pyramid/masks").sizes()).containsEntry("x", 2L);
    assertThatExceptionOfType(InvalidInputException.class)
        .isThrownBy(() -> dataset.group("pyramid/none"))
        .withMessageContaining("the dataset /pyramid has no group none, but masks");
  }

  @Test
  void a_coordinate_that_cannot_be_opened_is_an_error_where_it_is_needed() {
    array("t", doubles(1, 2), "{}", "x");
    array("y", doubles(1, 2), "{}", "y");
    await(memory.set(StoreKey.of("x/zarr.json"), Bytes.utf8("{")));
    Dataset dataset = open();
    assertThat(await(dataset.isel("x", 1).variable("t").read())).isNotNull();
    assertThat(await(dataset.sel("y", 2).dataset())).isNotNull();
    for (Runnable needed :
        List.<Runnable>of(
            () -> await(dataset.sel("x", 1).dataset()), () -> dataset.variable("x"))) {
      assertThatExceptionOfType(MetadataException.class)
          .isThrownBy(needed::run)
          .withMessageContaining("node /x");
    }
  }

  @Test
  void variables_of_one_level_are_a_dataset_without_those_of_the_others() {
    await(memory.set(StoreKey.of("zarr.json"), Bytes.utf8(GROUP)));
    array("0", doubles(1, 2, 3, 4), "{}", "x");
    array("1", doubles(1, 2), "{}", "x");
    array("x", doubles(10, 20), "{}", "x");
    array("z", doubles(7), "{}", "z");
    ZarrGroup group = requireNonNull(await(Zarr.hierarchy(store).openGroup("")));
    List<ZarrNode> nodes = await(group.tree());
    assertThat(Dataset.of(group, nodes, CfRule.all(), List.of("1")).variables())
        .containsOnlyKeys("1", "x", "z");
    assertThat(Dataset.of(group, nodes, CfRule.all(), List.of("0")).variables())
        .containsOnlyKeys("0", "z");
    assertThatExceptionOfType(MetadataException.class)
        .isThrownBy(() -> Dataset.of(group, nodes, CfRule.all(), List.of("0", "x")))
        .withMessageContaining("the dimension x has the extent 2, but 4 in /0");
    assertThatExceptionOfType(MetadataException.class).isThrownBy(this::open);
  }

  private static final String GROUP = "{\"zarr_format\": 3, \"node_type\": \"group\"}";

  @Test
  void labels_of_raw_elements_are_stored_values() {
    Dataset era5 = XarrayDatasets.open("era5-v3");
    assertThat(size(era5.selFrom("time", "2020-02-29"))).isEqualTo(36);
    assertThat(size(era5.raw().sel("time", 1053288, 1053290))).isEqualTo(3);
    assertThat(size(era5.selFrom("time", "2020-02-29"))).isEqualTo(36);
  }

  private static long size(DatasetSelection selection) {
    return requireNonNull(requireNonNull(await(selection.dataset())).sizes().get("time"));
  }

  @Test
  void labels_that_are_missing_are_refused() {
    Dataset era5 = XarrayDatasets.open("era5-v3");
    refused(era5.sel("latitude", 55.2), "no label 55.2: the nearest is 55.0", "from 60.0 to 50.0");
    refused(era5.sel("latitude", 70, LabelMethod.BACKFILL, 0.1), "the nearest is 60.0");
    refused(era5.sel("latitude", 40, LabelMethod.BACKFILL), "none is after or equal");
    refused(era5.sel("latitude", "north"), "its values are numbers");
    refused(era5.sel("time", "2021"), "no label 2021");
    refused(era5.sel("time", 5), "a time is an Instant");
    refused(era5.sel("time", "2020-02-30"), "has no date 2020-02-30");
    refused(era5.sel("level", 5), "has the dimensions [latitude, longitude, time], not level");
    refused(
        era5.sel("time", CalendarDate.of(CfCalendar.NO_LEAP, 2020, 3, 1)),
        "its calendar is standard");
    Dataset forecast = XarrayDatasets.open("curvilinear-v3");
    refused(forecast.sel("j", 1), "has no coordinate; use isel");
    refused(XarrayDatasets.open("landsat-v2").sel("band", "nir"), "from \"red\" to \"blue\"");
    refused(
        XarrayDatasets.open("landsat-v2").sel("band", "nir", LabelMethod.NEAREST),
        "its values have no distances");
    array("z", doubles(1, 3, 2), "{}", "z");
    refused(open().sel("z", 4), "without an order, the first is 1.0");
    refused(open().sel("z", 2.5, LabelMethod.PAD), "needs values that ascend or descend");
    assertThat(requireNonNull(await(open().sel("z", 3, 2).dataset())).sizes())
        .containsEntry("z", 2L);
  }

  private static void refused(DatasetSelection selection, String... parts) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> await(selection.dataset()))
        .satisfies(e -> assertThat(e.getMessage()).contains(parts));
  }

  @Test
  void names_that_are_missing_are_refused() {
    Dataset era5 = XarrayDatasets.open("era5-v3");
    assertThatExceptionOfType(InvalidInputException.class)
        .isThrownBy(() -> era5.variable("t"))
        .withMessage("the dataset / has no variable t, but latitude, longitude, t2m, time, tp");
    assertThatExceptionOfType(InvalidInputException.class).isThrownBy(() -> era5.group("a/b"));
    assertThatIllegalArgumentException().isThrownBy(() -> era5.isel("z", 0));
    assertThatIllegalArgumentException().isThrownBy(() -> era5.variable("tp").isel("z", "0"));
    assertThatIllegalArgumentException().isThrownBy(() -> era5.isel("time", 60));
  }

  @Test
  void selections_of_a_part_are_those_of_the_part() {
    Variable t2m = XarrayDatasets.open("era5-v3").variable("t2m");
    NdArray all = requireNonNull(await(t2m.read()));
    Variable part = t2m.isel("time", "10:50:4").isel("latitude", -1).isel("time", "[3,1]");
    assertThat(part.dimensions()).containsExactly("time", "longitude");
    NdArray expected = all.slice(Selection.parse("[22,14],20,:"));
    assertThat(await(part.read())).isEqualTo(expected);
    assertThat(await(part.read("1,2:4"))).isEqualTo(expected.slice(Selection.parse("1,2:4")));
    assertThat(await(part.read(Selection.points(new long[][] {{0, 3}, {1, 5}}))))
        .isEqualTo(expected.slice(Selection.points(new long[][] {{0, 3}, {1, 5}})));
    assertThatIllegalArgumentException().isThrownBy(() -> part.read("2"));
  }

  @Test
  void chunks_are_requested_on_demand_and_a_cancel_ends_them() {
    NdArray data = NdArray.ofInts(DataTypes.INT32, Shape.of(100), new int[100]);
    ArrayMetadata array =
        ArrayMetadata.v3(data.shape(), data.dataType())
            .chunkShape(1)
            .dimensionNames("x")
            .attributes(Json.object("{'scale_factor': 0.5}"))
            .build();
    await(
        hierarchy
            .createArray("a", array)
            .flatMap(
                a ->
                    a.write(
                        Selection.all(),
                        NdArray.scalar(DataTypes.INT32, 4).broadcastTo(data.shape()))));
    ZarrOptions options = ZarrOptions.defaults().withMaxConcurrency(2);
    ZarrHierarchy reading = Zarr.hierarchy(store, options);
    Variable variable = requireNonNull(await(Dataset.open(reading, ""))).variable("a");
    store.counts().reset();
    StepVerifier.create(variable.chunks(), 3)
        .expectNextMatches(chunk -> chunk.data().getDouble(0) == 2)
        .expectNextCount(2)
        .thenCancel()
        .verify(Waiting.PATIENCE);
    assertThat(store.counts().total()).isLessThanOrEqualTo(5);
    Waiting.eventually("no bytes in flight", () -> reading.bytesInFlight() == 0);
  }

  @Test
  void errors_of_decoding_name_the_array() {
    array("t", doubles(1), "{'units': 'moons since 2000-01-01'}", "t");
    Variable variable = open().variable("t");
    assertThatExceptionOfType(UnsupportedFeatureException.class)
        .isThrownBy(() -> await(variable.read()))
        .withMessageContaining("/t");
    assertThatExceptionOfType(UnsupportedFeatureException.class)
        .isThrownBy(() -> await(variable.chunks()))
        .withMessageContaining("/t");
    assertThat(await(variable.raw().read())).isEqualTo(doubles(1));
  }

  @Test
  void a_location_is_opened() {
    Dataset dataset =
        requireNonNull(await(Dataset.open(Zarr.at(XarrayDatasets.path("tree-v3").toString()))));
    assertThat(dataset.groups()).containsOnlyKeys("fine");
    assertThat(dataset).asString().endsWith("Groups: fine");
  }
}
