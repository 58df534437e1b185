package dev.zarrreactive.house;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.function.Predicate;

/** No call, no method reference and no field access of a class matches. */
final class NeverUse extends ArchCondition<JavaClass> {

  private final Predicate<JavaAccess<?>> forbidden;

  NeverUse(String what, Predicate<JavaAccess<?>> forbidden) {
    super("never " + what);
    this.forbidden = forbidden;
  }

  @Override
  public void check(JavaClass type, ConditionEvents events) {
    for (JavaAccess<?> use : type.getAccessesFromSelf()) {
      if (forbidden.test(use)) {
        events.add(SimpleConditionEvent.violated(type, use.getDescription()));
      }
    }
  }
}
