package dev.zarrreactive.house;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;
import com.tngtech.archunit.lang.ArchRule;

/** The rules of the house hold for Arrow, too, but for the one reader that waits. */
@AnalyzeClasses(locations = MainClasses.class)
class ArrowHouseRulesTest {
  private static final String READER = ".*\\.BatchReader(\\$.*)?";

  @ArchTest
  static final ArchRule only_the_reader_waits = RulesOfModulesThatWait.only_locks_in(READER);

  @ArchTest
  static final ArchRule only_the_reader_subscribes =
      RulesOfModulesThatWait.only_subscribes_in(READER);

  @ArchTest
  static final ArchTests rules_of_modules_that_wait = ArchTests.in(RulesOfModulesThatWait.class);

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
