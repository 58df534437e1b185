package dev.zarrreactive.house;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;
import com.tngtech.archunit.lang.ArchRule;

/** The rules of the house hold for the connector, too, but for the one bridge that waits. */
@AnalyzeClasses(locations = MainClasses.class)
class SparkHouseRulesTest {
  @ArchTest
  static final ArchRule only_the_bridge_waits =
      RulesOfModulesThatWait.only_locks_in(".*\\.Pull(\\$.*)?");

  @ArchTest
  static final ArchTests rules_of_modules_that_wait = ArchTests.in(RulesOfModulesThatWait.class);

  @ArchTest
  static final ArchRule the_source_is_all_that_is_public =
      classes()
          .that()
          .arePublic()
          .should()
          .haveNameMatching(
              ".*\\.(ZarrDataSource|ZarrCatalog|ZarrExtensions|ZarrPoints|bridge\\.(RunningTasks|HadoopPlaces)|write\\.ZarrSave)");
}
