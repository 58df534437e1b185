package dev.zarrreactive.store.decorator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.observation.StoreObserver;
import dev.zarrreactive.observation.StoreOutcome;
import dev.zarrreactive.observation.StoreOutcome.Kind;
import dev.zarrreactive.observation.StoreRequest;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.memory.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

class ObservedStoreTest {
  private final MemoryStore memory = MemoryStore.create();
  private final Notes notes = new Notes();
  private final Store store = Stores.observed(memory, notes);
  private final StoreKey key = StoreKey.of("a/b");

  @Test
  void an_observer_hears_of_each_request_with_its_operation_target_bytes_and_outcome() {
    store.set(key, Bytes.utf8("12345")).block();
    store.get(key).block();
    store.get(key, new ByteRange.Suffix(2)).block();
    store.get(StoreKey.of("missing")).block();
    store.list().blockLast();
    store.listPrefix(StorePrefix.of("a/")).blockLast();
    store.listDir(StorePrefix.ROOT).blockLast();
    store.erase(key).block();
    store.erasePrefix(StorePrefix.of("a/")).block();
    assertThat(notes.lines)
        .containsExactly(
            "SET a/b: COMPLETED 1, 5 bytes",
            "GET a/b: COMPLETED 1, 5 bytes",
            "GET_RANGE a/b the last 2 bytes: COMPLETED 1, 2 bytes",
            "GET missing: MISSING 0, 0 bytes",
            "LIST : COMPLETED 1, 0 bytes",
            "LIST_PREFIX a/: COMPLETED 1, 0 bytes",
            "LIST_DIR : COMPLETED 1, 0 bytes",
            "ERASE a/b: COMPLETED 1, 0 bytes",
            "ERASE_PREFIX a/: COMPLETED 0, 0 bytes");
    assertThat(notes.started).hasValue(9);
  }

  @Test
  void an_observer_hears_of_a_failed_request_with_its_error() {
    memory.set(key, Bytes.EMPTY).block();
    StepVerifier.create(store.get(key, new ByteRange.From(1))).expectError().verify();
    StepVerifier.create(store.set(key, Bytes.utf8("1"), Precondition.ABSENT))
        .expectError()
        .verify();
    assertThat(notes.lines)
        .containsExactly(
            "GET_RANGE a/b bytes from 1: FAILED 0, 0 bytes RangeOutOfBoundsException",
            "SET a/b: FAILED 0, 0 bytes PreconditionFailedException");
  }

  @Test
  void an_observer_hears_once_of_a_cancelled_request_with_the_bytes_that_it_emitted() {
    memory.set(key, Bytes.EMPTY).then(memory.set(StoreKey.of("c"), Bytes.EMPTY)).block();
    StepVerifier.create(store.list(), 1).expectNextCount(1).thenCancel().verify();
    Store never = Stores.observed(new Silent(), notes);
    StepVerifier.create(never.get(key)).expectSubscription().thenCancel().verify();
    assertThat(notes.lines)
        .containsExactly("LIST : CANCELLED 1, 0 bytes", "GET a/b: CANCELLED 0, 0 bytes");
  }

  @Test
  void an_observer_hears_of_the_end_before_the_result_is_emitted() {
    memory.set(key, Bytes.EMPTY).block();
    store.get(key).doOnNext(value -> assertThat(notes.lines).hasSize(1)).block();
    store.get(key).repeat(3).blockLast();
    assertThat(notes.lines).hasSize(5);
    assertThat(notes.ids).doesNotHaveDuplicates();
  }

  @Test
  void an_observer_that_throws_does_not_break_what_it_observes() {
    List<Throwable> dropped = new ArrayList<>();
    Hooks.onErrorDropped(dropped::add);
    try {
      Store badly = Stores.observed(memory, new Throwing());
      badly.set(key, Bytes.utf8("1")).block();
      assertThat(badly.get(key).block()).isEqualTo(Bytes.utf8("1"));
      assertThat(badly.list().collectList().block()).containsExactly(key);
      StepVerifier.create(badly.list(), 0).thenCancel().verify();
    } finally {
      Hooks.resetOnErrorDropped();
    }
    assertThat(dropped).hasSize(8).allMatch(IllegalStateException.class::isInstance);
  }

  @Test
  void durations_are_measured() {
    store.get(key).block();
    assertThat(notes.durations).hasSize(1).allMatch(duration -> !duration.isNegative());
  }

  private static final class Notes implements StoreObserver {
    final List<String> lines = new ArrayList<>();
    final List<Long> ids = new ArrayList<>();
    final List<Duration> durations = new ArrayList<>();
    final AtomicInteger started = new AtomicInteger();

    @Override
    public void onStart(StoreRequest request) {
      started.incrementAndGet();
    }

    @Override
    public void onEnd(StoreRequest request, StoreOutcome outcome) {
      Throwable error = outcome.error();
      assertThat(outcome.kind() == Kind.FAILED).isEqualTo(error != null);
      ids.add(request.id());
      durations.add(outcome.duration());
      lines.add(
          request.operation()
              + " "
              + request.target()
              + (request.range() == null ? "" : " " + request.range())
              + ": "
              + outcome.kind()
              + " "
              + outcome.count()
              + ", "
              + outcome.bytes()
              + " bytes"
              + (error == null ? "" : " " + error.getClass().getSimpleName()));
    }
  }

  private static final class Throwing implements StoreObserver {
    @Override
    public void onStart(StoreRequest request) {
      throw new IllegalStateException("start");
    }

    @Override
    public void onEnd(StoreRequest request, StoreOutcome outcome) {
      throw new IllegalStateException("end");
    }
  }

  private static final class Silent extends DelegatingStore {
    Silent() {
      super(MemoryStore.create());
    }

    @Override
    public Mono<Bytes> get(StoreKey key) {
      return Mono.never();
    }
  }
}
