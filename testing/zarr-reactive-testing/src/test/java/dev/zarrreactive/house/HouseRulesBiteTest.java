package dev.zarrreactive.house;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** A rule that cannot be broken proves nothing: each offender below breaks one. */
class HouseRulesBiteTest {

  static final class Subscribes {
    void now(Flux<String> keys) {
      keys.subscribe();
    }
  }

  static final class BlocksByMethodReference {
    Function<Mono<String>, String> now() {
      return Mono::block;
    }
  }

  static final class RunsPartsBare {
    Flux<Integer> lengths(Flux<String> keys) {
      return keys.flatMap(key -> Mono.just(key.length()), 4);
    }
  }

  static final class SharesAScheduler {
    Scheduler codecs() {
      return Schedulers.parallel();
    }
  }

  static final class WaitsOnASharedScheduler {
    Mono<Long> later() {
      return Mono.delay(Duration.ofSeconds(1));
    }
  }

  static final class WaitsOnItsOwnScheduler {
    Mono<Long> later(Scheduler own) {
      return Mono.delay(Duration.ofSeconds(1), own);
    }
  }

  static final class OwnsItsScheduler {
    Scheduler codecs() {
      return Schedulers.newParallel("codec", 1, true);
    }
  }

  static final class JoinsAnArray {
    Flux<Integer> joined(Flux<Integer> first, Flux<Integer> second) {
      return Flux.concat(first, second);
    }
  }

  static final class GoesOnWithMany {
    Flux<Integer> joined(Mono<Void> first, Flux<Integer> second) {
      return first.thenMany(second);
    }
  }

  static final class JoinsAList {
    Flux<Integer> joined(Flux<Integer> first, Flux<Integer> second) {
      return Flux.concat(List.of(first, second));
    }
  }

  static final class Prints {
    void now() {
      System.out.println("printed by a library");
    }
  }

  static final class EmitsInABlock {
    private final Sinks.Empty<Void> end = Sinks.empty();

    int now(int count) {
      synchronized (end) {
        if (count > 3) {
          return count;
        }
        end.tryEmitEmpty();
      }
      return 0;
    }
  }

  static final class EmitsFurtherDown {
    private final Sinks.Empty<Void> end = Sinks.empty();

    synchronized void now() {
      List.of(1, 2).forEach(each -> told());
    }

    private void told() {
      end.tryEmitEmpty();
    }
  }

  static final class EmitsUnderAnEntry {
    private final Map<String, Sinks.Empty<Void>> ends = new ConcurrentHashMap<>();

    void now(String key) {
      ends.computeIfPresent(
          key,
          (name, end) -> {
            end.tryEmitEmpty();
            return end;
          });
    }
  }

  static final class EmitsBehindTheLock {
    private final Sinks.Empty<Void> end = Sinks.empty();
    private int count;

    int now() {
      int now;
      synchronized (this) {
        now = ++count;
      }
      if (now == 1) {
        end.tryEmitEmpty();
      }
      return now;
    }

    synchronized Mono<Void> later() {
      return Mono.fromRunnable(end::tryEmitEmpty);
    }
  }

  @Test
  void foreign_code_under_a_lock_is_seen_and_an_emission_behind_it_is_let_through() {
    ArchRule rule = RulesOfEveryModule.no_foreign_code_runs_under_a_lock;
    assertBroken(rule, EmitsInABlock.class);
    assertBroken(rule, EmitsFurtherDown.class);
    assertBroken(rule, EmitsUnderAnEntry.class);
    assertKept(rule, EmitsBehindTheLock.class);
  }

  @Test
  void a_subscription_is_seen() {
    assertBroken(RulesOfEveryModule.nothing_subscribes_or_blocks, Subscribes.class);
  }

  @Test
  void a_method_reference_to_block_is_seen() {
    assertBroken(RulesOfEveryModule.nothing_subscribes_or_blocks, BlocksByMethodReference.class);
  }

  @Test
  void parts_that_run_through_a_bare_flat_map_are_seen() {
    assertBroken(
        RulesOfEveryModule.parts_of_an_operation_run_through_concurrently, RunsPartsBare.class);
  }

  @Test
  void a_shared_scheduler_is_seen_and_an_own_one_is_let_through() {
    ArchRule rule = RulesOfEveryModule.nothing_runs_on_a_shared_scheduler;
    assertBroken(rule, SharesAScheduler.class);
    assertKept(rule, OwnsItsScheduler.class);
  }

  @Test
  void a_wait_on_a_shared_scheduler_is_seen_and_one_on_an_own_one_is_let_through() {
    ArchRule rule = RulesOfEveryModule.nothing_waits_on_a_shared_scheduler;
    assertBroken(rule, WaitsOnASharedScheduler.class);
    assertKept(rule, WaitsOnItsOwnScheduler.class);
  }

  @Test
  void streams_that_double_the_demand_are_seen_and_a_list_of_streams_is_let_through() {
    ArchRule rule = RulesOfEveryModule.streams_are_joined_by_concat_of_a_list;
    assertBroken(rule, JoinsAnArray.class);
    assertBroken(rule, GoesOnWithMany.class);
    assertKept(rule, JoinsAList.class);
  }

  @Test
  void printing_is_seen() {
    assertBroken(RulesOfEveryModule.a_library_does_not_print_or_choose_a_log, Prints.class);
  }

  private static void assertKept(ArchRule rule, Class<?> kept) {
    assertThat(rule.evaluate(new ClassFileImporter().importClasses(kept)))
        .matches(result -> !result.hasViolation(), "has no violation");
  }

  private static void assertBroken(ArchRule rule, Class<?> offender) {
    assertThat(rule.evaluate(new ClassFileImporter().importClasses(offender)))
        .matches(result -> result.hasViolation(), "has a violation");
  }
}
