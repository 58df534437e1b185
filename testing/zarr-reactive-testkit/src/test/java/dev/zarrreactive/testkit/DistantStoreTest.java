package dev.zarrreactive.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.store.KeyRange;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.VersionedBytes;
import dev.zarrreactive.store.memory.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

/** A store that is far away, in virtual time. */
class DistantStoreTest {
  private static final StoreKey KEY = StoreKey.of("key");
  private static final Distance DISTANCE =
      Distance.of(Duration.ofMillis(20)).withBytesPerSecond(1000); // 1 byte each millisecond

  private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
  private final MemoryStore near = MemoryStore.create();
  private final List<String> log = new ArrayList<>();

  private DistantStore far(Distance distance) {
    near.set(KEY, Bytes.wrap(new byte[30])).block();
    return DistantStore.of(near, distance, time);
  }

  private Disposable note(Mono<Bytes> request) {
    return request.subscribe(
        value -> log.add(value.size() + " bytes at " + now()),
        error -> log.add(error.getClass().getSimpleName() + " at " + now()),
        () -> log.add("end at " + now()));
  }

  private long now() {
    return time.now(TimeUnit.MILLISECONDS);
  }

  private void pass(int millis) {
    time.advanceTimeBy(Duration.ofMillis(millis));
  }

  @Test
  void an_answer_takes_its_latency_and_its_bytes() {
    DistantStore store = far(DISTANCE);
    note(store.get(KEY));
    note(store.get(KEY, new ByteRange.Slice(5, 10)));
    pass(100);
    assertThat(log).containsExactly("10 bytes at 30", "end at 30", "30 bytes at 50", "end at 50");
    assertThat(store.bytes()).isEqualTo(40);
    assertThat(store.requests()).isEqualTo(2);
    assertThat(store.mostInFlight()).isEqualTo(2);
  }

  @Test
  void a_missing_value_takes_the_latency() {
    note(far(DISTANCE).get(StoreKey.of("other")));
    pass(19);
    assertThat(log).isEmpty();
    pass(1);
    assertThat(log).containsExactly("end at 20");
  }

  @Test
  void requests_wait_for_a_connection() {
    DistantStore store = far(DISTANCE.withConnections(2));
    for (int i = 0; i < 5; i++) {
      note(store.get(KEY).ignoreElement());
    }
    pass(200);
    assertThat(log)
        .containsExactly("end at 50", "end at 50", "end at 100", "end at 100", "end at 150");
  }

  @Test
  void what_is_too_much_is_refused_after_the_latency() {
    DistantStore store = far(DISTANCE.withCapacity(2));
    for (int i = 0; i < 3; i++) {
      note(store.get(KEY).ignoreElement());
    }
    pass(40);
    note(store.get(KEY).ignoreElement());
    pass(200);
    assertThat(log)
        .containsExactly(
            "TransientStoreException at 20",
            "end at 50",
            "end at 50",
            "TransientStoreException at 60");
    assertThat(store.refusals()).isEqualTo(2);
  }

  @Test
  void a_request_that_is_cancelled_leaves_its_connection_to_the_next() {
    DistantStore store = far(DISTANCE.withConnections(1).withCapacity(2));
    Disposable first = note(store.get(KEY));
    note(store.get(KEY).ignoreElement());
    pass(10);
    first.dispose();
    note(store.get(KEY).ignoreElement());
    pass(200);
    assertThat(log).containsExactly("end at 60", "end at 110");
    assertThat(store.refusals()).isZero();
  }

  @Test
  void parts_are_requests_of_their_own() {
    DistantStore store = far(DISTANCE);
    KeyRange part = new KeyRange(KEY, new ByteRange.Slice(0, 10));
    store
        .getPartialValues(Stream.generate(() -> part).limit(3).toList())
        .subscribe(value -> log.add("at " + now()));
    pass(100);
    assertThat(log).containsExactly("at 30", "at 30", "at 30");
    assertThat(store.requests()).isEqualTo(3);
    store.reset();
    assertThat(store.requests()).isZero();
    assertThat(store.bytes()).isZero();
  }

  @Test
  void a_version_comes_as_late_as_its_bytes() {
    note(
        far(DISTANCE)
            .getVersioned(KEY, new ByteRange.Slice(0, 10), ReadCondition.ALWAYS)
            .mapNotNull(VersionedBytes::bytes));
    pass(100);
    assertThat(log).containsExactly("10 bytes at 30", "end at 30");
  }

  @Test
  void what_cannot_be_a_distance_is_refused() {
    assertThatThrownBy(() -> Distance.of(Duration.ofMillis(-1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> DISTANCE.withConnections(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("0 connections");
  }
}
