package dev.zarrreactive.house;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Duration;
import java.util.Set;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** The rules of the house that classes can be asked about. */
@AnalyzeClasses(locations = MainClasses.class)
class HouseRulesTest {

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
  static final ArchRule packages_import_only_the_floors_below_them =
      classes().should(new DependOnlyOnFloorsBelow()).allowEmptyShould(true);

  @ArchTest
  static final ArchRule packages_make_no_circles =
      slices()
          .matching("dev.zarrreactive.(**)")
          .should()
          .beFreeOfCycles()
          .allowEmptyShould(true)
          .because("a circle has no first page to read");

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
                  HouseRulesTest::waitsOnASharedScheduler))
          .allowEmptyShould(true)
          .because("operators of time run on Schedulers.parallel() unless they are given another");

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
  static final ArchRule codecs_are_plain_functions =
      noClasses()
          .that()
          .resideInAnyPackage("dev.zarrreactive.codec..", "dev.zarrreactive.internal.codec..")
          .should()
          .dependOnClassesThat(resideInAnyPackage("reactor..", "org.reactivestreams.."))
          .allowEmptyShould(true)
          .because("the whole chain of a chunk runs synchronously in one hop");

  @ArchTest
  static final ArchRule nothing_needs_micrometer =
      noClasses()
          .that()
          .resideOutsideOfPackage("dev.zarrreactive.micrometer..")
          .should()
          .dependOnClassesThat(resideInAnyPackage("io.micrometer.."))
          .allowEmptyShould(true)
          .because("meters are a module of their own, which most do without");

  @ArchTest
  static final ArchRule the_public_api_shows_nothing_internal =
      classes()
          .that()
          .resideOutsideOfPackage("dev.zarrreactive.internal..")
          .should(new ShowNothingInternal())
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule implementations_are_final =
      classes()
          .that()
          .resideInAPackage("dev.zarrreactive.internal..")
          .and()
          .areNotInterfaces()
          .and()
          .areNotEnums()
          .and()
          .areNotAnonymousClasses()
          .and(describe("concrete", type -> !isAbstract(type)))
          .should()
          .haveModifier(JavaModifier.FINAL)
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule implementations_of_the_spi_are_package_private =
      classes()
          .that()
          .resideInAPackage("dev.zarrreactive.internal..")
          .and()
          .areNotInterfaces()
          .and()
          .haveSimpleNameNotEndingWith("Provider")
          .and(describe("implement an interface of the public API", HouseRulesTest::isOfTheSpi))
          .should()
          .notBePublic()
          .allowEmptyShould(true)
          .because(
              "they are reached through the interface; only what ServiceLoader makes is public");

  @ArchTest
  static final ArchRule a_library_does_not_print_or_choose_a_log =
      classes()
          .should(
              new NeverUse(
                  "print to the console",
                  use ->
                      use.getTargetOwner().isEquivalentTo(System.class)
                              && Set.of("out", "err").contains(use.getName())
                          || use.getName().equals("printStackTrace")))
          .andShould(
              new NeverUse(
                  "use java.util.logging",
                  use -> use.getTargetOwner().getPackageName().equals("java.util.logging")))
          .allowEmptyShould(true);

  private static boolean isAbstract(JavaClass type) {
    return type.getModifiers().contains(JavaModifier.ABSTRACT);
  }

  private static boolean isOfTheSpi(JavaClass type) {
    return type.getAllRawInterfaces().stream()
        .anyMatch(
            spi ->
                spi.getPackageName().startsWith("dev.zarrreactive")
                    && !spi.getPackageName().startsWith("dev.zarrreactive.internal"));
  }
}
