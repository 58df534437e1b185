package dev.zarrreactive.house;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import dev.zarrreactive.webflux.autoconfigure.ZarrAutoConfiguration;
import reactor.core.publisher.Mono;

/**
 * The rules of the house hold for services, too, but for the start, where Spring wants an object.
 */
@AnalyzeClasses(
    packages = "dev.zarrreactive.webflux",
    importOptions = ImportOption.DoNotIncludeTests.class)
class WebFluxHouseRulesTest {
  @ArchTest
  static final ArchRule only_the_start_waits =
      ArchRuleDefinition.noClasses()
          .that()
          .doNotBelongToAnyOf(ZarrAutoConfiguration.class) // with the class inside of it
          .should()
          .callMethod(Mono.class, "block")
          .orShould()
          .callMethod(Mono.class, "block", java.time.Duration.class)
          .orShould()
          .callMethod(Mono.class, "subscribe");

  @ArchTest
  static final ArchRule parts_of_an_operation_run_through_concurrently =
      RulesOfEveryModule.parts_of_an_operation_run_through_concurrently;

  @ArchTest
  static final ArchRule nothing_runs_on_a_shared_scheduler =
      RulesOfEveryModule.nothing_runs_on_a_shared_scheduler;

  @ArchTest
  static final ArchRule nothing_waits_on_a_shared_scheduler =
      RulesOfEveryModule.nothing_waits_on_a_shared_scheduler;

  @ArchTest
  static final ArchRule streams_are_joined_by_concat_of_a_list =
      RulesOfEveryModule.streams_are_joined_by_concat_of_a_list;

  @ArchTest
  static final ArchRule a_library_does_not_print_or_choose_a_log =
      RulesOfEveryModule.a_library_does_not_print_or_choose_a_log;
}
