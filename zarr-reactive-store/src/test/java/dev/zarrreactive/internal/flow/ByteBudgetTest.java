package dev.zarrreactive.internal.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.error.MemoryExhaustedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.scheduler.VirtualTimeScheduler;

/** Who gets bytes, when, and who waits for whom. */
class ByteBudgetTest {
  private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
  private final ByteBudget budget = new ByteBudget(100, time);

  private static boolean isGranted(ByteBudget.Lease lease) {
    return lease.grant().thenReturn(true).as(ByteBudgetTest::now);
  }

  private static boolean now(Mono<Boolean> granted) {
    boolean[] seen = new boolean[1];
    granted.subscribe(value -> seen[0] = value).dispose();
    return seen[0];
  }

  @Test
  void within_an_operation_leases_are_granted_in_the_order_in_which_they_were_made() {
    ByteBudget.Share share = budget.share();
    ByteBudget.Lease first = share.lease(70);
    ByteBudget.Lease large = share.lease(60);
    ByteBudget.Lease small = share.lease(1);
    assertThat(isGranted(first)).isTrue();
    assertThat(isGranted(large)).isFalse();
    assertThat(isGranted(small)).isFalse();
    first.end();
    assertThat(isGranted(large)).isTrue();
    assertThat(isGranted(small)).isTrue();
    assertThat(budget.held()).isEqualTo(61);
  }

  @Test
  void an_operation_that_holds_bytes_leaves_a_quarter_to_the_others() {
    ByteBudget.Share greedy = budget.share();
    List<ByteBudget.Lease> leases = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      leases.add(greedy.lease(10));
    }
    assertThat(leases.stream().filter(ByteBudgetTest::isGranted)).hasSize(7);
    ByteBudget.Lease other = budget.share().lease(20);
    assertThat(isGranted(other)).isTrue();
    assertThat(budget.held()).isEqualTo(90);
  }

  @Test
  void what_is_larger_than_the_budget_is_granted_alone_and_the_others_wait_for_it() {
    ByteBudget.Share others = budget.share();
    ByteBudget.Lease before = others.lease(1);
    ByteBudget.Lease large = budget.share().lease(1_000);
    ByteBudget.Lease after = budget.share().lease(1);
    assertThat(isGranted(large)).isFalse();
    assertThat(isGranted(after)).isFalse();
    before.end();
    assertThat(isGranted(large)).isTrue();
    assertThat(isGranted(after)).isFalse();
    large.giveBack(950); // 50 are left of it
    assertThat(isGranted(after)).isTrue();
    large.end();
    assertThat(budget.held()).isEqualTo(1);
  }

  @Test
  void operations_take_turns() {
    ByteBudget.Lease all = budget.share().lease(100);
    ByteBudget.Share first = budget.share();
    ByteBudget.Share second = budget.share();
    ByteBudget.Lease first1 = first.lease(30);
    ByteBudget.Lease first2 = first.lease(30);
    ByteBudget.Lease second1 = second.lease(30);
    all.end();
    assertThat(isGranted(first1)).isTrue();
    assertThat(isGranted(second1)).isTrue();
    assertThat(isGranted(first2)).isFalse();
  }

  @Test
  void an_operation_that_ends_gives_everything_back_and_leaves_the_line() {
    ByteBudget.Share over = budget.share();
    ByteBudget.Lease held = over.lease(90);
    ByteBudget.Lease waiting = over.lease(90);
    ByteBudget.Lease other = budget.share().lease(80);
    over.close();
    assertThat(isGranted(other)).isTrue();
    held.giveBack(10); // too late: it is given back already
    held.end();
    waiting.end();
    assertThat(budget.held()).isEqualTo(80);
    assertThat(isGranted(over.lease(1))).isFalse();
    other.end();
    assertThat(budget.held()).isZero();
  }

  @Test
  void after_a_standstill_an_operation_without_a_lease_may_exceed_the_bound() {
    ByteBudget.Share stalled = budget.share();
    ByteBudget.Lease all = stalled.lease(100);
    ByteBudget.Lease more = stalled.lease(1);
    ByteBudget.Share other = budget.share();
    ByteBudget.Lease first = other.lease(60);
    ByteBudget.Lease second = other.lease(60);
    time.advanceTimeBy(Duration.ofMillis(900));
    assertThat(isGranted(first)).isFalse();
    time.advanceTimeBy(Duration.ofMillis(2_100));
    assertThat(isGranted(first)).isTrue();
    assertThat(budget.held()).isEqualTo(160);
    time.advanceTimeBy(Duration.ofSeconds(10));
    assertThat(isGranted(second)).as("who holds something waits").isFalse();
    assertThat(isGranted(more)).isFalse();
    all.end();
    assertThat(isGranted(more)).isTrue();
    first.end();
    assertThat(isGranted(second)).isTrue();
  }

  @Test
  void lasting_leases_leave_room_for_the_largest_of_the_others() {
    ByteBudget.Share first = budget.share();
    ByteBudget.Lease gathering = first.lastingLease(25, 50);
    ByteBudget.Lease second = budget.share().lastingLease(25, 30);
    ByteBudget.Lease third = budget.share().lastingLease(25, 30);
    assertThat(isGranted(gathering)).isTrue();
    assertThat(isGranted(second)).isTrue();
    assertThat(isGranted(third)).as("50 bytes are promised to the first").isFalse();
    ByteBudget.Lease chunk = budget.share().lease(50);
    assertThat(isGranted(chunk)).as("passes the one that waits for an end").isTrue();
    assertThat(isGranted(third)).isFalse();
    first.close();
    assertThat(isGranted(third)).isTrue();
  }

  @Test
  void operations_with_lasting_leases_never_wait_for_the_time() {
    Random random = new Random(7);
    List<Gathering> running = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      running.add(new Gathering(random.nextInt(40), random.nextInt(120)));
    }
    while (!running.isEmpty()) {
      long steps = running.stream().filter(Gathering::step).count();
      assertThat(steps).as("operations that got on").isPositive();
      assertThat(budget.held()).isBetween(0L, 100L);
      running.removeIf(Gathering::hasEnded);
    }
  }

  /** An operation that gathers, and has up to three chunks in writing at a time. */
  private final class Gathering {
    private final ByteBudget.Share gathering = budget.share();
    private final ByteBudget.Share writing = budget.share();
    private final long chunk;
    private final ByteBudget.Lease lasting;
    private final List<ByteBudget.Lease> chunks = new ArrayList<>();
    private int left = 20;

    Gathering(long bytes, long chunk) {
      this.chunk = chunk;
      this.lasting = gathering.lastingLease(Math.max(0, Math.min(bytes, 100 - chunk)), chunk);
    }

    /** Returns true if the operation got on. */
    boolean step() {
      if (!isGranted(lasting) || hasEnded()) {
        return false;
      }
      while (chunks.size() < 3) {
        chunks.add(writing.lease(chunk));
      }
      if (!isGranted(chunks.get(0))) {
        return false;
      }
      chunks.remove(0).end();
      if (--left == 0) {
        writing.close();
        gathering.close();
      }
      return true;
    }

    boolean hasEnded() {
      return left == 0;
    }
  }

  @Test
  void independent_operations_go_beyond_the_bound_by_a_quarter_at_most() {
    ByteBudget service = new ByteBudget(100, time, true);
    List<ByteBudget.Lease> stopped = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      stopped.add(service.share().lease(10));
    }
    time.advanceTimeBy(Duration.ofHours(1));
    assertThat(service.held()).isEqualTo(120);
    ByteBudget.Lease waiting = stopped.get(12);
    assertThat(isGranted(waiting)).isFalse();
    for (ByteBudget.Lease lease : stopped.subList(0, 3)) {
      lease.end();
    }
    assertThat(isGranted(waiting)).as("the bound has room again").isTrue();
    assertThat(service.held()).isEqualTo(100);
  }

  @Test
  void one_lease_that_is_larger_than_the_quarter_goes_beyond_the_bound() {
    ByteBudget service = new ByteBudget(100, time, true);
    assertThat(isGranted(service.share().lease(80))).isTrue();
    ByteBudget.Lease large = service.share().lease(70);
    ByteBudget.Lease other = service.share().lease(1);
    time.advanceTimeBy(Duration.ofHours(1));
    assertThat(isGranted(large)).isTrue();
    assertThat(isGranted(other)).isFalse();
  }

  @Test
  void the_excess_ends_at_a_quarter_and_what_waits_beyond_it_is_refused_by_name() {
    List<ByteBudget.Lease> stopped = new ArrayList<>();
    List<Throwable> errors = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      ByteBudget.Lease lease = budget.share().lease(10);
      stopped.add(lease);
      lease.grant().subscribe(any -> {}, errors::add);
    }
    time.advanceTimeBy(Duration.ofSeconds(59));
    assertThat(budget.held()).isEqualTo(120);
    assertThat(errors).as("they wait for a minute").isEmpty();
    time.advanceTimeBy(Duration.ofMinutes(1));
    assertThat(budget.held()).isEqualTo(120);
    assertThat(errors)
        .hasSize(400 - 12)
        .allSatisfy(
            error ->
                assertThat(error)
                    .isInstanceOf(MemoryExhaustedException.class)
                    .hasMessageContaining("hold 120 bytes, of at most 100 in flight")
                    .hasMessageContaining("ZarrOptions.withMaxInFlightBytes"));
    stopped.subList(0, 12).forEach(ByteBudget.Lease::end);
    assertThat(isGranted(budget.share().lease(100))).isTrue();
  }

  @Test
  void while_anything_moves_nothing_is_refused() {
    List<Throwable> errors = new ArrayList<>();
    ByteBudget.Lease slow = budget.share().lease(100);
    budget.share().lease(30);
    ByteBudget.Lease waiting = budget.share().lease(40);
    waiting.grant().subscribe(any -> {}, errors::add);
    for (int i = 0; i < 100; i++) {
      time.advanceTimeBy(Duration.ofSeconds(50));
      slow.progress();
    }
    assertThat(errors).isEmpty();
    slow.end();
    assertThat(isGranted(waiting)).isTrue();
  }

  @Test
  void a_refusal_that_frees_bytes_spares_the_others() {
    ByteBudget.Share outer = budget.share();
    outer.lease(100);
    budget.share().lease(30);
    List<Throwable> errors = new ArrayList<>();
    ByteBudget.Lease inner = budget.share().lease(40);
    inner
        .grant()
        .subscribe(
            any -> {},
            error -> {
              errors.add(error);
              outer.close();
            });
    ByteBudget.Lease other = budget.share().lease(50);
    other.grant().subscribe(any -> {}, errors::add);
    time.advanceTimeBy(Duration.ofMinutes(3));
    assertThat(errors).hasSize(1);
    assertThat(isGranted(other)).isTrue();
    assertThat(budget.held()).as("the outer operation has ended").isEqualTo(80);
  }

  @Test
  void a_stream_without_demand_waits_for_no_bytes_and_lets_others_pass() {
    budget.share().lease(90);
    ByteBudget.Share paused = budget.share();
    BaseSubscriber<Integer> subscriber =
        new BaseSubscriber<>() {
          @Override
          protected void hookOnSubscribe(Subscription subscription) {
            request(1);
          }
        };
    Sinks.Many<Integer> stream = Sinks.many().unicast().onBackpressureBuffer();
    paused.onDemand(stream.asFlux()).subscribe(subscriber);
    List<Throwable> errors = new ArrayList<>();
    ByteBudget.Lease ahead = paused.lease(30);
    ahead.grant().subscribe(any -> {}, errors::add);
    ByteBudget.Lease small = budget.share().lease(10);
    assertThat(isGranted(small)).as("waits for the stream, which is demanded").isFalse();
    stream.tryEmitNext(1);
    assertThat(isGranted(small)).isTrue();
    time.advanceTimeBy(Duration.ofHours(1));
    assertThat(isGranted(ahead)).isFalse();
    assertThat(errors).isEmpty();
    subscriber.request(1);
    time.advanceTimeBy(Duration.ofSeconds(2));
    assertThat(isGranted(ahead)).as("demanded, it exceeds the bound").isTrue();
  }

  @Test
  void a_demand_after_a_long_pause_waits_like_any_other() {
    budget.share().lease(100);
    budget.share().lease(25);
    time.advanceTimeBy(Duration.ofHours(1));
    assertThat(budget.held()).isEqualTo(125);
    ByteBudget.Share paused = budget.share();
    BaseSubscriber<Integer> subscriber =
        new BaseSubscriber<>() {
          @Override
          protected void hookOnSubscribe(Subscription subscription) {
            // asks later
          }
        };
    paused.onDemand(Flux.<Integer>never()).subscribe(subscriber);
    List<Throwable> errors = new ArrayList<>();
    paused.lease(20).grant().subscribe(any -> {}, errors::add);
    time.advanceTimeBy(Duration.ofHours(1));
    assertThat(errors).isEmpty();
    subscriber.request(1);
    time.advanceTimeBy(Duration.ofSeconds(58));
    assertThat(errors).isEmpty();
    time.advanceTimeBy(Duration.ofSeconds(5));
    assertThat(errors).hasSize(1);
  }

  @Test
  void independent_operations_are_never_refused() {
    ByteBudget service = new ByteBudget(100, time, true);
    service.share().lease(100);
    service.share().lease(30);
    List<Throwable> errors = new ArrayList<>();
    service.share().lease(40).grant().subscribe(any -> {}, errors::add);
    time.advanceTimeBy(Duration.ofHours(1));
    assertThat(errors).isEmpty();
  }

  @Test
  void a_small_operation_passes_large_ones_in_a_reserve_of_a_quarter() {
    ByteBudget service = ByteBudget.ofService(100, time, null);
    for (int i = 0; i < 20; i++) {
      service.share().lease(10);
    }
    assertThat(service.held()).as("large ones leave the reserve free").isEqualTo(70);
    ByteBudget.Lease first = service.share(true).lease(15);
    ByteBudget.Lease second = service.share(true).lease(15);
    assertThat(isGranted(first)).isTrue();
    assertThat(isGranted(second)).as("the reserve has no room").isFalse();
    first.giveBack(10);
    assertThat(isGranted(second)).isTrue();
    assertThat(service.held()).isEqualTo(90);
    time.advanceTimeBy(Duration.ofHours(1));
    assertThat(service.held()).as("with the excess of large ones").isBetween(110L, 125L);
    assertThat(isGranted(service.share(true).lease(5))).isTrue();
  }

  @Test
  void a_reserve_is_whole_again_when_small_operations_have_ended() {
    ByteBudget service = ByteBudget.ofService(100, time, null);
    service.share().lease(75);
    for (int i = 0; i < 10; i++) {
      ByteBudget.Share closed = service.share(true);
      assertThat(isGranted(closed.lease(25))).isTrue();
      closed.close();
      ByteBudget.Lease ended = service.share(true).lease(25);
      assertThat(isGranted(ended)).isTrue();
      ended.end();
    }
    assertThat(service.held()).isEqualTo(75);
  }

  @Test
  void a_large_operation_is_no_longer_than_the_bytes_beside_the_reserve() {
    ByteBudget service = ByteBudget.ofService(100, time, null);
    ByteBudget.Lease large = service.share().lease(1_000);
    assertThat(isGranted(large)).isTrue();
    assertThat(service.held()).isEqualTo(75);
    large.giveBack(990);
    assertThat(service.held()).isEqualTo(10);
  }

  @Test
  void who_waits_for_the_first_bytes_as_long_as_allowed_is_refused() {
    ByteBudget service = ByteBudget.ofService(100, time, Duration.ofSeconds(10));
    ByteBudget.Share holder = service.share();
    ByteBudget.Lease whole = holder.lease(75);
    service.share().lease(75); // goes beyond the bound after a second
    List<Throwable> errors = new ArrayList<>();
    holder.lease(40).grant().subscribe(any -> {}, errors::add);
    service.share().lease(40).grant().subscribe(any -> {}, errors::add);
    ByteBudget.Lease gone = service.share().lease(40);
    gone.grant().subscribe(any -> {}, errors::add);
    gone.end();
    time.advanceTimeBy(Duration.ofMillis(9_999));
    assertThat(errors).isEmpty();
    time.advanceTimeBy(Duration.ofMillis(1));
    assertThat(errors)
        .as("the holder has begun, and waits on")
        .singleElement()
        .satisfies(
            error ->
                assertThat(error)
                    .isInstanceOf(MemoryExhaustedException.class)
                    .hasMessageContaining("no room for 40 bytes in 10 s")
                    .hasMessageContaining("ZarrOptions.withMaxWait"));
    time.advanceTimeBy(Duration.ofHours(1));
    assertThat(errors).hasSize(1);
    whole.end();
    assertThat(service.held()).isLessThanOrEqualTo(115);
  }

  @Test
  void every_lease_is_released_whatever_happens() {
    Random random = new Random(5);
    List<ByteBudget.Share> shares = new ArrayList<>();
    List<ByteBudget.Lease> leases = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      shares.add(budget.share());
    }
    for (int i = 0; i < 20_000; i++) {
      int what = random.nextInt(10);
      if (what < 5) {
        leases.add(shares.get(random.nextInt(5)).lease(random.nextInt(60)));
      } else if (what < 7 && !leases.isEmpty()) {
        leases.get(random.nextInt(leases.size())).giveBack(random.nextInt(30));
      } else if (what < 9 && !leases.isEmpty()) {
        leases.remove(random.nextInt(leases.size())).end();
      } else if (random.nextInt(50) == 0) {
        int over = random.nextInt(5);
        shares.get(over).close();
        shares.set(over, budget.share());
      }
      assertThat(budget.held()).isBetween(0L, 100L);
    }
    leases.forEach(ByteBudget.Lease::end);
    shares.forEach(ByteBudget.Share::close);
    assertThat(budget.held()).isZero();
  }
}
