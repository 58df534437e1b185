package dev.zarrreactive.house;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The rules of the house hold for splits, too. */
@AnalyzeClasses(
    packages = "dev.zarrreactive.partitioning",
    importOptions = ImportOption.DoNotIncludeTests.class)
class PartitioningHouseRulesTest {
  @ArchTest
  static final ArchRule nothing_subscribes_or_blocks = HouseRulesTest.nothing_subscribes_or_blocks;

  @ArchTest
  static final ArchRule parts_of_an_operation_run_through_concurrently =
      HouseRulesTest.parts_of_an_operation_run_through_concurrently;

  @ArchTest
  static final ArchRule nothing_runs_on_a_shared_scheduler =
      HouseRulesTest.nothing_runs_on_a_shared_scheduler;

  @ArchTest
  static final ArchRule nothing_waits_on_a_shared_scheduler =
      HouseRulesTest.nothing_waits_on_a_shared_scheduler;

  @ArchTest
  static final ArchRule the_public_api_shows_nothing_internal =
      HouseRulesTest.the_public_api_shows_nothing_internal;

  @ArchTest
  static final ArchRule a_library_does_not_print_or_choose_a_log =
      HouseRulesTest.a_library_does_not_print_or_choose_a_log;
}
