package dev.zarrreactive.house;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The rules of the house hold for the connector, too, but for the one bridge that waits. */
@AnalyzeClasses(
    packages = "dev.zarrreactive.spark",
    importOptions = ImportOption.DoNotIncludeTests.class)
class SparkHouseRulesTest {
  @ArchTest
  static final ArchRule only_the_bridge_waits =
      noClasses()
          .that()
          .haveNameNotMatching(".*\\.Pull(\\$.*)?")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("java.util.concurrent.locks")
          .orShould()
          .dependOnClassesThat()
          .haveSimpleName("BlockingQueue");

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

  @ArchTest
  static final ArchRule the_source_is_all_that_is_public =
      classes()
          .that()
          .arePublic()
          .should()
          .haveNameMatching(
              ".*\\.(ZarrDataSource|ZarrCatalog|ZarrExtensions|bridge\\.(Pull|RunningTasks)|write\\.ZarrSave|partition\\.[\\w$]+)");
}
