package dev.zarrreactive.stream;

import static dev.zarrreactive.testing.CodecThreads.settled;
import static dev.zarrreactive.testing.TestArrays.chunk;
import static dev.zarrreactive.testing.TestArrays.chunks;
import static dev.zarrreactive.testing.TestArrays.row;
import static dev.zarrreactive.testing.Waiting.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.observation.StoreObserver;
import dev.zarrreactive.observation.StoreRequest;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.decorator.Stores;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.CodecThreads;
import dev.zarrreactive.testing.NothingIsDropped;
import dev.zarrreactive.testing.TestArrays;
import dev.zarrreactive.testing.Waiting;
import dev.zarrreactive.testkit.HeldRequests;
import dev.zarrreactive.testkit.InstrumentedStore;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;

/** A stream of chunks asks the store for what is demanded, and a little more. */
@ExtendWith(NothingIsDropped.class)
class StreamDemandTest {
  private static final int AHEAD = 4;
  private static final ZarrOptions OPTIONS = ZarrOptions.defaults().withMaxConcurrency(AHEAD);

  enum Order {
    OF_ARRIVAL {
      @Override
      Flux<Chunk> stream(ZarrArray array, Selection selection) {
        return array.chunks(selection);
      }
    },
    OF_INDEX {
      @Override
      Flux<Chunk> stream(ZarrArray array, Selection selection) {
        return array.chunksInOrder(selection);
      }
    };

    abstract Flux<Chunk> stream(ZarrArray array, Selection selection);

    Flux<Chunk> stream(ZarrArray array) {
      return stream(array, Selection.all());
    }
  }

  private final InstrumentedStore store = InstrumentedStore.of(MemoryStore.create());

  @ParameterizedTest
  @EnumSource
  void without_demand_nothing_arrives_and_little_is_fetched(Order order) {
    ZarrArray array = row(100, store, OPTIONS);
    StepVerifier.create(order.stream(array), 0)
        .expectSubscription()
        .then(CodecThreads::settled)
        .then(() -> assertThat(store.counts().total()).isLessThanOrEqualTo(AHEAD))
        .thenCancel()
        .verify(Waiting.PATIENCE);
    assertThat(store.counts().inFlight()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void each_demand_fetches_as_many_more(Order order) {
    ZarrArray array = row(100, store, OPTIONS);
    StepVerifier.create(order.stream(array), 0)
        .thenRequest(1)
        .expectNextCount(1)
        .then(() -> assertFetched(order, 1))
        .thenRequest(10)
        .expectNextCount(10)
        .then(() -> assertFetched(order, 11))
        .then(CodecThreads::settled)
        .thenRequest(80)
        .expectNextCount(80)
        .then(() -> assertFetched(order, 91))
        .thenRequest(100)
        .expectNextCount(9)
        .expectComplete()
        .verify(Waiting.PATIENCE);
    assertThat(store.counts().total()).isEqualTo(100);
  }

  /**
   * Everything was handed on that was demanded: what is fetched now is ahead. In the order of
   * arrival a place that has become free while nothing was demanded may wait for the next demand.
   */
  private void assertFetched(Order order, int demanded) {
    int most = demanded + AHEAD;
    int least = order == Order.OF_INDEX ? most : demanded;
    eventually(
        () -> store.counts().total() + " requests become " + least,
        () -> store.counts().total() >= least);
    settled();
    assertThat(store.counts().total()).isBetween(least, most);
  }

  @ParameterizedTest
  @EnumSource
  void at_every_moment_no_more_is_asked_for_than_is_demanded_and_the_concurrency(Order order) {
    AtomicLong demanded = new AtomicLong();
    AtomicLong issued = new AtomicLong();
    AtomicLong mostAhead = new AtomicLong();
    Store memory = MemoryStore.create();
    row(1_000, memory, OPTIONS);
    StoreObserver observer =
        new StoreObserver() {
          @Override
          public void onStart(StoreRequest request) {
            if (chunks().test(request)) {
              mostAhead.accumulateAndGet(issued.incrementAndGet() - demanded.get(), Math::max);
            }
          }
        };
    ZarrArray array = TestArrays.open(Stores.observed(memory, observer), OPTIONS);
    Random random = new Random(3);
    AtomicLong received = new AtomicLong();
    BaseSubscriber<Chunk> consumer =
        new BaseSubscriber<>() {
          @Override
          protected void hookOnSubscribe(Subscription subscription) {
            demand(7);
          }

          @Override
          protected void hookOnNext(Chunk chunk) {
            received.incrementAndGet();
            int more = random.nextInt(3);
            if (more > 0 || received.get() == demanded.get()) {
              demand(Math.max(1, more));
            }
          }

          private void demand(int more) {
            demanded.addAndGet(more);
            request(more);
          }
        };
    order.stream(array).subscribe(consumer);
    eventually("the stream is over", consumer::isDisposed);
    assertThat(received).hasValue(1_000);
    assertThat(issued).hasValue(1_000);
    assertThat(mostAhead.get()).isBetween(1L, (long) AHEAD);
  }

  @Test
  void chunks_are_handed_on_as_they_arrive() {
    ZarrArray array = row(10, store, OPTIONS);
    HeldRequests first = store.hold(chunk(0));
    StepVerifier.create(array.chunks(Selection.all()).map(chunk -> chunk.index()[0]))
        .expectNextCount(9)
        .then(first::release)
        .expectNext(0L)
        .expectComplete()
        .verify(Waiting.PATIENCE);
  }

  @Test
  void in_order_a_late_chunk_keeps_the_others_waiting_and_the_store_at_rest() {
    ZarrArray array = row(10, store, OPTIONS);
    HeldRequests first = store.hold(chunk(0));
    StepVerifier.create(array.chunksInOrder(Selection.all()).map(chunk -> chunk.index()[0]))
        .expectSubscription()
        .then(CodecThreads::settled)
        .then(() -> assertThat(store.counts().total()).isEqualTo(AHEAD))
        .then(first::release)
        .expectNext(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L)
        .expectComplete()
        .verify(Waiting.PATIENCE);
  }

  @Test
  void in_order_means_in_order_however_late_each_answer_comes() {
    store.delay(Duration.ofMillis(1));
    ZarrArray array = row(300, store, ZarrOptions.defaults().withMaxConcurrency(32));
    List<Integer> firstElements =
        array
            .chunksInOrder(Selection.all())
            .map(chunk -> chunk.data().getInt(0))
            .collectList()
            .block();
    assertThat(firstElements)
        .containsExactlyElementsOf(IntStream.range(0, 300).map(i -> 4 * i + 1).boxed().toList());
  }
}
