package dev.zarrreactive.house;

import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;

/** The rules of the house hold for the store over S3, too. */
@AnalyzeClasses(locations = MainClasses.class)
class S3HouseRulesTest {
  @ArchTest static final ArchTests rules_of_every_module = ArchTests.in(RulesOfEveryModule.class);
}
