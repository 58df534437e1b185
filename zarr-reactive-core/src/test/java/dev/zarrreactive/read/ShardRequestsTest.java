package dev.zarrreactive.read;

import static dev.zarrreactive.testing.CodecThreads.settled;
import static dev.zarrreactive.testing.ShardArrays.block;
import static dev.zarrreactive.testing.ShardArrays.data;
import static dev.zarrreactive.testing.ShardArrays.indexes;
import static dev.zarrreactive.testing.ShardArrays.reopened;
import static dev.zarrreactive.testing.ShardArrays.squares;
import static dev.zarrreactive.testing.ShardArrays.written;
import static dev.zarrreactive.testing.Waiting.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.ShardReading;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.observation.StoreRequest;
import dev.zarrreactive.store.Coalescing;
import dev.zarrreactive.store.Price;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.NothingIsDropped;
import dev.zarrreactive.testing.ShardArrays;
import dev.zarrreactive.testkit.HeldRequests;
import dev.zarrreactive.testkit.InstrumentedStore;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;

/** What reading inner chunks of shards asks the store for, besides {@link ReadCostTest}. */
@ExtendWith(NothingIsDropped.class)
class ShardRequestsTest {
  private static final ZarrOptions OPTIONS = ZarrOptions.defaults();

  private final InstrumentedStore store = InstrumentedStore.of(MemoryStore.create());

  private static ZarrOptions reading(ShardReading reading) {
    return OPTIONS.withShardReading(reading);
  }

  private long count(Predicate<StoreRequest> which) {
    return ShardArrays.count(store, which);
  }

  @Test
  void without_coalescing_every_inner_chunk_is_a_request() {
    ZarrOptions options = reading(ShardReading.defaults().withCoalescing(new Coalescing(0, 0, 0)));
    ZarrArray array = written(squares(1, 1), store, options);
    array.read(Selection.parse("0:16,0:16")).block();
    assertThat(count(indexes())).isEqualTo(1);
    assertThat(count(data())).isEqualTo(16);
  }

  @Test
  void a_gap_that_is_too_large_is_not_read() {
    Coalescing rows = new Coalescing(ShardArrays.INNER_BYTES, 1 << 20, 0.9);
    ZarrArray array =
        written(squares(1, 1), store, reading(ShardReading.defaults().withCoalescing(rows)));
    array.read(Selection.parse("0:16,0:16")).block();
    assertThat(count(data())).isEqualTo(4);
  }

  @Test
  void a_shard_is_fetched_whole_where_a_request_costs_more_than_its_bytes() {
    Price requests = new Price(1, 0, 0);
    ZarrArray array =
        written(
            squares(1, 1),
            store,
            reading(ShardReading.defaults().withCoalescing(Coalescing.cheapest(requests))));
    array.read(Selection.parse("0:4,0:4")).block();
    assertThat(store.counts().requests()).as("the index and all chunks").hasSize(1);
    assertThat(count(indexes())).isZero();
    array.read(Selection.parse("0:4,60:64")).block();
    assertThat(store.counts().requests()).as("a chunk, as the index is known").hasSize(2);
  }

  @Test
  void a_shard_is_read_by_ranges_where_its_bytes_cost_more_than_a_request() {
    Price bytes = new Price(0, 1, 0);
    ZarrArray array =
        written(
            squares(1, 1),
            store,
            reading(ShardReading.defaults().withCoalescing(Coalescing.cheapest(bytes))));
    array.read(Selection.parse("0:60,0:64")).block();
    assertThat(count(indexes())).as("though nearly all is wanted").isEqualTo(1);
  }

  @Test
  void a_stream_asks_for_no_more_than_is_demanded_and_the_concurrency() {
    ZarrOptions four =
        reading(ShardReading.defaults().withCoalescing(Coalescing.none())).withMaxConcurrency(4);
    ZarrArray array = written(squares(40, 1), store, four);
    StepVerifier.create(array.chunksInOrder(Selection.parse("::64,::16")), 0)
        .thenRequest(1)
        .expectNextCount(1)
        .then(() -> settledAt(5, 4))
        .thenRequest(20)
        .expectNextCount(20)
        .then(() -> settledAt(25, 10))
        .thenCancel()
        .verify();
    eventually("nothing is in flight", () -> store.counts().inFlight() == 0);
  }

  /** Each shard has four of the chunks; shards are opened for as many chunks as are ahead. */
  private void settledAt(int chunks, int shards) {
    eventually("requests have settled", () -> count(data()) == chunks);
    settled();
    assertThat(count(data())).isEqualTo(chunks);
    assertThat(count(indexes())).isLessThanOrEqualTo(shards);
  }

  @Test
  void a_merged_request_does_not_hold_more_than_the_bytes_in_flight() {
    ZarrArray array = written(squares(1, 1), store, OPTIONS.withMaxInFlightBytes(4_000));
    array.read(Selection.all()).block();
    assertThat(count(data())).isGreaterThan(10);
    for (StoreRequest request : store.counts().requests()) {
      if (data().test(request)) {
        long length = ((ByteRange.Slice) request.range()).length();
        assertThat(length).isLessThanOrEqualTo(1_500);
      }
    }
  }

  @Test
  void with_any_budget_a_read_ends() {
    written(squares(2, 2), store, OPTIONS);
    for (int budget : new int[] {1, 100, 1_000, 10_000, 70_000, 100_000, 200_000}) {
      for (int concurrency : new int[] {1, 2, 7}) {
        ZarrOptions options = OPTIONS.withMaxInFlightBytes(budget).withMaxConcurrency(concurrency);
        ZarrArray array = reopened(store, options);
        assertThat(array.read(Selection.all()).block().toIntArray())
            .as("%d bytes, %d chunks", budget, concurrency)
            .isEqualTo(block(128, 0, 0, 128, 128));
        assertThat(array.chunks(Selection.parse("3:90,5:100")).count().block()).isPositive();
      }
    }
  }

  @Test
  void a_cancel_cancels_a_merged_request() {
    ZarrArray array = written(squares(1, 1), store, OPTIONS);
    HeldRequests held = store.hold(data());
    Disposable running = array.chunks(Selection.parse("0:16,0:16")).subscribe();
    eventually("the data are asked for", () -> held.waiting() == 1);
    running.dispose();
    assertThat(store.counts().inFlight()).isZero();
    int requests = store.counts().total();
    held.release();
    settled();
    assertThat(store.counts().total()).isEqualTo(requests);
  }

  @Test
  void a_merged_request_that_fails_fails_the_read_and_says_where() {
    ZarrArray array = written(squares(1, 1), store, OPTIONS);
    store.fail(data(), () -> new AccessDeniedException("not yours", Location.UNKNOWN));
    assertThatThrownBy(() -> array.read(Selection.parse("0:16,0:16")).block())
        .isInstanceOf(AccessDeniedException.class)
        .hasMessageContaining("node /a, chunk [0, 0], inner chunk [")
        .hasMessageContaining("key a/c/0/0");
    eventually("nothing is in flight", () -> store.counts().inFlight() == 0);
  }

  @Test
  void chunks_of_a_merged_request_come_in_order() {
    ZarrArray array = written(squares(1, 2), store, OPTIONS.withMaxConcurrency(3));
    Flux<Chunk> chunks = array.chunksInOrder(Selection.parse("0:16,:"));
    assertThat(chunks.map(chunk -> chunk.data().getInt(0, 0)).collectList().block())
        .hasSize(128)
        .startsWith(1, 5, 9)
        .endsWith(12 * 128 + 125);
    assertThat(count(data())).isLessThanOrEqualTo(2);
  }
}
