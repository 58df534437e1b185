package dev.zarrreactive.house;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;

/** A class depends on classes of its own floor and of the floors below. */
final class DependOnlyOnFloorsBelow extends ArchCondition<JavaClass> {

  DependOnlyOnFloorsBelow() {
    super("depend only on their own floor and the floors below");
  }

  @Override
  public void check(JavaClass type, ConditionEvents events) {
    int floor = Floors.of(type.getPackageName());
    for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
      String target = dependency.getTargetClass().getBaseComponentType().getPackageName();
      if (Floors.isOurs(target) && Floors.of(target) < floor) {
        events.add(SimpleConditionEvent.violated(type, dependency.getDescription()));
      }
    }
  }
}
