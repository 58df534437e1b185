package dev.zarrreactive.house;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;
import com.tngtech.archunit.lang.ArchRule;

/** The rules of the house hold for images, too, but for the one class that waits. */
@AnalyzeClasses(locations = MainClasses.class)
class Imglib2HouseRulesTest {
  private static final String WAITING = ".*\\.CellLoads(\\$.*)?";

  @ArchTest
  static final ArchRule only_the_loads_use_locks = RulesOfModulesThatWait.only_locks_in(WAITING);

  @ArchTest
  static final ArchRule only_the_loads_wait = RulesOfModulesThatWait.only_subscribes_in(WAITING);

  @ArchTest
  static final ArchTests rules_of_modules_that_wait = ArchTests.in(RulesOfModulesThatWait.class);

  @ArchTest
  static final ArchRule the_image_is_all_that_is_public =
      classes().that().arePublic().and().areTopLevelClasses().should().haveSimpleName("ZarrImage");
}
