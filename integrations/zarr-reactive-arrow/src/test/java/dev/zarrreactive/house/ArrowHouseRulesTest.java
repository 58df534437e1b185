package dev.zarrreactive.house;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The rules of the house hold for Arrow, too, but for the one reader that waits. */
@AnalyzeClasses(
    packages = "dev.zarrreactive.arrow",
    importOptions = ImportOption.DoNotIncludeTests.class)
class ArrowHouseRulesTest {
  private static final String READER = ".*\\.BatchReader(\\$.*)?";

  @ArchTest
  static final ArchRule only_the_reader_waits =
      noClasses()
          .that()
          .haveNameNotMatching(READER)
          .should()
          .dependOnClassesThat()
          .resideInAPackage("java.util.concurrent.locks")
          .orShould()
          .dependOnClassesThat()
          .haveSimpleName("BlockingQueue");

  @ArchTest
  static final ArchRule only_the_reader_subscribes =
      noClasses()
          .that()
          .haveNameNotMatching(READER)
          .should()
          .dependOnClassesThat()
          .haveSimpleName("BaseSubscriber")
          .orShould()
          .callMethodWhere(
              target(
                  nameMatching(
                      "subscribe|subscribeWith|block|block(Optional|First|Last)|toFuture|toIterable|toStream")));

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
  static final ArchRule no_foreign_code_runs_under_a_lock =
      RulesOfEveryModule.no_foreign_code_runs_under_a_lock;

  @ArchTest
  static final ArchRule a_library_does_not_print_or_choose_a_log =
      RulesOfEveryModule.a_library_does_not_print_or_choose_a_log;

  @ArchTest
  static final ArchRule the_tables_are_all_that_is_public =
      classes()
          .that()
          .arePublic()
          .and()
          .areTopLevelClasses()
          .should()
          .haveSimpleNameStartingWith("Arrow");
}
