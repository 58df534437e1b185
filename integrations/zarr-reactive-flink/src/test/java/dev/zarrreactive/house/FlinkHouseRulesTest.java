package dev.zarrreactive.house;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;
import com.tngtech.archunit.lang.ArchRule;

/** The rules of the house hold for the source of Flink, too. */
@AnalyzeClasses(locations = MainClasses.class)
class FlinkHouseRulesTest {
  /** Nothing of this module waits; {@code Pull} does, where a query is planned. */
  @ArchTest static final ArchRule nothing_locks = RulesOfModulesThatWait.only_locks_in("none");

  @ArchTest
  static final ArchRule only_the_reader_subscribes =
      RulesOfModulesThatWait.only_subscribes_in(".*\\.SplitRows(\\$.*)?");

  @ArchTest
  static final ArchTests rules_of_modules_that_wait = ArchTests.in(RulesOfModulesThatWait.class);

  @ArchTest
  static final ArchRule the_factory_is_all_that_is_public =
      classes().that().arePublic().should().haveSimpleName("ZarrTableFactory");
}
