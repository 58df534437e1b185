package dev.zarrreactive.read;

import static dev.zarrreactive.testing.CodecThreads.settled;
import static dev.zarrreactive.testing.ShardArrays.checked;
import static dev.zarrreactive.testing.ShardArrays.count;
import static dev.zarrreactive.testing.ShardArrays.data;
import static dev.zarrreactive.testing.ShardArrays.nested;
import static dev.zarrreactive.testing.ShardArrays.plain;
import static dev.zarrreactive.testing.ShardArrays.sharding;
import static dev.zarrreactive.testing.ShardArrays.squares;
import static dev.zarrreactive.testing.TestArrays.chunks;
import static dev.zarrreactive.testing.TestArrays.counting;
import static dev.zarrreactive.testing.Waiting.PATIENCE;
import static dev.zarrreactive.testing.Waiting.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreCapability;
import dev.zarrreactive.store.VersionedBytes;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.NothingIsDropped;
import dev.zarrreactive.testing.TestArrays;
import dev.zarrreactive.testkit.HeldRequests;
import dev.zarrreactive.testkit.InstrumentedStore;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** One request answers all who wait for it: by bytes, by "missing" and by its failure. */
@ExtendWith(NothingIsDropped.class)
class SharedAnswersTest {
  private static final int READERS = 16;
  private static final ZarrOptions DEFAULTS = ZarrOptions.defaults();
  private static final ZarrOptions KEEPING = DEFAULTS.withDecodedChunkCache(10 << 20);

  private final MemoryStore memory = MemoryStore.create();
  private final InstrumentedStore store = InstrumentedStore.of(memory);

  /** A way to read a part of one chunk, whose answer is one request. */
  private enum Way {
    CHUNK(TestArrays.metadata(2), array -> array.read(Selection.parse("0:3"))),
    WHOLE_CHUNK(TestArrays.metadata(2), array -> array.readChunk(0)),
    STREAM_OF_CHUNK(TestArrays.metadata(2), array -> data(array, Selection.parse("0:3"))),
    WHOLE_SHARD(squares(1, 1), array -> array.read(Selection.all())),
    SHARD_AS_CHUNK(squares(1, 1), array -> array.readChunk(0, 0)),
    STREAM_OF_SHARD(squares(1, 1), array -> data(array, Selection.all())),
    INDEX(squares(1, 1), array -> array.read(Selection.parse("0:4,0:4"))),
    INDEX_OF_SHARDS(nested(1, 1, checked()), array -> array.read(Selection.parse("0:4,0:4")));

    private final ArrayMetadataBuilder metadata;
    private final Function<ZarrArray, Mono<NdArray>> read;

    Way(ArrayMetadataBuilder metadata, Function<ZarrArray, Mono<NdArray>> read) {
      this.metadata = metadata;
      this.read = read;
    }

    private static Mono<NdArray> data(ZarrArray array, Selection selection) {
      return array.chunksInOrder(selection).next().map(chunk -> chunk.data());
    }
  }

  private static Stream<Object[]> ways() {
    return Stream.of(Way.values())
        .flatMap(way -> Stream.of(DEFAULTS, KEEPING).map(options -> new Object[] {way, options}));
  }

  private List<CompletableFuture<NdArray>> readers(ZarrArray array, Way way) {
    List<CompletableFuture<NdArray>> readers = new ArrayList<>();
    for (int i = 0; i < READERS; i++) {
      readers.add(way.read.apply(array).toFuture());
    }
    return readers;
  }

  private static Throwable errorOf(CompletableFuture<?> reader) {
    try {
      reader.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      return e.getCause();
    } catch (Exception e) {
      return e;
    }
    return new AssertionError("no error");
  }

  @ParameterizedTest
  @MethodSource("ways")
  void one_request_serves_all_readers_of_a_missing_value(Way way, ZarrOptions options)
      throws Exception {
    ZarrArray array = TestArrays.empty(way.metadata, store, options);
    HeldRequests held = store.hold(chunks());
    List<CompletableFuture<NdArray>> readers = readers(array, way);
    eventually("it is asked for", () -> held.waiting() == 1);
    settled();
    held.release();
    for (CompletableFuture<NdArray> reader : readers) {
      assertThat(reader.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).toIntArray()).containsOnly(0);
    }
    assertThat(store.counts().total()).isEqualTo(1);
  }

  @ParameterizedTest
  @MethodSource("ways")
  void a_failed_request_fails_for_all_its_readers(Way way, ZarrOptions options) {
    TestArrays.counting(way.metadata, store, DEFAULTS);
    ZarrArray array = TestArrays.open(store, options);
    TestArrays.forget(store);
    HeldRequests held = store.hold(chunks());
    store.fail(chunks(), () -> new StoreException("no answer", Location.UNKNOWN));
    List<CompletableFuture<NdArray>> readers = readers(array, way);
    eventually("it is asked for", () -> held.waiting() == 1);
    settled();
    held.release();
    for (CompletableFuture<NdArray> reader : readers) {
      Throwable error = errorOf(reader);
      assertThat(error).isInstanceOf(StoreException.class).hasMessageContaining("no answer");
      Location place = ((ZarrException) error).location();
      assertThat(place.nodePath()).isEqualTo("/a");
      assertThat(place.chunkIndex()).containsOnly(0);
      assertThat(place.storeKey()).startsWith("a/c/0");
    }
    assertThat(store.counts().total()).isEqualTo(1);
    store.behave();
    assertThat(way.read.apply(array).block(PATIENCE).getInt(new long[array.shape().rank()]))
        .as("a later reader asks again")
        .isEqualTo(1);
  }

  private enum Read {
    WHOLE(array -> array.read()),
    STREAM(array -> array.chunks(Selection.all()).then());

    private final Function<ZarrArray, Mono<?>> of;

    Read(Function<ZarrArray, Mono<?>> of) {
      this.of = of;
    }
  }

  /** Its subscriber makes the next read on the thread that tells it the failure. */
  @ParameterizedTest
  @EnumSource(Read.class)
  void a_read_has_ended_before_its_subscriber_hears_of_the_failure(Read read) throws Exception {
    ZarrHierarchy hierarchy = Zarr.hierarchy(store);
    hierarchy
        .createArray("a", TestArrays.metadata(2).build())
        .flatMap(
            created ->
                created
                    .write(Selection.all(), TestArrays.counting(created.shape()))
                    .thenReturn(created))
        .block(PATIENCE);
    ZarrArray array = hierarchy.openArray("a").block(PATIENCE);
    HeldRequests failing = store.hold(TestArrays.chunk(0));
    HeldRequests other = store.hold(TestArrays.chunk(1));
    store.fail(TestArrays.chunk(0), () -> new StoreException("no answer", Location.UNKNOWN));
    TestArrays.forget(store);
    AtomicLong heldAtTheFailure = new AtomicLong(-1);
    CompletableFuture<?> next =
        read.of
            .apply(array)
            .<Object>cast(Object.class)
            .onErrorResume(
                StoreException.class,
                error -> {
                  heldAtTheFailure.set(hierarchy.bytesInFlight());
                  store.behave();
                  return Mono.defer(() -> array.readChunk(1).cast(Object.class));
                })
            .toFuture();
    eventually("both are asked for", () -> failing.waiting() + other.waiting() == 2);
    failing.release();
    eventually("the next read has an answer", next::isDone);
    assertThat(((NdArray) next.get()).getInt(0)).isEqualTo(TestArrays.CHUNK + 1);
    assertThat(heldAtTheFailure).hasValue(0);
    assertThat(store.counts().total()).as("the next read asks itself").isEqualTo(3);
  }

  /** The reader whose request it is leaves again and again. */
  @ParameterizedTest
  @MethodSource("ways")
  void after_a_cancel_one_of_the_others_asks_and_none_beside_it(Way way, ZarrOptions options)
      throws Exception {
    TestArrays.counting(way.metadata, store, DEFAULTS);
    ZarrArray array = TestArrays.open(store, options);
    HeldRequests held = store.hold(chunks());
    TestArrays.forget(store);
    Disposable first = way.read.apply(array).subscribe();
    eventually("it is asked for", () -> held.waiting() == 1);
    List<CompletableFuture<NdArray>> readers = readers(array, way);
    settled();
    first.dispose();
    settled();
    eventually("another one has asked", () -> held.waiting() == 1);
    long[] origin = new long[array.shape().rank()];
    held.release();
    for (CompletableFuture<NdArray> reader : readers) {
      assertThat(reader.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).getInt(origin)).isEqualTo(1);
    }
    assertThat(store.counts().maxInFlight()).isEqualTo(1);
    assertThat(store.counts().total()).isLessThanOrEqualTo(3);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void a_chunk_that_cannot_be_decoded_is_requested_once_for_all(boolean isKept) {
    ZarrOptions options = isKept ? KEEPING : DEFAULTS;
    TestArrays.counting(TestArrays.metadata(2), store, DEFAULTS);
    memory.set(StoreKey.of("a/c/0"), Bytes.wrap(new byte[15])).block();
    ZarrArray array = TestArrays.open(store, options);
    TestArrays.forget(store);
    HeldRequests held = store.hold(chunks());
    List<CompletableFuture<NdArray>> readers = readers(array, Way.CHUNK);
    eventually("it is asked for", () -> held.waiting() == 1);
    settled();
    held.release();
    for (CompletableFuture<NdArray> reader : readers) {
      assertThat(errorOf(reader))
          .isInstanceOf(CodecException.class)
          .hasMessageContaining("key a/c/0");
    }
    assertThat(store.counts().total()).isEqualTo(1);
  }

  /** Two inner chunks are read in one request; the index says that the second lies outside. */
  @Test
  void a_failed_range_fails_only_for_readers_of_that_range() throws Exception {
    ArrayMetadataBuilder metadata =
        TestArrays.metadata(4).chunkShape(16).codecs(sharding("end", plain(), 4));
    TestArrays.counting(metadata, memory, DEFAULTS);
    StoreKey key = StoreKey.of("a/c/0");
    byte[] shard = memory.get(key).block().toByteArray();
    ByteBuffer index = ByteBuffer.wrap(shard).order(ByteOrder.LITTLE_ENDIAN);
    int entries = shard.length - 4 - 4 * 16;
    index.putLong(entries + 16, shard.length - 8); // 16 bytes from 8 before the end on
    CRC32C sum = new CRC32C();
    sum.update(shard, entries, 4 * 16);
    index.putInt(shard.length - 4, (int) sum.getValue());
    memory.set(key, Bytes.wrap(shard)).block();
    ZarrArray array = TestArrays.open(store, DEFAULTS);
    array.read(Selection.parse("8:16")).block(PATIENCE); // the index is known
    HeldRequests held = store.hold(data());
    CompletableFuture<NdArray> both = array.read(Selection.parse("0:8")).toFuture();
    eventually("it is asked for", () -> held.waiting() >= 1);
    CompletableFuture<NdArray> one = array.read(Selection.parse("0:4")).toFuture();
    settled();
    held.release();
    assertThat(errorOf(both)).isInstanceOf(ZarrException.class);
    assertThat(one.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).toIntArray())
        .containsExactly(1, 2, 3, 4);
  }

  /** They share the request for an index, or for all inner chunks that one of them wants. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void each_reader_s_error_names_its_own_place(boolean isIndexKnown) {
    TestArrays.counting(squares(1, 1), store, DEFAULTS);
    ZarrArray array = TestArrays.open(store, DEFAULTS);
    if (isIndexKnown) {
      array.read(Selection.parse("60:64,60:64")).block(PATIENCE);
    }
    HeldRequests held = store.hold(chunks());
    store.fail(chunks(), () -> new StoreException("no answer", Location.UNKNOWN));
    TestArrays.forget(store);
    CompletableFuture<NdArray> row = array.read(Selection.parse("0:4,:")).toFuture();
    eventually("it is asked for", () -> held.waiting() == 1);
    List<CompletableFuture<NdArray>> readers = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      readers.add(array.read(Selection.parse("0:4," + 4 * i + ":" + (4 * i + 4))).toFuture());
    }
    settled();
    held.release();
    assertThat(errorOf(row)).hasMessageContaining("no answer");
    for (int i = 0; i < 16; i++) {
      Throwable error = errorOf(readers.get(i));
      assertThat(error).hasMessageContaining("no answer").hasMessageContaining("key a/c/0/0");
      if (isIndexKnown) {
        assertThat(error).hasMessageContaining("inner chunk [0, " + i + "],");
      }
    }
    assertThat(store.counts().total()).isEqualTo(1);
  }

  /** Throws where it should signal an error. */
  private static final class Throwing extends DelegatingStore {
    private final AtomicBoolean throwsNow = new AtomicBoolean();
    private final boolean hasVersions;

    Throwing(Store delegate, boolean hasVersions) {
      super(delegate);
      this.hasVersions = hasVersions;
    }

    @Override
    public Set<StoreCapability> capabilities() {
      Set<StoreCapability> all = EnumSet.copyOf(delegate().capabilities());
      if (!hasVersions) {
        all.remove(StoreCapability.VERSIONS);
        all.remove(StoreCapability.CONDITIONAL_WRITE);
        all.remove(StoreCapability.CONDITIONAL_ERASE);
      }
      return all;
    }

    private void check(StoreKey key) {
      if (throwsNow.get() && key.value().startsWith("a/c")) {
        throw new IllegalArgumentException("not today");
      }
    }

    @Override
    public Mono<Bytes> get(StoreKey key, ByteRange range) {
      check(key);
      return delegate().get(key, range);
    }

    @Override
    public Mono<VersionedBytes> getVersioned(
        StoreKey key, @Nullable ByteRange range, ReadCondition condition) {
      check(key);
      return delegate().getVersioned(key, range, condition);
    }
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void a_store_that_throws_fails_that_read_and_no_later_one(Way way) {
    for (boolean hasVersions : new boolean[] {false, true}) {
      MemoryStore own = MemoryStore.create();
      TestArrays.counting(way.metadata, own, DEFAULTS);
      for (ZarrOptions options : List.of(DEFAULTS, KEEPING)) {
        Throwing throwing = new Throwing(own, hasVersions);
        ZarrArray array = TestArrays.open(throwing, options);
        throwing.throwsNow.set(true);
        assertThat(errorOf(way.read.apply(array).toFuture()))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessage("not today");
        throwing.throwsNow.set(false);
        assertThat(way.read.apply(array).block(PATIENCE).getInt(new long[array.shape().rank()]))
            .isEqualTo(1);
      }
    }
  }

  private static Stream<Object[]> cachedReads() {
    return Stream.of(
        new Object[] {TestArrays.metadata(2), "0:4", 1},
        new Object[] {squares(1, 1), ":,:", 1},
        new Object[] {squares(1, 1), "0:8,0:8", 2},
        new Object[] {nested(1, 1, checked()), ":,:", 1});
  }

  /** Some look for the chunk while others decode it, or have just cached it. */
  @ParameterizedTest
  @MethodSource("cachedReads")
  void concurrent_readers_load_a_cached_chunk_once_whatever_their_timing(
      ArrayMetadataBuilder metadata, String selection, int requests) {
    NdArray expected =
        TestArrays.counting(metadata, store, DEFAULTS)
            .read(Selection.parse(selection))
            .block(PATIENCE);
    for (int round = 0; round < 150; round++) {
      ZarrHierarchy hierarchy = Zarr.hierarchy(store, KEEPING);
      ZarrArray array = hierarchy.openArray("a").block();
      TestArrays.forget(store);
      List<NdArray> read =
          Flux.range(0, 64)
              .flatMap(i -> array.read(Selection.parse(selection)), 64)
              .collectList()
              .block(Duration.ofSeconds(60));
      assertThat(read).hasSize(64).containsOnly(expected);
      assertThat(count(store, chunks())).as("requests in round " + round).isEqualTo(requests);
      assertThat(hierarchy.bytesInFlight()).isZero();
    }
  }

  @Test
  void a_whole_chunk_is_read_from_the_cache_and_kept_in_it() {
    TestArrays.counting(squares(1, 1), store, DEFAULTS);
    ZarrArray array = TestArrays.open(store, KEEPING);
    NdArray chunk = array.readChunk(0, 0).block(PATIENCE);
    TestArrays.forget(store);
    assertThat(array.readChunk(0, 0).block(PATIENCE)).isEqualTo(chunk);
    assertThat(array.read(Selection.all()).block(PATIENCE)).isEqualTo(chunk);
    assertThat(store.counts().total()).isZero();
  }

  /** The array ends inside of its last chunk, which has elements beyond all the same. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void a_whole_chunk_has_its_elements_beyond_the_end_of_the_array(boolean isSharded) {
    ArrayMetadataBuilder metadata = TestArrays.metadata(3).chunkShape(16);
    if (isSharded) {
      metadata = metadata.codecs(sharding("end", plain(), 4));
    }
    ZarrArray longer = TestArrays.counting(metadata, memory, DEFAULTS);
    ZarrArray array = Zarr.hierarchy(memory).openArray("a").block();
    assertThat(array.readChunk(0).block(PATIENCE).shape()).isEqualTo(Shape.of(16));
    int[] elements = array.readChunk(0).block(PATIENCE).toIntArray();
    assertThat(elements).startsWith(counting(Shape.of(12)).toIntArray());
    assertThat(longer.shape()).isEqualTo(Shape.of(12));
    Bytes stored = array.readEncodedChunk(0).block(PATIENCE);
    if (!isSharded) {
      ByteBuffer beyond = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);
      beyond.put(stored.toByteArray()).putInt(60, 99);
      array.writeEncodedChunk(new long[] {0}, Bytes.wrap(beyond.array())).block(PATIENCE);
      assertThat(array.readChunk(0).block(PATIENCE).getInt(15)).isEqualTo(99);
    }
  }
}
