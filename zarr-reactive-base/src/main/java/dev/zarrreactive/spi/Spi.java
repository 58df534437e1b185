package dev.zarrreactive.spi;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A type for authors of stores and codecs, and for programs that look behind an array. Programs
 * that open, read and write arrays need none of these types. Their members may change in a minor
 * version, with an entry in the change log.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Spi {}
