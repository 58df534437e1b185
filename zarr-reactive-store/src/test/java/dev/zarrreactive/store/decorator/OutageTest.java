package dev.zarrreactive.store.decorator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.observation.StoreObserver;
import dev.zarrreactive.observation.StoreRetry;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.memory.MemoryStore;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Signal;
import reactor.core.scheduler.Scheduler;

/** Requests to a server that refuses connections for a while, as a restart does; virtual time. */
class OutageTest {
  private static final Bytes VALUE = Bytes.utf8("value");
  private static final RetryOptions OPTIONS = RetryOptions.defaults();
  private static final int MANY = 300;

  /** The most probes of a server that stays down, by the default options. */
  private static final int PROBES = 16;

  private final VirtualTime time = new VirtualTime();
  private final Scheduler timer = time.scheduler();
  private final Restarting server = new Restarting();

  /** A server whose answer to a request depends on the time of the request. */
  private final class Restarting extends DelegatingStore {
    final List<Long> requests = new ArrayList<>();

    /** The error of a request at a time; null where it is answered. */
    LongFunction<Throwable> errors = now -> null;

    Duration takes = Duration.ZERO;

    Restarting() {
      super(MemoryStore.create());
      for (int i = 0; i < MANY; i++) {
        super.set(key(i), VALUE, Precondition.NONE).block();
      }
    }

    void isDown(long fromMillis, long toMillis) {
      errors = now -> now >= fromMillis && now < toMillis ? new ConnectException(REFUSED) : null;
    }

    private <T> Mono<T> request(StoreKey key, Mono<T> request) {
      return Mono.defer(
          () -> {
            requests.add(now());
            Duration wait = takes;
            Throwable error = errors.apply(now());
            if (error instanceof ConnectException) {
              return Mono.error(failure(key, error)); // a refusal comes at once
            }
            Mono<T> answer = error == null ? request : Mono.error(failure(key, error));
            return wait.isZero() ? answer : Mono.delay(wait, timer).then(answer);
          });
    }

    private StoreException failure(StoreKey key, Throwable error) {
      return new TransientStoreException(
          "the request failed", Location.ofKey(key.value()), new IOException("around", error));
    }

    @Override
    public Mono<Bytes> get(StoreKey key) {
      return request(key, super.get(key));
    }

    @Override
    public Mono<Void> set(StoreKey key, Bytes value, Precondition precondition) {
      return request(key, super.set(key, value, precondition));
    }

    @Override
    public Flux<StoreKey> list() {
      return request(StoreKey.of("list"), super.list().collectList()).flatMapIterable(keys -> keys);
    }
  }

  private static final String REFUSED = "Connection refused: /127.0.0.1:9";

  private static StoreKey key(int number) {
    return StoreKey.of("c/" + number);
  }

  private long now() {
    return timer.now(TimeUnit.MILLISECONDS);
  }

  private Store retrying(RetryOptions options) {
    return new RetryingStore(server, options, timer);
  }

  /** Reads many values at the same time, and emits what each read ended with. */
  private static Mono<List<Signal<Bytes>>> readMany(Store store) {
    return Flux.range(0, MANY)
        .flatMap(number -> store.get(key(number)).materialize(), MANY)
        .collectList();
  }

  private List<Signal<Bytes>> ended(Duration after, Mono<List<Signal<Bytes>>> reads) {
    Signal<List<Signal<Bytes>>> all = time.after(after, reads);
    assertThat(all).as("all reads have ended").isNotNull();
    List<Signal<Bytes>> ends = all.get();
    assertThat(ends).isNotNull().hasSize(MANY);
    return ends;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 50, 500, 1_500, 2_000, 2_500, 3_000, 3_100})
  void many_reads_survive_a_restart_of_three_seconds(long down) {
    server.isDown(0, down);
    List<Signal<Bytes>> ends = ended(Duration.ofMillis(3_200), readMany(retrying(OPTIONS)));
    assertThat(ends).allMatch(end -> VALUE.equals(end.get()));
    assertThat(server.requests).as("one probes for all").hasSizeLessThan(2 * MANY + PROBES);
  }

  @ParameterizedTest
  @ValueSource(longs = {1_010, 3_000, 5_000, 7_200})
  void many_reads_of_a_server_that_has_answered_survive_a_restart_of_six_seconds(long back) {
    Store store = retrying(OPTIONS);
    assertThat(time.after(Duration.ofSeconds(1), store.get(key(0)))).isNotNull();
    server.isDown(0, back);
    assertThat(ended(Duration.ofMillis(6_300), readMany(store)))
        .allMatch(end -> VALUE.equals(end.get()));
    assertThat(server.requests).hasSizeLessThan(2 * MANY + 2 * PROBES);
  }

  @Test
  void a_server_that_has_answered_and_stays_down_ends_each_read_after_six_seconds() {
    Store store = retrying(OPTIONS);
    assertThat(time.after(Duration.ofSeconds(1), store.get(key(0)))).isNotNull();
    server.isDown(0, Long.MAX_VALUE);
    Mono<List<Signal<Bytes>>> reads = readMany(store);
    assertThat(time.after(Duration.ofMillis(6_199), reads)).isNull();
    assertThat(ended(Duration.ofMillis(6_200), readMany(store)))
        .allMatch(end -> end.getThrowable() instanceof TransientStoreException);
  }

  @Test
  void a_server_that_stays_down_ends_each_read_after_three_seconds_with_its_own_error() {
    server.isDown(0, Long.MAX_VALUE);
    Mono<List<Signal<Bytes>>> reads = readMany(retrying(OPTIONS));
    assertThat(time.after(Duration.ofMillis(3_099), reads)).isNull();
    long before = server.requests.size();
    assertThat(before).isBetween((long) MANY + 5, (long) MANY + PROBES);
    server.requests.clear();
    List<Signal<Bytes>> ends = ended(Duration.ofMillis(3_100), readMany(retrying(OPTIONS)));
    assertThat(ends)
        .allMatch(end -> end.getThrowable() instanceof TransientStoreException)
        .extracting(end -> ((StoreException) end.getThrowable()).location().storeKey())
        .containsExactlyInAnyOrderElementsOf(
            Flux.range(0, MANY).map(number -> key(number).value()).collectList().block());
    assertThat(server.requests.get(server.requests.size() - 1) - server.requests.get(0))
        .as("the last probe comes at the end of the patience")
        .isEqualTo(3_100);
  }

  @Test
  void one_read_alone_probes_with_back_offs_that_grow() {
    server.isDown(0, Long.MAX_VALUE);
    assertThat(time.after(Duration.ofMillis(3_100), retrying(OPTIONS).get(key(0)))).isNotNull();
    assertThat(server.requests).hasSizeBetween(6, PROBES);
    assertThat(server.requests.get(1)).isBetween(50L, 100L);
    for (int i = 1; i < server.requests.size(); i++) {
      assertThat(server.requests.get(i) - server.requests.get(i - 1)).isLessThanOrEqualTo(516);
    }
  }

  @Test
  void requests_that_wait_for_a_probe_cost_no_budget() {
    server.isDown(0, 2_000);
    Store store = retrying(OPTIONS.withBudget(PROBES));
    assertThat(ended(Duration.ofSeconds(3), readMany(store)))
        .allMatch(end -> VALUE.equals(end.get()));
  }

  @Test
  void an_empty_budget_ends_all_waiting_requests() {
    server.isDown(0, 2_000);
    Store store = retrying(OPTIONS.withBudget(2));
    assertThat(ended(Duration.ofMillis(400), readMany(store)))
        .allMatch(end -> end.getThrowable() instanceof TransientStoreException);
    assertThat(server.requests).hasSize(MANY + 2);
  }

  @Test
  void without_retries_a_refusal_is_an_error_at_once() {
    server.isDown(0, 2_000);
    assertThat(ended(Duration.ZERO, readMany(retrying(OPTIONS.withAttempts(1)))))
        .allMatch(end -> end.getThrowable() instanceof TransientStoreException);
    assertThat(server.requests).hasSize(MANY);
  }

  @Test
  void a_second_outage_has_a_patience_of_its_own() {
    server.errors =
        now -> now < 3_000 || (now >= 5_000 && now < 8_000) ? new ConnectException(REFUSED) : null;
    Store store = retrying(OPTIONS);
    assertThat(ended(Duration.ofSeconds(5), readMany(store)))
        .allMatch(end -> VALUE.equals(end.get()));
    assertThat(ended(Duration.ofSeconds(4), readMany(store)))
        .allMatch(end -> VALUE.equals(end.get()));
  }

  @Test
  void the_next_one_probes_where_the_first_has_left() {
    server.isDown(0, 1_000);
    Store store = retrying(OPTIONS);
    Disposable first = store.get(key(0)).subscribe();
    Mono<Bytes> second = store.get(key(1));
    assertThat(time.after(Duration.ofMillis(20), second)).isNull();
    AtomicReference<Bytes> third = new AtomicReference<>();
    store.get(key(2)).subscribe(third::set);
    first.dispose(); // in its back-off
    time.pass(Duration.ofMillis(2_000));
    assertThat(third.get()).isEqualTo(VALUE);
  }

  @Test
  void the_next_one_probes_where_the_probe_is_cancelled() {
    server.isDown(0, 1);
    server.takes = Duration.ofMillis(200);
    Store store = retrying(OPTIONS);
    Disposable first = store.get(key(0)).subscribe();
    AtomicReference<Bytes> second = new AtomicReference<>();
    store.get(key(1)).subscribe(second::set);
    time.pass(Duration.ofMillis(100)); // the probe has begun, and is not answered yet
    assertThat(server.requests).hasSize(3);
    first.dispose();
    time.pass(Duration.ofMillis(100 + 2 * 200));
    assertThat(second.get()).isEqualTo(VALUE);
  }

  @Test
  void no_one_waits_for_a_probe_that_the_server_answers_slowly() {
    server.isDown(0, 1);
    Store store = retrying(OPTIONS);
    AtomicReference<Signal<Bytes>> first = new AtomicReference<>();
    store.get(key(0)).materialize().subscribe(first::set);
    AtomicReference<Bytes> second = new AtomicReference<>();
    store.get(key(1)).subscribe(second::set);
    server.takes = Duration.ofSeconds(20);
    time.pass(Duration.ofMillis(100)); // the probe has begun
    assertThat(server.requests).hasSize(3);
    server.takes = Duration.ofMillis(1);
    time.pass(Duration.ofMillis(520));
    assertThat(second.get()).as("the other one has gone on").isEqualTo(VALUE);
    assertThat(first.get()).as("the probe is under way").isNull();
  }

  @Test
  void a_probe_that_fails_otherwise_lets_the_others_go_on() {
    server.errors =
        now -> now < 1 ? new ConnectException(REFUSED) : now < 200 ? new IOException("503") : null;
    assertThat(ended(Duration.ofSeconds(2), readMany(retrying(OPTIONS.withBudget(10 * MANY)))))
        .allMatch(end -> VALUE.equals(end.get()));
  }

  @Test
  void a_server_that_accepts_one_connection_now_and_then_is_given_up() {
    long[] accepted = {0};
    server.errors =
        now -> {
          boolean isRefused = now - accepted[0] < 20;
          accepted[0] = isRefused ? accepted[0] : now;
          return isRefused ? new ConnectException(REFUSED) : null;
        };
    List<Signal<Bytes>> ends = ended(Duration.ofSeconds(2), readMany(retrying(OPTIONS)));
    assertThat(ends).filteredOn(end -> VALUE.equals(end.get())).hasSize(OPTIONS.attempts());
    assertThat(server.requests).hasSizeLessThan(MANY * (OPTIONS.attempts() + 1) + PROBES);
  }

  @Test
  void writes_and_listings_wait_too() {
    server.isDown(0, 2_000);
    Store store = retrying(OPTIONS);
    AtomicReference<List<StoreKey>> listed = new AtomicReference<>();
    store.list().collectList().subscribe(listed::set);
    Signal<Void> written = time.after(Duration.ofSeconds(3), store.set(key(0), Bytes.EMPTY));
    assertThat(written).isNotNull().matches(Signal::isOnComplete);
    assertThat(listed.get()).hasSize(MANY);
  }

  @Test
  void connections_that_are_lost_together_are_paid_once() {
    server.takes = Duration.ofMillis(10);
    server.errors = now -> now < 1 ? new IOException("Connection reset by peer") : null;
    assertThat(ended(Duration.ofSeconds(1), readMany(retrying(OPTIONS.withBudget(1)))))
        .allMatch(end -> VALUE.equals(end.get()));
  }

  @Test
  void a_server_that_dies_under_requests_and_comes_back_is_read_on() {
    server.takes = Duration.ofMillis(10);
    server.errors =
        now ->
            now < 1
                ? new IOException("Connection prematurely closed DURING response")
                : now < 2_000 ? new ConnectException(REFUSED) : null;
    assertThat(ended(Duration.ofSeconds(4), readMany(retrying(OPTIONS))))
        .allMatch(end -> VALUE.equals(end.get()));
  }

  @Test
  void each_further_loss_is_paid() {
    server.takes = Duration.ofMillis(10);
    server.errors = now -> new IOException("Connection reset by peer");
    Store store = retrying(OPTIONS.withBudget(2));
    assertThat(time.after(Duration.ofMinutes(2), store.get(key(0)))).isNotNull();
    assertThat(server.requests).hasSize(3);
  }

  @Test
  void an_observer_hears_of_each_retry() {
    server.isDown(0, 1_000);
    List<StoreRetry> retries = new ArrayList<>();
    Store store =
        Stores.observed(
            retrying(OPTIONS),
            new StoreObserver() {
              @Override
              public void onRetry(StoreRetry retry) {
                retries.add(retry);
              }
            });
    assertThat(ended(Duration.ofSeconds(2), readMany(store)))
        .allMatch(end -> VALUE.equals(end.get()));
    assertThat(retries).hasSize(server.requests.size() - MANY);
    assertThat(retries.get(0).backoff()).isBetween(Duration.ofMillis(50), Duration.ofMillis(100));
    assertThat(retries.get(retries.size() - 1).attempt()).isEqualTo(2);
    assertThat(retries.get(retries.size() - 1).backoff())
        .isBetween(Duration.ofMillis(1_000), Duration.ofMillis(1_516));
  }
}
