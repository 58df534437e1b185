package dev.zarrreactive.house;

import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import dev.zarrreactive.webflux.autoconfigure.ZarrAutoConfiguration;
import dev.zarrreactive.webflux.autoconfigure.ZarrLinksAutoConfiguration;
import reactor.core.publisher.Mono;

/**
 * The rules of the house hold for services, too, but for the start, where Spring wants an object.
 */
@AnalyzeClasses(locations = MainClasses.class)
class WebFluxHouseRulesTest {
  @ArchTest
  static final ArchRule only_the_start_waits =
      ArchRuleDefinition.noClasses()
          .that()
          .doNotBelongToAnyOf(
              ZarrAutoConfiguration.class, // with the class inside of it
              ZarrLinksAutoConfiguration.class)
          .should()
          .callMethod(Mono.class, "block")
          .orShould()
          .callMethod(Mono.class, "block", java.time.Duration.class)
          .orShould()
          .callMethod(Mono.class, "subscribe");

  @ArchTest
  static final ArchTests rules_of_modules_that_wait = ArchTests.in(RulesOfModulesThatWait.class);
}
