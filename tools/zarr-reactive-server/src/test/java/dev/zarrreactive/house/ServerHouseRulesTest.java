package dev.zarrreactive.house;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;

/** The rules of the house hold for the server, too. */
@AnalyzeClasses(
    packages = {"dev.zarrreactive.server", "dev.zarrreactive.internal.description"},
    importOptions = ImportOption.DoNotIncludeTests.class)
class ServerHouseRulesTest {
  @ArchTest static final ArchTests rules_of_every_module = ArchTests.in(RulesOfEveryModule.class);
}
