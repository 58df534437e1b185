package dev.zarrreactive.house;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/**
 * The rules of the house that hold in a module, too, one class of which waits for a library that
 * blocks. A test of the module names that class.
 */
public final class RulesOfModulesThatWait {
  @ArchTest
  static final ArchRule parts_of_an_operation_run_through_concurrently =
      RulesOfEveryModule.parts_of_an_operation_run_through_concurrently;

  @ArchTest
  static final ArchRule nothing_runs_on_a_shared_scheduler =
      RulesOfEveryModule.nothing_runs_on_a_shared_scheduler;

  @ArchTest
  static final ArchRule nothing_waits_on_a_shared_scheduler =
      RulesOfEveryModule.nothing_waits_on_a_shared_scheduler;

  @ArchTest
  static final ArchRule streams_are_joined_by_concat_of_a_list =
      RulesOfEveryModule.streams_are_joined_by_concat_of_a_list;

  @ArchTest
  static final ArchRule no_foreign_code_runs_under_a_lock =
      RulesOfEveryModule.no_foreign_code_runs_under_a_lock;

  @ArchTest
  static final ArchRule a_library_does_not_print_or_choose_a_log =
      RulesOfEveryModule.a_library_does_not_print_or_choose_a_log;

  private RulesOfModulesThatWait() {}

  /**
   * Only one class uses locks and queues that block.
   *
   * @param waiting a pattern of its name
   */
  static ArchRule only_locks_in(String waiting) {
    return noClasses()
        .that()
        .haveNameNotMatching(waiting)
        .should()
        .dependOnClassesThat()
        .resideInAPackage("java.util.concurrent.locks")
        .orShould()
        .dependOnClassesThat()
        .haveSimpleName("BlockingQueue");
  }

  /**
   * Only one class subscribes to publishers, or blocks on them.
   *
   * @param waiting a pattern of its name
   */
  static ArchRule only_subscribes_in(String waiting) {
    return noClasses()
        .that()
        .haveNameNotMatching(waiting)
        .should()
        .dependOnClassesThat()
        .haveSimpleName("BaseSubscriber")
        .orShould()
        .callMethodWhere(
            target(
                nameMatching(
                    "subscribe|subscribeWith|block|block(Optional|First|Last)|toFuture|toIterable|toStream")));
  }
}
