package dev.zarrreactive.micrometer;

import static dev.zarrreactive.testing.Waiting.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.ShardReading;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.store.Coalescing;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.decorator.CacheOptions;
import dev.zarrreactive.store.decorator.CachedStore;
import dev.zarrreactive.store.decorator.RequestLimit;
import dev.zarrreactive.store.decorator.RetryOptions;
import dev.zarrreactive.store.decorator.Stores;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testkit.HeldRequests;
import dev.zarrreactive.testkit.InstrumentedStore;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.test.StepVerifier;

class ZarrMetersTest {
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final ZarrMeters meters = ZarrMeters.of(registry);
  private final ZarrOptions options = ZarrOptions.defaults().withObserver(meters);
  private final InstrumentedStore store = InstrumentedStore.of(MemoryStore.create());

  private double count(String name, String... tags) {
    return registry.get(name).tags(tags).counter().count();
  }

  private long timed(String name, String... tags) {
    return registry.get(name).tags(tags).timers().stream().mapToLong(timer -> timer.count()).sum();
  }

  private double gauge(String name) {
    return registry.get(name).gauge().value();
  }

  @Test
  void what_a_read_does_is_counted() {
    Rows.write(10, store);
    store.counts().reset();
    ZarrArray array = Rows.open(store, options);
    array.read(Selection.parse("2:30")).block();
    array.chunks(Selection.parse("0:4")).blockLast();
    assertThat(timed("zarr.store.requests", "store", "zarr"))
        .isEqualTo(store.counts().total())
        .isEqualTo(timed("zarr.permits.wait", "store", "zarr"));
    assertThat(count("zarr.store.bytes", "direction", "read"))
        .isEqualTo((double) store.counts().bytesRead());
    assertThat(timed("zarr.operations", "operation", "open", "outcome", "completed")).isEqualTo(1);
    assertThat(timed("zarr.operations", "operation", "read", "outcome", "completed")).isEqualTo(1);
    assertThat(timed("zarr.operations", "operation", "read-chunks")).isEqualTo(1);
    assertThat(timed("zarr.decode", "outcome", "completed")).isEqualTo(9);
    assertThat(registry.get("zarr.decode").timer().totalTime(TimeUnit.NANOSECONDS)).isPositive();
    assertThat(count("zarr.decode.input")).isEqualTo(9.0 * Rows.CHUNK_BYTES);
    assertThat(count("zarr.decode.output")).isEqualTo(9.0 * Rows.CHUNK_BYTES);
    assertThat(gauge("zarr.store.requests.active")).isZero();
  }

  @Test
  void no_name_repeats_a_word_or_its_unit() {
    ZarrArray array = writeAndOpen(2);
    array.write(Selection.all(), array.read(Selection.all()).block()).block();
    for (Meter meter : registry.getMeters()) {
      List<String> words = new ArrayList<>(List.of(meter.getId().getName().split("\\.")));
      String unit = meter.getId().getBaseUnit();
      if (unit != null && !words.get(words.size() - 1).equals(unit)) {
        words.add(unit); // as Prometheus does
      }
      assertThat(words).as("%s", meter.getId()).doesNotHaveDuplicates().startsWith("zarr");
      assertThat(meter.getId().getTags())
          .allSatisfy(tag -> assertThat(tag.getKey()).doesNotContain("zarr"));
    }
  }

  @Test
  void later_operations_make_no_further_meters() {
    ZarrArray array = writeAndOpen(3);
    array.read(Selection.all()).block();
    AtomicInteger added = new AtomicInteger();
    registry.config().onMeterAdded(meter -> added.incrementAndGet());
    int before = registry.getMeters().size();
    for (int i = 0; i < 10; i++) {
      array.read(Selection.all()).block();
    }
    Rows.open(store, options).read(Selection.all()).block();
    assertThat(added).hasValue(0);
    assertThat(registry.getMeters()).hasSize(before);
  }

  @Test
  void what_is_written_is_counted() {
    ZarrArray array = writeAndOpen(2);
    store.counts().reset();
    array.write(Selection.all(), array.read(Selection.all()).block()).block();
    assertThat(count("zarr.store.bytes", "direction", "written"))
        .isEqualTo((double) store.counts().bytesWritten())
        .isPositive();
    assertThat(timed("zarr.operations", "operation", "write")).isEqualTo(1);
  }

  private ZarrArray writeAndOpen(int chunks) {
    Rows.write(chunks, store);
    return Rows.open(store, options);
  }

  @Test
  void a_chunk_that_is_damaged_counts_as_failed() {
    ZarrArray array = writeAndOpen(1);
    store.set(StoreKey.of("a/c/0"), Bytes.utf8("damaged")).block();
    StepVerifier.create(array.read(Selection.all())).expectError().verify();
    assertThat(timed("zarr.decode", "outcome", "failed")).isEqualTo(1);
    assertThat(count("zarr.decode.output")).isZero();
    assertThat(timed("zarr.operations", "operation", "read", "outcome", "failed")).isEqualTo(1);
  }

  @Test
  void merged_ranges_and_what_is_read_too_much_are_counted() {
    Rows.writeShard(10, store);
    Coalescing oneBetween = new Coalescing(Rows.CHUNK_BYTES, 1 << 20, 0.5);
    ZarrArray array =
        Rows.open(
            store, options.withShardReading(ShardReading.defaults().withCoalescing(oneBetween)));
    array.read(Selection.parse("[0, 8, 24]")).block();
    assertThat(count("zarr.read.ranges")).isEqualTo(3);
    assertThat(count("zarr.read.ranges.merged")).isEqualTo(1);
    assertThat(count("zarr.read.overread")).isEqualTo(Rows.CHUNK_BYTES);
    array.read(Selection.parse("0:4")).block();
    assertThat(count("zarr.cache.requests", "cache", "shard-indexes", "result", "miss"))
        .isEqualTo(1);
    assertThat(count("zarr.cache.requests", "cache", "shard-indexes", "result", "hit"))
        .isEqualTo(1);
  }

  @Test
  void retries_and_what_a_cache_knows_are_counted() {
    Rows.write(4, store);
    RetryOptions quick =
        RetryOptions.defaults().withBackoff(Duration.ofMillis(1), Duration.ofMillis(2));
    Store server = Stores.observed(store, meters.ofStore("server"));
    CachedStore cached = Stores.cached(Stores.retrying(server, quick), CacheOptions.ofBytes(9999));
    ZarrArray array = Rows.open(cached, options);
    store.failNext(
        2,
        request -> request.target().equals("a/c/1"),
        () -> new TransientStoreException("busy", Location.UNKNOWN));
    store.counts().reset();
    array.read(Selection.all()).block();
    array.read(Selection.all()).block();
    assertThat(count("zarr.store.retries", "error", "TransientStoreException")).isEqualTo(2);
    assertThat(count("zarr.cache.requests", "cache", "values", "result", "hit"))
        .isEqualTo((double) cached.counts().hits())
        .isEqualTo(4);
    assertThat(count("zarr.cache.requests", "cache", "values", "result", "miss"))
        .isEqualTo((double) cached.counts().misses());
    assertThat(timed("zarr.store.requests", "store", "server"))
        .isEqualTo(store.counts().total() + 1) // and the metadata, before
        .isEqualTo(7);
    assertThat(timed("zarr.store.requests", "store", "zarr")).isEqualTo(9);
    assertThat(timed("zarr.store.requests", "store", "server", "outcome", "failed")).isEqualTo(2);
  }

  @Test
  void what_is_under_way_and_what_waits_is_shown() {
    Rows.write(8, store);
    ZarrArray array =
        Rows.open(store, options.withRequestLimit(RequestLimit.fixed(2)).withMaxInFlightBytes(640));
    HeldRequests held = store.hold(request -> request.target().startsWith("a/c"));
    Disposable reading = array.read(Selection.all()).subscribe();
    eventually("others wait", () -> gauge("zarr.permits.queue") == 6 && held.waiting() == 2);
    assertThat(gauge("zarr.permits.used")).isEqualTo(2);
    assertThat(gauge("zarr.permits.limit")).isEqualTo(2);
    assertThat(gauge("zarr.store.requests.active")).isEqualTo(2);
    assertThat(gauge("zarr.inflight")).isEqualTo(8 * 2 * Rows.CHUNK_BYTES);
    assertThat(gauge("zarr.inflight.limit")).isEqualTo(640);
    reading.dispose();
    assertThat(gauge("zarr.permits.queue")).isZero();
    assertThat(gauge("zarr.permits.used")).isZero();
    assertThat(gauge("zarr.store.requests.active")).isZero();
    assertThat(gauge("zarr.inflight")).isZero();
    assertThat(timed("zarr.operations", "operation", "read", "outcome", "cancelled")).isEqualTo(1);
  }

  @Test
  void a_wait_for_bytes_and_the_oldest_operation_are_shown() {
    Rows.write(8, store);
    ZarrArray array =
        Rows.open(
            store,
            options.withIndependentOperations(true).withMaxInFlightBytes(2 * Rows.CHUNK_BYTES));
    HeldRequests held = store.hold(request -> request.target().startsWith("a/c"));
    assertThat(gauge("zarr.operations.oldest")).isZero();
    Disposable first = array.read(Selection.all()).subscribe();
    eventually("it grows older", () -> gauge("zarr.operations.oldest") > 0 && held.waiting() == 1);
    assertThat(timed("zarr.inflight.wait")).as("it gets its first bytes at once").isZero();
    Disposable second = array.read(Selection.all()).subscribe();
    eventually("it gets them beyond the bound", () -> timed("zarr.inflight.wait") == 1);
    second.dispose();
    first.dispose();
    assertThat(gauge("zarr.operations.oldest")).isZero();
  }

  @Test
  void a_hierarchy_with_a_name_is_counted_apart() {
    Rows.write(2, store);
    ZarrArray other =
        Rows.open(store, ZarrOptions.defaults().withObserver(meters.ofHierarchy("era5")));
    other.read(Selection.all()).block();
    assertThat(timed("zarr.operations", "store", "era5", "operation", "read")).isEqualTo(1);
    assertThat(timed("zarr.store.requests", "store", "era5")).isEqualTo(3);
    assertThat(registry.find("zarr.operations").tag("store", "zarr").timers()).isEmpty();
    Rows.open(store, options).read(Selection.all()).block();
    assertThat(timed("zarr.operations", "store", "zarr", "operation", "read")).isEqualTo(1);
    assertThat(timed("zarr.operations", "store", "era5", "operation", "read")).isEqualTo(1);
    assertThat(registry.get("zarr.inflight.limit").tag("store", "era5").gauge().value())
        .isEqualTo(ZarrOptions.defaults().maxInFlightBytes());
  }

  @Test
  void a_store_has_one_set_of_meters() {
    assertThat(meters.ofStore("server")).isSameAs(meters.ofStore("server"));
  }
}
