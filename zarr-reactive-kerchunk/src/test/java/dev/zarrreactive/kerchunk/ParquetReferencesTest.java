package dev.zarrreactive.kerchunk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.store.ListEntry;
import dev.zarrreactive.store.LocatedValues;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.ValuePlace;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.Waiting;
import dev.zarrreactive.testkit.HeldRequests;
import dev.zarrreactive.testkit.InstrumentedStore;
import dev.zarrreactive.virtual.VirtualContainers;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;

/** Record files of references are read when they are needed, and once. */
class ParquetReferencesTest {
  private static final StorePrefix DIRECTORY = StorePrefix.of("refs.parq/");
  private static final String SCALAR = "{'shape':[],'chunks':[],'zarr_format':2}";

  private final MemoryStore data = MemoryStore.create();
  private final InstrumentedStore place = InstrumentedStore.of(MemoryStore.create());
  private final VirtualContainers containers =
      VirtualContainers.builder().allow("s3://archive/", data).build();

  @BeforeEach
  void putData() {
    Waiting.await(data.set(StoreKey.of("a.bin"), Bytes.utf8("0123456789")));
  }

  private void put(String key, Bytes value) {
    Waiting.await(place.set(DIRECTORY.key(key), value));
  }

  private void putMetadata(String metadata, int recordSize) {
    String text = "{'metadata':{'.zgroup':{'zarr_format':2}," + metadata + "},'record_size':";
    put(".zmetadata", Bytes.utf8((text + recordSize + "}").replace('\'', '"')));
  }

  private static String zarray(String shape, String chunks) {
    return "{'shape':" + shape + ",'chunks':" + chunks + ",'zarr_format':2,'fill_value':NaN}";
  }

  private void putRecord(String key, int rows, int from) {
    put(
        key,
        new ParquetBuilder(rows)
            .texts("path", row -> row % 4 == 3 ? null : "s3://archive/a.bin")
            .integers("offset", row -> (row + from) % 10)
            .integers("size", row -> 1)
            .build());
  }

  private Store open(KerchunkOptions options) {
    Store store =
        Objects.requireNonNull(Waiting.await(Kerchunk.open(place, DIRECTORY, containers, options)));
    place.counts().reset();
    return store;
  }

  private Store open() {
    return open(KerchunkOptions.defaults());
  }

  private static Bytes read(Store store, String key) {
    return Waiting.await(store.get(StoreKey.of(key)));
  }

  @Test
  void a_record_file_is_one_request_for_all_of_its_chunks() {
    putMetadata("'v/.zarray':" + zarray("[3,4]", "[1,1]"), 8);
    putRecord("v/refs.0.parq", 8, 0);
    putRecord("v/refs.1.parq", 8, 8);
    Store store = open();
    assertThat(read(store, "v/0.1")).isEqualTo(Bytes.utf8("1"));
    assertThat(read(store, "v/1.2")).isEqualTo(Bytes.utf8("6"));
    assertThat(read(store, "v/0.3")).as("null").isNull();
    assertThat(place.counts().total()).isEqualTo(1);
    assertThat(read(store, "v/2.0")).isEqualTo(Bytes.utf8("8"));
    assertThat(place.counts().total()).isEqualTo(2);
    for (String none : List.of("v/3.0", "v/0.4", "v/0", "v/0.0.0", "v/00.0", "v/0.x", "w/0.0")) {
      assertThat(read(store, none)).as(none).isNull();
    }
    assertThat(read(store, "v/.zarray")).isNotNull();
    assertThat(place.counts().total()).isEqualTo(2);
  }

  @Test
  void many_readers_share_one_request_and_a_cancel_of_all_ends_it() {
    putMetadata("'v/.zarray':" + zarray("[8]", "[1]"), 8);
    putRecord("v/refs.0.parq", 8, 0);
    Store store = open();
    HeldRequests held = place.hold(request -> true);
    List<CompletableFuture<Bytes>> readers = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      readers.add(store.get(StoreKey.of("v/" + i % 3)).toFuture());
    }
    Waiting.eventually("one request waits", () -> place.counts().inFlight() == 1);
    held.release();
    for (int i = 0; i < 50; i++) {
      assertThat(readers.get(i).join()).isEqualTo(Bytes.utf8(Integer.toString(i % 3)));
    }
    assertThat(place.counts().total()).isEqualTo(1);

    Store again = open();
    HeldRequests more = place.hold(request -> true);
    List<Disposable> open = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      open.add(again.get(StoreKey.of("v/" + i)).subscribe());
    }
    Waiting.eventually("one request waits", () -> place.counts().inFlight() == 1);
    open.forEach(Disposable::dispose);
    Waiting.eventually("it is cancelled", () -> place.counts().cancelled() == 1);
    more.release();
    assertThat(read(again, "v/1")).isEqualTo(Bytes.utf8("1"));
  }

  @Test
  void the_places_of_many_values_read_each_record_file_once() {
    putMetadata("'v/.zarray':" + zarray("[200]", "[1]"), 50);
    for (int i = 0; i < 4; i++) {
      putRecord("v/refs." + i + ".parq", 50, 50 * i);
    }
    Store store = open();
    List<StoreKey> keys =
        IntStream.range(0, 200).mapToObj(i -> StoreKey.of("v/" + (i * 7 % 200))).toList();
    List<Optional<ValuePlace>> places =
        Objects.requireNonNull(Waiting.await(((LocatedValues) store).places(keys)));
    assertThat(place.counts().total()).isEqualTo(4);
    for (int i = 0; i < 200; i++) {
      int row = i * 7 % 200 % 50;
      assertThat(places.get(i).map(ValuePlace::range))
          .isEqualTo(
              row % 4 == 3
                  ? Optional.empty()
                  : Optional.of(new ByteRange.Slice(i * 7 % 200 % 10, 1)));
    }
  }

  @Test
  void record_files_are_evicted_by_their_bytes() {
    putMetadata("'v/.zarray':" + zarray("[6000]", "[1]"), 1000);
    for (int i = 0; i < 6; i++) {
      putRecord("v/refs." + i + ".parq", 1000, 1000 * i);
    }
    Store store = open(KerchunkOptions.defaults().withCacheBytes(50_000)); // two of them
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < 6; i++) {
        assertThat(read(store, "v/" + (1000 * i + 1))).isNotNull();
      }
    }
    assertThat(place.counts().total()).isEqualTo(12);
    assertThat(read(store, "v/5002")).isNotNull();
    assertThat(place.counts().total()).isEqualTo(12);
    Store none = open(KerchunkOptions.defaults().withCacheBytes(0));
    assertThat(read(none, "v/1")).isNotNull();
    assertThat(read(none, "v/1")).isNotNull();
    assertThat(place.counts().total()).isEqualTo(2);
  }

  @Test
  void a_missing_record_file_means_missing_chunks_and_is_asked_for_once() {
    putMetadata("'v/.zarray':" + zarray("[8]", "[1]"), 4);
    putRecord("v/refs.1.parq", 4, 0);
    Store store = open();
    assertThat(read(store, "v/0")).isNull();
    assertThat(read(store, "v/1")).isNull();
    assertThat(place.counts().total()).isEqualTo(1);
    assertThat(Waiting.await(store.listPrefix(StorePrefix.of("v/"))).stream().map(StoreKey::value))
        .containsExactly("v/.zarray", "v/4", "v/5", "v/6");
  }

  @Test
  void a_scalar_and_separated_names_are_listed_as_they_are_read() {
    putMetadata(
        "'s/.zarray':"
            + SCALAR
            + ",'n/.zarray':{'shape':[2,3],'chunks':[1,1],'dimension_separator':'/'},"
            + "'e/.zarray':{'shape':[0],'chunks':[0]}",
        10);
    putRecord("s/refs.0.parq", 10, 0);
    putRecord("n/refs.0.parq", 10, 0);
    Store store = open();
    assertThat(read(store, "s/0")).isEqualTo(Bytes.utf8("0"));
    assertThat(read(store, "n/1/2")).isEqualTo(Bytes.utf8("5"));
    assertThat(read(store, "n/1.2")).isNull();
    assertThat(read(store, "e/0")).isNull();
    assertThat(Waiting.await(store.list()).stream().map(StoreKey::value))
        .containsExactlyInAnyOrder(
            ".zgroup",
            ".zmetadata",
            "e/.zarray",
            "n/.zarray",
            "s/.zarray",
            "n/0/0",
            "n/0/1",
            "n/0/2",
            "n/1/1",
            "n/1/2",
            "s/0");
    assertThat(names(store, "n/")).containsExactly(".zarray", "0", "1");
    assertThat(names(store, "n/1/")).containsExactly("1", "2");
    assertThat(names(store, "")).containsExactly(".zgroup", ".zmetadata", "e", "n", "s");
    assertThat(names(store, "e/")).containsExactly(".zarray");
    assertThat(names(store, "x/")).isEmpty();
  }

  private static List<String> names(Store store, String prefix) {
    Flux<ListEntry> entries = store.listDir(StorePrefix.of(prefix));
    return Waiting.await(entries).stream().map(ListEntry::name).toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "7|the record file has 7 rows, and chunk 7 of \"v\" is row 7",
        "9|9 rows; at most 8 were expected",
      })
  void a_record_file_of_another_size_is_an_error(int rows, String message) {
    putMetadata("'v/.zarray':" + zarray("[8]", "[1]"), 8);
    putRecord("v/refs.0.parq", rows, 0);
    assertThat(Waiting.errorOf(open().get(StoreKey.of("v/7"))))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining(message)
        .hasMessageContaining("key ");
  }

  @Test
  void references_to_no_part_of_a_file_are_an_error() {
    putMetadata("'v/.zarray':" + zarray("[3]", "[1]"), 3);
    put(
        "v/refs.0.parq",
        new ParquetBuilder(3)
            .texts("path", row -> "s3://archive/a.bin")
            .integers("offset", row -> row == 0 ? -1 : Long.MAX_VALUE)
            .integers("size", row -> row == 1 ? Long.MAX_VALUE : -5)
            .build());
    Store store = open();
    for (int i = 0; i < 3; i++) {
      assertThat(Waiting.errorOf(store.get(StoreKey.of("v/" + i))))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("row " + i + " has ");
    }
  }

  @Test
  void data_of_a_row_come_before_its_place_and_may_be_base64() {
    putMetadata("'v/.zarray':" + zarray("[3]", "[1]"), 3);
    put(
        "v/refs.0.parq",
        new ParquetBuilder(3)
            .texts("path", row -> "s3://archive/a.bin")
            .texts("raw", row -> row == 0 ? "base64:AAE=" : row == 1 ? "" : null)
            .build());
    Store store = open();
    assertThat(read(store, "v/0")).isEqualTo(Bytes.wrap(new byte[] {0, 1}));
    assertThat(read(store, "v/1")).isEqualTo(Bytes.EMPTY);
    assertThat(read(store, "v/2")).as("the whole file").isEqualTo(Bytes.utf8("0123456789"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[]|no JSON object",
        "{'metadata':{}}|from 1 to 2147483647 (key refs.parq/.zmetadata, at /record_size)",
        "{'metadata':{},'record_size':0}|from 1 to",
        "{'metadata':{},'record_size':2147483648}|from 1 to",
        "{'metadata':{},'record_size':99999999999999999999}|not JSON",
        "{'metadata':{'a/.zgroup':'x'},'record_size':1}|a document of metadata is an object",
        "{'metadata':{'a//.zgroup':{}},'record_size':1}|no key of a store",
        "{'metadata':{'a/.zarray':{'shape':[1]}},'record_size':1}|at /metadata/a~1.zarray",
        "{'metadata':{'a/.zarray':{'shape':[1],'chunks':[0]}},'record_size':1}|numbers above 0",
        "{'metadata':{'a/.zarray':{'shape':[1],'chunks':[]}},'record_size':1}|as many numbers",
        "{'metadata':{'a/.zarray':{'shape':[9223372036854775807,3],'chunks':[1,1]}},'record_size':1}"
            + "|more than 2^63 chunks",
        "{'metadata':{|not JSON",
        "{'metadata':{},'record_size':1} 2|content after the end",
      })
  void wrong_metadata_are_an_error_with_their_place(String text, String message) {
    put(".zmetadata", Bytes.utf8(text.replace('\'', '"')));
    assertThat(Waiting.errorOf(Kerchunk.open(place, DIRECTORY, containers)))
        .isInstanceOf(MetadataException.class)
        .hasMessageContaining(message)
        .hasMessageContaining("key refs.parq/.zmetadata");
  }

  @Test
  void relative_urls_are_beside_the_directory() {
    Waiting.await(place.set(StoreKey.of("b.bin"), Bytes.utf8("beside")));
    putMetadata("'v/.zarray':" + zarray("[1]", "[1]"), 1);
    put("v/refs.0.parq", new ParquetBuilder(1).texts("path", row -> "b.bin").build());
    assertThat(read(open(), "v/0")).isEqualTo(Bytes.utf8("beside"));
  }
}
