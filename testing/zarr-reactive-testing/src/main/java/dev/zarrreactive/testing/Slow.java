package dev.zarrreactive.testing;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A test that {@code ./mvnw verify} leaves out, for it takes long; {@code -Pall} and {@code -Pslow}
 * run it, and so does {@code -Dtest=} with its name. What it tests is tested by a quick one, too.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
@org.junit.jupiter.api.Tag("slow")
@net.jqwik.api.Tag("slow")
public @interface Slow {}
