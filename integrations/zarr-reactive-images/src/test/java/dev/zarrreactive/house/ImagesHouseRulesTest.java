package dev.zarrreactive.house;

import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;

/** The rules of the house hold for the codec of JPEG, too. */
@AnalyzeClasses(locations = MainClasses.class)
class ImagesHouseRulesTest {
  @ArchTest static final ArchTests rules_of_every_module = ArchTests.in(RulesOfEveryModule.class);
}
