package dev.zarrreactive.store.decorator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.Store;
import java.net.ConnectException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Signal;
import reactor.test.scheduler.VirtualTimeScheduler;
import reactor.util.retry.Retry;

/** A limit that finds what a server takes, in virtual time. */
class AdaptiveLimitTest {
  private static final Duration LATENCY = Duration.ofMillis(50);
  private static final StoreKey KEY = StoreKey.of("c/0");

  private final VirtualTimeScheduler time = VirtualTimeScheduler.getOrSet();
  private final SimulatedServer server = new SimulatedServer(time, LATENCY, Duration.ZERO);
  private final RequestLimit limit =
      RequestLimit.adaptive(256, () -> time.now(TimeUnit.NANOSECONDS));
  private final Store limited = Stores.limited(server, limit);

  @AfterEach
  void realTime() {
    VirtualTimeScheduler.reset();
  }

  @Test
  void a_server_that_takes_sixteen_at_a_time_is_found_with_few_refusals() {
    for (boolean atOnce : List.of(false, true)) {
      server.refused.set(0);
      server.capacity = 16;
      server.refusesAtOnce = atOnce;
      assertThat(finished(256, 256, Duration.ofSeconds(2))).isEqualTo(256);
      assertThat(server.refused.get()).isLessThanOrEqualTo(16);
      assertThat(limit.current()).isBetween(10, 17);
    }
  }

  @Test
  void requests_to_a_server_that_takes_sixteen_hardly_take_longer_than_by_sixteen() {
    for (boolean atOnce : List.of(false, true)) {
      SimulatedServer fresh = new SimulatedServer(time, LATENCY, Duration.ZERO);
      fresh.capacity = 16;
      fresh.refusesAtOnce = atOnce;
      Store store = Stores.limited(fresh, newLimit());
      Duration floor = LATENCY.multipliedBy(256 / 16);
      assertThat(finished(store, 256, 64, floor.plus(LATENCY.multipliedBy(2)))).isEqualTo(256);
      assertThat(fresh.refused.get()).isLessThanOrEqualTo(16);
    }
  }

  @Test
  void a_server_without_limits_is_in_full_use_after_a_round_trip_or_two() {
    assertThat(finished(256, 256, LATENCY.multipliedBy(4))).isEqualTo(256);
    assertThat(server.mostInFlight.get()).isGreaterThan(64);
    Store sixtyFour = Stores.limited(server, newLimit());
    assertThat(finished(sixtyFour, 256, 64, LATENCY.multipliedBy(5))).isEqualTo(256);
  }

  @Test
  void sixty_four_at_a_time_take_no_more_than_two_round_trips_longer_than_without_a_limit() {
    assertThat(finished(512, 64, LATENCY.multipliedBy(8 + 1))).isEqualTo(512);
    Store one = Stores.limited(server, newLimit());
    assertThat(finished(one, 64, 64, LATENCY.multipliedBy(1 + 1))).isEqualTo(64);
    Store bounded = // as a store with 64 connections has it
        Stores.limited(server, RequestLimit.adaptive(64, () -> time.now(TimeUnit.NANOSECONDS)));
    assertThat(finished(bounded, 512, 64, LATENCY.multipliedBy(8 + 1))).isEqualTo(512);
  }

  /** A connection costs two round trips before the first request over it. */
  @Test
  void requests_that_open_connections_do_not_keep_the_limit_from_growing() {
    AtomicInteger idle = new AtomicInteger();
    Store connecting =
        new DelegatingStore(server) {
          @Override
          public Mono<Bytes> get(StoreKey key) {
            return Mono.defer(
                () -> {
                  boolean isOpen = idle.getAndUpdate(count -> Math.max(0, count - 1)) > 0;
                  Mono<Bytes> request = super.get(key).doOnTerminate(idle::incrementAndGet);
                  return isOpen ? request : Mono.delay(LATENCY.multipliedBy(2)).then(request);
                });
          }
        };
    RequestLimit grown = newLimit();
    Store store = Stores.limited(connecting, grown);
    Duration unlimited = LATENCY.multipliedBy(3 + 7);
    assertThat(finished(store, 1, 1, LATENCY.multipliedBy(3))).isEqualTo(1);
    assertThat(finished(store, 512, 64, unlimited.plus(LATENCY.multipliedBy(3)))).isEqualTo(512);
    assertThat(grown.current()).isGreaterThanOrEqualTo(64);
  }

  @Test
  void requests_that_overtake_each_other_are_refused_as_seldom() {
    for (int seed = 0; seed < 20; seed++) {
      SimulatedServer fresh = new SimulatedServer(time, LATENCY, Duration.ZERO);
      fresh.capacity = 16;
      fresh.refusesAtOnce = true;
      Random random = new Random(seed);
      Store overtaking =
          new DelegatingStore(fresh) {
            @Override
            public Mono<Bytes> get(StoreKey key) {
              return Mono.defer(
                  () -> Mono.delay(Duration.ofMillis(random.nextInt(20))).then(super.get(key)));
            }
          };
      RequestLimit found = newLimit();
      Store store = Stores.limited(overtaking, found);
      assertThat(finished(store, 1000, 64, LATENCY.multipliedBy(100))).isEqualTo(1000);
      assertThat(fresh.refused.get()).as("seed %d", seed).isLessThanOrEqualTo(16);
      assertThat(found.current()).isBetween(12, 17);
    }
  }

  /** One thread of the client sends and receives, six times as slowly at first as later. */
  @Test
  void a_server_that_takes_sixteen_refuses_few_requests_of_a_busy_client() {
    for (int costMicros : new int[] {100, 200, 400, 700, 1000, 1500, 3000}) {
      SimulatedServer fresh = new SimulatedServer(time, LATENCY, Duration.ZERO);
      fresh.capacity = 16;
      fresh.refusesAtOnce = true;
      Mono<Long> onTheThread = busyThread(costMicros);
      Store slow =
          new DelegatingStore(fresh) {
            @Override
            public Mono<Bytes> get(StoreKey key) {
              Mono<Signal<Bytes>> answer = onTheThread.then(super.get(key)).materialize();
              return answer.delayUntil(signal -> onTheThread).dematerialize();
            }
          };
      Store store = Stores.limited(slow, newLimit());
      assertThat(finished(store, 1000, 64, Duration.ofSeconds(60))).isEqualTo(1000);
      assertThat(fresh.refused.get()).as("at %d µs", costMicros).isLessThanOrEqualTo(16);
    }
  }

  /** One thread of the client receives, six times as slowly at first as later. */
  @Test
  void reads_of_sixty_four_take_one_round_trip_after_six_reads_of_a_busy_client() {
    for (int costMicros : new int[] {100, 200, 400, 700, 1000, 1500, 3000}) {
      Mono<Long> onTheThread = busyThread(costMicros);
      SimulatedServer fresh = new SimulatedServer(time, LATENCY, Duration.ZERO);
      Store slow =
          new DelegatingStore(fresh) {
            @Override
            public Mono<Bytes> get(StoreKey key) {
              Mono<Signal<Bytes>> answer = super.get(key).materialize();
              return answer.delayUntil(signal -> onTheThread).dematerialize();
            }
          };
      Store store = Stores.limited(slow, newLimit());
      for (int read = 0; read < 6; read++) {
        assertThat(finished(store, 64, 64, Duration.ofSeconds(3))).isEqualTo(64);
      }
      Duration oneRoundTrip = LATENCY.plus(Duration.of(64L * costMicros + 1, ChronoUnit.MICROS));
      assertThat(finished(store, 64, 64, oneRoundTrip)).as("at %d µs", costMicros).isEqualTo(64);
    }
  }

  @Test
  void the_limit_of_any_server_is_found_with_few_refusals() {
    for (int capacity : new int[] {6, 10, 23, 24, 25, 40, 64, 100}) {
      SimulatedServer fresh = new SimulatedServer(time, LATENCY, Duration.ZERO);
      fresh.capacity = capacity;
      RequestLimit found = newLimit();
      Store store = Stores.limited(fresh, found);
      Duration floor = LATENCY.multipliedBy(20);
      assertThat(finished(store, 20 * capacity, 256, floor.multipliedBy(5).dividedBy(4)))
          .isGreaterThan(19 * capacity);
      assertThat(found.current()).isBetween(capacity * 2 / 3, capacity + 2);
      assertThat(fresh.refused.get()).isLessThan(24 + capacity);
    }
  }

  @Test
  void what_was_refused_is_tried_less_and_less_often() {
    server.capacity = 16;
    finished(2000, 256, Duration.ofSeconds(9)); // no silence at the end
    server.refused.set(0);
    assertThat(finished(10_000, 256, Duration.ofSeconds(60))).isEqualTo(10_000);
    assertThat(server.refused.get()).isLessThan(20);
    assertThat(limit.current()).isBetween(12, 17);
  }

  @Test
  void the_limit_is_nearly_all_of_what_the_server_takes() {
    server.capacity = 16;
    finished(2000, 256, Duration.ofSeconds(60));
    Duration atBest = LATENCY.multipliedBy(3200 / 16);
    assertThat(finished(3200, 256, atBest.multipliedBy(115).dividedBy(100))).isEqualTo(3200);
  }

  @Test
  void a_server_that_refuses_nothing_gets_as_much_as_is_allowed() {
    assertThat(finished(2000, 2000, Duration.ofSeconds(2))).isEqualTo(2000);
    assertThat(limit.current()).isEqualTo(256);
    assertThat(server.mostInFlight.get()).isEqualTo(256);
  }

  @Test
  void a_line_that_is_full_gets_no_more_than_fills_it_a_few_times() {
    SimulatedServer narrow = new SimulatedServer(time, LATENCY, Duration.ofMillis(2)); // 25 fill it
    Store store = Stores.limited(narrow, limit);
    int asked = 20_000;
    assertThat(finished(store, asked, 256, Duration.ofMillis(asked * 2 + 3000))).isEqualTo(asked);
    assertThat(limit.current()).isBetween(25, 80);
    assertThat(narrow.mostInFlight.get()).isLessThan(100);
  }

  @Test
  void an_unused_limit_does_not_grow() {
    assertThat(finished(1000, 3, Duration.ofSeconds(60))).isEqualTo(1000);
    assertThat(limit.current()).isEqualTo(AdaptiveLimit.START);
  }

  @Test
  void a_server_that_comes_back_gets_its_share_again() {
    server.capacity = 64;
    finished(4000, 256, Duration.ofSeconds(60));
    assertThat(limit.current()).isBetween(48, 65);
    server.capacity = 0;
    assertThat(finished(1, 1, Duration.ofSeconds(5))).isZero();
    assertThat(limit.current()).isEqualTo(1);
    server.capacity = 64;
    finished(4000, 256, Duration.ofSeconds(20));
    assertThat(limit.current()).isBetween(40, 65);
  }

  @Test
  void a_server_that_takes_more_than_before_is_found_out() {
    server.capacity = 8;
    finished(2000, 256, Duration.ofSeconds(60));
    assertThat(limit.current()).isLessThan(10);
    server.capacity = 128;
    finished(10_000, 256, Duration.ofSeconds(60));
    assertThat(limit.current()).isBetween(80, 130);
  }

  @Test
  void after_a_silence_what_was_learnt_is_forgotten() {
    server.capacity = 0;
    finished(1, 1, Duration.ofSeconds(2));
    assertThat(limit.current()).isEqualTo(1);
    server.capacity = Integer.MAX_VALUE;
    time.advanceTimeBy(Duration.ofSeconds(11));
    finished(1, 1, Duration.ofSeconds(1));
    assertThat(limit.current()).isEqualTo(AdaptiveLimit.START);
    assertThat(limit.permits().available()).isEqualTo(AdaptiveLimit.START);
  }

  @Test
  void an_error_that_is_no_refusal_teaches_nothing() {
    failsWith(new AccessDeniedException("no", Location.ofKey(KEY.value())));
    assertThat(limit.current()).isEqualTo(AdaptiveLimit.START);
  }

  @Test
  void a_refused_connection_teaches_nothing() {
    Exception refused = new ConnectException("Connection refused: /127.0.0.1:9");
    failsWith(new TransientStoreException("refused", Location.ofKey(KEY.value()), refused));
    assertThat(limit.current()).isEqualTo(AdaptiveLimit.START);
  }

  @Test
  void after_refused_connections_the_limit_forgets_what_it_has_learnt() {
    server.capacity = 1;
    finished(40, 40, Duration.ofSeconds(2));
    assertThat(limit.current()).isLessThan(AdaptiveLimit.START);
    Exception refused = new ConnectException("Connection refused: /127.0.0.1:9");
    failsWith(new TransientStoreException("refused", Location.ofKey(KEY.value()), refused));
    assertThat(limit.current()).isLessThan(AdaptiveLimit.START);
    server.capacity = Integer.MAX_VALUE;
    finished(1, 1, Duration.ofSeconds(1));
    assertThat(limit.current()).isEqualTo(AdaptiveLimit.START);
    assertThat(limit.permits().available()).isEqualTo(AdaptiveLimit.START);
  }

  private void failsWith(StoreException error) {
    Store failing =
        Stores.limited(
            new DelegatingStore(server) {
              @Override
              public Mono<Bytes> get(StoreKey key) {
                return Mono.error(error);
              }
            },
            limit);
    for (int i = 0; i < 100; i++) {
      assertThatThrownBy(() -> failing.get(KEY).block()).isSameAs(error);
    }
  }

  @Test
  void subscribers_are_served_in_the_order_of_their_demand_while_the_limit_changes() {
    server.capacity = 16;
    server.refusesAtOnce = true;
    List<Integer> begun = new ArrayList<>();
    Store noting =
        Stores.limited(
            new DelegatingStore(server) {
              @Override
              public Mono<Bytes> get(StoreKey key) {
                return super.get(key).doOnSubscribe(s -> begun.add(Integer.valueOf(key.value())));
              }
            },
            limit);
    for (int i = 0; i < 500; i++) {
      noting.get(StoreKey.of("" + i)).onErrorComplete().subscribe();
    }
    time.advanceTimeBy(Duration.ofSeconds(60));
    assertThat(begun).hasSize(500).isSorted();
  }

  @Test
  void two_stores_share_one_limit() {
    RequestLimit two = RequestLimit.fixed(2);
    Store one = Stores.limited(server, two);
    Store other = Stores.limited(server, two);
    for (int i = 0; i < 5; i++) {
      one.get(KEY).subscribe();
      other.get(KEY).subscribe();
    }
    time.advanceTimeBy(Duration.ofSeconds(1));
    assertThat(server.mostInFlight).hasValue(2);
    assertThat(server.asked).hasValue(10);
    assertThat(two.current()).isEqualTo(2);
  }

  @Test
  void no_permit_is_lost_in_a_thousand_cancels() {
    server.capacity = 16;
    Random random = new Random(11);
    List<Disposable> requests = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      requests.add(limited.get(KEY).onErrorComplete().subscribe());
      requests.add(limited.list().onErrorComplete().subscribe());
      time.advanceTimeBy(Duration.ofMillis(random.nextInt(4)));
      requests.remove(random.nextInt(requests.size())).dispose();
    }
    requests.forEach(Disposable::dispose);
    assertThat(server.inFlight).hasValue(0);
    assertThat(limit.permits().waiting()).isZero();
    assertThat(limit.permits().available()).isEqualTo(limit.current());
    assertThat(finished(256, 256, Duration.ofSeconds(5))).isEqualTo(256);
  }

  @Test
  void a_limit_lets_something_through() {
    assertThatThrownBy(() -> RequestLimit.fixed(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> RequestLimit.adaptive(0)).isInstanceOf(IllegalArgumentException.class);
    assertThat(RequestLimit.adaptive(1).current()).isEqualTo(1);
    assertThat(limited)
        .hasToString("LimitedStore[" + AdaptiveLimit.START + " requests now, SimulatedServer]");
  }

  /** A thread that a step occupies, six times as long at first as later. */
  private Mono<Long> busyThread(int costMicros) {
    AtomicLong freeAt = new AtomicLong();
    AtomicInteger steps = new AtomicInteger();
    return Mono.defer(
        () -> {
          long now = time.now(TimeUnit.MICROSECONDS);
          double cold = Math.max(1, 6 - steps.getAndIncrement() / 60.0);
          long begins = Math.max(now, freeAt.get());
          freeAt.set(begins + (long) (cold * costMicros));
          return Mono.delay(Duration.of(freeAt.get() - now, ChronoUnit.MICROS));
        });
  }

  private RequestLimit newLimit() {
    return RequestLimit.adaptive(256, () -> time.now(TimeUnit.NANOSECONDS));
  }

  private int finished(int requests, int atATime, Duration within) {
    return finished(limited, requests, atATime, within);
  }

  /** How many of {@code requests}, repeated 100 ms after a refusal, are answered in time. */
  private int finished(Store store, int requests, int atATime, Duration within) {
    AtomicInteger answered = new AtomicInteger();
    Disposable all =
        Flux.range(0, requests)
            .flatMap(
                i ->
                    store
                        .get(KEY)
                        .retryWhen(Retry.fixedDelay(Long.MAX_VALUE, Duration.ofMillis(100))),
                atATime)
            .subscribe(value -> answered.incrementAndGet());
    time.advanceTimeBy(within);
    all.dispose();
    return answered.get();
  }
}
