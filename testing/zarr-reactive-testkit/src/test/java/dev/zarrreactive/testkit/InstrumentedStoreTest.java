package dev.zarrreactive.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.observation.StoreOperation;
import dev.zarrreactive.observation.StoreRequest;
import dev.zarrreactive.store.KeyRange;
import dev.zarrreactive.store.memory.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;

class InstrumentedStoreTest {
  private static final StoreKey KEY = StoreKey.of("a/b");

  private final InstrumentedStore store = InstrumentedStore.of(MemoryStore.create());
  private final RequestCounts counts = store.counts();

  @Test
  void requests_and_bytes_are_counted() {
    store.set(KEY, Bytes.utf8("0123456789")).block();
    store.get(KEY).block();
    store.get(KEY, new ByteRange.Suffix(3)).block();
    store.get(StoreKey.of("missing")).block();
    store.listDir(StorePrefix.ROOT).blockLast();
    assertThat(counts.requests())
        .extracting(StoreRequest::operation)
        .containsExactly(
            StoreOperation.SET,
            StoreOperation.GET,
            StoreOperation.GET_RANGE,
            StoreOperation.GET,
            StoreOperation.LIST_DIR);
    assertThat(counts)
        .hasToString(
            "5 requests, at most 1 at a time: 5 completed, 0 failed, 0 cancelled, 0 in flight;"
                + " 13 bytes read, 10 written");
    assertThat(counts.total(StoreOperation.GET)).isEqualTo(2);
    counts.reset();
    assertThat(counts.total()).isZero();
    assertThat(counts.bytesRead()).isZero();
  }

  @Test
  void an_operation_without_a_subscriber_is_no_request() {
    store.get(KEY);
    store.list();
    assertThat(counts.total()).isZero();
  }

  @Test
  void each_range_of_a_batch_counts_when_it_is_demanded() {
    List<KeyRange> ranges = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      ranges.add(new KeyRange(StoreKey.of("a/" + i), new ByteRange.From(i)));
    }
    StepVerifier.create(store.getPartialValues(ranges), 3)
        .expectNextCount(3)
        .then(() -> assertThat(counts.total(StoreOperation.GET_RANGE)).isEqualTo(3))
        .thenRequest(100)
        .expectNextCount(7)
        .verifyComplete();
    assertThat(counts.requests())
        .extracting(StoreRequest::range)
        .containsExactlyElementsOf(ranges.stream().map(KeyRange::range).toList());
  }

  @Test
  void held_requests_are_in_flight_until_they_are_released_or_cancelled() {
    HeldRequests held = store.hold(request -> request.operation() == StoreOperation.GET);
    Disposable first = store.get(KEY).subscribe();
    Disposable second = store.get(KEY).subscribe();
    store.erase(KEY).block();
    assertThat(held.waiting()).isEqualTo(2);
    assertThat(counts.inFlight()).isEqualTo(2);
    assertThat(counts.maxInFlight()).isEqualTo(3);
    first.dispose();
    assertThat(held.waiting()).isEqualTo(1);
    assertThat(counts.cancelled()).isEqualTo(1);
    held.release();
    assertThat(second.isDisposed()).isTrue();
    assertThat(counts.inFlight()).isZero();
    assertThat(counts.completed()).isEqualTo(2);
  }

  @Test
  void responses_come_after_the_configured_delay() {
    StepVerifier.withVirtualTime(() -> store.delay(Duration.ofMillis(50)).list().count())
        .expectSubscription()
        .expectNoEvent(Duration.ofMillis(50))
        .expectNext(0L)
        .verifyComplete();
  }

  @Test
  void requests_fail_as_configured_and_do_not_reach_the_store() {
    store.failNext(
        2,
        request -> request.operation() == StoreOperation.SET,
        () -> new IllegalStateException("no"));
    assertThatThrownBy(() -> store.set(KEY, Bytes.EMPTY).block()).hasMessage("no");
    assertThat(store.get(KEY).block()).isNull();
    assertThatThrownBy(() -> store.set(KEY, Bytes.EMPTY).block()).hasMessage("no");
    store.set(KEY, Bytes.EMPTY).block();
    assertThat(store.get(KEY).block()).isEqualTo(Bytes.EMPTY);
    assertThat(counts.failed()).isEqualTo(2);
  }

  @Test
  void behaving_again_takes_everything_back() {
    store.fail(request -> true, () -> new IllegalStateException("no"));
    store.delay(Duration.ofDays(1));
    HeldRequests held = store.hold(request -> true);
    store.behave();
    assertThat(Flux.concat(store.get(KEY), store.get(KEY)).collectList().block()).isEmpty();
    assertThat(held.waiting()).isZero();
  }
}
