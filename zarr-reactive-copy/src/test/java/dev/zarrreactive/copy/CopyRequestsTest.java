package dev.zarrreactive.copy;

import static dev.zarrreactive.testing.CodecThreads.settled;
import static dev.zarrreactive.testing.Waiting.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.observation.StoreOperation;
import dev.zarrreactive.observation.StoreRequest;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.CodecThreads;
import dev.zarrreactive.testkit.HeldRequests;
import dev.zarrreactive.testkit.InstrumentedStore;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.Disposable;
import reactor.test.StepVerifier;

/** What a copy asks the stores for, how much at a time, and what a failure leaves. */
class CopyRequestsTest {
  private final InstrumentedStore store = InstrumentedStore.of(MemoryStore.create());
  private final InstrumentedStore target = InstrumentedStore.of(MemoryStore.create());

  /** A square array of int32 that counts, in chunks of one length. */
  private ZarrArray square(int extent, int chunk) {
    Shape shape = Shape.of(extent, extent);
    int[] numbers = new int[extent * extent];
    Arrays.setAll(numbers, i -> i + 1);
    ZarrArray array =
        Zarr.hierarchy(store)
            .createArray(
                "",
                ArrayMetadata.v3(shape, DataTypes.INT32)
                    .uncompressed()
                    .chunkShape(chunk, chunk)
                    .build())
            .block();
    array.write(Selection.all(), NdArray.ofInts(DataTypes.INT32, shape, numbers)).block();
    store.counts().reset();
    return array;
  }

  private ZarrCopy copy(ZarrOptions options) {
    return ZarrCopy.of(Zarr.hierarchy(store), hierarchy(options));
  }

  private ZarrHierarchy hierarchy(ZarrOptions options) {
    return Zarr.hierarchy(target, options);
  }

  private static boolean isOfChunk(StoreRequest request) {
    return request.target().startsWith("c/");
  }

  private static Map<String, Long> chunkRequests(InstrumentedStore from, StoreOperation operation) {
    return from.counts().requests().stream()
        .filter(request -> isOfChunk(request) && request.operation() == operation)
        .collect(Collectors.groupingBy(StoreRequest::target, Collectors.counting()));
  }

  private void checkCopied(ZarrArray source) {
    assertThat(
            Zarr.hierarchy(target)
                .openArray("")
                .flatMap(array -> array.read(Selection.all()))
                .block())
        .isEqualTo(source.read(Selection.all()).block());
  }

  @ParameterizedTest
  @CsvSource({
    "64, 8, 16", // several chunks of the source to one of the copy
    "64, 32, 8", // one to several
    "60, 12, 10", // neither divides the other
    "61, 7, 5",
    "64, 64, 1",
    "64, 1, 64",
  })
  void with_enough_memory_each_chunk_is_read_once_and_written_once(
      int extent, int chunk, int copied) {
    ZarrArray source = square(extent, chunk);
    CopyProgress end = copy(ZarrOptions.defaults()).chunkShape(copied, copied).run().blockLast();
    int chunks = (extent + chunk - 1) / chunk;
    int copies = (extent + copied - 1) / copied;
    assertThat(chunkRequests(store, StoreOperation.GET)).hasSize(chunks * chunks);
    assertThat(chunkRequests(store, StoreOperation.GET).values()).containsOnly(1L);
    assertThat(chunkRequests(target, StoreOperation.SET)).hasSize(copies * copies);
    assertThat(chunkRequests(target, StoreOperation.SET).values()).containsOnly(1L);
    assertThat(chunkRequests(target, StoreOperation.GET)).isEmpty(); // nothing is half written
    assertThat(end.chunks()).isEqualTo((long) copies * copies);
    checkCopied(source);
  }

  @Test
  void with_little_memory_a_chunk_that_is_larger_is_still_read_few_times() {
    ZarrArray source = square(64, 16); // chunks of 1 KiB
    copy(ZarrOptions.defaults().withMaxInFlightBytes(2048)).chunkShape(5, 5).run().blockLast();
    assertThat(chunkRequests(target, StoreOperation.SET).values()).containsOnly(1L);
    assertThat(chunkRequests(store, StoreOperation.GET).values())
        .allMatch(
            count -> count <= 9); // a chunk of the copy alone would ask for them 16 to 25 times
    checkCopied(source);
  }

  @Test
  void no_more_is_under_way_than_the_limits_allow() {
    square(64, 8); // chunks of 256 bytes
    HeldRequests held = store.hold(CopyRequestsTest::isOfChunk);
    Disposable running =
        copy(ZarrOptions.defaults().withMaxInFlightBytes(1024)).codecs().run().subscribe();
    eventually("something is asked for", () -> held.waiting() > 0);
    settled();
    assertThat(held.waiting()).isBetween(1, 4); // encoded bytes, no larger than the decoded
    running.dispose();
    held.release();
  }

  @Test
  void decoded_blocks_are_counted_with_what_is_decoded_and_encoded_for_them() {
    square(64, 8);
    HeldRequests held = store.hold(CopyRequestsTest::isOfChunk);
    ZarrOptions options = ZarrOptions.defaults().withMaxInFlightBytes(10 * 1024);
    Disposable running = copy(options).chunkShape(16, 16).run().subscribe();
    eventually("something is asked for", () -> held.waiting() > 0);
    settled();
    // A block of 1 KiB and two chunks of that size for each: three blocks, of four chunks each.
    assertThat(held.waiting()).isBetween(1, 12);
    running.dispose();
    held.release();
  }

  @Test
  void many_requests_are_under_way_where_the_limits_allow() {
    square(64, 8);
    HeldRequests held = store.hold(CopyRequestsTest::isOfChunk);
    Disposable running = copy(ZarrOptions.defaults()).run().subscribe();
    eventually("many are asked for", () -> held.waiting() > 3);
    running.dispose();
    held.release();
  }

  @Test
  void a_subscriber_that_is_slow_slows_the_copy() {
    square(64, 8);
    StepVerifier.create(copy(ZarrOptions.defaults().withMaxConcurrency(2)).run(), 0)
        .thenRequest(1)
        .expectNextCount(1)
        .then(CodecThreads::settled)
        .then(
            () ->
                assertThat(chunkRequests(target, StoreOperation.SET).size()).isLessThanOrEqualTo(4))
        .thenCancel()
        .verify();
  }

  @Test
  void a_cancel_stops_everything() {
    square(64, 8);
    HeldRequests held = store.hold(CopyRequestsTest::isOfChunk);
    Disposable running =
        copy(ZarrOptions.defaults().withMaxConcurrency(4)).codecs().run().subscribe();
    eventually("something is asked for", () -> held.waiting() > 0);
    settled(); // no thread is about to ask for more
    running.dispose();
    eventually("all are given up", () -> store.counts().inFlight() == 0);
    int requests = store.counts().total();
    held.release();
    settled();
    assertThat(store.counts().total()).isEqualTo(requests);
    assertThat(chunkRequests(target, StoreOperation.SET)).isEmpty();
    assertThat(Zarr.hierarchy(target).exists("").block()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"8, false", "16, false", "4, true", "12, true"})
  void a_failure_in_the_middle_is_resumed_with_what_is_missing(int copied, boolean sharded) {
    ZarrArray source = square(64, 8);
    Function<ZarrCopy, ZarrCopy> changes =
        copy ->
            sharded
                ? copy.chunkShape(copied, copied).shardShape(2L * copied, 2L * copied)
                : copy.chunkShape(copied, copied);
    ZarrOptions options = ZarrOptions.defaults().withMaxConcurrency(2);
    target.fail(
        request ->
            isOfChunk(request)
                && request.operation() == StoreOperation.SET
                && (request.target().endsWith("/2") || request.target().startsWith("c/3")),
        () -> new StoreException("the disk is full", Location.UNKNOWN));
    assertThatThrownBy(() -> changes.apply(copy(options)).run().blockLast())
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("the disk is full")
        .hasMessageContaining("chunk [");
    assertThat(Zarr.hierarchy(target).exists("").block()).isFalse();
    long stored =
        target
            .listPrefix(NodePath.ROOT.prefix())
            .filter(key -> key.value().startsWith("c/"))
            .count()
            .block();
    assertThat(stored).isPositive();

    target.behave();
    target.counts().reset();
    CopyProgress end = changes.apply(copy(options)).ifExists(IfExists.RESUME).run().blockLast();
    assertThat(end.chunksSkipped()).isEqualTo(stored);
    assertThat(end.chunks()).isEqualTo(end.chunksInAll());
    assertThat(chunkRequests(target, StoreOperation.SET))
        .hasSize((int) (end.chunksInAll() - stored));
    checkCopied(source);
  }

  @Test
  void missing_chunks_are_asked_for_once_and_stay_missing() {
    Zarr.hierarchy(store)
        .createArray(
            "",
            ArrayMetadata.v3(Shape.of(100), DataTypes.FLOAT64)
                .uncompressed()
                .chunkShape(10)
                .build())
        .flatMap(array -> array.write(Selection.parse("35"), NdArray.scalar(DataTypes.FLOAT64, 1)))
        .block();
    store.counts().reset();
    copy(ZarrOptions.defaults()).run().blockLast();
    assertThat(store.counts().requests().stream().filter(CopyRequestsTest::isOfChunk)).hasSize(10);
    assertThat(chunkRequests(target, StoreOperation.SET)).containsOnlyKeys("c/3");
    assertThat(store.counts().total(StoreOperation.GET_RANGE)).isZero();
  }

  @Test
  void whole_shards_are_copied_by_one_request_each() {
    ZarrArray source = square(64, 8);
    copy(ZarrOptions.defaults()).shardShape(32, 32).run().blockLast();
    InstrumentedStore third = InstrumentedStore.of(MemoryStore.create());
    target.counts().reset();
    ZarrCopy.of(Zarr.hierarchy(target), Zarr.hierarchy(third)).run().blockLast();
    assertThat(target.counts().requests().stream().filter(CopyRequestsTest::isOfChunk)).hasSize(4);
    assertThat(chunkRequests(third, StoreOperation.SET)).hasSize(4);
    ZarrArray copied = Zarr.hierarchy(third).openArray("").block();
    assertThat(copied.read(Selection.all()).block())
        .isEqualTo(source.read(Selection.all()).block());
  }
}
