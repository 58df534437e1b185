package dev.zarrreactive.write;

import static dev.zarrreactive.testing.TestArrays.ints;
import static dev.zarrreactive.testing.TestArrays.row;
import static dev.zarrreactive.testing.Waiting.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.observation.StoreOperation;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.decorator.RequestLimit;
import dev.zarrreactive.store.decorator.RetryOptions;
import dev.zarrreactive.store.decorator.Stores;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testkit.HeldRequests;
import dev.zarrreactive.testkit.InstrumentedStore;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/** A cancelled write never replaces what a later writer stores. */
class CancelledWriteTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final ZarrOptions DEFAULTS = ZarrOptions.defaults();

  private final Store values = MemoryStore.create();
  private final InstrumentedStore store = InstrumentedStore.of(values);

  @Test
  void a_cancelled_write_is_not_retried_and_the_next_writer_need_not_wait_for_its_back_off() {
    Store retrying =
        Stores.retrying(store, RetryOptions.defaults().withDeadline(Duration.ofHours(2)));
    ZarrArray array = row(1, retrying, DEFAULTS);
    store.counts().reset();
    store.failNext(
        1,
        request -> request.operation() == StoreOperation.SET,
        () -> new TransientStoreException("503", Location.UNKNOWN, Duration.ofHours(1)));
    AtomicBoolean stored = new AtomicBoolean();
    Disposable first =
        array
            .write(Selection.all(), ints(-1, -1, -1, -1))
            .doOnSuccess(done -> stored.set(true))
            .subscribe();
    eventually("one attempt failed", () -> setsEnded() == 1);
    first.dispose();
    array.write(Selection.all(), ints(2, 2, 2, 2)).block(TIMEOUT);
    assertThat(store.counts().total(StoreOperation.SET)).isEqualTo(2);
    assertThat(array.read(Selection.all()).block(TIMEOUT).toIntArray()).containsExactly(2, 2, 2, 2);
    assertThat(stored).isFalse();
  }

  private long setsEnded() {
    return store.counts().total(StoreOperation.SET) - store.counts().inFlight();
  }

  @Test
  void the_attempt_under_way_lands_before_the_next_writer_begins() {
    ZarrArray array = row(1, store, DEFAULTS);
    for (boolean encoded : new boolean[] {false, true}) {
      HeldRequests held = store.hold(request -> request.operation() == StoreOperation.SET);
      AtomicBoolean stored = new AtomicBoolean();
      Mono<Void> write =
          encoded
              ? array.writeEncodedChunk(new long[] {0}, Bytes.wrap(new byte[16]))
              : array.write(Selection.all(), ints(-1, -1, -1, -1));
      Disposable first = write.doOnSuccess(done -> stored.set(true)).subscribe();
      eventually("it wants to store", () -> held.waiting() == 1);
      first.dispose();
      CompletableFuture<Void> second = array.write(Selection.parse("1:"), ints(2, 3, 4)).toFuture();
      assertThat(second).isNotDone();
      assertThat(held.waiting()).as("the attempt goes on").isEqualTo(1);
      held.release();
      ended(second);
      assertThat(array.read(Selection.all()).block(TIMEOUT).toIntArray())
          .containsExactly(encoded ? 0 : -1, 2, 3, 4);
      assertThat(stored).isFalse();
    }
  }

  @Test
  void a_write_that_is_cancelled_while_it_waits_for_a_permit_is_not_made() {
    RequestLimit one = RequestLimit.fixed(1);
    Store limited = Stores.limited(store, one);
    ZarrArray array = row(1, limited, DEFAULTS);
    store.counts().reset();
    HeldRequests held = store.hold(request -> request.operation() == StoreOperation.GET);
    CompletableFuture<Bytes> read = limited.get(StoreKey.of("other")).toFuture();
    eventually("a read has the permit", () -> held.waiting() == 1);
    Disposable write = array.write(Selection.all(), ints(-1, -1, -1, -1)).subscribe();
    eventually("the write waits", () -> one.waiting() == 1);
    write.dispose();
    held.release();
    ended(read);
    array.write(Selection.all(), ints(5, 6, 7, 8)).block(TIMEOUT);
    assertThat(store.counts().total(StoreOperation.SET)).isEqualTo(1);
  }

  private static void ended(CompletableFuture<?> future) {
    future.orTimeout(TIMEOUT.toSeconds(), TimeUnit.SECONDS).join();
  }
}
