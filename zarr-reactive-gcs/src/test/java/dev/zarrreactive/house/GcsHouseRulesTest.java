package dev.zarrreactive.house;

import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;

/** The rules of the house hold for the store in a bucket of Google, too. */
@AnalyzeClasses(locations = MainClasses.class)
class GcsHouseRulesTest {
  @ArchTest static final ArchTests rules_of_every_module = ArchTests.in(RulesOfEveryModule.class);
}
