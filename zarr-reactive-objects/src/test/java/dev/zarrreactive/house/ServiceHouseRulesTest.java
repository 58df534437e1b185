package dev.zarrreactive.house;

import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;

/** The rules of the house hold for the engine that stores in clouds share. */
@AnalyzeClasses(locations = MainClasses.class)
class ServiceHouseRulesTest {
  @ArchTest static final ArchTests rules_of_every_module = ArchTests.in(RulesOfEveryModule.class);

  @ArchTest static final ArchTests rules_of_the_library = ArchTests.in(RulesOfTheLibrary.class);
}
