package dev.zarrreactive.testing;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A test of many cases, of which {@code ./mvnw verify} tries some and {@code -Pall} or {@code
 * -Pslow} all: {@link Cases#some} says how many.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
@org.junit.jupiter.api.Tag("sampled")
@net.jqwik.api.Tag("sampled")
public @interface Sampled {}
