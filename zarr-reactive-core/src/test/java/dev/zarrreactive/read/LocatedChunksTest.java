package dev.zarrreactive.read;

import static dev.zarrreactive.testing.CodecThreads.settled;
import static dev.zarrreactive.testing.Waiting.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.ShardReading;
import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import dev.zarrreactive.observation.RangeRequest;
import dev.zarrreactive.observation.StoreObserver;
import dev.zarrreactive.observation.StoreOperation;
import dev.zarrreactive.observation.StoreOutcome;
import dev.zarrreactive.observation.StoreRequest;
import dev.zarrreactive.observation.ZarrObserver;
import dev.zarrreactive.store.Coalescing;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.decorator.CacheOptions;
import dev.zarrreactive.store.decorator.HedgeOptions;
import dev.zarrreactive.store.decorator.RequestLimit;
import dev.zarrreactive.store.decorator.RetryOptions;
import dev.zarrreactive.store.decorator.Stores;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.NothingIsDropped;
import dev.zarrreactive.testing.ShardArrays;
import dev.zarrreactive.testing.TestArrays;
import dev.zarrreactive.testing.VirtualCopy;
import dev.zarrreactive.testkit.Distance;
import dev.zarrreactive.testkit.DistantStore;
import dev.zarrreactive.testkit.HeldRequests;
import dev.zarrreactive.testkit.InstrumentedStore;
import dev.zarrreactive.virtual.ObjectChecksum;
import dev.zarrreactive.virtual.Reference;
import dev.zarrreactive.virtual.VirtualLocation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;

/** Chunks that are parts of objects elsewhere are read in few requests, as inner chunks are. */
@ExtendWith(NothingIsDropped.class)
class LocatedChunksTest {
  private static final int CHUNKS = 1000;
  private static final int CHUNK_ELEMENTS = 4096;
  private static final ZarrOptions OPTIONS = ZarrOptions.defaults();

  /** Twenty chunks of a row in each request. */
  private static final ShardReading TWENTY_TOGETHER =
      ShardReading.defaults().withCoalescing(new Coalescing(0, 20 * TestArrays.CHUNK_BYTES, 0));

  private final MemoryStore written = MemoryStore.create();
  private final MemoryStore files = MemoryStore.create();
  private final InstrumentedStore seen = InstrumentedStore.of(files);

  /** Chunks of 16 KiB. */
  private static ArrayMetadataBuilder large() {
    return ArrayMetadata.v3(Shape.of((long) CHUNKS * CHUNK_ELEMENTS), DataTypes.INT32)
        .uncompressed()
        .chunkShape(CHUNK_ELEMENTS);
  }

  private static ArrayMetadataBuilder table() {
    return ArrayMetadata.v3(Shape.of(30, 50), DataTypes.INT32).uncompressed().chunkShape(4, 7);
  }

  private VirtualCopy row(int chunks) {
    TestArrays.row(chunks, written, OPTIONS);
    return VirtualCopy.inOneFile(written, files, seen);
  }

  private static NdArray read(ZarrArray array) {
    return Objects.requireNonNull(array.read(Selection.all()).block());
  }

  private static NdArray counting(long count) {
    return TestArrays.counting(Shape.of(count));
  }

  private List<Long> requests() {
    return seen.counts().requests().stream()
        .filter(request -> request.operation() == StoreOperation.GET_RANGE)
        .map(request -> ((ByteRange.Slice) Objects.requireNonNull(request.range())).length())
        .toList();
  }

  @Test
  void a_thousand_adjacent_chunks_at_50_ms_take_a_few_requests_side_by_side() {
    TestArrays.counting(large(), written, OPTIONS);
    VirtualTimeScheduler time = VirtualTimeScheduler.create();
    DistantStore far =
        DistantStore.of(
            files, Distance.of(Duration.ofMillis(50)).withBytesPerSecond(50_000_000), time);
    VirtualCopy copy = VirtualCopy.inOneFile(written, files, far);
    ZarrOptions options = OPTIONS.withCodecScheduler(time);
    ZarrArray array = Taken.of(time, Zarr.hierarchy(copy, options).openArray("a")).value();
    for (String turn : List.of("before anything was measured", "after", "later")) {
      far.reset();
      Taken<NdArray> taken = Taken.of(time, array.read(Selection.all()));
      assertThat(taken.value()).isEqualTo(counting((long) CHUNKS * CHUNK_ELEMENTS));
      assertThat(far.requests()).as(turn).isLessThanOrEqualTo(20);
      assertThat(far.mostInFlight()).as("one round trip, " + turn).isEqualTo(far.requests());
      assertThat(taken.millis()).as(turn).isLessThanOrEqualTo(3 * 50);
      assertThat(far.bytes()).as(turn).isEqualTo((long) CHUNKS * CHUNK_ELEMENTS * Integer.BYTES);
    }
    for (Flux<Chunk> chunks :
        List.of(array.chunks(Selection.all()), array.chunksInOrder(Selection.all()))) {
      far.reset();
      Taken<List<Chunk>> taken = Taken.of(time, chunks.collectList());
      assertThat(taken.value()).hasSize(CHUNKS);
      assertThat(far.requests()).isLessThanOrEqualTo(20);
      assertThat(far.mostInFlight()).as("one round trip").isEqualTo(far.requests());
      assertThat(taken.millis()).isLessThanOrEqualTo(3 * 50);
    }
    time.dispose();
  }

  @Test
  void a_subscriber_that_demands_few_chunks_causes_few_requests() {
    ZarrOptions four = OPTIONS.withMaxConcurrency(4).withShardReading(TWENTY_TOGETHER);
    ZarrArray array = TestArrays.open(row(400), four);
    StepVerifier.create(array.chunksInOrder(Selection.all()).map(chunk -> chunk.index()[0]), 1)
        .expectNext(0L)
        .then(() -> settled())
        .then(() -> assertThat(requests()).hasSize(1))
        .thenRequest(100)
        .expectNextCount(100)
        .then(() -> settled())
        .then(() -> assertThat(requests()).as("of 105 chunks").hasSizeLessThanOrEqualTo(6))
        .thenRequest(Long.MAX_VALUE)
        .expectNextCount(299)
        .verifyComplete();
    assertThat(requests()).hasSize(20);
  }

  /** What came, and the milliseconds of virtual time that it took. */
  private record Taken<T>(T value, long millis) {
    static <T> Taken<T> of(VirtualTimeScheduler time, Mono<T> work) {
      List<Taken<T>> taken = new ArrayList<>();
      long begun = time.now(TimeUnit.MILLISECONDS);
      work.subscribe(
          value -> taken.add(new Taken<>(value, time.now(TimeUnit.MILLISECONDS) - begun)));
      time.advanceTimeBy(Duration.ofMinutes(10));
      assertThat(taken).hasSize(1);
      return taken.get(0);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3, 100, 5000})
  void chunks_of_many_files_with_gaps_are_the_chunks_that_were_written(int gap) {
    NdArray expected = read(TestArrays.counting(table(), written, OPTIONS));
    for (int count : new int[] {1, 2, 5, 200}) {
      Store copy =
          VirtualCopy.of(
              written, files, seen, key -> Math.floorMod(key.hashCode(), count) + ".nc", gap);
      ZarrArray array = TestArrays.open(copy, OPTIONS);
      assertThat(read(array)).isEqualTo(expected);
      for (String part : List.of("3,4", "::5,::3", "2:17,5:6", "0:0,:", "4:8,7:14")) {
        Selection selection = Selection.parse(part);
        assertThat(array.read(selection).block())
            .as(part)
            .isEqualTo(TestArrays.open(written, OPTIONS).read(selection).block());
      }
    }
  }

  @Test
  void chunks_that_are_inline_or_missing_or_whole_objects_stand_among_the_others() {
    VirtualCopy copy = row(40);
    copy.forget("a/c/3");
    copy.refer(
        "a/c/4",
        new Reference.Inline(Objects.requireNonNull(written.get(StoreKey.of("a/c/4")).block())));
    files
        .set(StoreKey.of("five"), Objects.requireNonNull(written.get(StoreKey.of("a/c/5")).block()))
        .block();
    copy.refer("a/c/5", new Reference.Virtual(VirtualLocation.whole(VirtualCopy.PREFIX + "five")));
    written.erase(StoreKey.of("a/c/3")).block();
    ZarrArray array = TestArrays.open(copy, OPTIONS);
    ZarrArray model = TestArrays.open(written, OPTIONS);
    assertThat(read(array)).isEqualTo(read(model));
    assertThat(array.chunksInOrder(Selection.all()).map(Chunk::data).collectList().block())
        .isEqualTo(model.chunksInOrder(Selection.all()).map(Chunk::data).collectList().block());
    assertThat(seen.counts().requests())
        .as("the neighbours in a request or two, and the whole object; twice")
        .hasSizeLessThanOrEqualTo(8);
  }

  @Test
  void chunks_that_are_shards_are_read_by_their_inner_chunks() {
    ShardArrays.written(ShardArrays.squares(2, 2), written, OPTIONS);
    VirtualCopy copy = VirtualCopy.inOneFile(written, files, seen);
    ZarrArray array = TestArrays.open(copy, OPTIONS);
    assertThat(array.read(Selection.parse("0:16,0:16")).block())
        .isEqualTo(TestArrays.open(written, OPTIONS).read(Selection.parse("0:16,0:16")).block());
    assertThat(seen.counts().requests()).as("the index, and the inner chunks").hasSize(2);
    assertThat(read(array)).isEqualTo(read(TestArrays.open(written, OPTIONS)));
  }

  @Test
  void a_stream_that_is_demanded_slowly_has_every_chunk_in_order() {
    ZarrArray array =
        TestArrays.open(row(300), OPTIONS.withMaxConcurrency(4).withMaxInFlightBytes(2000));
    StepVerifier.create(array.chunksInOrder(Selection.all()).map(chunk -> chunk.index()[0]), 1)
        .expectNext(0L)
        .then(() -> settled())
        .then(
            () ->
                assertThat(requests().stream().mapToLong(Long::longValue).sum())
                    .as("the bytes of the budget, and not of all")
                    .isLessThanOrEqualTo(2000))
        .thenRequest(2)
        .expectNext(1L, 2L)
        .thenRequest(Long.MAX_VALUE)
        .expectNextCount(297)
        .verifyComplete();
  }

  @Test
  void the_budget_bounds_the_bytes_of_one_request() {
    VirtualCopy copy = row(300);
    ZarrArray array = TestArrays.open(copy, OPTIONS.withMaxInFlightBytes(1600));
    assertThat(read(array)).isEqualTo(counting(1200));
    assertThat(requests()).hasSizeGreaterThan(10).allMatch(length -> length <= 1600);
  }

  @Test
  void readers_of_the_same_chunks_share_their_requests() {
    VirtualCopy copy = row(100);
    ZarrArray array = TestArrays.open(copy, OPTIONS);
    read(array);
    int alone = requests().size();
    seen.counts().reset();
    HeldRequests held = seen.hold(request -> true);
    Mono<List<NdArray>> all =
        Flux.range(0, 8).flatMap(i -> array.read(Selection.all()), 8).collectList();
    List<List<NdArray>> results = new CopyOnWriteArrayList<>();
    all.subscribe(results::add);
    eventually("every request", () -> held.waiting() == alone);
    settled();
    held.release();
    eventually("all results", () -> results.size() == 1);
    assertThat(results.get(0)).hasSize(8).allMatch(counting(400)::equals);
    assertThat(requests()).hasSize(alone);
  }

  @Test
  void a_reader_of_some_chunks_joins_the_request_for_all() {
    ZarrArray array = TestArrays.open(row(100), OPTIONS);
    HeldRequests held = seen.hold(request -> true);
    List<NdArray> results = new CopyOnWriteArrayList<>();
    array.read(Selection.all()).subscribe(results::add);
    eventually("a request", () -> held.waiting() > 0);
    settled();
    int asked = held.waiting();
    array.read(Selection.parse("40:48")).subscribe(results::add);
    settled();
    assertThat(held.waiting()).isEqualTo(asked);
    held.release();
    eventually("both results", () -> results.size() == 2);
    assertThat(requests()).hasSize(asked);
  }

  @Test
  void decoded_chunks_are_cached_by_their_own_keys() {
    VirtualCopy copy = row(50);
    ZarrArray array = TestArrays.open(copy, OPTIONS.withDecodedChunkCache(1 << 20));
    assertThat(array.read(Selection.parse("0:100")).block()).isEqualTo(counting(100));
    int first = requests().size();
    assertThat(array.read(Selection.parse("20:60")).block()).isNotNull();
    assertThat(requests()).hasSize(first);
    assertThat(read(array)).isEqualTo(counting(200));
    assertThat(read(array)).isEqualTo(counting(200));
    assertThat(requests().stream().mapToLong(Long::longValue).sum()).isEqualTo(200 * 4);
  }

  static Stream<UnaryOperator<Store>> decorators() {
    return Stream.of(
        store -> store,
        Stores::readOnly,
        store -> Stores.limited(store, 3),
        store -> Stores.limited(store, RequestLimit.fixed(2)),
        store -> Stores.retrying(store, RetryOptions.defaults()),
        store -> Stores.hedged(store, HedgeOptions.defaults()),
        store -> Stores.cached(store, CacheOptions.ofBytes(1 << 20)),
        store -> Stores.cached(store, CacheOptions.metadata(1 << 20)),
        store -> Stores.observed(store, new StoreObserver() {}),
        store ->
            Stores.stack(store)
                .limit(RequestLimit.fixed(5))
                .retry(RetryOptions.defaults())
                .hedge(HedgeOptions.defaults())
                .cache(CacheOptions.ofBytes(1 << 20))
                .build());
  }

  @ParameterizedTest
  @MethodSource("decorators")
  void every_decorator_passes_on_where_values_lie(UnaryOperator<Store> decorate) {
    VirtualCopy copy = row(200);
    ZarrArray array = TestArrays.open(decorate.apply(copy), OPTIONS);
    assertThat(read(array)).isEqualTo(counting(800));
    assertThat(requests()).hasSizeLessThanOrEqualTo(20);
    assertThat(seen.counts().requests()).hasSameSizeAs(requests());
  }

  @Test
  void below_a_prefix_values_lie_where_they_did() {
    VirtualCopy copy = row(200);
    Store below = Stores.prefixed(copy, StorePrefix.of("a/"));
    ZarrArray array = Zarr.hierarchy(below, OPTIONS).openArray("").block();
    assertThat(read(Objects.requireNonNull(array))).isEqualTo(counting(800));
    assertThat(requests()).hasSizeLessThanOrEqualTo(20);
  }

  @Test
  void an_observer_is_told_of_the_object_and_of_what_was_read_together() {
    List<String> targets = new CopyOnWriteArrayList<>();
    AtomicInteger together = new AtomicInteger();
    ZarrObserver observer =
        new ZarrObserver() {
          @Override
          public void onEnd(StoreRequest request, StoreOutcome outcome) {
            if (request.operation() == StoreOperation.GET_RANGE) {
              targets.add(request.target());
            }
          }

          @Override
          public void onRangeRequest(RangeRequest request) {
            together.addAndGet(request.ranges());
          }
        };
    ZarrArray array = TestArrays.open(row(200), OPTIONS.withObserver(observer));
    assertThat(read(array)).isEqualTo(counting(800));
    assertThat(targets).hasSameSizeAs(requests()).containsOnly("data/all.nc");
    assertThat(together).hasValue(200);
  }

  @Test
  void a_cache_keeps_what_was_read_of_an_object() {
    Store cached = Stores.cached(row(200), CacheOptions.ofBytes(1 << 20));
    assertThat(read(TestArrays.open(cached, OPTIONS))).isEqualTo(counting(800));
    int first = requests().size();
    assertThat(read(TestArrays.open(cached, OPTIONS))).isEqualTo(counting(800));
    assertThat(requests()).hasSize(first);
  }

  @Test
  void a_failed_request_for_many_chunks_is_repeated() {
    VirtualCopy copy = row(200);
    Store retried =
        Stores.retrying(
            copy, RetryOptions.defaults().withBackoff(Duration.ofMillis(1), Duration.ofMillis(2)));
    ZarrArray array = TestArrays.open(retried, OPTIONS);
    seen.failNext(2, request -> true, () -> new TransientStoreException("later", Location.UNKNOWN));
    assertThat(read(array)).isEqualTo(counting(800));
    assertThat(seen.counts().failed()).isEqualTo(2);
  }

  /** A decorator of a user that changes what is read. */
  private static final class Inverted extends DelegatingStore {
    Inverted(Store delegate) {
      super(delegate);
    }

    @Override
    public Mono<Bytes> get(StoreKey key, ByteRange range) {
      return key.value().endsWith("zarr.json")
          ? super.get(key, range)
          : super.get(key, range).map(Inverted::inverted);
    }

    private static Bytes inverted(Bytes bytes) {
      byte[] all = bytes.toByteArray();
      for (int i = 0; i < all.length; i++) {
        all[i] = (byte) ~all[i];
      }
      return Bytes.wrap(all);
    }
  }

  @Test
  void a_decorator_that_does_not_pass_it_on_sees_every_chunk() {
    ZarrArray array = TestArrays.open(new Inverted(row(5)), OPTIONS);
    assertThat(array.read(Selection.parse("0:2")).block()).isEqualTo(TestArrays.ints(~1, ~2));
  }

  @Test
  void a_cancel_ends_every_request_and_the_next_read_makes_its_own() {
    ZarrArray array = TestArrays.open(row(200), OPTIONS);
    HeldRequests held = seen.hold(request -> true);
    for (Flux<?> work :
        List.of(
            array.read(Selection.all()).flux(),
            array.chunks(Selection.all()),
            array.chunksInOrder(Selection.all()))) {
      Disposable reading = work.subscribe();
      eventually("a request", () -> held.waiting() > 0);
      reading.dispose();
      eventually("no request", () -> held.waiting() == 0);
      settled();
      assertThat(held.waiting()).isZero();
    }
    held.release();
    assertThat(read(array)).isEqualTo(counting(800));
  }

  @Test
  void of_a_file_that_was_cut_a_chunk_behind_the_cut_is_named() {
    VirtualCopy copy = row(50);
    StoreKey file = StoreKey.of("data/all.nc");
    Bytes whole = Objects.requireNonNull(files.get(file).block());
    files.set(file, whole.slice(0, 64 + 20 * 16 + 5)).block();
    ZarrArray array = TestArrays.open(copy, OPTIONS);
    assertThatThrownBy(() -> read(array))
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.location().nodePath()).isEqualTo("/a"))
        .hasMessageContaining("cut or replaced")
        .hasMessageContaining(VirtualCopy.PREFIX + "data/all.nc");
    List<Long> before = new ArrayList<>();
    assertThatThrownBy(
            () ->
                array
                    .chunksInOrder(Selection.all())
                    .doOnNext(chunk -> before.add(chunk.index()[0]))
                    .blockLast())
        .isInstanceOfSatisfying(
            StoreException.class,
            e ->
                assertThat(e.location().chunkIndex())
                    .satisfies(index -> assertThat(index[0]).isBetween(20L, 49L)));
    assertThat(before).hasSizeLessThanOrEqualTo(20).isSorted();
  }

  @Test
  void an_object_that_was_replaced_is_an_error_where_the_references_have_its_checksum() {
    VirtualCopy copy = row(50);
    StoreKey file = StoreKey.of("data/all.nc");
    for (int i = 0; i < 50; i++) {
      VirtualLocation plain = ((Reference.Virtual) copy.said("a/c/" + i)).location();
      copy.refer("a/c/" + i, new Reference.Virtual(plain.with(new ObjectChecksum.ETag("1"))));
    }
    ZarrArray array = TestArrays.open(copy, OPTIONS);
    assertThat(read(array)).isEqualTo(counting(200));
    assertThat(requests()).hasSizeLessThanOrEqualTo(20);
    files.set(file, Objects.requireNonNull(files.get(file).block())).block();
    assertThatThrownBy(() -> read(array))
        .isInstanceOf(PreconditionFailedException.class)
        .hasMessageContaining("not the one that was referenced")
        .hasMessageContaining("node /a");
  }

  @Test
  void a_chunk_that_leads_elsewhere_is_refused_without_a_request_for_it() {
    VirtualCopy copy = row(50);
    copy.refer(
        "a/c/7",
        new Reference.Virtual(VirtualLocation.of("s3://private/keys?token=secret", 0, 16)));
    ZarrArray array = TestArrays.open(copy, OPTIONS);
    assertThatThrownBy(() -> array.read(Selection.parse("28:32")).block())
        .isInstanceOfSatisfying(
            AccessDeniedException.class,
            e -> assertThat(e.location().chunkIndex()).containsExactly(7))
        .hasMessageContaining("s3://private/keys")
        .hasMessageContaining("allow(\"s3://private/\")")
        .hasMessageNotContaining("secret");
    assertThat(seen.counts().requests()).isEmpty();
    assertThatThrownBy(() -> read(array)).isInstanceOf(AccessDeniedException.class);
  }

  @Test
  void a_reference_with_more_bytes_than_a_chunk_can_have_is_refused() {
    VirtualCopy copy = row(50);
    copy.refer(
        "a/c/7",
        new Reference.Virtual(VirtualLocation.of(VirtualCopy.PREFIX + "data/all.nc", 0, 500)));
    ZarrArray array = TestArrays.open(copy, OPTIONS);
    assertThatThrownBy(() -> array.read(Selection.parse("28:32")).block())
        .isInstanceOfSatisfying(
            ZarrException.class, e -> assertThat(e.location().chunkIndex()).containsExactly(7))
        .hasMessageContaining("500 bytes");
    assertThat(seen.counts().requests()).isEmpty();
  }
}
