package dev.zarrreactive.house;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Duration;
import java.util.Set;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** The rules of the house that hold in each module; a test of the module gives the classes. */
public final class RulesOfEveryModule {
  private static final Set<String> BLOCKING_OR_SUBSCRIBING =
      Set.of(
          "subscribe",
          "subscribeWith",
          "block",
          "blockOptional",
          "blockFirst",
          "blockLast",
          "toFuture",
          "toIterable",
          "toStream");

  private static final Set<String> SEVERAL_AT_A_TIME =
      Set.of(
          "flatMap",
          "flatMapDelayError",
          "flatMapSequential",
          "flatMapSequentialDelayError",
          "merge",
          "mergeDelayError",
          "mergeSequential",
          "mergeSequentialDelayError",
          "mergeWith");

  private static final Set<String> SHARED_SCHEDULERS =
      Set.of("parallel", "boundedElastic", "single", "immediate");

  @ArchTest
  static final ArchRule nothing_subscribes_or_blocks =
      classes()
          .should(
              new NeverUse(
                  "subscribe to a publisher or block on one",
                  use ->
                      BLOCKING_OR_SUBSCRIBING.contains(use.getName())
                          && use.getTargetOwner().isAssignableTo("org.reactivestreams.Publisher")
                          && !handsItsSubscriberOn(use)))
          .allowEmptyShould(true)
          .because("only the caller subscribes");

  /** A publisher of our own that subscribes when it is subscribed to. */
  private static boolean handsItsSubscriberOn(JavaAccess<?> use) {
    JavaCodeUnit by = use.getOrigin();
    return by.getName().equals("subscribe")
        && by.getOwner().isAssignableTo("org.reactivestreams.Publisher");
  }

  @ArchTest
  static final ArchRule parts_of_an_operation_run_through_concurrently =
      classes()
          .that()
          .resideOutsideOfPackage("dev.zarrreactive.internal.flow")
          .should(
              new NeverUse(
                  "run several parts at a time but through Concurrently",
                  use ->
                      SEVERAL_AT_A_TIME.contains(use.getName())
                          && use.getTargetOwner().isEquivalentTo(Flux.class)))
          .allowEmptyShould(true)
          .because("flatMap alone makes composite errors of two, drops a third and delays cancels");

  @ArchTest
  static final ArchRule nothing_runs_on_a_shared_scheduler =
      classes()
          .should(
              new NeverUse(
                  "use a scheduler that is shared with the application",
                  use ->
                      SHARED_SCHEDULERS.contains(use.getName())
                          && use.getTargetOwner().isEquivalentTo(Schedulers.class)))
          .allowEmptyShould(true)
          .because("decoding on Schedulers.parallel() delays the timers of everyone else");

  @ArchTest
  static final ArchRule nothing_waits_on_a_shared_scheduler =
      classes()
          .should(
              new NeverUse(
                  "wait for a time without naming the scheduler",
                  RulesOfEveryModule::waitsOnASharedScheduler))
          .allowEmptyShould(true)
          .because("operators of time run on Schedulers.parallel() unless they are given another");

  @ArchTest
  static final ArchRule streams_are_joined_by_concat_of_a_list =
      classes()
          .should(
              new NeverUse(
                  "join streams but through Flux.concat of a list",
                  RulesOfEveryModule::doublesDemand))
          .allowEmptyShould(true)
          .because(
              "an element that is demanded while an empty stream ends may arrive twice"
                  + " (reactor-core 3.7.19, FluxConcatArray)");

  private static boolean doublesDemand(JavaAccess<?> use) {
    return use.getTarget() instanceof CodeUnitAccessTarget target
        && (target.getOwner().isEquivalentTo(Flux.class)
            || target.getOwner().isEquivalentTo(Mono.class))
        && (Set.of("thenMany", "concatWith").contains(target.getName())
            || (target.getName().equals("concat")
                && target.getRawParameterTypes().get(0).isArray()));
  }

  @ArchTest
  static final ArchRule no_foreign_code_runs_under_a_lock =
      classes()
          .should(new CallNoForeignCodeUnderALock())
          .allowEmptyShould(true)
          .because("two threads that take two locks in two orders wait for each other for ever");

  private static boolean waitsOnASharedScheduler(JavaAccess<?> use) {
    return use.getTarget() instanceof CodeUnitAccessTarget target
        && (target.getOwner().isEquivalentTo(Flux.class)
            || target.getOwner().isEquivalentTo(Mono.class))
        && target.getRawParameterTypes().stream()
            .anyMatch(type -> type.isEquivalentTo(Duration.class))
        && target.getRawParameterTypes().stream()
            .noneMatch(type -> type.isEquivalentTo(Scheduler.class));
  }

  @ArchTest
  static final ArchRule a_library_does_not_print_or_choose_a_log =
      classes()
          .should(
              new NeverUse(
                  "print to the console",
                  use ->
                      (use.getTargetOwner().isEquivalentTo(System.class)
                              && Set.of("out", "err").contains(use.getName()))
                          || use.getName().equals("printStackTrace")))
          .andShould(
              new NeverUse(
                  "use java.util.logging",
                  use -> use.getTargetOwner().getPackageName().equals("java.util.logging")))
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule the_public_api_shows_nothing_internal =
      classes()
          .that()
          .resideOutsideOfPackage("dev.zarrreactive.internal..")
          .should(new ShowNothingInternal())
          .allowEmptyShould(true);

  private RulesOfEveryModule() {}
}
