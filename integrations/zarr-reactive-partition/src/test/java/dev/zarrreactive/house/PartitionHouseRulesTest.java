package dev.zarrreactive.house;

import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;
import com.tngtech.archunit.lang.ArchRule;

/** The rules of the house hold for the planner, too, but for the one bridge that waits. */
@AnalyzeClasses(locations = MainClasses.class)
class PartitionHouseRulesTest {
  private static final String WAITING = ".*\\.Pull(\\$.*)?";

  @ArchTest
  static final ArchRule only_the_bridge_uses_locks = RulesOfModulesThatWait.only_locks_in(WAITING);

  @ArchTest
  static final ArchRule only_the_bridge_waits = RulesOfModulesThatWait.only_subscribes_in(WAITING);

  @ArchTest
  static final ArchTests rules_of_modules_that_wait = ArchTests.in(RulesOfModulesThatWait.class);
}
