package dev.zarrreactive.store.zip;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.observation.StoreOperation;
import dev.zarrreactive.observation.StoreRequest;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.Waiting;
import dev.zarrreactive.testkit.InstrumentedStore;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a zip costs in requests to the store that it lies in. */
class ZipStoreRequestsTest {
  private static final StoreKey KEY = StoreKey.of("data/a.zip");

  @TempDir Path directory;

  @Test
  void a_small_zip_costs_one_request_in_all() {
    NewZipStore zip = ZipStore.create(directory.resolve("a.zip"));
    set(zip, "zarr.json", 100);
    set(zip, "c/0", 30_000);
    InstrumentedStore store = closed(zip);
    ZipStore opened = open(store);
    assertThat(Waiting.await(opened.list())).hasSize(2);
    assertThat(Waiting.await(opened.get(StoreKey.of("c/0")))).isEqualTo(value(30_000));
    assertThat(store.counts().total()).isEqualTo(1);
    assertThat(store.counts().total(StoreOperation.GET_RANGE)).isEqualTo(1);
  }

  @Test
  void a_large_zip_costs_one_request_to_open_and_one_for_each_value() {
    NewZipStore zip = ZipStore.create(directory.resolve("a.zip"));
    for (int i = 0; i < 40; i++) {
      set(zip, "c/" + i, 50_000 + i);
    }
    InstrumentedStore store = closed(zip);
    ZipStore opened = open(store);
    assertThat(Waiting.await(opened.listDir(StorePrefix.ROOT))).hasSize(1);
    assertThat(store.counts().total()).isEqualTo(1);
    for (int i = 0; i < 40; i++) {
      StoreKey key = StoreKey.of("c/" + i);
      assertThat(Waiting.await(opened.get(key))).isEqualTo(value(50_000 + i));
      assertThat(store.counts().total()).isEqualTo(2 + i);
    }
    assertThat(Waiting.await(opened.get(StoreKey.of("missing")))).isNull();
    assertThat(store.counts().total()).isEqualTo(41);
    assertThat(store.counts().bytesRead()).isLessThan(66_560 + 40 * 50_200);
  }

  @Test
  void a_directory_longer_than_the_tail_costs_one_request_more() {
    NewZipStore zip = ZipStore.create(directory.resolve("a.zip"));
    for (int i = 0; i < 2000; i++) {
      set(zip, "array/c/" + i, i % 7);
    }
    InstrumentedStore store = closed(zip);
    ZipStore opened = open(store);
    assertThat(Waiting.await(opened.list())).hasSize(2000);
    assertThat(store.counts().total()).isEqualTo(2);
  }

  @Test
  void a_range_of_a_stored_entry_is_one_request_of_just_these_bytes() {
    NewZipStore zip = ZipStore.create(directory.resolve("a.zip"));
    set(zip, "shard", 500_000);
    set(zip, "other", 500_000);
    InstrumentedStore store = closed(zip);
    ZipStore opened = open(store);
    store.counts().reset();

    assertThat(range(opened, "shard", new ByteRange.Suffix(100)))
        .isEqualTo(value(500_000).slice(499_900, 100));
    assertThat(store.counts().total()).as("the local header, and the bytes").isEqualTo(2);
    assertThat(range(opened, "other", new ByteRange.Slice(1000, 10)))
        .isEqualTo(value(500_000).slice(1000, 10));
    assertThat(store.counts().total()).as("near the local header").isEqualTo(3);

    store.counts().reset();
    range(opened, "shard", new ByteRange.Slice(200_000, 5000));
    range(opened, "other", new ByteRange.From(499_999));
    assertThat(Waiting.await(opened.get(StoreKey.of("shard")))).isEqualTo(value(500_000));
    assertThat(store.counts().requests().stream().map(StoreRequest::range))
        .extracting(range -> ((ByteRange.Slice) range).length())
        .containsExactly(5000L, 1L, 500_000L);
  }

  @Test
  void an_empty_value_or_range_costs_nothing() {
    NewZipStore zip = ZipStore.create(directory.resolve("a.zip"));
    set(zip, "empty", 0);
    set(zip, "value", 100_000);
    InstrumentedStore store = closed(zip);
    ZipStore opened = open(store);
    assertThat(Waiting.await(opened.get(StoreKey.of("empty")))).isEqualTo(Bytes.EMPTY);
    assertThat(range(opened, "value", new ByteRange.Slice(50, 0))).isEqualTo(Bytes.EMPTY);
    assertThat(store.counts().total()).isEqualTo(1);
  }

  @Test
  void any_read_of_a_deflated_entry_is_one_request() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      zip.putNextEntry(new ZipEntry("c/0"));
      zip.write(value(200_000).toByteArray());
    }
    InstrumentedStore store = holding(Bytes.wrap(bytes.toByteArray()));
    ZipStore opened = open(store);
    assertThat(Waiting.await(opened.get(StoreKey.of("c/0")))).isEqualTo(value(200_000));
    assertThat(range(opened, "c/0", new ByteRange.Suffix(7)))
        .isEqualTo(value(200_000).slice(199_993, 7));
    assertThat(store.counts().total()).isEqualTo(3);
  }

  @Test
  void a_cancel_cancels_the_request() {
    NewZipStore zip = ZipStore.create(directory.resolve("a.zip"));
    set(zip, "value", 100_000);
    InstrumentedStore store = closed(zip);
    ZipStore opened = open(store);
    store.hold(request -> true);
    var reading = opened.get(StoreKey.of("value")).subscribe();
    assertThat(store.counts().inFlight()).isEqualTo(1);
    reading.dispose();
    assertThat(store.counts().inFlight()).isZero();
    assertThat(store.counts().cancelled()).isEqualTo(1);
  }

  @Test
  void a_hierarchy_is_created_in_a_new_zip_and_opened_where_it_lies() {
    NewZipStore zip = ZipStore.create(directory.resolve("a.zip"));
    Waiting.await(Zarr.hierarchy(zip).createGroup("a/b"));
    InstrumentedStore store = closed(zip);
    assertThat(Waiting.await(Zarr.hierarchy(open(store)).openGroup("a").flatMapMany(g -> g.tree())))
        .hasSize(1);
    assertThat(store.counts().total()).isEqualTo(1);
  }

  private static Bytes range(Store store, String key, ByteRange range) {
    return Waiting.await(store.get(StoreKey.of(key), range));
  }

  private static void set(Store store, String key, int size) {
    Waiting.await(store.set(StoreKey.of(key), value(size)));
  }

  private static Bytes value(int size) {
    byte[] bytes = new byte[size];
    new Random(size).nextBytes(bytes);
    return Bytes.wrap(bytes);
  }

  private static ZipStore open(Store store) {
    return Waiting.await(ZipStore.open(store, KEY));
  }

  private InstrumentedStore closed(NewZipStore zip) {
    Waiting.await(zip.close());
    try {
      return holding(Bytes.wrap(Files.readAllBytes(directory.resolve("a.zip"))));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static InstrumentedStore holding(Bytes zip) {
    MemoryStore memory = MemoryStore.create();
    Waiting.await(memory.set(KEY, zip));
    return InstrumentedStore.of(memory);
  }
}
