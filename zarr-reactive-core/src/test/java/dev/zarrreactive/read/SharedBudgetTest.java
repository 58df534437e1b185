package dev.zarrreactive.read;

import static dev.zarrreactive.testing.ShardArrays.checked;
import static dev.zarrreactive.testing.ShardArrays.plain;
import static dev.zarrreactive.testing.ShardArrays.sharding;
import static dev.zarrreactive.testing.Waiting.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import dev.zarrreactive.observation.StoreObserver;
import dev.zarrreactive.observation.StoreOutcome;
import dev.zarrreactive.observation.StoreRequest;
import dev.zarrreactive.store.decorator.Stores;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.NothingIsDropped;
import dev.zarrreactive.testing.TestArrays;
import dev.zarrreactive.testkit.InstrumentedStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Subscription;
import reactor.core.Disposable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** All operations of a client share one budget of bytes. */
@ExtendWith(NothingIsDropped.class)
class SharedBudgetTest {
  private static final int SIDE = 64;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final MemoryStore memory = MemoryStore.create();
  private final InstrumentedStore store = InstrumentedStore.of(memory).delay(Duration.ofMillis(1));
  private final Watch watch = new Watch();

  /** What is held whenever a request begins or ends. */
  private static final class Watch implements StoreObserver {
    private final AtomicLong most = new AtomicLong();
    private final AtomicInteger inFlight = new AtomicInteger();
    private final AtomicInteger mostBesideTheLarge = new AtomicInteger();
    private volatile LongSupplier held = () -> 0;

    @Override
    public void onStart(StoreRequest request) {
      look();
      int others = inFlight.getAndIncrement();
      if (request.target().equals("large/c/0")) {
        mostBesideTheLarge.accumulateAndGet(others, Math::max);
      }
    }

    @Override
    public void onEnd(StoreRequest request, StoreOutcome outcome) {
      look();
      inFlight.decrementAndGet();
    }

    private void look() {
      most.accumulateAndGet(held.getAsLong(), Math::max);
    }
  }

  private static ArrayMetadataBuilder square() {
    return ArrayMetadata.v3(Shape.of(SIDE, SIDE), DataTypes.INT32).uncompressed();
  }

  @BeforeEach
  void write() {
    JsonArray nested = JsonArray.of(sharding("end", checked(), 4, 4).toJson());
    put("plain", square().chunkShape(8, 8));
    put("sharded", square().chunkShape(16, 16).codecs(sharding("start", checked(), 4, 4)));
    put("nested", square().chunkShape(32, 32).codecs(sharding("end", nested, 8, 8)));
    put("unchecked", square().chunkShape(64, 64).codecs(sharding("end", plain(), 4, 4)));
    put("large", square().chunkShape(64, 64));
  }

  private void put(String path, ArrayMetadataBuilder metadata) {
    Zarr.hierarchy(memory)
        .createArray(path, metadata.build())
        .flatMap(array -> array.write(Selection.all(), TestArrays.counting(Shape.of(SIDE, SIDE))))
        .block();
  }

  private ZarrHierarchy client(long budget) {
    ZarrHierarchy client =
        Zarr.hierarchy(
            Stores.observed(store, watch), ZarrOptions.defaults().withMaxInFlightBytes(budget));
    watch.held = client::bytesInFlight;
    return client;
  }

  private static Mono<Long> sum(Flux<Chunk> chunks) {
    return chunks.reduce(0L, (sum, chunk) -> sum + sum(chunk.data()));
  }

  private static long sum(NdArray data) {
    long sum = 0;
    for (int value : data.toIntArray()) {
      sum += value;
    }
    return sum;
  }

  /** In the order of arrival or in C order; each second one to a consumer that takes its time. */
  private static Mono<Long> streamed(ZarrArray array, int number, Selection selection) {
    Flux<Chunk> chunks = number % 3 == 0 ? array.chunks(selection) : array.chunksInOrder(selection);
    return sum(
        number % 2 == 0
            ? chunks
            : chunks.concatMap(
                chunk -> Mono.delay(Duration.ofNanos(300_000)).thenReturn(chunk), 1));
  }

  @ParameterizedTest
  @ValueSource(ints = {3_000, 10_000, 50_000, 200_000})
  void plain_chunks_and_shards_whole_and_by_range_and_slow_consumers_keep_to_it(int budget) {
    ZarrHierarchy client = client(budget);
    List<Mono<Long>> all = new ArrayList<>();
    List<Mono<Long>> parts = new ArrayList<>();
    for (String path : List.of("plain", "sharded", "nested")) {
      ZarrArray array = client.openArray(path).block();
      for (int i = 0; i < 4; i++) {
        all.add(streamed(array, i, Selection.all()));
        parts.add(streamed(array, i + 1, Selection.parse("3:50,::9")));
      }
      all.add(array.read(Selection.all()).map(SharedBudgetTest::sum));
      parts.add(array.read(Selection.parse("3:50,::9")).map(SharedBudgetTest::sum));
    }
    long whole = (long) SIDE * SIDE * (SIDE * SIDE + 1) / 2;
    NdArray part =
        Zarr.hierarchy(memory).openArray("plain").block().read(Selection.parse("3:50,::9")).block();
    assertThat(Flux.merge(Flux.fromIterable(all), 32).collectList().block(PATIENCE))
        .hasSize(15)
        .containsOnly(whole);
    List<Mono<Long>> mixed = new ArrayList<>(all);
    mixed.addAll(parts);
    assertThat(Flux.merge(Flux.fromIterable(mixed), 32).collectList().block(PATIENCE))
        .hasSize(30)
        .containsOnly(whole, sum(part));
    assertThat(watch.most.get()).as("bytes held at the most").isBetween(1L, (long) budget);
    assertThat(client.bytesInFlight()).isZero();
  }

  @Test
  void a_cancel_gives_everything_back() {
    ZarrHierarchy client = client(10_000);
    for (String path : List.of("plain", "sharded", "nested")) {
      ZarrArray array = client.openArray(path).block();
      for (Selection selection : List.of(Selection.all(), Selection.parse("3:50,::9"))) {
        for (int i = 0; i < 10; i++) {
          Disposable stalled = array.chunks(selection).subscribeWith(new TakingOne());
          Disposable stream = streamed(array, i, selection).subscribe();
          Disposable read = array.read(selection).subscribe();
          int wait = i;
          eventually("bytes are held", () -> client.bytesInFlight() > 300 * wait);
          stalled.dispose();
          stream.dispose();
          read.dispose();
          eventually("nothing is held", () -> client.bytesInFlight() == 0);
        }
      }
    }
  }

  /** What it does not take is held. */
  private static final class TakingOne extends BaseSubscriber<Chunk> {
    @Override
    protected void hookOnSubscribe(Subscription subscription) {
      subscription.request(1);
    }
  }

  /** The chunk has 16 KiB, as has what it decodes to. */
  @Test
  void a_chunk_that_is_larger_goes_through_alone_while_others_run() {
    ZarrHierarchy client = client(10_000);
    ZarrArray small = client.openArray("plain").block();
    ZarrArray large = client.openArray("large").block();
    Flux<Long> others =
        Flux.range(0, 6).flatMap(i -> streamed(small, i, Selection.all()).repeat(5), 6);
    Flux<Long> larges = streamed(large, 0, Selection.all()).repeat(9);
    long whole = (long) SIDE * SIDE * (SIDE * SIDE + 1) / 2;
    assertThat(Flux.merge(others, larges).collectList().block(PATIENCE))
        .hasSize(36 + 10)
        .containsOnly(whole);
    assertThat(watch.mostBesideTheLarge).as("requests beside the large one").hasValue(0);
    assertThat(watch.most.get()).isLessThanOrEqualTo(10_000);
    assertThat(client.bytesInFlight()).isZero();
  }

  /** One chunk of the plain array takes 512 bytes, one of the sharded array 132. */
  @ParameterizedTest
  @ValueSource(ints = {600, 1_000})
  void streams_that_wait_for_each_other_end(int budget) {
    ZarrHierarchy client = client(budget);
    ZarrArray plain = client.openArray("plain").block();
    ZarrArray sharded = client.openArray("sharded").block();
    assertThat(
            Flux.zip(
                    parts -> (Chunk) Objects.requireNonNull(parts[0]),
                    1,
                    plain.chunksInOrder(Selection.all()),
                    sharded.chunksInOrder(Selection.all()))
                .count()
                .block(PATIENCE))
        .isEqualTo(64);
    assertThat(client.bytesInFlight()).isZero();
  }

  /** Each is of 64 bytes, the request of many of them. */
  @Test
  void what_is_handed_on_does_not_keep_what_was_fetched_with_it() {
    ZarrArray array = Zarr.hierarchy(store).openArray("unchecked").block();
    store.counts().reset();
    List<Chunk> chunks = array.chunks(Selection.parse("0:32,:")).collectList().block();
    assertThat(chunks).hasSize(128);
    assertThat(store.counts().total()).isEqualTo(2);
    assertThat(chunks)
        .allSatisfy(
            chunk ->
                assertThat(chunk.data().bytes().unsafeArray().length).isLessThanOrEqualTo(2 * 64));
  }
}
