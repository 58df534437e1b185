package dev.zarrreactive.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.copy.CopyChange.Kind;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import dev.zarrreactive.metadata.GroupMetadata;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreCapability;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;

/** What xarray reads of a copy in the other format: names, missing data, and files beside. */
class XarrayConventionTest {
  private final Store store = MemoryStore.create();
  private final Store target = MemoryStore.create();
  private final ZarrHierarchy source = Zarr.hierarchy(store);
  private final ZarrHierarchy copy = Zarr.hierarchy(target);

  private static JsonObject json(String text) {
    return Json.object(text);
  }

  private ArrayMetadataBuilder array(int format, DataType type, String attributes) {
    return ArrayMetadata.v3(Shape.of(4), type)
        .uncompressed()
        .zarrFormat(format)
        .chunkShape(2)
        .attributes(json(attributes));
  }

  private void put(String key, String text) {
    store.set(StoreKey.of(key), Bytes.utf8(text.replace('\'', '"'))).block();
  }

  private JsonObject stored(String key) {
    return json(text(target, key));
  }

  private CopyProgress copied(UnaryOperator<ZarrCopy> change) {
    return Objects.requireNonNull(change.apply(ZarrCopy.of(source, copy)).run().last().block());
  }

  private CopyProgress copied(int format) {
    return copied(any -> any.zarrFormat(format));
  }

  private static List<Kind> kinds(CopyProgress progress) {
    return progress.report().changes().stream().map(CopyChange::kind).toList();
  }

  private void version2(String dtype, String fill, String attributes) {
    put(
        "x/.zarray",
        "{'zarr_format':2,'shape':[4],'chunks':[2],'dtype':'"
            + dtype
            + "','fill_value':"
            + fill
            + ",'order':'C','filters':null,'compressor':null}");
    put("x/.zattrs", attributes);
    put(".zgroup", "{'zarr_format':2}");
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      value = {
        "<i2 | -9999 | -9999",
        "<f4 | 'NaN' | 'AAAAAAAA+H8='",
        "<f8 | 1.5   | 'AAAAAAAA+D8='",
        "`|b1` | false | false",
      })
  void the_fill_value_of_zarr_2_is_the_attribute_of_zarr_3(
      String dtype, String fill, String attribute) {
    version2(dtype, fill, "{'_ARRAY_DIMENSIONS':['t'],'u':1}");
    CopyProgress end = copied(3);
    JsonObject document = stored("x/zarr.json");
    assertThat(document.get("dimension_names")).hasToString("[\"t\"]");
    assertThat(document.get("attributes"))
        .hasToString("{\"u\":1,\"_FillValue\":" + attribute.replace('\'', '"') + "}");
    assertThat(kinds(end)).containsExactly(Kind.DIMENSION_NAMES, Kind.MISSING_DATA);
    assertThat(end.report().changes().get(0).node()).hasToString("/x");
  }

  @Test
  void names_of_netcdf_become_names_of_version_3() {
    version2("<i2", "-9", "{'_nczarr_array': {'dimension_references': ['/g/time']}}");
    CopyProgress progress = copied(3);
    assertThat(stored("x/zarr.json").list("dimension_names").orElseThrow())
        .isEqualTo(List.of("time"));
    assertThat(kinds(progress)).containsExactly(Kind.DIMENSION_NAMES, Kind.MISSING_DATA);
    assertThat(progress.report().changes().get(0).toString())
        .contains("_nczarr_array of NCZarr time became the member dimension_names");
    assertThat(text(target, "x/zarr.json")).contains("\"_FillValue\": -9");
  }

  @Test
  void no_fill_value_of_zarr_2_is_no_attribute() {
    version2("<i4", "null", "{'_ARRAY_DIMENSIONS':['t']}");
    CopyProgress end = copied(3);
    assertThat(stored("x/zarr.json").get("attributes")).hasToString("{}");
    assertThat(stored("x/zarr.json").get("fill_value")).hasToString("0");
    assertThat(kinds(end)).containsExactly(Kind.DIMENSION_NAMES);
  }

  @Test
  void a_plain_attribute_of_a_float_is_encoded_for_zarr_3() {
    version2("<f8", "null", "{'_ARRAY_DIMENSIONS':['t'],'_FillValue':1.5}");
    copied(3);
    assertThat(stored("x/zarr.json").get("attributes"))
        .hasToString("{\"_FillValue\":\"AAAAAAAA+D8=\"}");
  }

  @Test
  void an_array_without_names_is_none_of_xarrays() {
    version2("<i4", "0", "{'u':1}");
    CopyProgress end = copied(3);
    assertThat(stored("x/zarr.json").get("attributes")).hasToString("{\"u\":1}");
    assertThat(end.report().changes()).isEmpty();
  }

  @Test
  void a_scalar_of_zarr_3_gets_an_empty_list_of_names() {
    source
        .createArray("s", ArrayMetadata.v3(Shape.SCALAR, DataTypes.INT32).uncompressed().build())
        .flatMap(s -> s.write(Selection.all(), NdArray.ofInts(DataTypes.INT32, Shape.SCALAR, 0)))
        .block();
    CopyProgress end = copied(2);
    assertThat(stored("s/.zattrs")).hasToString("{\"_ARRAY_DIMENSIONS\":[]}");
    assertThat(stored("s/.zarray").get("fill_value")).hasToString("null");
    assertThat(end.report().filledChunks()).isEqualTo(1); // all fill value: it was not stored
    assertThat(read("s").getInt()).isZero();
  }

  private NdArray read(String path) {
    return Objects.requireNonNull(
        copy.openArray(path).flatMap(array -> array.read(Selection.all())).block());
  }

  @Test
  void the_attribute_of_zarr_3_is_the_fill_value_of_zarr_2() {
    ZarrArray array =
        Objects.requireNonNull(
            source
                .createArray(
                    "x",
                    array(3, DataTypes.FLOAT32, "{'_FillValue':'AAAAAAAA+H8=','u':1}")
                        .dimensionNames("t")
                        .build())
                .block());
    array
        .write(
            Selection.parse("0:2"), NdArray.ofFloats(DataTypes.FLOAT32, Shape.of(2), 1, Float.NaN))
        .block();
    CopyProgress end = copied(2);
    assertThat(stored("x/.zarray").get("fill_value")).hasToString("\"NaN\"");
    assertThat(stored("x/.zattrs")).hasToString("{\"u\":1,\"_ARRAY_DIMENSIONS\":[\"t\"]}");
    assertThat(kinds(end))
        .containsExactly(Kind.DIMENSION_NAMES, Kind.FILL_VALUE, Kind.MISSING_DATA);
    assertThat(end.report().filledChunks()).isEqualTo(1);
    assertThat(read("x").toFloatArray()).containsExactly(1, Float.NaN, 0, 0);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void zeros_that_are_data_stay_data_in_zarr_2(boolean otherChunks) {
    ZarrArray array =
        Objects.requireNonNull(
            source
                .createArray("x", array(3, DataTypes.INT32, "{}").dimensionNames("t").build())
                .block());
    array.write(Selection.parse("0:2"), NdArray.ofInts(DataTypes.INT32, Shape.of(2), 0, 5)).block();
    copied(any -> otherChunks ? any.zarrFormat(2).chunkShape(1) : any.zarrFormat(2));
    assertThat(stored("x/.zarray").get("fill_value")).hasToString("null");
    assertThat(read("x").toIntArray()).containsExactly(0, 5, 0, 0);
    String last = otherChunks ? "x/3" : "x/1";
    assertThat(target.get(StoreKey.of(last)).block()).isNotNull();
  }

  @Test
  void a_value_that_the_elements_cannot_have_stays_an_attribute() {
    source
        .createArray(
            "x", array(3, DataTypes.INT8, "{'_FillValue':300}").dimensionNames("t").build())
        .block();
    copied(2);
    assertThat(stored("x/.zarray").get("fill_value")).hasToString("null");
    assertThat(stored("x/.zattrs").get("_FillValue")).hasToString("300");
  }

  @Test
  void bits_alone_are_kept_without_the_conventions() {
    version2("<i2", "-9999", "{'_ARRAY_DIMENSIONS':['t']}");
    CopyProgress end = copied(any -> any.zarrFormat(3).xarrayConventions(false));
    assertThat(stored("x/zarr.json").get("attributes"))
        .hasToString("{\"_ARRAY_DIMENSIONS\":[\"t\"]}");
    assertThat(stored("x/zarr.json").get("fill_value")).hasToString("-9999");
    assertThat(end.report().changes()).isEmpty();
  }

  @Test
  void no_fill_value_stays_none_in_other_chunks() {
    version2("<i4", "null", "{'_ARRAY_DIMENSIONS':['t']}");
    put("x/0", "\0\0\0\0\0\0\0\0");
    copied(any -> any.chunkShape(4));
    assertThat(stored("x/.zarray").get("fill_value")).hasToString("null");
    assertThat(target.get(StoreKey.of("x/0")).block()).isNotNull();
  }

  @Test
  void fill_values_stay_where_the_format_stays() {
    source
        .createArray(
            "x",
            array(3, DataTypes.INT32, "{'_FillValue':7}")
                .dimensionNames("t")
                .fillValue(FillValue.of(DataTypes.INT32, 5))
                .build())
        .block();
    CopyProgress end = copied(any -> any.chunkShape(4));
    assertThat(stored("x/zarr.json").get("attributes")).hasToString("{\"_FillValue\":7}");
    assertThat(stored("x/zarr.json").get("fill_value")).hasToString("5");
    assertThat(end.report().changes()).isEmpty();
  }

  @Test
  void bare_nan_stays_as_it_is_spelled() {
    version2("<i4", "null", "{'_ARRAY_DIMENSIONS':['t'],'missing_value':NaN}");
    put(".zattrs", "{'bound':-Infinity}");
    copied(3);
    assertThat(text(target, "x/zarr.json")).contains("\"missing_value\": NaN");
    assertThat(text(target, "zarr.json")).contains("\"bound\": -Infinity");
    copy.openGroup("")
        .flatMap(group -> group.updateAttributes(some -> some.with("more", 1)))
        .flatMap(group -> copy.openArray("x"))
        .flatMap(array -> array.updateAttributes(some -> some.with("more", 1)))
        .then(copy.openGroup(""))
        .flatMap(group -> group.consolidate())
        .block();
    assertThat(text(target, "x/zarr.json")).contains("\"missing_value\": NaN", "\"more\": 1");
    assertThat(text(target, "zarr.json"))
        .contains("\"bound\": -Infinity", "\"missing_value\": NaN");
    source.openArray("x").flatMap(x -> x.updateAttributes(some -> some.with("more", 1))).block();
    source.openGroup("").flatMap(group -> group.consolidate()).block();
    assertThat(text(store, "x/.zattrs")).contains("\"missing_value\": NaN", "\"more\": 1");
    assertThat(text(store, ".zmetadata")).contains("NaN", "-Infinity");
  }

  private static String text(Store store, String key) {
    Bytes bytes = Objects.requireNonNull(store.get(StoreKey.of(key)).block());
    return StandardCharsets.UTF_8.decode(bytes.asByteBuffer()).toString();
  }

  @Test
  void files_of_other_programs_are_counted_and_copied_on_demand() {
    source
        .createGroup("", GroupMetadata.of(3, JsonObject.EMPTY))
        .then(source.createArray("x", array(3, DataTypes.INT32, "{}").build()))
        .flatMap(
            x -> x.write(Selection.all(), NdArray.ofInts(DataTypes.INT32, Shape.of(4), 1, 2, 3, 4)))
        .block();
    put("README.md", "read me");
    put("x/c/notes.txt", "note");
    put("x/c/9", "a chunk of an array that was longer");
    put("other/.zarray", "not seen below a group of Zarr v3");
    CopyProgress end = copied(any -> any);
    assertThat(end.report().foreignFiles()).isEqualTo(3);
    assertThat(end.report().foreignFilesCopied()).isZero();
    assertThat(target.get(StoreKey.of("README.md")).block()).isNull();
    CopyProgress again = copied(any -> any.ifExists(IfExists.OVERWRITE).allFiles(true));
    assertThat(again.report().foreignFilesCopied()).isEqualTo(3);
    assertThat(text(target, "x/c/notes.txt")).isEqualTo("note");
    assertThat(target.get(StoreKey.of("x/c/9")).block()).isNull();
  }

  @Test
  void a_foreign_file_that_would_be_a_chunk_of_the_copy_is_left_out() {
    put("zarr.json", text3());
    put("0.0", "foreign");
    CopyProgress end = copied(any -> any.zarrFormat(2).allFiles(true));
    assertThat(end.report().foreignFiles()).isEqualTo(1);
    assertThat(end.report().foreignFilesCopied()).isZero();
  }

  private static String text3() {
    return ArrayMetadata.v3(Shape.of(2, 2), DataTypes.INT32)
        .uncompressed()
        .chunkKeyEncoding("default", ".")
        .build()
        .toString();
  }

  @Test
  void a_store_that_cannot_list_has_no_number_of_foreign_files() {
    version2("<i4", "null", "{}");
    ZarrHierarchy blind = Zarr.hierarchy(new WithoutListing(store), ZarrOptions.defaults());
    CopyProgress end =
        Objects.requireNonNull(ZarrCopy.of(blind, copy).from("x").run().last().block());
    assertThat(end.report().foreignFiles()).isEqualTo(CopyReport.UNKNOWN);
  }

  @Test
  void a_listing_that_is_denied_does_not_end_a_copy_unless_files_are_to_be_copied() {
    version2("<i4", "null", "{}");
    ZarrCopy denied = ZarrCopy.of(Zarr.hierarchy(new DeniedListing(store)), copy).from("x");
    CopyProgress end = Objects.requireNonNull(denied.run().last().block());
    assertThat(end.report().foreignFiles()).isEqualTo(CopyReport.UNKNOWN);
    ZarrCopy all = denied.ifExists(IfExists.OVERWRITE).allFiles(true);
    assertThatThrownBy(() -> all.run().blockLast()).isInstanceOf(AccessDeniedException.class);
  }

  private static final class DeniedListing extends DelegatingStore {
    DeniedListing(Store store) {
      super(store);
    }

    @Override
    public Flux<StoreKey> listPrefix(StorePrefix prefix) {
      return Flux.error(new AccessDeniedException("no listing", Location.UNKNOWN));
    }
  }

  private static final class WithoutListing extends DelegatingStore {
    WithoutListing(Store store) {
      super(store);
    }

    @Override
    public Set<StoreCapability> capabilities() {
      return Set.of(StoreCapability.READ);
    }
  }
}
