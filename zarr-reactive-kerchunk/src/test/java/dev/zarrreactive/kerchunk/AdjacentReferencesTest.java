package dev.zarrreactive.kerchunk;

import static dev.zarrreactive.testing.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.LocatedValues;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testkit.Distance;
import dev.zarrreactive.testkit.DistantStore;
import dev.zarrreactive.testkit.InstrumentedStore;
import dev.zarrreactive.virtual.VirtualContainers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

/**
 * What a read of 1,000 chunks of 16 KiB takes that lie side by side in one file, 50 ms away, with
 * 64 connections of 50 MB/s. The table of docs/kerchunk.md has these numbers.
 */
class AdjacentReferencesTest {
  private static final int CHUNKS = 1_000;
  private static final int CHUNK_BYTES = 16 << 10;
  private static final int HEAD = 100;
  private static final int LATENCY = 50;

  private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
  private final byte[] content = new byte[HEAD + CHUNKS * CHUNK_BYTES + HEAD];
  private final DistantStore archive = archive();
  private final VirtualContainers containers =
      VirtualContainers.builder().allow("s3://archive/", archive).build();
  private final InstrumentedStore place = InstrumentedStore.of(MemoryStore.create());

  private DistantStore archive() {
    new Random(1).nextBytes(content);
    Store near = MemoryStore.create();
    await(near.set(StoreKey.of("a.nc"), Bytes.wrap(content)));
    Distance far = Distance.of(Duration.ofMillis(LATENCY)).withBytesPerSecond(50_000_000);
    return DistantStore.of(near, far, time);
  }

  @AfterEach
  void dispose() {
    time.dispose();
  }

  private static String zarray() {
    return ("'v/.zarray':{'zarr_format':2,'shape':[SHAPE],'chunks':[CHUNK],'dtype':'|u1','order':'C',"
            + "'compressor':null,'filters':null,'fill_value':0}")
        .replace("SHAPE", String.valueOf(CHUNKS * CHUNK_BYTES))
        .replace("CHUNK", String.valueOf(CHUNK_BYTES));
  }

  private void put(String key, String text) {
    await(place.set(StoreKey.of(key), Bytes.utf8(text.replace('\'', '"'))));
  }

  private Store json() {
    StringBuilder text = new StringBuilder("{").append(zarray());
    for (int i = 0; i < CHUNKS; i++) {
      text.append(",'v/").append(i).append("':['s3://archive/a.nc',");
      text.append(HEAD + i * CHUNK_BYTES).append(',').append(CHUNK_BYTES).append(']');
    }
    put("a.json", text.append('}').toString());
    Store store = await(Kerchunk.open(place, StoreKey.of("a.json"), containers));
    place.counts().reset();
    return store;
  }

  private Store parquet() {
    put("a.parq/.zmetadata", "{'metadata':{" + zarray() + "},'record_size':" + CHUNKS + "}");
    Bytes record =
        new ParquetBuilder(CHUNKS)
            .texts("path", row -> "s3://archive/a.nc")
            .integers("offset", row -> HEAD + row * CHUNK_BYTES)
            .integers("size", row -> CHUNK_BYTES)
            .build();
    await(place.set(StoreKey.of("a.parq/v/refs.0.parq"), record));
    Store store = await(Kerchunk.open(place, StorePrefix.of("a.parq/"), containers));
    place.counts().reset();
    // the record file comes from threads that have no virtual time
    LocatedValues located = Objects.requireNonNull(LocatedValues.of(store));
    await(located.places(List.of(StoreKey.of("v/7"))));
    return store;
  }

  private ZarrArray open(Store references) {
    ZarrOptions options = ZarrOptions.defaults().withCodecScheduler(time);
    return taken(Zarr.hierarchy(references, options).openArray("v"));
  }

  /** Returns what came in virtual time. */
  private <T> T taken(Mono<T> work) {
    List<T> taken = new ArrayList<>();
    work.subscribe(taken::add);
    time.advanceTimeBy(Duration.ofMinutes(1));
    assertThat(taken).hasSize(1);
    return taken.get(0);
  }

  private long now() {
    return time.now(TimeUnit.MILLISECONDS);
  }

  /** Reads the whole array, and returns the milliseconds of virtual time. */
  private long read(ZarrArray array) {
    archive.reset();
    long begun = now();
    long[] ended = new long[1];
    Mono<NdArray> read = array.read().doOnSuccess(any -> ended[0] = now());
    assertThat(taken(read).bytes())
        .isEqualTo(Bytes.wrap(content).slice(HEAD, CHUNKS * CHUNK_BYTES));
    return ended[0] - begun;
  }

  @Test
  void references_in_json_take_twelve_requests_in_one_round_trip() {
    ZarrArray array = open(json());
    for (String turn : List.of("before the link was measured", "after")) {
      long millis = read(array);
      assertThat(archive.requests()).as(turn).isEqualTo(12);
      assertThat(archive.mostInFlight()).as("one round trip, " + turn).isEqualTo(12);
      assertThat(millis).as(turn).isBetween((long) LATENCY, 80L);
      assertThat(archive.bytes()).isEqualTo((long) CHUNKS * CHUNK_BYTES);
    }
    assertThat(place.counts().total()).as("requests for references").isZero();
  }

  @Test
  void references_in_parquet_take_their_record_file_besides() {
    ZarrArray array = open(parquet());
    long millis = read(array);
    assertThat(archive.requests()).isEqualTo(12);
    assertThat(archive.mostInFlight()).as("one round trip").isEqualTo(12);
    assertThat(millis).isBetween((long) LATENCY, 80L);
    assertThat(place.counts().total()).as("the record file").isEqualTo(1);
  }

  @Test
  void each_chunk_by_itself_takes_a_thousand_requests_in_sixteen_round_trips() {
    Store alone = new DelegatingStore(json()) {};
    assertThat(LocatedValues.of(alone)).isNull();
    long millis = read(open(alone));
    assertThat(archive.requests()).isEqualTo(CHUNKS);
    assertThat(millis).isBetween(16L * LATENCY, 17L * LATENCY);
  }
}
