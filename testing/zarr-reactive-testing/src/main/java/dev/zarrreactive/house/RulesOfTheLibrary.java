package dev.zarrreactive.house;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The rules of the house that hold in the modules of the library, beside those of every module. */
public final class RulesOfTheLibrary {

  @ArchTest
  static final ArchRule packages_import_only_the_floors_below_them =
      classes().should(new DependOnlyOnFloorsBelow()).allowEmptyShould(true);

  @ArchTest
  static final ArchRule packages_make_no_circles =
      slices()
          .matching("dev.zarrreactive.(**)")
          .should()
          .beFreeOfCycles()
          .allowEmptyShould(true)
          .because("a circle has no first page to read");

  @ArchTest
  static final ArchRule nothing_needs_micrometer =
      noClasses()
          .should()
          .dependOnClassesThat(resideInAnyPackage("io.micrometer.."))
          .allowEmptyShould(true)
          .because("meters are a module of their own, which most do without");

  @ArchTest
  static final ArchRule implementations_are_final =
      classes()
          .that()
          .resideInAPackage("dev.zarrreactive.internal..")
          .and()
          .areNotInterfaces()
          .and()
          .areNotEnums()
          .and()
          .areNotAnonymousClasses()
          .and(describe("concrete", type -> !isAbstract(type)))
          .should()
          .haveModifier(JavaModifier.FINAL)
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule implementations_of_the_spi_are_package_private =
      classes()
          .that()
          .resideInAPackage("dev.zarrreactive.internal..")
          .and()
          .areNotInterfaces()
          .and()
          .haveSimpleNameNotEndingWith("Provider")
          .and(describe("implement an interface of the public API", RulesOfTheLibrary::isOfTheSpi))
          .should()
          .notBePublic()
          .allowEmptyShould(true)
          .because(
              "they are reached through the interface; only what ServiceLoader makes is public");

  private static boolean isAbstract(JavaClass type) {
    return type.getModifiers().contains(JavaModifier.ABSTRACT);
  }

  private static boolean isOfTheSpi(JavaClass type) {
    return type.getAllRawInterfaces().stream()
        .anyMatch(
            spi ->
                spi.getPackageName().startsWith("dev.zarrreactive")
                    && !spi.getPackageName().startsWith("dev.zarrreactive.internal"));
  }

  private RulesOfTheLibrary() {}
}
