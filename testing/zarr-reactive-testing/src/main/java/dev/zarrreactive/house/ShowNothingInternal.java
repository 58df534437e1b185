package dev.zarrreactive.house;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Set;
import java.util.stream.Stream;

/** What a user of a public class can name (supertypes, fields, signatures) is public API too. */
final class ShowNothingInternal extends ArchCondition<JavaClass> {

  private static final String INTERNAL = "dev.zarrreactive.internal";

  ShowNothingInternal() {
    super("show no internal type in their public signatures");
  }

  @Override
  public void check(JavaClass type, ConditionEvents events) {
    if (!isVisible(type)) {
      return;
    }
    Stream.concat(type.getSuperclass().stream(), type.getInterfaces().stream())
        .forEach(parent -> refuseInternal(parent, type.getFullName(), type, events));
    for (JavaField field : type.getFields()) {
      if (isVisible(field.getModifiers())) {
        refuseInternal(field.getType(), field.getFullName(), type, events);
      }
    }
    for (JavaCodeUnit unit : type.getCodeUnits()) {
      if (isVisible(unit.getModifiers())) {
        signature(unit).forEach(part -> refuseInternal(part, unit.getFullName(), type, events));
      }
    }
  }

  private static Stream<JavaType> signature(JavaCodeUnit unit) {
    return Stream.of(
            Stream.of(unit.getReturnType()),
            unit.getParameterTypes().stream(),
            unit.getExceptionTypes().stream(),
            unit.getTypeParameters().stream())
        .flatMap(parts -> parts);
  }

  private static void refuseInternal(
      JavaType shown, String where, JavaClass type, ConditionEvents events) {
    for (JavaClass raw : shown.getAllInvolvedRawTypes()) {
      String packageName = raw.getBaseComponentType().getPackageName();
      if (packageName.equals(INTERNAL) || packageName.startsWith(INTERNAL + ".")) {
        events.add(SimpleConditionEvent.violated(type, where + " shows " + raw.getFullName()));
      }
    }
  }

  private static boolean isVisible(JavaClass type) {
    return isVisible(type.getModifiers())
        && type.getEnclosingClass().map(ShowNothingInternal::isVisible).orElse(true);
  }

  private static boolean isVisible(Set<JavaModifier> modifiers) {
    return modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED);
  }
}
