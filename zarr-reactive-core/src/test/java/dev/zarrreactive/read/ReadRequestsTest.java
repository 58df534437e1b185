package dev.zarrreactive.read;

import static dev.zarrreactive.testing.CodecThreads.settled;
import static dev.zarrreactive.testing.TestArrays.CHUNK_BYTES;
import static dev.zarrreactive.testing.TestArrays.chunk;
import static dev.zarrreactive.testing.TestArrays.chunks;
import static dev.zarrreactive.testing.TestArrays.counting;
import static dev.zarrreactive.testing.TestArrays.row;
import static dev.zarrreactive.testing.Waiting.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.NothingIsDropped;
import dev.zarrreactive.testing.TestArrays;
import dev.zarrreactive.testkit.HeldRequests;
import dev.zarrreactive.testkit.InstrumentedStore;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** What reading asks the store for, and what it makes of the answers. */
@ExtendWith(NothingIsDropped.class)
class ReadRequestsTest {
  private static final ZarrOptions FOUR = ZarrOptions.defaults().withMaxConcurrency(4);

  private final InstrumentedStore store = InstrumentedStore.of(MemoryStore.create());

  @Test
  void nothing_is_requested_before_a_subscription_and_each_subscription_requests_again() {
    ZarrArray array = row(3, store, ZarrOptions.defaults());
    Mono<NdArray> read = array.read(Selection.all());
    array.chunks(Selection.all());
    array.readChunk(0);
    assertThat(store.counts().total()).isZero();
    read.block();
    read.block();
    assertThat(store.counts().total()).isEqualTo(6);
  }

  @Test
  void a_selection_of_nothing_asks_for_nothing() {
    ZarrArray array = row(3, store, ZarrOptions.defaults());
    assertThat(array.read(Selection.parse("3:3")).block().shape()).isEqualTo(Shape.of(0));
    assertThat(array.chunks(Selection.parse("3:3")).collectList().block()).isEmpty();
    assertThat(store.counts().total()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4, 64})
  void no_more_chunks_are_in_flight_than_the_options_say(int maxConcurrency) {
    ZarrArray array = row(100, store, ZarrOptions.defaults().withMaxConcurrency(maxConcurrency));
    HeldRequests held = store.hold(chunks());
    CompletableFuture<NdArray> read = array.read(Selection.all()).toFuture();
    eventually("requests wait", () -> held.waiting() == maxConcurrency);
    settled();
    assertThat(held.waiting()).isEqualTo(maxConcurrency);
    held.release();
    read.join();
    assertThat(store.counts().maxInFlight()).isEqualTo(maxConcurrency);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 10})
  void the_bytes_in_flight_bound_the_chunks_in_flight(int chunksInFlight) {
    long wanted = 2L * CHUNK_BYTES * chunksInFlight; // encoded and decoded
    long budget = (4 * wanted + 2) / 3; // one operation leaves a quarter to others
    ZarrArray array = row(50, store, ZarrOptions.defaults().withMaxInFlightBytes(budget));
    HeldRequests held = store.hold(chunks());
    CompletableFuture<NdArray> read = array.read(Selection.all()).toFuture();
    eventually("requests wait", () -> held.waiting() == chunksInFlight);
    held.release();
    assertThat(read.join()).isEqualTo(counting(Shape.of(200)));
    assertThat(store.counts().maxInFlight()).isEqualTo(chunksInFlight);
  }

  @Test
  void a_chunk_that_is_larger_than_the_budget_goes_through_alone() {
    ZarrArray array = row(20, store, ZarrOptions.defaults().withMaxInFlightBytes(1));
    assertThat(array.read(Selection.all()).block()).isEqualTo(counting(Shape.of(80)));
    assertThat(array.chunks(Selection.all()).collectList().block()).hasSize(20);
    assertThat(store.counts().maxInFlight()).isEqualTo(1);
  }

  /** Ways of reading, each of which comes to the chunk 10. */
  static Stream<Function<ZarrArray, Publisher<?>>> waysOfReading() {
    return Stream.of(
        array -> array.read(Selection.all()),
        array -> array.chunks(Selection.all()),
        array -> array.chunksInOrder(Selection.all()),
        array -> array.readChunk(10),
        array -> array.readEncodedChunk(10));
  }

  @ParameterizedTest
  @MethodSource("waysOfReading")
  void a_failing_request_fails_the_read_and_says_where(Function<ZarrArray, Publisher<?>> way) {
    ZarrArray array = row(100, store, FOUR);
    for (Supplier<ZarrException> error :
        List.<Supplier<ZarrException>>of(
            () -> new StoreException("broken", Location.ofKey("a/c/10")),
            () -> new TransientStoreException("busy", Location.UNKNOWN),
            () -> new AccessDeniedException("not yours", Location.UNKNOWN))) {
      store.behave();
      store.counts().reset();
      ZarrException expected = error.get();
      store.fail(chunk(10), () -> expected);
      assertThatThrownBy(() -> Flux.from(way.apply(array)).blockLast())
          .isSameAs(expected)
          .isInstanceOfSatisfying(
              ZarrException.class,
              e -> {
                assertThat(e.location().nodePath()).isEqualTo("/a");
                assertThat(e.location().chunkIndex()).containsExactly(10);
                assertThat(e.location().storeKey()).isEqualTo("a/c/10");
                assertThat(e).hasMessageContaining("node /a, chunk [10], key a/c/10");
              });
      settled();
      int requests = store.counts().total();
      assertThat(requests).as("of 100").isLessThan(50);
      settled();
      assertThat(store.counts().total()).as("requests after the error").isEqualTo(requests);
      assertThat(store.counts().inFlight()).isZero();
    }
  }

  @Test
  void a_failed_request_never_makes_a_chunk_of_fill_value() {
    ZarrArray array = row(20, store, FOUR);
    for (int k = 0; k < 20; k++) {
      int failing = k;
      store.behave();
      store.fail(chunk(failing), () -> new StoreException("broken", Location.UNKNOWN));
      assertThatThrownBy(() -> array.read(Selection.all()).block())
          .isInstanceOf(StoreException.class);
      List<Integer> seen =
          array
              .chunks(Selection.all())
              .map(chunk -> chunk.data().getInt(0))
              .onErrorComplete()
              .collectList()
              .block();
      assertThat(seen).doesNotContain(4 * failing + 1, 0);
      assertThat(array.chunksInOrder(Selection.all()).onErrorComplete().count().block().intValue())
          .isLessThanOrEqualTo(failing);
    }
  }

  @Test
  void the_error_of_a_store_that_knows_no_place_is_handed_on_as_it_is() {
    ZarrArray array = row(20, store, FOUR);
    IllegalStateException error = new IllegalStateException("not one of ours");
    store.fail(chunk(3), () -> error);
    assertThatThrownBy(() -> array.read(Selection.all()).block())
        .isSameAs(error)
        .satisfies(
            e ->
                assertThat(e.getSuppressed())
                    .anySatisfy(s -> assertThat(s).hasMessageContaining("zarr read of /a")));
  }

  @Test
  void of_several_errors_at_a_time_one_is_signalled_unchanged() {
    ZarrArray array = row(64, store, ZarrOptions.defaults().withMaxConcurrency(16));
    store.fail(chunks(), () -> new TransientStoreException("busy", Location.UNKNOWN));
    for (int i = 0; i < 500; i++) {
      assertThatThrownBy(() -> array.read(Selection.all()).block())
          .isInstanceOf(TransientStoreException.class);
      assertThatThrownBy(() -> array.chunksInOrder(Selection.all()).blockLast())
          .isInstanceOf(TransientStoreException.class);
    }
  }

  @Test
  void a_chunk_beyond_the_grid_is_refused_at_once() {
    ZarrArray array = row(3, store, ZarrOptions.defaults());
    for (long[] index : new long[][] {{3}, {-1}, {}, {0, 0}}) {
      assertThatThrownBy(() -> array.readChunk(index))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("no chunk");
      assertThatThrownBy(() -> array.readEncodedChunk(index))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void a_missing_chunk_has_no_encoded_bytes() {
    ZarrArray array = TestArrays.empty(TestArrays.metadata(3), store, ZarrOptions.defaults());
    assertThat(array.readEncodedChunk(1).blockOptional()).isEmpty();
    array.write(Selection.all(), counting(Shape.of(12))).block();
    assertThat(array.readEncodedChunk(1).block()).isEqualTo(TestArrays.ints(5, 6, 7, 8).bytes());
  }
}
